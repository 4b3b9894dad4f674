import type { Kysely } from 'kysely';
import type { Goal, GoalKind } from '../../../domain/booking/line-item.ts';
import type { Log } from '../../../domain/log/log.ts';
import { dayCounterKey, lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import { GOAL_COUNTERS } from '../../../domain/money/limit.ts';
import { COUNTED_EVENTS, COUNTED_KINDS } from '../../../domain/pricing/pricing-models.ts';
import { localDay } from '../../../domain/time/calendar.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import { createContext, type ManagementContext } from '../../kernel/context.ts';
import { daysBefore } from './delivery-figures.ts';
import { loadFreeTraffic, loadTrafficCurve } from './expected-traffic.ts';
import {
  type CountFigure,
  DAYS_BEFORE,
  type DeliveryFigures,
  type GoalProgress,
  measureProgress,
} from './goal-progress.ts';
import type { GoalRow } from './goal-status.sql.ts';
import { loadHistoryLoading } from '../history/history-loading.ts';

/** The dependencies of jobs that measure line items. */
export interface MeasureDeps {
  readonly sql: Kysely<Database>;
  readonly hot: Pick<HotStore, 'readCounters'>;
  readonly nowMs: () => number;
  readonly log: Log;
  /** Whether the history of a workspace is being made, such as the demo's; absent: no history is. */
  readonly isHistoryMade?: (workspaceId: number) => boolean;
}

/** What the counters say of a line item. */
export interface MeasuredRow {
  readonly goal: GoalRow;
  /** Null without a goal. */
  readonly progress: GoalProgress | null;
  readonly impressions: bigint;
  readonly spendNanos: bigint;
  /** Units of its goal since it began; without a goal, impressions. */
  readonly units: bigint;
}

const COUNTERS = 4 + DAYS_BEFORE;
/** The principal of the job: it only reads. */
const ACTOR = 'system:delivery';

/** Measures line items of one workspace against their goals, in the order given. At most a page of them. @throws what the stores throw */
export async function measureRows(deps: MeasureDeps, rows: readonly GoalRow[]): Promise<MeasuredRow[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const nowMs = deps.nowMs();
  const context = contextOf(deps, first.networkId, first.row.workspace_id);
  const counts = await deps.hot.readCounters(rows.flatMap((one) => keysOf(one, nowMs)));
  return Promise.all(
    rows.map(async (one, at) => {
      const own = counts.slice(COUNTERS * at, COUNTERS * (at + 1));
      const [lifetime = 0n, today = 0n, impressions = 0n, spendNanos = 0n, ...before] = own;
      const progress = await progressOf(context, one, { lifetime, today, before, nowMs });
      return { goal: one, progress, impressions, spendNanos, units: lifetime };
    }),
  );
}

function keysOf({ row, networkTimezone }: GoalRow, nowMs: number): readonly string[] {
  const subject = { workspaceId: row.workspace_id, scope: 'li', id: String(row.id) } as const;
  const kind = GOAL_COUNTERS[goalOf(row)?.kind ?? 'IMPRESSIONS'];
  return [
    lifetimeCounterKey({ ...subject, kind }),
    dayCounterKey({ ...subject, kind }, localDay(nowMs, zoneOf(row, networkTimezone))),
    lifetimeCounterKey({ ...subject, kind: 'imp' }),
    lifetimeCounterKey({ ...subject, kind: 'spend' }),
    ...daysBefore(zoneOf(row, networkTimezone), nowMs).map((day) => dayCounterKey({ ...subject, kind }, day)),
  ];
}

/** Units of a goal: in total, today, and on the days before, the latest first. */
interface CountedUnits {
  readonly lifetime: bigint;
  readonly today: bigint;
  readonly before: readonly bigint[];
  readonly nowMs: number;
}

async function progressOf(
  context: ManagementContext,
  { row, campaign, networkTimezone }: GoalRow,
  { lifetime, today, before, nowMs }: CountedUnits,
): Promise<GoalProgress | null> {
  const goal = goalOf(row);
  if (goal === null) return null;
  return measureProgress(row, {
    lifetime: figuresOf(goal.kind, lifetime),
    today: figuresOf(goal.kind, today),
    daysBefore: before.map(Number),
    freeTraffic: await loadFreeTraffic(context, row),
    timezone: zoneOf(row, networkTimezone),
    curve: await loadTrafficCurve(context, row, networkTimezone),
    campaign,
    isHistoryLoading: await loadHistoryLoading(context),
    nowMs,
  });
}

/** The loaders of traffic curves belong to requests: a page of line items is one, which only reads. */
function contextOf(deps: MeasureDeps, networkId: string, workspaceId: number): ManagementContext {
  const stores = { ...deps, secrets: { pepper: Buffer.alloc(0) }, mail: null, quotas: {} as never };
  const own = { networkId, workspaceId, environment: 'production', permission: 'read-only', modules: null } as const;
  return createContext(stores, { ...own, kind: 'apiKey', id: '0', actor: ACTOR, remoteAddress: '' }, ACTOR);
}

function goalOf(row: GoalRow['row']): Goal | null {
  return row['goal'] as Goal | null;
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
