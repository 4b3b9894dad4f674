import type { EventLine } from './event-counts.ts';
import {
  type ApplyOnce,
  type CounterIncrement,
  HOT_BATCH_MAX,
  HOT_KEY_BYTES_MAX,
  type ListPush,
  type NumberedAddition,
} from './hot-store.ts';

/** Longest time to live, in milliseconds: 20 years. */
const ttlMsMax = 631_152_000_000;
/** Longest value or list entry, in UTF-16 units. */
const valueLengthMax = 65_536;
const listMax = 1_000;
/** Counters, and lists, that one `applyOnce` may touch. */
const effectsMax = 200;

/** Throws RangeError for an operation outside the bounds that `HotStore` states. Done before anything is changed. */
export function checkApplyOnce(op: ApplyOnce): void {
  checkEntry(op.key, op.ttlMs);
  checkValue(op.value);
  const effects = (op.increments?.length ?? 0) + (op.pushes?.length ?? 0);
  if (effects > effectsMax)
    throw new RangeError(`One operation may touch ${effectsMax} counters and lists, not ${effects}`);
  op.increments?.forEach(checkIncrement);
  op.pushes?.forEach(checkPush);
}

/** As `checkApplyOnce`, for a line of a spool file. */
export function checkEventLine({ key, ttlMs, increments, pushes }: EventLine): void {
  checkEntry(key, ttlMs);
  const effects = increments.length + pushes.length;
  if (effects > effectsMax)
    throw new RangeError(`One event may touch ${effectsMax} counters and lists, not ${effects}`);
  increments.forEach(checkIncrement);
  pushes.forEach(checkPush);
}

/** As `checkApplyOnce`, for a numbered addition. */
export function checkNumbered({ writer, number, ttlMs, increments }: NumberedAddition): void {
  checkEntry(numberedKey(writer), ttlMs);
  if (!Number.isSafeInteger(number) || number < 1) throw new RangeError(`Additions are numbered from 1, not ${number}`);
  if (increments.length > effectsMax)
    throw new RangeError(`One addition may touch ${effectsMax} counters, not ${increments.length}`);
  increments.forEach(checkIncrement);
}

/** The key of the value that holds a writer's newest number and what it gave. */
export function numberedKey(writer: string): string {
  return `add/${writer}`;
}

/** A writer's newest addition: its number and the values after it. */
export function formatNumbered(number: number, values: readonly bigint[]): string {
  return [number, ...values].join(' ');
}

/** The values that an addition of this number gave; null when the writer has gone on to a higher one; undefined when it is new. */
export function readNumbered(kept: string | null, number: number): readonly bigint[] | null | undefined {
  if (kept === null) return undefined;
  const [newest, ...values] = kept.split(' ');
  if (Number(newest) < number) return undefined;
  return Number(newest) === number ? values.map(BigInt) : null;
}

export function checkIncrement(increment: CounterIncrement): void {
  checkEntry(increment.key, increment.ttlMs);
  if (BigInt.asIntN(64, increment.by) !== increment.by) throw new RangeError('An increment has 64 bits');
}

export function checkPush(push: ListPush): void {
  checkEntry(push.key, push.ttlMs);
  checkValue(push.value);
  if (!Number.isSafeInteger(push.max) || push.max < 1 || push.max > listMax) {
    throw new RangeError(`A list keeps 1 to ${listMax} values, not ${push.max}`);
  }
}

export function checkEntry(key: string, ttlMs: number): void {
  checkKey(key);
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 1 || ttlMs > ttlMsMax) {
    throw new RangeError(`A time to live is 1 to ${ttlMsMax} whole milliseconds, not ${ttlMs}`);
  }
}

export function checkKey(key: string): void {
  const isShort = key.length * 3 <= HOT_KEY_BYTES_MAX;
  if (key === '' || (!isShort && Buffer.byteLength(key) > HOT_KEY_BYTES_MAX)) {
    throw new RangeError(`A key has 1 to ${HOT_KEY_BYTES_MAX} bytes`);
  }
}

export function checkValue(value: string): void {
  if (value.length > valueLengthMax) throw new RangeError(`A value has at most ${valueLengthMax} characters`);
}

export function checkBatch(length: number): void {
  if (length > HOT_BATCH_MAX) throw new RangeError(`A batch has at most ${HOT_BATCH_MAX} entries, not ${length}`);
}
