const COUNTER_MAX = 2n ** 63n - 1n;
const COUNTER_MIN = -(2n ** 63n);

/** Adds to a counter. The window is fixed: `ttlMs` counts from the increment that creates the counter and is not extended. */
export interface CounterIncrement {
  readonly key: string;
  /** May be negative. Counters are signed 64-bit; one that would go beyond stays at the end. */
  readonly by: bigint;
  readonly ttlMs: number;
}

/** Puts a value at the head of a list, which keeps its newest `max` values. Each push renews the list's `ttlMs`. */
export interface ListPush {
  readonly key: string;
  readonly value: string;
  /** 1…1_000 */
  readonly max: number;
  readonly ttlMs: number;
}

/** The value, or the end of 64 bits that it is beyond. */
export function within64Bits(value: bigint): bigint {
  const wrapped = BigInt.asIntN(64, value);
  if (wrapped === value) return value;
  return value > 0n ? COUNTER_MAX : COUNTER_MIN;
}
