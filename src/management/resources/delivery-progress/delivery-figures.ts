import type { Goal } from '../../../domain/booking/line-item.ts';
import { localDay } from '../../../domain/time/calendar.ts';
import { localDaySpan } from '../../../domain/time/time-zone.ts';
import { GOAL_COUNTERS } from '../../../domain/money/limit.ts';
import {
  type CounterKind,
  type CounterScope,
  dayCounterKey,
  lifetimeCounterKey,
} from '../../../domain/money/counter-key.ts';
import { formatNanos } from '../../../domain/money/money.ts';
import { COUNTED_EVENTS, COUNTED_KINDS, EVENT_COUNTERS } from '../../../domain/pricing/pricing-models.ts';
import { COURSE_POINTS_MAX } from '../../../domain/pacing/drawn-course.ts';
import type { CourseStep, DrawnCourse, DrawnPoint } from '../../../domain/pacing/drawn-course.ts';
import type { GoalProjection } from '../../../domain/pacing/goal-projection.ts';
import { GoalStatusRef } from '../../fields/goal-status.ts';
import { builder } from '../../kernel/builder.ts';
import { moneyTwin } from '../../kernel/money-type.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { findNetwork } from '../network/network.sql.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { loaderOf, loadObject, onceInRequest } from '../../kernel/loaders.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';
import { loadFreeTraffic, loadTrafficCurve } from './expected-traffic.ts';
import { loadHistoryLoading } from '../history/history-loading.ts';
import {
  type CountFigure,
  type DeliveryFigures,
  type GoalProgress,
  DAYS_BEFORE,
  measureProgress,
  type ProgressBasis,
} from './goal-progress.ts';

interface Delivery {
  readonly lifetime: DeliveryFigures;
  readonly today: DeliveryFigures;
  readonly progress: GoalProgress | null;
}

const KINDS: readonly CounterKind[] = [...EVENT_COUNTERS, 'spend'];

const FiguresRef = builder.objectRef<DeliveryFigures>('DeliveryFigures').implement({
  description: 'What was delivered in a span, as counted at this moment (reports are the record for billing).',
  fields: (t) => ({
    ...Object.fromEntries(
      COUNTED_KINDS.map((kind) => COUNTED_EVENTS[kind]).map(({ figure, description }) => [
        figure,
        t.field({ type: 'Long', description, resolve: (figures) => figures[figure] }),
      ]),
    ),
    spend: t.field({
      type: 'Decimal',
      description: 'Money earned by these events.',
      resolve: (figures) => formatNanos(figures.spendNanos),
    }),
    spendMoney: t.field(
      moneyTwin<DeliveryFigures>('Money earned by these events.', (figures) => formatNanos(figures.spendNanos)),
    ),
  }),
});

const ProjectionRef = builder.objectRef<GoalProjection>('GoalProjection').implement({
  description:
    'What is expected at the end of the span of a goal: all of it, unless its bid is at its bound; then, its pace since that time goes on.',
  fields: (t) => ({
    projected: t.field({
      type: 'Long',
      description: 'What will be reached; at most the goal.',
      resolve: ({ projected }) => Math.round(projected),
    }),
    low: t.field({
      type: 'Long',
      description: 'The lower end of a 95 % interval.',
      resolve: ({ low }) => Math.floor(low),
    }),
    high: t.field({
      type: 'Long',
      description: 'The upper end of a 95 % interval.',
      resolve: ({ high }) => Math.ceil(high),
    }),
  }),
});

const CourseStepRef = builder.enumType('GoalCourseStep', {
  description: 'How much time a point of a course covers.',
  values: {
    HOUR: { description: 'An hour: spans of up to a week.' },
    DAY: { description: 'A day; several days where the span has more than 400.' },
  } satisfies Record<CourseStep, { description: string }>,
});

const CoursePointRef = builder.objectRef<DrawnPoint>('GoalCoursePoint').implement({
  description: 'What a plan has by the end of an hour or day, or by now in the present one; in total.',
  fields: (t) => ({
    startsAt: t.field({
      type: 'DateTime',
      description: 'When the hour or day begins, in the time zone of the line item.',
      resolve: ({ startMs }) => new Date(startMs),
    }),
    planned: t.field({ type: 'Long', description: 'By the plan.', resolve: ({ planned }) => Math.round(planned) }),
    projected: t.field({
      type: ProjectionRef,
      nullable: true,
      description: 'What is expected; null for times that are over, and without a projection.',
      resolve: ({ projection }) => projection,
    }),
  }),
});

const CourseRef = builder.objectRef<DrawnCourse>('GoalCourse').implement({
  description: 'What the pacing of a line item promises over the span of its goal, from its start to its end.',
  fields: (t) => ({
    step: t.field({ type: CourseStepRef, description: 'What a point covers.', resolve: ({ step }) => step }),
    isLeast: t.boolean({
      description: 'Whether it delivers at least so much where traffic allows (ASAP), rather than so much.',
      resolve: ({ isLeast }) => isLeast,
    }),
    points: t.field({
      type: [CoursePointRef],
      description: `In order, at most ${COURSE_POINTS_MAX}.`,
      resolve: ({ points }) => [...points],
    }),
  }),
});

const ProgressRef = builder.objectRef<GoalProgress>('GoalProgress').implement({
  description: 'The progress of a line item to its goal, against its pacing plan.',
  fields: (t) => ({
    goal: t.field({
      type: 'Long',
      description: 'The goal for its span.',
      resolve: (progress) => progress.goal,
    }),
    delivered: t.field({
      type: 'Long',
      description: 'What has been reached in that span.',
      resolve: (progress) => progress.delivered,
    }),
    expected: t.field({
      type: 'Long',
      nullable: true,
      description:
        'What its plan expects by now (traffic curve, day-parts, FRONT_LOADED); null without an end, and for ASAP.',
      resolve: (progress) => progress.expected,
    }),
    percent: t.exposeFloat('percent', { description: 'Delivered in percent of the goal.' }),
    pacingPercent: t.exposeFloat('pacingPercent', {
      nullable: true,
      description:
        'Delivered in percent of the plan: 100 is on track. null before the start, without an end, for ASAP, and while the history is loading.',
    }),
    projected: t.field({
      type: ProjectionRef,
      nullable: true,
      description:
        'What is expected at the end of its span; null outside of it, without a plan, and before half a percent of it.',
      resolve: (progress) => progress.projection,
    }),
    status: t.field({
      type: GoalStatusRef,
      nullable: true,
      description:
        'Whether it is being reached; null without an end, for ASAP, and while the history is loading unless it is REACHED or NOT_STARTED.',
      resolve: (progress) => progress.status,
    }),
    isHistoryLoading: t.exposeBoolean('isHistoryLoading', {
      description:
        'Whether the counters still get history of the environment, imported or of the demo: they say nothing of pacing until then.',
    }),
    course: t.field({
      type: CourseRef,
      nullable: true,
      description: 'Its plan from the start to the end of its span, as pacing makes it now; null without an end.',
      resolve: (progress) => progress.course(),
    }),
  }),
});

const DeliveryRef = builder.objectRef<Delivery>('Delivery').implement({
  description: 'What an object has delivered so far.',
  fields: (t) => ({
    lifetime: t.field({ type: FiguresRef, description: 'In total.', resolve: (delivery) => delivery.lifetime }),
    today: t.field({
      type: FiguresRef,
      description: "Today, in the object's time zone.",
      resolve: (delivery) => delivery.today,
    }),
    progress: t.field({
      type: ProgressRef,
      nullable: true,
      description: 'Progress to the goal; null without a goal.',
      resolve: (delivery) => delivery.progress,
    }),
  }),
});

/** Adds `delivery` to line items, campaigns and advertisers. */
export function defineDelivery(): void {
  const scopes = { LineItem: 'li', Campaign: 'ca', Advertiser: 'ad' } as const;
  for (const [type, scope] of Object.entries(scopes)) {
    builder.objectField(objectRefOf(type), 'delivery', (t) =>
      t.field({
        type: DeliveryRef,
        nullable: true,
        description: 'What it has delivered so far; null while the counters are unavailable.',
        resolve: (row, _args, context) => loadDelivery(context, scope, row),
      }),
    );
  }
}

async function loadDelivery(context: ManagementContext, scope: CounterScope, row: StoredRow): Promise<Delivery | null> {
  if (context.hot === null) return null;
  const own = scope === 'li' ? row['timezone'] : null;
  const timezone = typeof own === 'string' ? own : await loadNetworkTimezone(context);
  const day = localDay(context.nowMs(), timezone);
  const subject = { workspaceId: context.principal.workspaceId, scope, id: String(row.id) };
  const keys = [
    ...KINDS.map((kind) => lifetimeCounterKey({ ...subject, kind })),
    ...KINDS.map((kind) => dayCounterKey({ ...subject, kind }, day)),
  ];
  const counts = await loadCounters(context, keys);
  const lifetime = toFigures(counts.slice(0, KINDS.length));
  const today = toFigures(counts.slice(KINDS.length));
  const progress = scope === 'li' ? await loadProgress(context, row, { lifetime, today, timezone }) : null;
  return { lifetime, today, progress };
}

async function loadProgress(
  context: ManagementContext,
  row: StoredRow,
  own: Pick<ProgressBasis, 'lifetime' | 'today' | 'timezone'>,
): Promise<GoalProgress | null> {
  if (row['goal'] === null) return null;
  const networkTimezone = await loadNetworkTimezone(context);
  const subject = { workspaceId: context.principal.workspaceId, scope: 'li', id: String(row.id) } as const;
  const kind = GOAL_COUNTERS[(row['goal'] as Goal).kind];
  const [curve, freeTraffic, before, campaign, isHistoryLoading] = await Promise.all([
    loadTrafficCurve(context, row, networkTimezone),
    loadFreeTraffic(context, row),
    loadDaysBefore(
      context,
      daysBefore(own.timezone, context.nowMs()).map((day) => dayCounterKey({ ...subject, kind }, day)),
    ),
    loadObject(context, 'Campaign', row['campaign_id'] as bigint),
    loadHistoryLoading(context),
  ]);
  return measureProgress(row, {
    ...own,
    daysBefore: before.map(Number),
    curve,
    freeTraffic,
    campaign,
    isHistoryLoading,
    nowMs: context.nowMs(),
  });
}

/** The local days before today that a projection looks at, the latest first. */
export function daysBefore(timezone: string, nowMs: number): string[] {
  let atMs = nowMs;
  return Array.from({ length: DAYS_BEFORE }, () => {
    atMs = localDaySpan(timezone, atMs).startMs - 1;
    return localDay(atMs, timezone);
  });
}

/** Reads the counters of all objects of one selection in as few calls as possible. */
function loadCounters(
  context: ManagementContext,
  keys: readonly string[],
  name = 'counters',
): Promise<readonly bigint[]> {
  const load = async (objects: readonly (readonly string[])[]): Promise<bigint[][]> => {
    const counts = (await context.hot?.readCounters(objects.flat())) ?? [];
    return objects.map((_keys, at) => counts.slice(at * keys.length, (at + 1) * keys.length));
  };
  return loaderOf(context, name, load, keys.length).load(keys);
}

const loadDaysBefore = (context: ManagementContext, keys: readonly string[]): Promise<readonly bigint[]> =>
  loadCounters(context, keys, 'countersOfDaysBefore');

/** The time zone of the caller's network. One promise for all objects of a request: a data loader makes one for each call. */
export function loadNetworkTimezone(context: ManagementContext): Promise<string> {
  return onceInRequest(context, 'networkTimezone', async () => {
    const { networkId } = context.principal;
    const network = await context.budget.read(() => findNetwork(queryableOf(context), networkId));
    return network?.timezone ?? 'UTC';
  });
}

function toFigures(counts: readonly bigint[]): DeliveryFigures {
  const figures = COUNTED_KINDS.map((kind, at) => [COUNTED_EVENTS[kind].figure, Number(counts[at] ?? 0n)] as const);
  const counted = Object.fromEntries(figures) as Record<CountFigure, number>;
  return { ...counted, spendNanos: counts[COUNTED_KINDS.length] ?? 0n };
}
