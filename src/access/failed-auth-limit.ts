import ipaddr from 'ipaddr.js';
import { PlacardError } from '../domain/errors.ts';
import type { HotStore } from '../storage/hot/hot-store.ts';
import { withinTime } from './time-limit.ts';

/** Failed attempts that one source address has in five minutes (checklist L5). */
export const FAILED_AUTH_MAX = 100;
const WINDOW_MS = 300_000;
/** Addresses that are remembered when the hot store is away. */
const LOCAL_ADDRESSES_MAX = 50_000;

/** What the limit works with. */
export interface FailedAuthDeps {
  readonly hot: HotStore;
  nowMs(): number;
}

/**
 * Counts failed authentications by source address (IPv6: by /64), over a sliding window of five minutes and over all processes.
 * Good credentials are never looked at here, so that a noisy neighbour behind the same address slows nobody.
 */
export class FailedAuthLimit {
  readonly #deps: FailedAuthDeps;
  readonly #local = new Map<string, number>();
  readonly #purpose: string;
  readonly #max: number;

  /** @param purpose keeps counts of different kinds of attempts apart */
  constructor(deps: FailedAuthDeps, purpose = 'auth', max: number = FAILED_AUTH_MAX) {
    this.#deps = deps;
    this.#purpose = purpose;
    this.#max = max;
  }

  /** Counts one failure; the error to answer with instead, when the source has had too many. */
  async count(remoteAddress: string): Promise<PlacardError | null> {
    const nowMs = this.#deps.nowMs();
    const window = Math.floor(nowMs / WINDOW_MS);
    const name = `fa/${this.#purpose}/${sourceOf(remoteAddress)}`;
    const [current, before] = await this.#add(name, window);
    const elapsed = (nowMs % WINDOW_MS) / WINDOW_MS;
    if (current + before * (1 - elapsed) <= this.#max) return null;
    const reset = ((window + 1) * WINDOW_MS) / 1000;
    return new PlacardError('rate_limit_exceeded', 'Too many failed authentications from this address', {
      details: { limit: this.#max, reset },
    });
  }

  async #add(name: string, window: number): Promise<[current: number, before: number]> {
    const key = `${name}/${window}`;
    const keyBefore = `${name}/${window - 1}`;
    try {
      const [current = 0n] = await withinTime(this.#deps.hot.addToCounters([{ key, by: 1n, ttlMs: 2 * WINDOW_MS }]));
      const [before = 0n] = await withinTime(this.#deps.hot.readCounters([keyBefore]));
      return [Number(current), Number(before)];
    } catch {
      if (this.#local.size >= LOCAL_ADDRESSES_MAX) this.#local.clear();
      const current = (this.#local.get(key) ?? 0) + 1;
      this.#local.set(key, current);
      return [current, this.#local.get(keyBefore) ?? 0];
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
