import { MissingLinesError } from '../hot/event-counts.ts';
import type { CounterIncrement } from '../hot/hot-store.ts';
import { HotStoreLostError } from '../hot/lost-shards.ts';
import type { SentError, ServedCall } from './calls.ts';

/** Arguments and results are sent as JSON: fast, but it has neither big integers nor sets. This file knows which members hold them. */
type Convert = (value: never) => unknown;

type SentIncrement = readonly [key: string, by: string, ttlMs: number];
interface WithIncrements {
  readonly increments?: readonly CounterIncrement[];
}
interface WithSentIncrements {
  readonly increments?: readonly SentIncrement[];
}

const packIncrements = (all: readonly CounterIncrement[]): SentIncrement[] =>
  all.map(({ key, by, ttlMs }) => [key, String(by), ttlMs]);
const unpackIncrements = (all: readonly SentIncrement[]): CounterIncrement[] =>
  all.map(([key, by, ttlMs]) => ({ key, by: BigInt(by), ttlMs }));
const pack = (one: WithIncrements): unknown =>
  one.increments === undefined ? one : { ...one, increments: packIncrements(one.increments) };
const unpack = (one: WithSentIncrements): unknown =>
  one.increments === undefined ? one : { ...one, increments: unpackIncrements(one.increments) };

/** By call: the first argument, as it is sent and as it arrives. All other arguments are sent as they are. */
const ARGUMENTS: Partial<Record<ServedCall, readonly [sent: Convert, arrived: Convert]>> = {
  applyOnce: [pack, unpack],
  applyOnceAll: [(all: WithIncrements[]) => all.map(pack), (all: WithSentIncrements[]) => all.map(unpack)],
  addToCounters: [packIncrements, unpackIncrements],
  addNumbered: [pack, unpack],
  countLines: [
    (batch: { readonly lines: WithIncrements[] }) => ({ ...batch, lines: batch.lines.map(pack) }),
    (batch: { readonly lines: WithSentIncrements[] }) => ({ ...batch, lines: batch.lines.map(unpack) }),
  ],
};

/** Calls whose result is a list of counters, or null. */
const COUNTER_RESULTS: ReadonlySet<ServedCall> = new Set(['readCounters', 'addToCounters', 'addNumbered']);

/** The arguments of a call, to be sent. */
export function packArguments(call: ServedCall, args: readonly unknown[]): readonly unknown[] {
  return convertFirst(args, ARGUMENTS[call]?.[0]);
}

/** The arguments of a call that arrived. @throws Error for the arguments of a stranger */
export function unpackArguments(call: ServedCall, args: readonly unknown[]): readonly unknown[] {
  return convertFirst(args, ARGUMENTS[call]?.[1]);
}

/** The result of a call, to be sent. */
export function packResult(call: ServedCall, result: unknown): unknown {
  return COUNTER_RESULTS.has(call) ? packCounters(result as readonly bigint[] | null) : result;
}

/** The result of a call that arrived. */
export function unpackResult(call: ServedCall, result: unknown): unknown {
  return COUNTER_RESULTS.has(call) ? unpackCounters(result as readonly string[] | null) : result;
}

/** The form in which an error is sent. */
export function packError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message } = error;
  return error instanceof HotStoreLostError ? { name, message, found: packCounters(error.found) } : { name, message };
}

/** The error that was sent: of its own class where callers tell it from others. */
export function unpackError({ name, message, found }: SentError): Error {
  if (name === 'RangeError') return new RangeError(message);
  if (name === 'MissingLinesError') return new MissingLinesError(message);
  if (name === 'HotStoreLostError') return new HotStoreLostError(unpackCounters(found ?? null) ?? []);
  return new Error(message);
}

/** Values of counters, to be sent; null stays null. */
function packCounters<T extends bigint | null>(values: readonly T[] | null): readonly (string | null)[] | null {
  return values === null ? null : values.map((value) => (value === null ? null : String(value)));
}

/** Values of counters that arrived. */
function unpackCounters(values: readonly (string | null)[] | null): readonly (bigint | null)[] | null {
  return values === null ? null : values.map((value) => (value === null ? null : BigInt(value)));
}

function convertFirst(args: readonly unknown[], convert: Convert | undefined): readonly unknown[] {
  return convert === undefined ? args : [convert(args[0] as never), ...args.slice(1)];
}
