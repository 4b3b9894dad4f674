import { PlacardError } from '../errors.ts';
import { LOG_EVENTS, type LogCode } from './log-events.ts';
import type { LogEvent } from './log-event.ts';

/** Bytes of fields in one line. With time, level, code and sentence, a line stays below 4 kB. */
const FIELD_BYTES_MAX = 3_400;
const TEXT_CHARACTERS_MAX = 1_000;
/** Bytes of the items of one list. */
const LIST_BYTES_MAX = 1_200;
const FRAMES_MAX = 6;
const CAUSES_MAX = 3;
/** The password of a user in an address. */
const ADDRESS_PASSWORD = /(\/\/[^/\s:@]*:)[^/\s@]+@/g;
/** Names of fields whose values are never written. */
const SECRET_NAME = /password|secret|authorization|cookie|token$|apikey|privatekey/i;
/** States of PostgreSQL that only a wrong statement of ours can cause: data, constraint, syntax, internal. */
const STATEMENT_STATE = /^(?:22|23|42|P0|XX)[0-9A-Z]{3}$/;

/** What a line tells about an error: never the error itself, which may hold sockets, statements and clients. */
export interface ReducedError {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
  /** Frames of our own code, innermost first; only of an unexpected error in an event of level error or fatal. */
  readonly stack?: readonly string[];
}

/** The members that an event adds to a line, bounded and without secrets. `isCut` is true where something had to be left out. */
export function toLogFields(code: LogCode, fields: object): Record<string, unknown> {
  const { level }: LogEvent = LOG_EVENTS[code];
  const kept: Record<string, unknown> = {};
  let bytesLeft = FIELD_BYTES_MAX;
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const short = name === 'err' ? reduceError(value, level) : shorten(name, value);
    const bytes = Buffer.byteLength(JSON.stringify(short) ?? '') + name.length + 4;
    if (bytes > bytesLeft) {
      kept['isCut'] = true;
      continue;
    }
    bytesLeft -= bytes;
    kept[name] = short;
  }
  return kept;
}

/** Name, code and message of anything that was thrown, with the messages of its causes. */
export function reduceError(error: unknown, level: LogEvent['level']): ReducedError {
  if (!(error instanceof Error)) return { name: typeof error, message: cutText(String(error)) };
  const code = codeOf(error);
  const reduced = {
    name: error.name,
    ...(code === null ? {} : { code }),
    message: cutText(messageOf(error)),
  };
  if ((level !== 'error' && level !== 'fatal') || !isUnexpected(error)) return reduced;
  return { ...reduced, stack: ownFrames(error.stack ?? '') };
}

/** Most errors with a code come from a store or the network: their code says more than their stack. */
function isUnexpected(error: Error): boolean {
  if (error instanceof PlacardError) return false;
  const code = codeOf(error);
  return code === null || STATEMENT_STATE.test(code);
}

function codeOf(error: Error): string | null {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' || typeof code === 'number' ? String(code) : null;
}

function messageOf(error: Error): string {
  const messages = [ownMessageOf(error)];
  let { cause } = error;
  while (cause instanceof Error && messages.length <= CAUSES_MAX) {
    messages.push(ownMessageOf(cause));
    ({ cause } = cause);
  }
  return messages.filter((message) => message !== '').join(': ');
}

/** A connection that failed at several addresses has its messages inside. */
function ownMessageOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message;
  return error.errors.map((one) => (one instanceof Error ? one.message : String(one))).join(', ');
}

/** `decide (src/delivery/decision/decide.ts:12:3)`: frames outside of libraries and Node.js, with paths from the program's folder. */
function ownFrames(stack: string): string[] {
  return stack
    .split('\n')
    .filter((line) => line.startsWith('    at ') && !line.includes('node:') && !line.includes('/node_modules/'))
    .slice(0, FRAMES_MAX)
    .map((line) => line.slice(7).replace(/file:\/\/\S*?\/(?=(?:src|test|bench)\/)/, ''));
}

function shorten(name: string, value: unknown): unknown {
  if (SECRET_NAME.test(name)) return '[redacted]';
  if (typeof value === 'string') return cutText(value);
  if (typeof value === 'bigint') return value.toString();
  if (!Array.isArray(value))
    return typeof value === 'object' && value !== null ? cutText(JSON.stringify(value)) : value;
  let bytesLeft = LIST_BYTES_MAX;
  const items: unknown[] = [];
  for (const item of value.map((one: unknown) => shorten('', one))) {
    bytesLeft -= Buffer.byteLength(JSON.stringify(item) ?? '') + 1;
    if (bytesLeft < 0) return [...items, `and ${value.length - items.length} more`];
    items.push(item);
  }
  return items;
}

/** One line of text, bounded, without passwords. */
function cutText(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(ADDRESS_PASSWORD, '$1[redacted]@');
  return line.length > TEXT_CHARACTERS_MAX ? `${line.slice(0, TEXT_CHARACTERS_MAX)}…` : line;
}
