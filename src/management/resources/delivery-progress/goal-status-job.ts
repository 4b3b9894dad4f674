import type { Kysely } from 'kysely';
import { recordAudit } from '../../../access/audit/audit.sql.ts';
import type { Goal, GoalKind } from '../../../domain/booking/line-item.ts';
import type { Log } from '../../../domain/log/log.ts';
import { dayCounterKey, lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import { GOAL_COUNTERS } from '../../../domain/money/limit.ts';
import type { GoalStatus } from '../../../domain/pacing/goal-projection.ts';
import { COUNTED_EVENTS, COUNTED_KINDS } from '../../../domain/pricing/pricing-models.ts';
import { localDay } from '../../../domain/time/calendar.ts';
import { RecurringJob } from '../../../domain/time/recurring-job.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import { createContext, type ManagementContext } from '../../kernel/context.ts';
import { loadTrafficCurve } from './expected-traffic.ts';
import { type CountFigure, type DeliveryFigures, measureProgress } from './goal-progress.ts';
import { type GoalRow, listGoalRows, readFound, recordStatus } from './goal-status.sql.ts';

const EVERY_MS = 300_000;
const PAGE_ROWS = 500;
/** The principal that the feed of changes names. */
const ACTOR = 'system:delivery';

/** The dependencies of the job. */
export interface GoalStatusDeps {
  readonly sql: Kysely<Database>;
  readonly hot: Pick<HotStore, 'readCounters'>;
  readonly nowMs: () => number;
  readonly log: Log;
}

/** The statuses that the feed tells. Being ahead needs nobody: it counts as on track. */
const TOLD: Readonly<Record<GoalStatus, string>> = {
  NOT_STARTED: 'NOT_STARTED',
  ON_TRACK: 'ON_TRACK',
  AHEAD: 'ON_TRACK',
  BEHIND: 'BEHIND',
  AT_RISK: 'AT_RISK',
  REACHED: 'REACHED',
  MISSED: 'MISSED',
};

/** Tells the feed of changes when a line item starts, falls behind, is at risk, recovers, reaches its goal or misses it. */
export class GoalStatusJob extends RecurringJob {
  readonly #deps: GoalStatusDeps;

  constructor(deps: GoalStatusDeps) {
    super({ firstMs: EVERY_MS, everyMs: EVERY_MS });
    this.#deps = deps;
  }

  /** Looks at all line items with a goal, and returns how many changes were told. @throws what the stores throw */
  async run(): Promise<number> {
    let told = 0;
    let after = { workspaceId: 0, lineItemId: 0n };
    while (!this.isStopped) {
      const goals = await listGoalRows(this.#deps.sql, after, PAGE_ROWS);
      for (const own of Map.groupBy(goals, ({ row }) => row.workspace_id).values()) told += await this.#tell(own);
      const last = goals.at(-1);
      if (last === undefined || goals.length < PAGE_ROWS) break;
      after = { workspaceId: last.row.workspace_id, lineItemId: last.row.id };
    }
    return told;
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('goals.status_failed', { err: error });
  }

  /** Line items of one workspace. */
  async #tell(goals: readonly GoalRow[]): Promise<number> {
    const [first] = goals;
    if (first === undefined) return 0;
    const { workspace_id: workspaceId } = first.row;
    const statuses = await this.#findStatuses(goals, first.networkId, workspaceId);
    const known = await readFound(
      this.#deps.sql,
      workspaceId,
      goals.map(({ row }) => row.id),
    );
    let told = 0;
    for (const [at, { row, networkId }] of goals.entries()) {
      const status = statuses[at] ?? null;
      const standing = known.get(row.id);
      if (status === null || (standing?.found === status && standing.told === status)) continue;
      if (await this.#record({ workspaceId, networkId, lineItemId: row.id }, status)) told += 1;
    }
    return told;
  }

  async #findStatuses(goals: readonly GoalRow[], networkId: string, workspaceId: number): Promise<(string | null)[]> {
    const nowMs = this.#deps.nowMs();
    const context = this.#contextOf(networkId, workspaceId);
    const keys = goals.flatMap(({ row, networkTimezone }) => {
      const subject = { workspaceId, scope: 'li', id: String(row.id), kind: GOAL_COUNTERS[goalOf(row).kind] } as const;
      return [lifetimeCounterKey(subject), dayCounterKey(subject, localDay(nowMs, zoneOf(row, networkTimezone)))];
    });
    const counts = await this.#deps.hot.readCounters(keys);
    const curves = await Promise.all(
      goals.map(({ row, networkTimezone }) => loadTrafficCurve(context, row, networkTimezone)),
    );
    return goals.map(({ row, campaign, networkTimezone }, at) => {
      const { kind } = goalOf(row);
      const curve = curves[at];
      if (curve === undefined) return null;
      const progress = measureProgress(row, {
        lifetime: figuresOf(kind, counts[2 * at] ?? 0n),
        today: figuresOf(kind, counts[2 * at + 1] ?? 0n),
        timezone: zoneOf(row, networkTimezone),
        curve,
        campaign,
        nowMs,
      });
      const status = progress?.status ?? null;
      return status === null ? null : TOLD[status];
    });
  }

  #record(line: { workspaceId: number; networkId: string; lineItemId: bigint }, status: string): Promise<boolean> {
    const { sql, nowMs } = this.#deps;
    return sql.transaction().execute(async (trx) => {
      const before = await recordStatus(trx, line, status);
      if (before === null) return false;
      const { networkId, workspaceId } = line;
      const by = { actor: ACTOR, remoteAddress: '', networkId, workspaceId };
      const entry = {
        by,
        action: 'lineItem.progress',
        objectKind: 'lineItem',
        objectId: String(line.lineItemId),
        before: { goalStatus: before },
        after: { goalStatus: status },
      };
      await recordAudit(trx, entry, new Date(nowMs()));
      return true;
    });
  }

  /** The loaders of traffic curves belong to requests: a page of line items is one, which only reads. */
  #contextOf(networkId: string, workspaceId: number): ManagementContext {
    const { sql, hot, nowMs, log } = this.#deps;
    const stores = { sql, hot, secrets: { pepper: Buffer.alloc(0) }, quotas: {} as never, nowMs, log };
    const own = { networkId, workspaceId, environment: 'production', permission: 'read-only', modules: null } as const;
    return createContext(stores, { ...own, kind: 'apiKey', id: '0', actor: ACTOR, remoteAddress: '' }, ACTOR);
  }
}

function goalOf(row: GoalRow['row']): Goal {
  return row['goal'] as Goal;
}

function zoneOf(row: GoalRow['row'], networkTimezone: string): string {
  return typeof row['timezone'] === 'string' ? row['timezone'] : networkTimezone;
}

/** The one figure that a goal counts. */
function figuresOf(kind: GoalKind, count: bigint): DeliveryFigures {
  const counter = GOAL_COUNTERS[kind];
  const counted = COUNTED_KINDS.map((one) => COUNTED_EVENTS[one]).map(
    (event) => [event.figure, event.counter === counter ? Number(count) : 0] as const,
  );
  return { ...(Object.fromEntries(counted) as Record<CountFigure, number>), spendNanos: 0n };
}
