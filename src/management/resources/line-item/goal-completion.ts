import type { Kysely } from 'kysely';
import { RecurringJob } from '../../../domain/time/recurring-job.ts';
import type { Log } from '../../../domain/log/log.ts';
import { recordAudit } from '../../../access/audit/audit.sql.ts';
import { lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import { GOAL_COUNTERS } from '../../../domain/money/limit.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import { completeLineItem, type GoalWatch, listGoalWatches } from './goal-completion.sql.ts';

const EVERY_MS = 5_000;
const PAGE_ROWS = 1_000;
/** The principal that the audit log names. */
const ACTOR = 'system:pacing';

/** The dependencies of the completion of goals. */
export interface GoalCompletionDeps {
  readonly sql: Kysely<Database>;
  readonly hot: HotStore;
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * Sets line items with `pauseAfterGoal` to COMPLETED once their lifetime goal is delivered, with an audit entry. They have stopped
 * before that: such a goal is a hard limit for delivery. Daily goals stop for the day and continue on the next. Runs in the core.
 */
export class GoalCompletion extends RecurringJob {
  readonly #deps: GoalCompletionDeps;

  constructor(deps: GoalCompletionDeps) {
    super({ firstMs: EVERY_MS, everyMs: EVERY_MS });
    this.#deps = deps;
  }

  /** Checks all of them and returns how many were completed. @throws what the stores throw */
  async run(): Promise<number> {
    let completed = 0;
    let after = { workspaceId: 0, lineItemId: '0' };
    for (;;) {
      const watches = await listGoalWatches(this.#deps.sql, after, PAGE_ROWS);
      for (const watch of await this.#findReached(watches)) if (await this.#complete(watch)) completed += 1;
      const last = watches.at(-1);
      if (last === undefined || watches.length < PAGE_ROWS) return completed;
      after = last;
    }
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('goals.check_failed', { err: error });
  }

  async #findReached(watches: readonly GoalWatch[]): Promise<GoalWatch[]> {
    const lifetime = watches.filter(({ goal }) => goal.period === 'LIFETIME');
    if (lifetime.length === 0) return [];
    const keys = lifetime.map(({ workspaceId, lineItemId, goal }) =>
      lifetimeCounterKey({ workspaceId, scope: 'li', id: lineItemId, kind: GOAL_COUNTERS[goal.kind] }),
    );
    const delivered = await this.#deps.hot.readCounters(keys);
    return lifetime.filter(({ goal }, at) => Number(delivered[at] ?? 0n) >= goal.amount);
  }

  #complete(watch: GoalWatch): Promise<boolean> {
    const at = new Date(this.#deps.nowMs());
    return this.#deps.sql.transaction().execute(async (trx) => {
      if (!(await completeLineItem(trx, watch, ACTOR, at))) return false;
      const by = { actor: ACTOR, remoteAddress: '', networkId: watch.networkId, workspaceId: watch.workspaceId };
      await recordAudit(
        trx,
        {
          by,
          action: 'lineItem.complete',
          objectKind: 'lineItem',
          objectId: watch.lineItemId,
          before: { status: 'ACTIVE' },
          after: { status: 'COMPLETED' },
          more: { goal: watch.goal },
        },
        at,
      );
      return true;
    });
  }
}
