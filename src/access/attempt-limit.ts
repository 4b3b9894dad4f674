import ipaddr from 'ipaddr.js';
import { PlacardError } from '../domain/errors.ts';
import type { HotStore } from '../storage/hot/hot-store.ts';
import { withinTime } from './time-limit.ts';

/** Subjects that are remembered while the hot store is away. */
const LOCAL_SUBJECTS_MAX = 50_000;

/** Failed attempts that one subject has, and in how long. */
export interface AttemptRule {
  /** Names the counters: rules of one purpose share them. */
  readonly purpose: string;
  readonly max: number;
  readonly windowMs: number;
  /** What the 429 says. */
  readonly message: string;
}

/** Failed authentications by source address: 100 in five minutes (checklist L5). */
export const FAILED_AUTH_RULE: AttemptRule = {
  purpose: 'auth',
  max: 100,
  windowMs: 300_000,
  message: 'Too many failed authentications from this address',
};

/** What the limit works with. */
export interface AttemptLimitDeps {
  readonly hot: HotStore;
  nowMs(): number;
}

/** Counts failed attempts by subject, over a sliding window and over all processes; by itself while the hot store is away. */
export class AttemptLimit {
  readonly #deps: AttemptLimitDeps;
  readonly #rule: AttemptRule;
  readonly #local = new Map<string, number>();

  constructor(deps: AttemptLimitDeps, rule: AttemptRule) {
    this.#deps = deps;
    this.#rule = rule;
  }

  /** Counts one failure; the error to answer with, when there have been too many. */
  async count(subject: string): Promise<PlacardError | null> {
    return this.#judge(await this.#read(subject, 1), this.#rule.max);
  }

  /** The error to answer with, when the failures so far are used up; counts nothing. */
  async check(subject: string): Promise<PlacardError | null> {
    return this.#judge(await this.#read(subject, 0), this.#rule.max - 1);
  }

  #judge(failures: number, max: number): PlacardError | null {
    if (failures <= max) return null;
    const { message, windowMs, max: limit } = this.#rule;
    const reset = ((Math.floor(this.#deps.nowMs() / windowMs) + 1) * windowMs) / 1000;
    return new PlacardError('rate_limit_exceeded', message, { details: { limit, reset: Math.ceil(reset) } });
  }

  /** Failures within the window: those of this fixed window, and of the one before as far as it still overlaps. */
  async #read(subject: string, by: number): Promise<number> {
    const { purpose, windowMs } = this.#rule;
    const nowMs = this.#deps.nowMs();
    const window = Math.floor(nowMs / windowMs);
    const key = `fa/${purpose}/${subject}/${window}`;
    const keyBefore = `fa/${purpose}/${subject}/${window - 1}`;
    const overlap = 1 - (nowMs % windowMs) / windowMs;
    const { hot } = this.#deps;
    try {
      const added = by === 0 ? null : await withinTime(hot.addToCounters([{ key, by: 1n, ttlMs: 2 * windowMs }]));
      const [before = 0n, current = 0n] = await withinTime(hot.readCounters([keyBefore, key]));
      return Number(added?.[0] ?? current) + Number(before) * overlap;
    } catch {
      if (this.#local.size >= LOCAL_SUBJECTS_MAX) this.#local.clear();
      const current = (this.#local.get(key) ?? 0) + by;
      if (by > 0) this.#local.set(key, current);
      return current + (this.#local.get(keyBefore) ?? 0) * overlap;
    }
  }
}

/** An IPv4 address, or the /64 of an IPv6 one: what one customer of a provider holds. */
export function sourceOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return (parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
