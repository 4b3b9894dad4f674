import type { Log } from '../../domain/log/log.ts';
import type { CounterKind } from '../../domain/money/counter-key.ts';
import type { CapCheck } from '../../domain/money/limit.ts';
import {
  holdsOn,
  RESERVATION_TTL_MS,
  reservationBucket,
  reservationKey,
  reservedUnits,
} from '../../domain/money/reservation.ts';
import type { Reservation } from '../../domain/money/reservation.ts';
import type { HotWait } from '../../storage/hot/hot-circuit.ts';
import { HOT_BATCH_MAX } from '../../storage/hot/hot-store.ts';
import type { CounterIncrement, HotStore } from '../../storage/hot/hot-store.ts';
import { isSameCounter, readHeadroom } from '../../storage/hot/limit-headroom.ts';

/** The share of the headroom that a lease takes; where the headroom is small, down to the need of one response. */
const LEASE_SHARE = 0.005;
/** The largest share that a lease takes ahead of need, while calls of the hot store are late. */
const AHEAD_SHARE = 0.05;
/** A lease that is not used goes back after this time. */
const LEASE_MS = 5_000;
/** How long the ledger trusts that a limit is used up. */
const USED_UP_MS = 250;
/** How long a response waits for a lease, and how often it tries. */
const WAIT_MS = 100;
const TRIES_MAX = 4;
/** Leases on their way, beyond which none is begun that no response waits for. */
const UNAWAITED_MAX = 100;
/** The most accounts of one worker. */
const ACCOUNTS_MAX = 100_000;
const FORGET_MS = 600_000;
/** Failures of the hot store are logged at most this often. */
const LOG_EVERY_MS = 10_000;

/** The parts of the ledger of one process. */
export interface BudgetLedgerDeps {
  readonly hot: HotStore;
  readonly nowMs: () => number;
  /** By which reservations expire; absent: `nowMs`. */
  readonly expiryNowMs?: () => number;
  readonly log: Log;
}

/** The need of one response: reservations, and the limits that they count against. */
export interface BudgetNeed {
  readonly reservations: readonly Reservation[];
  readonly checks: readonly CapCheck[];
}

/** The reservations on one limited counter (such as impressions of a line item), as this process knows them. */
interface Account {
  readonly key: string;
  readonly reservation: Reservation;
  /** All limits on this counter, daily and lifetime. */
  checks: readonly CapCheck[];
  /** Leased and not used; valid for ads that are decided in this bucket. */
  units: number;
  bucket: number;
  expiresAtMs: number;
  usedUpUntilMs: number;
  usedAtMs: number;
  /** The units that waiting responses need. */
  needed: number;
  /** The units of responses that could not wait any longer: the next lease has them for others. */
  unmet: number;
  /** Used since the last lease was begun. */
  used: number;
  /** The size of leases ahead of need: twice the use during one call of the hot store. 0 while calls are in time. */
  ahead: number;
  acquiring: Promise<void> | null;
}

/**
 * Keeps hard limits over many processes. A process serves only from a lease. It acquires a lease from the headroom by one atomic addition
 * to the limit's reservations, so delivered + reserved never exceeds the limit, even when a process dies or is disconnected: its leases
 * expire with their bucket. While the hot store is unavailable, nothing is leased and limited line items stop. For rare events, responses
 * reserve the expected number; events beyond it may exceed the limit.
 */
export class BudgetLedger {
  readonly #deps: BudgetLedgerDeps;
  readonly #accounts = new Map<string, Account>();
  readonly #byCheck = new WeakMap<CapCheck, { readonly usedUpUntilMs: number }>();
  /** Leases of this turn of the event loop, which are added together. */
  #leasing: { readonly leases: CounterIncrement[]; readonly added: Promise<readonly bigint[]> } | null = null;
  #failures = 0;
  #late = 0;
  #onTheirWay = 0;
  #loggedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: BudgetLedgerDeps) {
    this.#deps = deps;
  }

  /** Calls of the hot store that failed. */
  get failures(): number {
    return this.#failures;
  }

  /** Responses that went on without a line item because its lease had not come in time. */
  get late(): number {
    return this.#late;
  }

  /** Leased and not used, over all limits, by kind of counter in its own units (money: nanos; rare events: parts of one). */
  get unusedLeases(): ReadonlyMap<CounterKind, number> {
    const sums = new Map<CounterKind, number>();
    for (const { units, reservation } of this.#accounts.values()) {
      const { kind } = reservation.subject;
      sums.set(kind, (sums.get(kind) ?? 0) + units / reservedUnits(kind));
    }
    return sums;
  }

  /** Whether this limit was found used up within the last quarter of a second. */
  isUsedUp(check: CapCheck, nowMs: number): boolean {
    const found = this.#byCheck.get(check);
    return found !== undefined && nowMs < found.usedUpUntilMs;
  }

  /** Records that these limits were found used up although nothing is reserved on them for their line item. */
  recordUsedUp(checks: readonly CapCheck[], usedUpUntilMs: number): void {
    for (const check of checks) this.#byCheck.set(check, { usedUpUntilMs });
  }

  /**
   * Reserves the whole need of a response, or nothing. True: the response may be sent. False: a limit is used up, so the caller decides
   * again. Waits only where it must acquire a lease first, and at most as long as the decision may wait.
   * @param decidedAtMs as in the ads' tokens
   */
  reserve(needs: readonly BudgetNeed[], decidedAtMs: number, wait: HotWait | null = null): boolean | Promise<boolean> {
    const needed = this.#sum(needs);
    if (needed.size === 0) return true;
    return this.#useLeases(needed, decidedAtMs) || this.#leaseAndUse(needed, decidedAtMs, wait);
  }

  /** Returns idle leases in one step, and forgets unused limits. */
  async returnIdle(): Promise<void> {
    const nowMs = this.#deps.nowMs();
    const returned: CounterIncrement[] = [];
    for (const account of this.#accounts.values()) {
      if (account.acquiring !== null || returned.length >= HOT_BATCH_MAX) continue;
      if (account.units > 0 && nowMs >= account.expiresAtMs) {
        returned.push(leaseIncrement(account, account.bucket, -account.units));
        account.units = 0;
      }
      if (nowMs >= account.expiresAtMs) account.unmet = account.ahead = 0;
      if (account.units === 0 && nowMs - account.usedAtMs > FORGET_MS) this.#accounts.delete(account.key);
    }
    if (returned.length > 0) await this.#add(returned);
  }

  /** Returns all leases. */
  async stop(): Promise<void> {
    for (const account of this.#accounts.values()) {
      await account.acquiring;
      await this.#returnLease(account);
    }
  }

  #sum(needs: readonly BudgetNeed[]): Map<Account, number> {
    const needed = new Map<Account, number>();
    for (const { reservations, checks } of needs) {
      for (const reservation of reservations) {
        const account = this.#accountOf(reservation, checks);
        needed.set(account, (needed.get(account) ?? 0) + reservation.amount);
      }
    }
    return needed;
  }

  #accountOf(reservation: Reservation, checks: readonly CapCheck[]): Account {
    const key = accountKey(reservation);
    let account = this.#accounts.get(key);
    if (account === undefined) {
      if (this.#accounts.size >= ACCOUNTS_MAX) this.#forgetIdle();
      const times = { expiresAtMs: 0, usedUpUntilMs: 0, usedAtMs: 0 };
      const amounts = { units: 0, bucket: 0, needed: 0, unmet: 0, used: 0, ahead: 0 };
      account = { key, reservation, checks: [], ...times, ...amounts, acquiring: null };
      this.#accounts.set(key, account);
    }
    // The present limits: they may have changed since.
    account.checks = checks.filter(({ subject }) => isSameCounter(subject, reservation.subject));
    for (const check of account.checks) this.#byCheck.set(check, account);
    return account;
  }

  #forgetIdle(): void {
    for (const [key, account] of this.#accounts) {
      if (account.units === 0 && account.acquiring === null) this.#accounts.delete(key);
    }
  }

  #useLeases(needed: ReadonlyMap<Account, number>, decidedAtMs: number): boolean {
    const nowMs = this.#deps.nowMs();
    for (const [account, amount] of needed) if (!isGood(account, amount, { nowMs, decidedAtMs })) return false;
    for (const [account, amount] of needed) {
      account.units -= amount;
      account.used += amount;
      account.usedAtMs = nowMs;
      if (account.units < account.ahead / 2 && nowMs >= account.usedUpUntilMs)
        this.#leaseUnawaited(account, amount, decidedAtMs);
    }
    return true;
  }

  /** Begins a lease unless one is on its way. @param least the need of one response: a lease of less helps nobody */
  #lease(account: Account, least: number, decidedAtMs: number): Promise<void> {
    if (account.acquiring !== null) return account.acquiring;
    this.#onTheirWay += 1;
    account.acquiring = this.#acquireLease(account, least, decidedAtMs).finally(() => {
      account.acquiring = null;
      this.#onTheirWay -= 1;
    });
    return account.acquiring;
  }

  #leaseUnawaited(account: Account, least: number, decidedAtMs: number): void {
    if (this.#onTheirWay < UNAWAITED_MAX) void this.#lease(account, least, decidedAtMs);
  }

  async #leaseAndUse(
    needed: ReadonlyMap<Account, number>,
    decidedAtMs: number,
    hotWait: HotWait | null,
  ): Promise<boolean> {
    const deadline = wait(WAIT_MS);
    try {
      for (const [account, amount] of needed) {
        for (let tries = 0; !isGood(account, amount, { nowMs: this.#deps.nowMs(), decidedAtMs }); tries += 1) {
          if (tries >= TRIES_MAX || this.#deps.nowMs() < account.usedUpUntilMs) return false;
          if (hotWait?.leftMs === 0) {
            this.#leaveOut(account, amount);
            this.#leaseUnawaited(account, amount, decidedAtMs);
            return false;
          }
          account.needed += amount;
          const inTime = await waitFor(this.#lease(account, amount, decidedAtMs), { hotWait, deadline });
          account.needed -= amount;
          if (!inTime) return this.#leaveOut(account, amount);
        }
      }
    } finally {
      deadline.clear();
    }
    // Another response may have used the lease between two awaits: then the caller decides again.
    return this.#useLeases(needed, decidedAtMs);
  }

  /** Lets decisions choose other line items until the lease comes, for a moment at most: the hot store does not lease in time. */
  #leaveOut(account: Account, amount: number): false {
    this.#late += 1;
    account.unmet += amount;
    account.usedUpUntilMs = this.#deps.nowMs() + USED_UP_MS;
    return false;
  }

  async #acquireLease(account: Account, least: number, decidedAtMs: number): Promise<void> {
    const { nowMs } = this.#deps;
    try {
      const bucket = reservationBucket(decidedAtMs);
      const usedBefore = account.used;
      account.used = 0;
      if (account.bucket !== bucket || nowMs() >= account.expiresAtMs) await this.#returnLease(account);
      const left = await this.#readHeadroom(account, decidedAtMs);
      // Responses that come later are not included: they use the next lease.
      const { needed, unmet } = account;
      const size = leaseSize(account, left);
      account.unmet = 0;
      if (size <= 0 || account.units + size < least) return await this.#endLease(account, least);
      const lease = leaseIncrement(account, bucket, size);
      const value = await this.#addLease(lease);
      const acquiredAtMs = nowMs();
      // Of concurrent additions, the later one returns its excess: the result of the own addition shows the order.
      const own = { key: lease.key, value };
      const over = await this.#readHeadroom(account, decidedAtMs, own).catch(() => Number.NEGATIVE_INFINITY);
      const excess = Math.min(size, Math.max(0, -over));
      // Units of another bucket have gone back.
      account.bucket = bucket;
      account.units += size - excess;
      account.expiresAtMs = acquiredAtMs + LEASE_MS;
      account.usedAtMs = acquiredAtMs;
      account.usedUpUntilMs = account.units < needed ? acquiredAtMs + USED_UP_MS : 0;
      account.ahead = nextAhead(account, { usedBefore, unmet: unmet + account.unmet });
      if (excess > 0) await this.#add([leaseIncrement(account, bucket, -excess)]);
    } catch (error) {
      account.usedUpUntilMs = nowMs() + USED_UP_MS;
      this.recordFailure(error);
    }
  }

  /** Nothing more can be leased. What is left and serves no response goes back: another process may hold the other part of that need. */
  async #endLease(account: Account, least: number): Promise<void> {
    account.ahead = 0;
    if (account.units >= least) return;
    account.usedUpUntilMs = this.#deps.nowMs() + USED_UP_MS;
    await this.#returnLease(account);
  }

  /** Adds a lease; those of one turn of the event loop share a call. @returns the value after it */
  async #addLease(lease: CounterIncrement): Promise<bigint> {
    let turn = this.#leasing;
    if (turn === null || turn.leases.length >= HOT_BATCH_MAX) {
      const leases: CounterIncrement[] = [];
      const added = Promise.resolve().then(() => {
        if (this.#leasing?.leases === leases) this.#leasing = null;
        return this.#deps.hot.addToCounters(leases);
      });
      turn = { leases, added };
      this.#leasing = turn;
    }
    const index = turn.leases.push(lease) - 1;
    return (await turn.added)[index] ?? 0n;
  }

  /** The headroom. `own`: the value of our reservations right after our own addition. */
  #readHeadroom(account: Account, decidedAtMs: number, own?: { key: string; value: bigint }): Promise<number> {
    const { subject } = account.reservation;
    return readHeadroom(this.#deps.hot, {
      subject,
      checks: account.checks,
      holds: holdsOn(subject.kind),
      atMs: decidedAtMs,
      nowMs: (this.#deps.expiryNowMs ?? this.#deps.nowMs)(),
      ...(own === undefined ? {} : { own }),
    });
  }

  async #returnLease(account: Account): Promise<void> {
    const { units, bucket } = account;
    if (units === 0) return;
    account.units = 0;
    await this.#add([leaseIncrement(account, bucket, -units)]);
  }

  /** A return that fails leaves the amount reserved until its bucket expires: the limit still holds. */
  async #add(increments: readonly CounterIncrement[]): Promise<void> {
    try {
      await this.#deps.hot.addToCounters(increments);
    } catch (error) {
      this.recordFailure(error);
    }
  }

  /** Counts a failed call of the hot store on which limits depend, and logs it from time to time. */
  recordFailure(error: unknown): void {
    this.#failures += 1;
    const nowMs = this.#deps.nowMs();
    if (nowMs - this.#loggedAtMs < LOG_EVERY_MS) return;
    this.#loggedAtMs = nowMs;
    this.#deps.log.event('budget.hot_store_unavailable', { err: error, failures: this.#failures });
  }
}

function isGood(account: Account, amount: number, at: { nowMs: number; decidedAtMs: number }): boolean {
  return (
    account.units >= amount && at.nowMs < account.expiresAtMs && account.bucket === reservationBucket(at.decidedAtMs)
  );
}

/** The units of the next lease, where `left` is the headroom. */
function leaseSize({ needed, unmet, ahead }: Account, left: number): number {
  const share = Math.floor(left * LEASE_SHARE);
  return Math.min(left, Math.max(needed + unmet, share, Math.min(ahead, Math.floor(left * AHEAD_SHARE))));
}

/** Doubles while responses go without their lease, then follows the use during a call. */
function nextAhead({ ahead, used }: Account, late: { readonly usedBefore: number; readonly unmet: number }): number {
  if (late.unmet > 0) return 2 * Math.max(late.usedBefore, late.unmet);
  return ahead > 0 ? 2 * used : 0;
}

function accountKey({ subject: { workspaceId, scope, id, kind }, hold }: Reservation): string {
  return `${workspaceId}/${scope}/${id}/${kind}/${hold}`;
}

function leaseIncrement({ reservation }: Account, bucket: number, by: number): CounterIncrement {
  const key = reservationKey(reservation.subject, { hold: reservation.hold, bucket });
  return { key, by: BigInt(by), ttlMs: RESERVATION_TTL_MS };
}

/** False when the lease is not acquired in time; it may come later, for others. */
async function waitFor(
  acquiring: Promise<void>,
  { hotWait, deadline }: { readonly hotWait: HotWait | null; readonly deadline: { readonly passed: Promise<false> } },
): Promise<boolean> {
  const acquired = acquiring.then(() => true);
  if (hotWait === null) return Promise.race([acquired, deadline.passed]);
  return hotWait.run(() => acquired).catch(() => false);
}

/** A deadline that can be cancelled. */
function wait(ms: number): { passed: Promise<false>; clear: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  return { passed, clear: () => clearTimeout(timer) };
}
