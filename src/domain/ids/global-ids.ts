import { isDecimalId } from './ids.ts';

/** An object by its type and the decimal id that is unique in this type. */
export interface NamedObject {
  readonly type: string;
  readonly id: string;
}

const TEXT_LENGTH_MAX = 100;
const NAMED = /^([A-Z][A-Za-z]{0,49}):([1-9]\d{0,17})$/;

/** The id of an object that is unique among all types. It is opaque to clients, and never looks like a decimal id. */
export function encodeGlobalId(type: string, id: string | bigint): string {
  return Buffer.from(`${type}:${id}`).toString('base64url');
}

/** The object that a global id names; null for any other text. Each object has one global id only. */
export function decodeGlobalId(text: string): NamedObject | null {
  if (text.length > TEXT_LENGTH_MAX) return null;
  const [, type, id] = NAMED.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (type === undefined || id === undefined || encodeGlobalId(type, id) !== text) return null;
  return { type, id };
}

/** The decimal id of an object of a known type, from either form of its id; null for a text that is neither, or the id of another type. */
export function decimalIdOf(type: string, given: unknown): string | null {
  const text = String(given);
  if (isDecimalId(text)) return text;
  const named = decodeGlobalId(text);
  return named?.type === type ? named.id : null;
}

/** As {@link decimalIdOf}, and a wrong id as it was given: for callers that report it themselves. */
export function plainIdOf(type: string, given: unknown): string {
  return decimalIdOf(type, given) ?? String(given);
}
