import type { Admission } from './limits.ts';
import type { QuotaLedger } from './quota-ledger.ts';

const DAY_MS = 86_400_000;
/** The ledger's counters outlive their day, so that a clock that is a little off cannot reopen it. */
const COUNTER_TTL_MS = 3 * DAY_MS;
/** A lease is a thousandth of what is left, in whole units: 1 when little is left, so that the last unit is exact. */
const LEASE_FRACTION = 1_000;
const LEASE_MAX = 5_000;
/** How long a used-up quota is believed before it is asked again (others may have given units back). */
const EXHAUSTED_MS = 250;
/** Units of a lease that nobody used for so long go back. */
const IDLE_RETURN_MS = 5_000;
const TRIES_MAX = 8;
const RETRY_LEDGER_MS = 1_000;

/**
 * A quota of one UTC day, shared by all processes (checklist L1, L4): this process holds a lease of units taken from the
 * ledger, and gives back what it does not use. What all processes admit never exceeds the limit: a unit is only ever
 * handed out by one atomic addition that stayed within it. While the ledger is away, the process admits its share of what
 * was left.
 */
export class DailyQuota {
  readonly #ledger: QuotaLedger;
  readonly #name: string;
  #day = -1;
  #leased = 0;
  /** Units that all processes had taken, as of the last answer of the ledger. */
  #taken = 0;
  #exhaustedUntilMs = 0;
  #lastTakeMs = 0;
  #waiting = 0;
  #reserving: Promise<void> | null = null;
  /** Admitted alone and not yet booked in the ledger. */
  #debt = 0;
  /** Set while the ledger is away: what this process admitted on its own, of how many. */
  #alone: { used: number; readonly share: number; retryAtMs: number } | null = null;

  /** @param name of the quota in the ledger, without the day */
  constructor(ledger: QuotaLedger, name: string) {
    this.#ledger = ledger;
    this.#name = name;
  }

  get lastTakeMs(): number {
    return this.#lastTakeMs;
  }

  /** Takes one unit; at once while the lease lasts. */
  take(nowMs: number, limit: number): Admission | Promise<Admission> {
    this.#lastTakeMs = nowMs;
    this.#turnDay(nowMs);
    if (this.#alone !== null) return this.#takeAlone(this.#alone, nowMs, limit);
    if (this.#leased > 0) return this.#takeLeased(nowMs, limit);
    if (nowMs < this.#exhaustedUntilMs) return this.#answer(false, nowMs, limit);
    return this.#takeAfterReserving(nowMs, limit);
  }

  /** Gives back a lease that lies idle. */
  async returnIdle(nowMs: number): Promise<void> {
    if (this.#leased > 0 && nowMs - this.#lastTakeMs >= IDLE_RETURN_MS) await this.returnAll();
  }

  /** Gives back the whole lease. */
  async returnAll(): Promise<void> {
    const unused = this.#leased;
    this.#leased = 0;
    if (unused > 0) await this.#giveBack(this.#day, unused);
  }

  #turnDay(nowMs: number): void {
    const day = Math.floor(nowMs / DAY_MS);
    if (day <= this.#day) return;
    this.#day = day;
    this.#leased = 0;
    this.#taken = 0;
    this.#exhaustedUntilMs = 0;
    this.#alone = null;
    this.#debt = 0;
  }

  #takeLeased(nowMs: number, limit: number): Admission {
    this.#leased -= 1;
    const size = this.#leaseSize(limit);
    if (this.#leased < size / 4 && size > 1 && this.#reserving === null && nowMs >= this.#exhaustedUntilMs) {
      void this.#reserve(nowMs, limit);
    }
    return this.#answer(true, nowMs, limit);
  }

  async #takeAfterReserving(nowMs: number, limit: number): Promise<Admission> {
    this.#waiting += 1;
    try {
      for (let tries = 0; tries < TRIES_MAX && this.#leased === 0 && this.#alone === null; tries += 1) {
        await this.#reserve(nowMs, limit);
        if (this.#leased === 0 && nowMs < this.#exhaustedUntilMs) break;
      }
    } finally {
      this.#waiting -= 1;
    }
    if (this.#alone !== null) return this.#takeAlone(this.#alone, nowMs, limit);
    if (this.#leased === 0) return this.#answer(false, nowMs, limit);
    this.#leased -= 1;
    return this.#answer(true, nowMs, limit);
  }

  #reserve(nowMs: number, limit: number): Promise<void> {
    this.#reserving ??= this.#reserveOnce(nowMs, limit).finally(() => {
      this.#reserving = null;
    });
    return this.#reserving;
  }

  async #reserveOnce(nowMs: number, limit: number): Promise<void> {
    const day = this.#day;
    const size = Math.max(this.#leaseSize(limit), Math.min(this.#waiting, LEASE_MAX));
    const debt = this.#debt;
    let total: number;
    try {
      total = await this.#ledger.add(this.#keyOf(day), size + debt, COUNTER_TTL_MS);
    } catch {
      this.#goAlone(nowMs, limit);
      return;
    }
    const over = Math.max(0, total - limit);
    const granted = Math.max(0, size - over);
    if (granted < size) void this.#giveBack(day, size - granted);
    if (day !== this.#day) return;
    this.#debt -= debt;
    this.#taken = total - (size - granted);
    this.#leased += granted;
    if (granted === 0) this.#exhaustedUntilMs = nowMs + EXHAUSTED_MS;
  }

  #leaseSize(limit: number): number {
    return Math.min(LEASE_MAX, Math.max(1, Math.floor((limit - this.#taken) / LEASE_FRACTION)));
  }

  /** A refund that fails leaves units unused: the limit still holds. */
  async #giveBack(day: number, units: number): Promise<void> {
    try {
      const total = await this.#ledger.add(this.#keyOf(day), -units, COUNTER_TTL_MS);
      if (day === this.#day) this.#taken = total;
    } catch {
      // Counted and logged by the ledger.
    }
  }

  #goAlone(nowMs: number, limit: number): void {
    if (this.#alone !== null) return;
    const share = Math.max(0, Math.floor((limit - this.#taken) / this.#ledger.processes));
    this.#alone = { used: 0, share, retryAtMs: nowMs + RETRY_LEDGER_MS };
  }

  #takeAlone(
    alone: { used: number; readonly share: number; retryAtMs: number },
    nowMs: number,
    limit: number,
  ): Admission {
    if (nowMs >= alone.retryAtMs) {
      alone.retryAtMs = nowMs + RETRY_LEDGER_MS;
      void this.#settle(alone);
    }
    const admitted = this.#leased > 0 || alone.used < alone.share;
    if (this.#leased > 0) this.#leased -= 1;
    else if (admitted) alone.used += 1;
    return this.#answer(admitted, nowMs, limit);
  }

  /** Books what was admitted alone as soon as the ledger answers; what was admitted meanwhile is booked with the next lease. */
  async #settle(alone: { readonly used: number }): Promise<void> {
    const day = this.#day;
    const booked = alone.used + this.#debt;
    try {
      const total = await this.#ledger.add(this.#keyOf(day), booked, COUNTER_TTL_MS);
      if (this.#alone !== alone) return;
      this.#debt += alone.used - booked;
      this.#taken = total + this.#debt;
      this.#alone = null;
    } catch {
      // Still away; the next try comes with a later call.
    }
  }

  #answer(admitted: boolean, nowMs: number, limit: number): Admission {
    const aloneLeft = this.#alone === null ? 0 : this.#alone.share - this.#alone.used;
    const remaining = this.#alone === null ? limit - this.#taken + this.#leased : aloneLeft + this.#leased;
    const resetSeconds = endOfDayMs(nowMs) / 1000;
    return { admitted, limit, remaining: admitted ? clamp(remaining, limit) : 0, resetSeconds };
  }

  #keyOf(day: number): string {
    return dailyKey(this.#name, day * DAY_MS);
  }
}

/** The ledger's key of a quota's UTC day. */
export function dailyKey(name: string, atMs: number): string {
  return `${name}/${new Date(atMs).toISOString().slice(0, 10)}`;
}

/** When the UTC day of an instant ends. */
export function endOfDayMs(atMs: number): number {
  return (Math.floor(atMs / DAY_MS) + 1) * DAY_MS;
}

function clamp(value: number, max: number): number {
  return Math.min(max, Math.max(0, value));
}
