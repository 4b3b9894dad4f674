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
/** Characters of a text that are read at all: enough for a full line after redaction and with white space removed. */
const TEXT_CHARACTERS_READ = 4 * TEXT_CHARACTERS_MAX;
const FRAME_CHARACTERS_MAX = 300;
/** The password of a user in an address, up to its last `@`: passwords hold `@` and `/` too. */
const ADDRESS_PASSWORD = /(\/\/[^/\s:]*:)(?:(?!:\/\/)\S)+@/g;
const BEARER_TOKEN = /\b(Bearer\s+)[^\s"',;]+/gi;
/** A value in a text (JSON, a query, a header) whose name is one of a secret; a text that was cut may lack the closing quote. */
const NAMED_SECRET =
  /((?:(?:password|secret|authorization|cookie|api[_-]?key|private[_-]?key)[\w-]{0,30}|token)\\?["']?\s{0,3}[:=]\s{0,3})(?:(?:Basic|Bearer)\s+)?(?:\\?"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s"',;&})\]]+)/gi;
/** Names of fields whose values are never written. */
const SECRET_NAME = /password|secret|authorization|cookie|token$|apikey|privatekey/i;
/** States of PostgreSQL that only a wrong statement of ours can cause: data, constraint, syntax, internal. */
const STATEMENT_STATE = /^(?:22|23|42|P0|XX)[0-9A-Z]{3}$/;

/** The fields of a line about an error: never the error itself, which may hold sockets, statements and clients. */
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
    .map((line) => line.slice(7, 7 + FRAME_CHARACTERS_MAX).replace(/file:\/\/\S*?\/(?=(?:src|test|bench)\/)/, ''));
}

function shorten(name: string, value: unknown): unknown {
  if (SECRET_NAME.test(name)) return '[redacted]';
  if (typeof value === 'string') return cutText(value);
  if (typeof value === 'bigint') return value.toString();
  if (!Array.isArray(value))
    return typeof value === 'object' && value !== null ? cutText(JSON.stringify(value)) : value;
  let bytesLeft = LIST_BYTES_MAX;
  const items: unknown[] = [];
  for (const one of value as unknown[]) {
    const item = shorten('', one);
    bytesLeft -= Buffer.byteLength(JSON.stringify(item) ?? '') + 1;
    if (bytesLeft < 0) return [...items, `and ${value.length - items.length} more`];
    items.push(item);
  }
  return items;
}

/** One line of text, bounded, without passwords and tokens. The work is bounded too, whatever the length of the text. */
function cutText(text: string): string {
  const line = text
    .slice(0, TEXT_CHARACTERS_READ)
    .replaceAll(/\s+/g, (space) => (space.includes('\n') ? ' ' : space))
    .replaceAll(ADDRESS_PASSWORD, '$1[redacted]@')
    .replaceAll(NAMED_SECRET, '$1[redacted]')
    .replaceAll(BEARER_TOKEN, '$1[redacted]');
  const isCut = text.length > TEXT_CHARACTERS_READ || line.length > TEXT_CHARACTERS_MAX;
  return isCut ? `${line.slice(0, TEXT_CHARACTERS_MAX)}…` : line;
}
