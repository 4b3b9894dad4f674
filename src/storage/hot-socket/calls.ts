import type { HotStore } from '../hot/hot-store.ts';

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

/** The result of a call, with the number of the call. */
export type ResultMessage =
  | readonly [number: number, isDone: true, result: unknown]
  | readonly [number: number, isDone: false, error: SentError];

/**
 * What `countRest` came to: the duplicates, or where the lines begin that the owner needs. Only the caller can read the file, so it counts those
 * lines by `countLines` and asks again.
 */
export type RestResult = { readonly duplicates: readonly number[] } | { readonly from: number };

/** An error on its way. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  /** Of a `HotStoreLostError`. */
  readonly found?: readonly (string | null)[] | null;
}
