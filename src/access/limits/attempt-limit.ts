import ipaddr from 'ipaddr.js';
import { PlacardError } from '../../domain/errors.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { withinTime } from '../../domain/time/time-limit.ts';

/** Most counts that a process remembers. */
const KNOWN_COUNTS_MAX = 50_000;

/** Failed attempts that one subject has, and in how long. */
export interface AttemptRule {
  /** Names the counters: rules of one purpose share them. */
  readonly purpose: string;
  readonly max: number;
  readonly windowMs: number;
  /** The message of the 429. */
  readonly message: string;
}

/** Failed authentications by source address: 100 in five minutes (conformance L5). */
export const FAILED_AUTH_RULE: AttemptRule = {
  purpose: 'auth',
  max: 100,
  windowMs: 300_000,
  message: 'Too many failed authentications from this address',
};

/** Dependencies of the limit. */
export interface AttemptLimitDeps {
  readonly hot: Pick<HotStore, 'addToCounters' | 'readCounters'>;
  nowMs(): number;
}

/** A try that counts as a failure until it succeeds. */
export interface BegunAttempt {
  /** The error to respond with after too many failures; null: go on. */
  readonly error: PlacardError | null;
  /** Undoes the count: the attempt succeeded, or was not a real attempt. */
  forgive(): Promise<void>;
}

/**
 * Counts failed attempts by subject, over a sliding window and over all processes. While the hot store is slow or unavailable, each process
 * counts on from the counts that it knows.
 */
export class AttemptLimit {
  readonly #deps: AttemptLimitDeps;
  readonly #rule: AttemptRule;
  /** By window: the count of all processes when the hot store last returned it, and what it did not take in time since. */
  readonly #known = new Map<string, { shared: number; own: number }>();

  constructor(deps: AttemptLimitDeps, rule: AttemptRule) {
    this.#deps = deps;
    this.#rule = rule;
  }

  /** Counts one failure; returns the error to respond with after too many. */
  async count(subject: string): Promise<PlacardError | null> {
    return this.#check(await this.#read(subject, 1, this.#deps.nowMs()), this.#rule.max);
  }

  /**
   * Counts a try before its outcome is known, so that many at once cannot all pass before the first one has failed. A try that is refused
   * here does not count, or the wait would never end.
   */
  async begin(subject: string): Promise<BegunAttempt> {
    const nowMs = this.#deps.nowMs();
    const error = this.#check(await this.#read(subject, 1, nowMs), this.#rule.max);
    const forgive = async (): Promise<void> => {
      await this.#read(subject, -1, nowMs);
    };
    if (error !== null) await forgive();
    return { error, forgive };
  }

  #check(failures: number, max: number): PlacardError | null {
    if (failures <= max) return null;
    const { message, windowMs, max: limit } = this.#rule;
    const reset = ((Math.floor(this.#deps.nowMs() / windowMs) + 1) * windowMs) / 1000;
    return new PlacardError('rate_limit_exceeded', message, { details: { limit, reset: Math.ceil(reset) } });
  }

  /** Adds to the failures; returns those of this fixed window, plus the overlapping share of the one before. */
  async #read(subject: string, by: number, nowMs: number): Promise<number> {
    const { purpose, windowMs } = this.#rule;
    const window = Math.floor(nowMs / windowMs);
    const key = `fa/${purpose}/${subject}/${window}`;
    const keyBefore = `fa/${purpose}/${subject}/${window - 1}`;
    const overlap = 1 - (nowMs % windowMs) / windowMs;
    const { hot } = this.#deps;
    try {
      const [current = 0n] = await withinTime(hot.addToCounters([{ key, by: BigInt(by), ttlMs: 2 * windowMs }]));
      this.#countOf(key).shared = Number(current);
      const [before = 0n] = await withinTime(hot.readCounters([keyBefore]));
      return Number(current) + Number(before) * overlap;
    } catch {
      const count = this.#countOf(key);
      const before = this.#known.get(keyBefore) ?? { shared: 0, own: 0 };
      count.own = Math.max(0, count.own + by);
      return count.shared + count.own + (before.shared + before.own) * overlap;
    }
  }

  #countOf(key: string): { shared: number; own: number } {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= KNOWN_COUNTS_MAX) this.#known.clear();
    const count = { shared: 0, own: 0 };
    this.#known.set(key, count);
    return count;
  }
}

/**
 * Runs a try that was counted already; only one that fails for what was sent (`invalid_credentials`) stays counted.
 *
 * @throws PlacardError `rate_limit_exceeded` of the first limit that is used up; whatever `run` throws
 */
export async function runCounted<T>(begun: readonly BegunAttempt[], run: () => Promise<T>): Promise<T> {
  const forgive = (): Promise<unknown> => Promise.all(begun.map((one) => one.forgive()));
  const blocked = begun.find((one) => one.error !== null);
  if (blocked?.error) {
    // The other limits counted a try that does not happen.
    await Promise.all(begun.filter((one) => one.error === null).map((one) => one.forgive()));
    throw blocked.error;
  }
  try {
    const done = await run();
    await forgive();
    return done;
  } catch (error) {
    if (!(error instanceof PlacardError && error.code === 'invalid_credentials')) await forgive();
    throw error;
  }
}

/** An IPv4 address, or the /64 of an IPv6 one: the block of one customer of a provider. */
export function sourceOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return (parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
