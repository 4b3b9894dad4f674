import type { Logger } from 'pino';
import type { HotStore } from '../storage/hot/hot-store.ts';
import { DailyQuota, dailyKey, endOfDayMs } from './daily-quota.ts';
import { DEFAULT_LIMITS, type WorkspaceRecord } from './directory-data.ts';
import type { Admission, RequestLimits } from './limits.ts';
import type { LimitName } from './permissions.ts';
import { QuotaLedger } from './quota-ledger.ts';
import { TokenPool } from './token-pool.ts';

const MAINTAIN_MS = 250;
/** A quota that nobody asked for so long is forgotten (its count stays in the ledger). */
const FORGET_MS = 600_000;

const DAILY_LIMITS: readonly LimitName[] = ['management', 'reports', 'events'];

/** How much of a daily limit is used. */
export interface DailyUse {
  readonly name: LimitName;
  readonly limit: number;
  readonly used: number;
  readonly resetsAtMs: number;
}

/** What limits work with. */
export interface RequestLimitsDeps {
  readonly hot: HotStore;
  readonly log: Logger;
  /** Processes that share every limit (nodes × their workers), at least 1. */
  readonly processes: number;
  nowMs(): number;
}

/** The limits of all workspaces (checklist L1–L4): daily quotas by UTC day, and ad requests per second. */
export class LedgerLimits implements RequestLimits {
  readonly #deps: RequestLimitsDeps;
  readonly #ledger: QuotaLedger;
  readonly #daily = new Map<string, DailyQuota>();
  readonly #perSecond = new Map<string, { pool: TokenPool; limit: number }>();
  #timer: NodeJS.Timeout | null = null;
  #maintaining = false;

  constructor(deps: RequestLimitsDeps) {
    this.#deps = deps;
    this.#ledger = new QuotaLedger(deps);
  }

  /** Calls of the ledger that failed: the hot store was away. */
  get ledgerFailures(): number {
    return this.#ledger.failures;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#maintain(), MAINTAIN_MS).unref();
  }

  /** Gives back all leases. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await Promise.all([...this.#daily.values()].map((quota) => quota.returnAll()));
    await Promise.all([...this.#perSecond.values()].map(({ pool }) => pool.returnAll()));
  }

  /** A limit of a workspace: its own, else the default. Units a day; `ads`: a second. */
  limitOf(workspace: WorkspaceRecord, limit: LimitName): number {
    return workspace.limits[limit] ?? DEFAULT_LIMITS[limit];
  }

  /** Today's use of the daily limits, over all processes. Units that processes hold as leases count as used. @throws as the hot store */
  async readDailyUse(workspace: WorkspaceRecord): Promise<DailyUse[]> {
    const nowMs = this.#deps.nowMs();
    const names = DAILY_LIMITS.map((limit) => quotaName(workspace, limit));
    const taken = await this.#ledger.read(names.map((name) => dailyKey(name, nowMs)));
    return DAILY_LIMITS.map((name, index) => ({
      name,
      limit: this.limitOf(workspace, name),
      used: taken[index] ?? 0,
      resetsAtMs: endOfDayMs(nowMs),
    }));
  }

  admit(workspace: WorkspaceRecord, limit: LimitName): Admission | Promise<Admission> {
    const units = this.limitOf(workspace, limit);
    const name = quotaName(workspace, limit);
    const nowMs = this.#deps.nowMs();
    if (limit !== 'ads') {
      let quota = this.#daily.get(name);
      if (quota === undefined) this.#daily.set(name, (quota = new DailyQuota(this.#ledger, name)));
      return quota.take(nowMs, units);
    }
    let entry = this.#perSecond.get(name);
    if (entry === undefined) this.#perSecond.set(name, (entry = { pool: this.#newPool(name), limit: units }));
    entry.limit = units;
    return entry.pool.take(units);
  }

  #newPool(name: string): TokenPool {
    return new TokenPool(this.#ledger, name, () => this.#deps.nowMs());
  }

  async #maintain(): Promise<void> {
    if (this.#maintaining) return;
    this.#maintaining = true;
    try {
      const nowMs = this.#deps.nowMs();
      for (const [name, { pool, limit }] of this.#perSecond) {
        await pool.maintain(limit);
        if (nowMs - pool.lastTakeMs > FORGET_MS) this.#perSecond.delete(name);
      }
      for (const [name, quota] of this.#daily) {
        await quota.returnIdle(nowMs);
        if (nowMs - quota.lastTakeMs > FORGET_MS) this.#daily.delete(name);
      }
    } finally {
      this.#maintaining = false;
    }
  }
}

/** The name of a workspace's quota in the ledger. */
function quotaName(workspace: WorkspaceRecord, limit: LimitName): string {
  return `q/${workspace.workspaceId}/${limit}`;
}
