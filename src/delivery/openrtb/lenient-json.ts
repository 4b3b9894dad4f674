/** Reads optional members of client JSON: a member of an unexpected type counts as absent. */

/** A JSON object with unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

const EMPTY_OBJECT: JsonObject = Object.freeze({});

/** The member as an object, or an empty one. */
export function objectIn(parent: JsonObject, name: string): JsonObject {
  return asObject(parent[name]) ?? EMPTY_OBJECT;
}

/** At most `max` elements; not an array = none. */
export function arrayOf(value: unknown, max: number): readonly unknown[] {
  return Array.isArray(value) ? (value.length > max ? value.slice(0, max) : value) : [];
}

/** A text, or a number as text, cut to `lengthMax`; else ''. A character that the cut splits becomes U+FFFD. */
export function textOf(value: unknown, lengthMax = 512): string {
  if (typeof value === 'string') return value.length > lengthMax ? value.slice(0, lengthMax).toWellFormed() : value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
}

/** Texts of an array, empty ones left out. */
export function textsOf(value: unknown, max: number, lengthMax = 512): string[] {
  const texts: string[] = [];
  for (const item of arrayOf(value, max)) {
    const text = textOf(item, lengthMax);
    if (text !== '') texts.push(text);
  }
  return texts;
}

/** A finite number ≥ 0 (numbers as text count); else null. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}

/** A whole number from `min` to `max`; else null. */
export function integerOf(value: unknown, min: number, max: number): number | null {
  const number = numberOf(value);
  return number !== null && Number.isInteger(number) && number >= min && number <= max ? number : null;
}

/** Whole numbers of an array. */
export function integersOf(value: unknown, max: number): number[] {
  if (!Array.isArray(value)) return [];
  return arrayOf(value, max)
    .map((item) => integerOf(item, 0, Number.MAX_SAFE_INTEGER))
    .filter((item) => item !== null);
}

/** True for 1, true, "1" and "true". */
export function flagOf(value: unknown): boolean {
  return value === 1 || value === true || value === '1' || value === 'true';
}
