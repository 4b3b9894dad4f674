import { MissingLinesError } from '../hot/event-counts.ts';
import type { HotStore } from '../hot/hot-store.ts';
import { HotStoreLostError } from '../hot/lost-shards.ts';

/** The calls that the owner of the store does for others. */
export const SERVED = [
  'applyOnce',
  'applyOnceAll',
  'get',
  'readValues',
  'set',
  'delete',
  'deletePrefixes',
  'readCounters',
  'addToCounters',
  'addNumbered',
  'readList',
  'countLines',
  'countRest',
  'forgetFile',
  'isCounted',
  'flushed',
  'ping',
] as const satisfies readonly (keyof HotStore)[];

/** A call of {@link SERVED}. */
export type ServedCall = (typeof SERVED)[number];

/** A call: its number on the connection, its name and its arguments. */
export type CallMessage = readonly [number: number, call: ServedCall, args: readonly unknown[]];

/** What a call came to; its number is that of the call. */
export type ResultMessage =
  | readonly [number: number, isDone: true, result: unknown]
  | readonly [number: number, isDone: false, error: SentError];

/**
 * What `countRest` came to: the duplicates, or where the lines begin that the owner needs. Only the caller can read the file, so it counts those
 * lines by `countLines` and asks again.
 */
export type RestResult = { readonly duplicates: ReadonlySet<number> } | { readonly from: number };

/** An error on its way. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  /** Of a `HotStoreLostError`. */
  readonly found?: readonly (bigint | null)[];
}

/** The form in which an error is sent. */
export function encodeError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message } = error;
  return error instanceof HotStoreLostError ? { name, message, found: error.found } : { name, message };
}

/** The error that was sent: of its own class where callers tell it from others. */
export function decodeError({ name, message, found }: SentError): Error {
  if (name === 'RangeError') return new RangeError(message);
  if (name === 'MissingLinesError') return new MissingLinesError(message);
  if (name === 'HotStoreLostError') return new HotStoreLostError(found);
  return new Error(message);
}
