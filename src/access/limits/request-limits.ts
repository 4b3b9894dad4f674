import type { Log } from '../../domain/log/log.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { DailyQuota, endOfDayMs, usedKey } from './daily-quota.ts';
import { DEFAULT_LIMITS, type WorkspaceRecord } from '../keys/directory-data.ts';
import type { LeaseJournal } from './lease-journal.ts';
import type { Admission, RequestLimits } from './limits.ts';
import type { LimitName } from '../permissions/permissions.ts';
import { QuotaLedger } from './quota-ledger.ts';
import { withinTime } from '../../domain/time/time-limit.ts';
import { TokenPool } from './token-pool.ts';

const MAINTAIN_MS = 250;
/** A quota without requests for this long is dropped from memory (its count stays in the ledger). */
const FORGET_MS = 86_400_000;
const FORGET_TOKENS_MS = 600_000;
/** A clock that goes back by more was set; by less, it counts as standing still here. */
const SET_BACK_MS = 1_000;
/** How long leases are given back when the process stops. */
const STOP_MS = 2_000;

/** The limits that count by UTC day. */
export const DAILY_LIMITS: readonly LimitName[] = ['management', 'reports', 'events'];

/** How much of a daily limit is used. */
export interface DailyUse {
  readonly name: LimitName;
  readonly limit: number;
  readonly used: number;
  readonly resetsAtMs: number;
}

/** Dependencies of the limits. */
export interface RequestLimitsDeps {
  readonly hot: HotStore;
  readonly log: Log;
  /** Processes that share every limit (nodes × their workers), at least 1. */
  readonly processes: number;
  /** Absent: the leases of a killed process are lost for the day. */
  readonly journal?: LeaseJournal;
  nowMs(): number;
}

/** The limits of all workspaces (conformance L1–L4): daily quotas by UTC day, and ad requests per second. */
export class LedgerLimits implements RequestLimits {
  readonly #deps: RequestLimitsDeps;
  readonly #ledger: QuotaLedger;
  readonly #daily = new Map<string, { quota: DailyQuota; limit: number }>();
  readonly #perSecond = new Map<string, { pool: TokenPool; limit: number }>();
  #timer: NodeJS.Timeout | null = null;
  #returning: Promise<void> = Promise.resolve();
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(deps: RequestLimitsDeps) {
    this.#deps = deps;
    this.#ledger = new QuotaLedger(deps);
  }

  /** Calls of the hot store that failed or were late. */
  get ledgerFailures(): number {
    return this.#ledger.failures;
  }

  /** Begins to balance leases, and returns the leases of a killed process of this name. Does not wait for the hot store. */
  start(): void {
    const { journal, log } = this.#deps;
    try {
      journal?.open();
    } catch (error) {
      log.event('limits.leases_not_written', { err: error });
    }
    this.#timer = setInterval(() => this.#maintain(), MAINTAIN_MS).unref();
    if (journal !== undefined) this.#returning = journal.returnLeft(this.#ledger, this.#deps.nowMs());
  }

  /** Gives back all leases. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    const closing = [
      this.#returning,
      ...[...this.#daily.values()].map(({ quota }) => quota.close()),
      ...[...this.#perSecond.values()].map(({ pool }) => pool.close()),
    ];
    await withinTime(Promise.all(closing), STOP_MS).catch(() => undefined);
    this.#deps.journal?.close();
  }

  /** A limit of a workspace: its own, else the default. Units a day; `ads`: a second. */
  limitOf(workspace: WorkspaceRecord, limit: LimitName): number {
    return workspace.limits[limit] ?? DEFAULT_LIMITS[limit];
  }

  /** Today's use of the daily limits, over all processes, at most half a second behind. @throws as the hot store */
  async readDailyUse(workspace: WorkspaceRecord): Promise<DailyUse[]> {
    const nowMs = this.#deps.nowMs();
    const names = DAILY_LIMITS.map((limit) => quotaName(workspace.workspaceId, limit));
    const used = await this.#ledger.read(names.map((name) => usedKey(name, nowMs)));
    return DAILY_LIMITS.map((name, index) => ({
      name,
      limit: this.limitOf(workspace, name),
      used: used[index] ?? 0,
      resetsAtMs: endOfDayMs(nowMs),
    }));
  }

  admit(workspace: WorkspaceRecord, limit: LimitName): Admission | Promise<Admission> {
    const units = this.limitOf(workspace, limit);
    return this.#countOf(workspace, limit, units).admit(units);
  }

  look(workspace: WorkspaceRecord, limit: LimitName): Admission | Promise<Admission> {
    const units = this.limitOf(workspace, limit);
    return this.#countOf(workspace, limit, units).look(units);
  }

  #countOf(workspace: WorkspaceRecord, limit: LimitName, units: number): DailyQuota | TokenPool {
    const name = quotaName(workspace.workspaceId, limit);
    if (limit !== 'ads') {
      let entry = this.#daily.get(name);
      if (entry === undefined)
        this.#daily.set(name, (entry = { quota: this.#newQuota(name, limit === 'events'), limit: units }));
      entry.limit = units;
      return entry.quota;
    }
    let entry = this.#perSecond.get(name);
    if (entry === undefined) this.#perSecond.set(name, (entry = { pool: this.#newPool(name), limit: units }));
    entry.limit = units;
    return entry.pool;
  }

  /** Conversions are accepted while nobody can count them: nobody sends them again. */
  #newQuota(name: string, mayOverdraw: boolean): DailyQuota {
    const { journal = null } = this.#deps;
    return new DailyQuota({ ledger: this.#ledger, name, nowMs: () => this.#deps.nowMs(), journal, mayOverdraw });
  }

  #newPool(name: string): TokenPool {
    return new TokenPool(this.#ledger, name, () => this.#deps.nowMs());
  }

  #maintain(): void {
    const nowMs = this.#deps.nowMs();
    if (nowMs < this.#lastMs - SET_BACK_MS) this.#startOver();
    this.#lastMs = nowMs;
    for (const [name, { pool, limit }] of this.#perSecond) {
      pool.maintain(limit);
      if (nowMs - pool.lastTakeMs > FORGET_TOKENS_MS) this.#drop(this.#perSecond, name, pool);
    }
    for (const [name, { quota, limit }] of this.#daily) {
      quota.maintain(limit);
      if (nowMs - quota.lastTakeMs > FORGET_MS) this.#drop(this.#daily, name, quota);
    }
  }

  /** The clock was set back: days, epochs and refusals that are ahead of it would hold until it has caught up. */
  #startOver(): void {
    this.#deps.log.event('limits.clock_set_back');
    for (const [name, { quota }] of this.#daily) this.#drop(this.#daily, name, quota);
    for (const [name, { pool }] of this.#perSecond) this.#drop(this.#perSecond, name, pool);
  }

  #drop(from: Map<string, unknown>, name: string, what: DailyQuota | TokenPool): void {
    from.delete(name);
    void what.close();
  }
}

/** The name of a workspace's quota in the ledger. */
export function quotaName(workspaceId: number, limit: LimitName): string {
  return `q/${workspaceId}/${limit}`;
}
