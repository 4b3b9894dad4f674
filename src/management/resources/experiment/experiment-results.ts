import { CLICK_WINDOW_MS, CREDIT_WINDOW_MS } from '../../../domain/events/served-ad.ts';
import {
  type ArmDifference,
  type ArmFigures,
  COMPARED_MEASURES,
  type ComparedMeasure,
  type ExperimentResults,
  INTERVAL_DAYS_MIN,
  summarizeArms,
} from '../../../domain/experiments/experiment-results.ts';
import type { DecidedArm, ExperimentArm } from '../../../domain/experiments/experiment.ts';
import { formatNanos } from '../../../domain/money/money.ts';
import { localDay } from '../../../domain/time/calendar.ts';
import { builder } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { enumOf } from '../../kernel/described-enum.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { moneyTwin } from '../../kernel/money-type.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
import { loadNetworkTimezone } from '../delivery-progress/delivery-figures.ts';
import { ExperimentRuleRef } from './experiment.ts';
import { hasEnded } from './experiment.rules.ts';

/** Clicks and conversions come so long after their ads. */
const LATE_MS = CLICK_WINDOW_MS + CREDIT_WINDOW_MS;

const ArmRef = enumOf<ExperimentArm>('ExperimentArm', 'A part of the traffic of an experiment.', {
  RULE: 'Decided by the rule of the experiment.',
  REST: 'Decided as always.',
});

const STATES = {
  SCHEDULED: 'It has not begun.',
  RUNNING: 'It decides its share of the traffic.',
  ENDED: 'It is over, or will never begin.',
} as const;
const StateRef = enumOf<keyof typeof STATES>('ExperimentState', 'How far an experiment is.', STATES);

const measures = Object.entries(COMPARED_MEASURES).map(([measure, { description }]) => [measure, description]);
const MeasureRef = enumOf<ComparedMeasure>(
  'ExperimentMeasure',
  'What the arms of an experiment are compared by, each for a thousand requests.',
  Object.fromEntries(measures) as Record<ComparedMeasure, string>,
);

type Arm = ArmFigures & { readonly arm: ExperimentArm };

/** Revenue of a thousand requests, decimal text; null without requests. */
function revenueOfThousand({ revenueNanos, requests }: Arm): string | null {
  return requests === 0 ? null : formatNanos((revenueNanos * 1_000n) / BigInt(requests));
}

const ArmFiguresRef = builder.objectRef<Arm>('ExperimentArmFigures').implement({
  description: 'What one arm of an experiment had so far.',
  fields: (t) => ({
    arm: t.field({ type: ArmRef, description: 'The arm.', resolve: ({ arm }) => arm }),
    requests: t.field({ type: 'Long', description: 'Slots asked for.', resolve: ({ requests }) => requests }),
    impressions: t.field({ type: 'Long', description: 'Impressions.', resolve: ({ impressions }) => impressions }),
    guaranteedImpressions: t.field({
      type: 'Long',
      description: 'Those of SPONSORSHIP and STANDARD.',
      resolve: ({ guaranteedImpressions }) => guaranteedImpressions,
    }),
    clicks: t.field({ type: 'Long', description: 'Clicks.', resolve: ({ clicks }) => clicks }),
    conversions: t.field({
      type: 'Long',
      description: 'Conversions that are attributed to its ads.',
      resolve: ({ conversions }) => conversions,
    }),
    revenue: t.field({
      type: 'Decimal',
      description: 'Revenue.',
      resolve: ({ revenueNanos }) => formatNanos(revenueNanos),
    }),
    revenueMoney: t.field(moneyTwin<Arm>('Revenue.', ({ revenueNanos }) => formatNanos(revenueNanos))),
    revenuePerThousandRequests: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Revenue of a thousand requests, rounded down; null without requests.',
      resolve: revenueOfThousand,
    }),
    revenuePerThousandRequestsMoney: t.field(
      moneyTwin<Arm>('Revenue of a thousand requests, rounded down; null without requests.', revenueOfThousand),
    ),
  }),
});

const DifferenceRef = builder.objectRef<ArmDifference>('ExperimentDifference').implement({
  description:
    'How much the arm of the rule differs from the rest in one measure, for a thousand requests. Revenue is in units of the currency.',
  fields: (t) => ({
    measure: t.field({ type: MeasureRef, description: 'What is compared.', resolve: ({ measure }) => measure }),
    value: t.exposeFloat('value', {
      nullable: true,
      description: 'The rule less the rest: the mean of the days; null without a day.',
    }),
    low: t.exposeFloat('low', {
      nullable: true,
      description: `The lower end of the 95 % interval, by the spread of the days; null with fewer than ${INTERVAL_DAYS_MIN} days.`,
    }),
    high: t.exposeFloat('high', { nullable: true, description: 'Its upper end.' }),
    rest: t.exposeFloat('rest', { nullable: true, description: 'The mean of the rest; null without a day.' }),
  }),
});

const ResultsRef = builder.objectRef<ExperimentResults>('ExperimentResults').implement({
  description: 'What both arms of an experiment had.',
  fields: (t) => ({
    arms: t.field({
      type: [ArmFiguresRef],
      description: 'Both arms, the rule first.',
      resolve: ({ arms }) => [...arms],
    }),
    days: t.exposeInt('days', {
      description: 'Days of the network that are over and on which both arms had requests: those that are compared.',
    }),
    differences: t.field({
      type: [DifferenceRef],
      description: 'The rule against the rest, by measure.',
      resolve: ({ differences }) => [...differences],
    }),
  }),
});

/** What the field of an explained decision says. */
export const ARM_DESCRIPTION =
  'The arm of the experiment that runs at that time; null: none does. A request without a user is explained in the arm `REST`; workers draw its arm.';

/** The arm of an explained decision. */
export const DecidedArmRef = builder.objectRef<DecidedArm>('DecidedArm').implement({
  description: 'The arm of the experiment in which a request is decided.',
  fields: (t) => ({
    experimentId: t.exposeID('experimentId', { description: 'The experiment.' }),
    arm: t.field({ type: ArmRef, description: 'The arm.', resolve: ({ arm }) => arm }),
    rule: t.field({
      type: ExperimentRuleRef,
      description: 'The rule of the experiment, by which the arm `RULE` is decided.',
      resolve: ({ rule }) => rule,
    }),
  }),
});

/** Adds `state` and `results` to experiments. */
export function defineExperimentResults(): void {
  builder.objectField(objectRefOf('Experiment'), 'state', (t) =>
    t.field({
      type: StateRef,
      description: 'How far it is.',
      resolve: (row, _args, context) => stateOf(row, context.nowMs()),
    }),
  );
  builder.objectField(objectRefOf('Experiment'), 'results', (t) =>
    t.field({
      type: ResultsRef,
      nullable: true,
      description: 'What both arms had so far; null where reports are not served.',
      resolve: (row, _args, context) => loadResults(context, row),
    }),
  );
}

function stateOf(row: StoredRow, nowMs: number): keyof typeof STATES {
  if (hasEnded(row, nowMs)) return 'ENDED';
  return (row['starts_at'] as Date).getTime() > nowMs ? 'SCHEDULED' : 'RUNNING';
}

/** @throws OlapError while the analytics store does not respond */
async function loadResults(context: ManagementContext, row: StoredRow): Promise<ExperimentResults | null> {
  const { experimentFigures } = context;
  if (experimentFigures === undefined) return null;
  const timezone = await loadNetworkTimezone(context);
  const nowMs = context.nowMs();
  const days = await experimentFigures.readArmDays({
    workspaceId: context.principal.workspaceId,
    experimentId: String(row.id),
    startsAtMs: (row['starts_at'] as Date).getTime(),
    endsAtMs: Math.min(nowMs, (row['ends_at'] as Date).getTime() + LATE_MS),
    timezone,
  });
  return summarizeArms(days, localDay(nowMs, timezone));
}
