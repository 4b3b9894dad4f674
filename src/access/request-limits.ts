import type { Logger } from 'pino';
import type { HotStore } from '../storage/hot/hot-store.ts';
import { DailyQuota } from './daily-quota.ts';
import { DEFAULT_LIMITS, type WorkspaceRecord } from './directory-data.ts';
import type { Admission, RequestLimits } from './limits.ts';
import type { LimitName } from './permissions.ts';
import { QuotaLedger } from './quota-ledger.ts';
import { TokenPool } from './token-pool.ts';

const MAINTAIN_MS = 250;
/** A quota that nobody asked for so long is forgotten (its count stays in the ledger). */
const FORGET_MS = 600_000;

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

  admit(workspace: WorkspaceRecord, limit: LimitName): Admission | Promise<Admission> {
    const units = workspace.limits[limit] ?? DEFAULT_LIMITS[limit];
    const name = `q/${workspace.workspaceId}/${limit}`;
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
