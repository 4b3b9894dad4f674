import type { CounterIncrement } from '../../storage/hot/hot-store.ts';
import type { LeaseJournal, LeaseSlot } from './lease-journal.ts';
import type { LedgerWriter } from './ledger-writer.ts';
import type { Admission } from './limits.ts';
import type { QuotaLedger } from './quota-ledger.ts';
import { withinTime } from '../../domain/time/time-limit.ts';

const DAY_MS = 86_400_000;
/** The ledger's counters outlive their day, so that a slightly wrong clock cannot reopen it. */
export const COUNTER_TTL_MS = 3 * DAY_MS;
/** A process holds a 64th of its part of the remaining units: enough to go on without the ledger for a while. */
const LEASE_FRACTION = 64;
/** Most waiting callers that one exchange reserves a unit for, beyond the lease. */
const LACKED_MAX = 5_000;
/** How long a quota is assumed to be used up before the ledger is asked again (others may have returned units). */
const EXHAUSTED_MS = 250;
/** A process without requests for this long returns its lease when little is left for the others. */
const IDLE_MS = 5_000;
/** Older than this, the use of all processes is read again before `Remaining` is sent, as long as the ledger is fast. */
const FRESH_MS = 250;
const QUICK_MS = 50;
const TRIES_MAX = 8;
/** How long the first callers wait while the process holds no lease yet. */
const FIRST_WAIT_MS = 2_000;
/** A lease is journaled in this many steps: a kill loses at most one. */
const JOURNAL_STEPS = 64;

/** This process's knowledge and lease of one UTC day, in units. */
interface DayState {
  readonly day: number;
  leased: number;
  /** Units that all processes had taken, and the part that they had used, as of the last response. */
  taken: number;
  used: number;
  /** Admitted here and not yet confirmed as used by the ledger. */
  unreported: number;
  /** Taken beyond the limit: returned with the next exchange. */
  owed: number;
}

/** One exchange with the ledger: units that are reserved, returned (of the lease, or owed) and reported as used. */
interface Exchange {
  readonly state: DayState;
  readonly limit: number;
  readonly number: number;
  readonly reserve: number;
  readonly giveBack: number;
  readonly report: number;
  readonly sentMs: number;
}

/** Options of a quota. */
export interface DailyQuotaOptions {
  readonly ledger: QuotaLedger;
  /** Of the quota in the ledger, without the day. */
  readonly name: string;
  readonly nowMs: () => number;
  readonly journal?: LeaseJournal | null;
  /** Admits without a lease while the ledger does not respond: its calls are worth more than its limit. Default false. */
  readonly mayOverdraw?: boolean;
}

/**
 * A quota of one UTC day, shared by all processes (conformance L1, L4). This process holds a lease of units, which it took from the
 * ledger and gives back when it does not use them. A unit is admitted only after the ledger has confirmed it within the limit, and each
 * exchange is added once, however late or often its response comes. So all processes together never exceed the limit. The ledger has two
 * counters a day: units taken (leases included), and units used.
 */
export class DailyQuota {
  readonly #ledger: QuotaLedger;
  readonly #name: string;
  readonly #nowMs: () => number;
  readonly #mayOverdraw: boolean;
  readonly #writer: LedgerWriter;
  readonly #slot: LeaseSlot | null;
  #state: DayState = newDay(-1);
  /** The day before, as long as it has something to report to the ledger. */
  #before: DayState | null = null;
  #exhaustedUntilMs = 0;
  #respondedMs = Number.NEGATIVE_INFINITY;
  #roundTripMs = 0;
  #lastTakeMs = 0;
  #waiting = 0;
  /** Callers that found nothing leased since the last exchange began. */
  #lacked = 0;
  /** Callers that found nothing leased during earlier exchanges; halved with each, as a slow ledger needs a larger lease. */
  #lackedBefore = 0;
  #exchanging: Promise<void> = Promise.resolve();
  #sent: Exchange | null = null;
  #isClosing = false;
  /** At least this many unused units are in the journal. */
  #journaled = 0;

  /** The last exchange that somebody waited for was late: the ledger is unavailable. */
  #isLate = false;

  constructor({ ledger, name, nowMs, journal = null, mayOverdraw = false }: DailyQuotaOptions) {
    this.#ledger = ledger;
    this.#name = name;
    this.#nowMs = nowMs;
    this.#mayOverdraw = mayOverdraw;
    this.#writer = ledger.newWriter(name, COUNTER_TTL_MS);
    this.#slot = journal?.newSlot() ?? null;
  }

  get lastTakeMs(): number {
    return this.#lastTakeMs;
  }

  /** Takes one unit; at once while the lease lasts and `Remaining` is fresh. */
  admit(limit: number): Admission | Promise<Admission> {
    const nowMs = this.#nowMs();
    this.#lastTakeMs = nowMs;
    this.#turnDay(nowMs);
    if (this.#usable(limit) > 0)
      return this.#isStale(nowMs) ? this.#admitAfterExchange(limit) : this.#admitLeased(limit);
    if (nowMs < this.#exhaustedUntilMs) return this.#toAdmission(false, limit);
    if (this.#isLate && this.#mayOverdrawNow(limit)) return this.#admitLeased(limit);
    return this.#admitAfterExchange(limit);
  }

  /** The units left, without taking any: as of the ledger's last response, and for the first time after asking it. */
  async look(limit: number): Promise<Admission> {
    this.#turnDay(this.#nowMs());
    const { timeoutMs, later } = this.#ledger;
    const isKnown = this.#nowMs() - this.#respondedMs <= FRESH_MS;
    if (!isKnown) await withinTime(this.#exchange(limit), timeoutMs, later).catch(() => undefined);
    return this.#toAdmission(true, limit);
  }

  /** Reports used units and balances the lease. Call it a few times a second; it does not wait. */
  maintain(limit: number): void {
    const nowMs = this.#nowMs();
    this.#turnDay(nowMs);
    if (this.#writer.isPending) return;
    const { reserve, giveBack } = this.#wish(nowMs, limit);
    if (reserve > 0 || giveBack > 0 || this.#state.unreported > 0 || this.#before !== null) void this.#exchange(limit);
  }

  /** Gives back the whole lease and ends: nothing is taken afterwards. Waits for the ledger at most as long as for two responses. */
  async close(): Promise<void> {
    const { timeoutMs, later } = this.#ledger;
    this.#isClosing = true;
    const confirmed = async (): Promise<void> => {
      await this.#exchanging;
      if (this.#held > 0 || this.#state.unreported > 0) await this.#exchange(0);
    };
    await withinTime(confirmed(), 2 * timeoutMs, later).catch(() => undefined);
    // Units that the ledger did not confirm stay in the journal for the next process of this name.
    if (this.#held === 0 && !this.#writer.isPending) this.#slot?.free();
    this.#writer.close();
  }

  /** Units that the ledger counts as taken by this process, and not as used. */
  get #held(): number {
    const { leased, unreported, owed } = this.#state;
    return leased + unreported + owed;
  }

  #turnDay(nowMs: number): void {
    const day = Math.floor(nowMs / DAY_MS);
    const last = this.#state;
    if (day <= last.day) return;
    if (last.unreported > 0) this.#before = last;
    this.#state = newDay(day);
    this.#exhaustedUntilMs = 0;
    this.#journaled = 0;
  }

  /** Units that may be admitted: fewer than the lease, when the limit has become lower than what is taken. */
  #usable(limit: number): number {
    return this.#state.leased - Math.max(0, this.#state.taken - limit);
  }

  #isStale(nowMs: number): boolean {
    if (this.#writer.isPending || this.#roundTripMs > QUICK_MS) return false;
    return nowMs - this.#respondedMs > FRESH_MS;
  }

  #admitLeased(limit: number): Admission {
    const state = this.#state;
    state.leased -= 1;
    state.unreported += 1;
    if (state.leased < this.#journaled) this.#writeDown();
    const target = this.#target(limit);
    const isLow = target > 1 && state.leased < target / 2;
    if (isLow && !this.#writer.isPending && this.#nowMs() >= this.#exhaustedUntilMs) void this.#exchange(limit);
    return this.#toAdmission(true, limit);
  }

  async #admitAfterExchange(limit: number): Promise<Admission> {
    const { timeoutMs, later } = this.#ledger;
    const waitMs = Number.isFinite(this.#respondedMs) ? timeoutMs : Math.max(timeoutMs, FIRST_WAIT_MS);
    this.#waiting += 1;
    if (this.#usable(limit) <= 0) this.#lacked += 1;
    try {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        await withinTime(this.#exchange(limit), waitMs, later);
        if (this.#usable(limit) > 0 || this.#nowMs() < this.#exhaustedUntilMs) break;
      }
    } catch {
      // Counted and logged by the ledger; its late response still brings units for others.
      this.#isLate = true;
    } finally {
      this.#waiting -= 1;
    }
    if (this.#usable(limit) > 0 || (this.#isLate && this.#mayOverdrawNow(limit))) return this.#admitLeased(limit);
    return { ...this.#toAdmission(false, limit), ...(this.#isExhausted(limit) ? {} : { isUnknown: true }) };
  }

  #isExhausted(limit: number): boolean {
    return Number.isFinite(this.#respondedMs) && this.#state.taken >= limit;
  }

  /** The lease becomes negative: what it lacks is taken from the ledger when it is back. */
  #mayOverdrawNow(limit: number): boolean {
    return this.#mayOverdraw && !this.#isExhausted(limit);
  }

  /** Exchanges with the ledger; callers while an exchange is under way share it. */
  #exchange(limit: number): Promise<void> {
    if (this.#writer.isPending) return this.#exchanging;
    const state = this.#state;
    const nowMs = this.#nowMs();
    const wish = this.#wish(nowMs, limit);
    const giveBack = wish.giveBack + state.owed;
    const { reserve } = wish;
    state.leased -= wish.giveBack;
    state.owed = 0;
    this.#lackedBefore = Math.max(this.#lacked, Math.floor(this.#lackedBefore / 2));
    this.#lacked = 0;
    const number = this.#writer.number + 1;
    const sent = { state, limit, number, reserve, giveBack, report: state.unreported, sentMs: nowMs };
    this.#sent = sent;
    this.#writeDown();
    const increments = [...this.#addTo(state.day, reserve - giveBack, sent.report), ...this.#reportBefore()];
    this.#exchanging = this.#writer.add(increments).then((values) => this.#apply(sent, values));
    return this.#exchanging;
  }

  #apply({ state, limit, reserve, report, sentMs }: Exchange, values: readonly number[] | null): void {
    if (values === null) return;
    this.#sent = null;
    this.#isLate = false;
    const [total = 0, used = 0] = values;
    const excess = Math.min(reserve, Math.max(0, total - limit));
    state.taken = total - excess;
    state.used = used;
    state.unreported -= report;
    state.leased += reserve - excess;
    state.owed += excess;
    if (state !== this.#state) {
      if (state.leased + state.unreported > 0) this.#before = state;
      return;
    }
    const nowMs = this.#nowMs();
    this.#respondedMs = nowMs;
    this.#roundTripMs = nowMs - sentMs;
    if (reserve > 0 && excess === reserve) this.#exhaustedUntilMs = nowMs + EXHAUSTED_MS;
    this.#writeDown();
    // Returned at once: others are refused for as long as it counts as taken.
    if (excess > 0) void this.#exchange(limit);
  }

  #addTo(day: number, taken: number, used: number): CounterIncrement[] {
    const atMs = day * DAY_MS;
    return [
      { key: dailyKey(this.#name, atMs), by: BigInt(taken), ttlMs: COUNTER_TTL_MS },
      { key: usedKey(this.#name, atMs), by: BigInt(used), ttlMs: COUNTER_TTL_MS },
    ];
  }

  #reportBefore(): CounterIncrement[] {
    const before = this.#before;
    this.#before = null;
    return before === null ? [] : this.#addTo(before.day, -before.leased - before.owed, before.unreported);
  }

  /** The units that this process should take or return. */
  #wish(nowMs: number, limit: number): { readonly reserve: number; readonly giveBack: number } {
    const { leased } = this.#state;
    if (this.#isClosing) return { reserve: 0, giveBack: leased };
    const isIdle = this.#waiting === 0 && nowMs - this.#lastTakeMs >= IDLE_MS;
    const target = isIdle && this.#available(limit) < limit / 4 ? 0 : this.#target(limit);
    if (leased > 2 * target + this.#lacked) return { reserve: 0, giveBack: leased - target - this.#lacked };
    if (nowMs < this.#exhaustedUntilMs) return { reserve: 0, giveBack: 0 };
    if (this.#waiting > 0 && this.#usable(limit) <= 0)
      return { reserve: Math.max(target, Math.min(this.#lacked, LACKED_MAX)) + Math.max(0, -leased), giveBack: 0 };
    if (leased < 0) return { reserve: target - leased, giveBack: 0 };
    return { reserve: !isIdle && target > 1 && leased < target / 2 ? target - leased : 0, giveBack: 0 };
  }

  #target(limit: number): number {
    const part = Math.floor(this.#available(limit) / this.#ledger.processes);
    const lacked = Math.min(part, LACKED_MAX, Math.max(this.#lacked, this.#lackedBefore));
    return Math.max(1, Math.floor(part / LEASE_FRACTION), lacked);
  }

  /** The units that the network may still take, including this process's lease. */
  #available(limit: number): number {
    return Math.max(0, limit - this.#state.taken) + this.#state.leased;
  }

  /** Journals the held units and the exchange under way, so that the successor of a killed process can return them. */
  #writeDown(): void {
    if (this.#slot === null) return;
    const atMs = this.#state.day * DAY_MS;
    const { leased, owed } = this.#state;
    const { number = 0, reserve = 0, giveBack = 0, report = 0 } = this.#sent ?? {};
    this.#journaled = Math.max(0, leased - Math.ceil(leased / JOURNAL_STEPS));
    this.#slot.write({
      takenKey: dailyKey(this.#name, atMs),
      usedKey: usedKey(this.#name, atMs),
      held: this.#held + giveBack,
      unused: this.#journaled + owed + giveBack,
      writer: this.#writer.name,
      sent: number === 0 ? null : { number, taken: reserve - giveBack, used: report },
    });
  }

  #toAdmission(admitted: boolean, limit: number): Admission {
    const { used, unreported, day } = this.#state;
    const isFull = !admitted && this.#nowMs() < this.#exhaustedUntilMs;
    const remaining = isFull ? 0 : Math.min(limit, Math.max(0, limit - used - unreported));
    return { admitted, limit, remaining, resetSeconds: ((day + 1) * DAY_MS) / 1000 };
  }
}

function newDay(day: number): DayState {
  return { day, leased: 0, taken: 0, used: 0, unreported: 0, owed: 0 };
}

/** The ledger's key of the units that processes have taken on a quota's UTC day. */
export function dailyKey(name: string, atMs: number): string {
  return `${name}/${new Date(atMs).toISOString().slice(0, 10)}`;
}

/** The ledger's key of the units that were admitted on a quota's UTC day. */
export function usedKey(name: string, atMs: number): string {
  return `${dailyKey(name, atMs)}/used`;
}

/** When the UTC day of an instant ends. */
export function endOfDayMs(atMs: number): number {
  return (Math.floor(atMs / DAY_MS) + 1) * DAY_MS;
}
