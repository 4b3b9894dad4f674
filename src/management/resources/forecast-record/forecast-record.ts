import { requirePermission } from '../../../access/permissions/permissions.ts';
import {
  FORECAST_RECORD_DAYS,
  type ForecastRecordReason,
  type ForecastRecordState,
} from '../../../domain/booking/forecast-record.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { formatMicros } from '../../../domain/money/money.ts';
import { GoalRef } from '../../fields/schedule.ts';
import { builder } from '../../kernel/builder.ts';
import { validationFailed } from '../../kernel/drafts.ts';
import { report } from '../../kernel/field.ts';
import { loaderOf } from '../../kernel/loaders.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';
import {
  type ForecastAccuracy,
  type ForecastRecordRow,
  readForecastAccuracy,
  readLatestForecasts,
} from './forecast-record.sql.ts';

const DAY_MS = 86_400_000;

const StateRef = builder.enumType('ForecastRecordState', {
  description: 'The state of a stored forecast.',
  values: {
    OPEN: { description: 'Its flight has not ended, or ended less than a day ago.' },
    SKIPPED: { description: 'No forecast could be made.' },
    SCORED: { description: 'Its flight has ended, and it was compared with the delivery.' },
    NOT_SCORED: { description: 'The line item was stopped or changed before its end.' },
  } satisfies Record<ForecastRecordState, { description: string }>,
});

const ReasonRef = builder.enumType('ForecastRecordReason', {
  description: 'Why a forecast was not made, or is not scored.',
  values: {
    SAMPLE_TOO_YOUNG: { description: 'Less than a day of traffic had been sampled: no forecast was made.' },
    TOO_LARGE: { description: 'The replay took too long or too much memory: no forecast was made.' },
    PAUSED: { description: 'The line item or its campaign was not active within its flight.' },
    ARCHIVED: { description: 'The line item or its campaign was archived within its flight.' },
    CHANGED: { description: 'The booking was changed; a new forecast follows.' },
  } satisfies Record<ForecastRecordReason, { description: string }>,
});

const ScoreRef = builder.objectRef<ForecastRecordRow>('ForecastScore').implement({
  description: 'A stored forecast, compared with what was delivered.',
  fields: (t) => ({
    delivered: t.field({
      type: 'Long',
      description: 'Impressions that were counted from the forecast to the end of the flight.',
      resolve: ({ delivered }) => Number(delivered ?? 0n),
    }),
    errorPercent: t.float({
      description: 'How far the forecast was too high; negative: too low. In percent of the delivery.',
      resolve: ({ error }) => toPercent(error ?? 0),
    }),
    isInsideLikely: t.boolean({
      description: 'Whether the interval of 80 % holds what was delivered.',
      resolve: (row) => row.inside_likely === true,
    }),
    isInsidePossible: t.boolean({
      description: 'Whether the interval of 95 % holds it.',
      resolve: (row) => row.inside_possible === true,
    }),
    scoredAt: t.field({
      type: 'DateTime',
      description: 'When it was compared: a day after the end of the flight.',
      resolve: (row) => row.closed_at ?? row.ends_at,
    }),
  }),
});

/** Impressions of a stored forecast: column, field, description. */
const COUNTS = [
  ['matched', 'matched', 'Slots that it matches by targeting, format and day-parts.'],
  ['available', 'available', 'Matched slots that higher tiers and levels, or the allocation plan, leave to it.'],
  ['impressions', 'impressions', 'The impressions that it was expected to get.'],
  ['likelyLow', 'likely_low', 'Lower end of an 80 % interval of `impressions`.'],
  ['likelyHigh', 'likely_high', 'Upper end of that interval.'],
  ['possibleLow', 'possible_low', 'Lower end of a 95 % interval of `impressions`.'],
  ['possibleHigh', 'possible_high', 'Upper end of that interval.'],
] as const satisfies readonly (readonly [string, keyof ForecastRecordRow, string])[];

const MONEY = [
  ['revenue', 'revenue_micros', "What it was expected to earn, in the network's currency."],
  ['displacedRevenue', 'displaced_micros', 'What all others were expected to earn less because of it.'],
] as const satisfies readonly (readonly [string, keyof ForecastRecordRow, string])[];

const RecordRef = builder.objectRef<ForecastRecordRow>('ForecastRecord').implement({
  description:
    'The forecast that was made of a line item when it became active, or when its booking last changed. Its figures are of the time from then to the end of the flight, and null where none could be made.',
  fields: (t) => ({
    state: t.field({ type: StateRef, description: 'Its state.', resolve: ({ state }) => state }),
    reason: t.field({
      type: ReasonRef,
      nullable: true,
      description: 'Why it was not made, or is not scored.',
      resolve: ({ reason }) => reason,
    }),
    madeAt: t.field({ type: 'DateTime', description: 'When it was made.', resolve: (row) => row.made_at }),
    startsAt: t.field({
      type: 'DateTime',
      description: 'Start of the forecast time.',
      resolve: (row) => row.starts_at,
    }),
    endsAt: t.field({ type: 'DateTime', description: 'End of the flight.', resolve: (row) => row.ends_at }),
    goal: t.field({
      type: GoalRef,
      nullable: true,
      description: 'The goal at that time; null = none.',
      resolve: ({ goal }) => goal,
    }),
    model: t.exposeInt('model', { description: 'The version of the model of forecasts.' }),
    sampledHours: t.float({
      nullable: true,
      description: 'How long the sample was gathered.',
      resolve: (row) => row.sampled_hours,
    }),
    ...Object.fromEntries(
      COUNTS.map(([field, column, description]) => [
        field,
        t.field({
          type: 'Long',
          nullable: true,
          description,
          resolve: (row: ForecastRecordRow) => (row[column] === null ? null : Number(row[column])),
        }),
      ]),
    ),
    ...Object.fromEntries(
      MONEY.map(([field, column, description]) => [
        field,
        t.field({
          type: 'Decimal',
          nullable: true,
          description,
          resolve: (row: ForecastRecordRow) => (row[column] === null ? null : formatMicros(row[column])),
        }),
      ]),
    ),
    score: t.field({
      type: ScoreRef,
      nullable: true,
      description: 'How it compares with the delivery; null unless it is scored.',
      resolve: (row) => (row.state === 'SCORED' ? row : null),
    }),
  }),
});

const percentField = (description: string, of: (accuracy: ForecastAccuracy) => number | null) => ({
  nullable: true as const,
  description: `${description} null without a scored flight.`,
  resolve: (accuracy: ForecastAccuracy) => {
    const share = of(accuracy);
    return share === null ? null : toPercent(share);
  },
});

const AccuracyRef = builder.objectRef<ForecastAccuracy>('ForecastAccuracy').implement({
  description: 'How good the forecasts of flights were that ended in a span of time.',
  fields: (t) => ({
    scored: t.exposeInt('scored', { description: 'Flights whose forecasts were compared with their delivery.' }),
    notScored: t.exposeInt('notScored', {
      description: 'Forecasts that were not: the line item was stopped or changed before its end.',
    }),
    insideLikelyPercent: t.float(
      percentField('How many of the scored flights the interval of 80 % held.', (one) => one.insideLikely),
    ),
    insidePossiblePercent: t.float(
      percentField('How many of them the interval of 95 % held.', (one) => one.insidePossible),
    ),
    medianErrorPercent: t.float(
      percentField('Half of them had at most this error, too high or too low.', (one) => one.medianError),
    ),
    biasPercent: t.float(
      percentField('How far all forecasts together were too high; negative: too low.', (one) => one.bias),
    ),
  }),
});

/** Adds `LineItem.forecastRecord` and `forecastAccuracy`. */
export function defineForecastRecords(): void {
  builder.objectField(objectRefOf('LineItem'), 'forecastRecord', (t) =>
    t.field({
      type: RecordRef,
      nullable: true,
      description: 'Its latest stored forecast; null before there is one.',
      resolve: (row, _args, context) =>
        loaderOf<bigint, ForecastRecordRow | null>(context, 'forecastRecords', async (ids) => {
          const found = await readLatestForecasts(queryableOf(context), context.principal.workspaceId, ids);
          return ids.map((id) => found.get(id) ?? null);
        }).load(row.id),
    }),
  );
  builder.queryField('forecastAccuracy', (t) =>
    t.field({
      type: AccuracyRef,
      description: `How good the forecasts of flights were that ended in a span of at most ${FORECAST_RECORD_DAYS} days.`,
      args: {
        from: t.arg({ type: 'DateTime', required: true, description: 'The earliest end of a flight.' }),
        to: t.arg({ type: 'DateTime', required: true, description: 'The end of the span, exclusive.' }),
      },
      resolve: (_root, span, context) => {
        const { workspaceId } = requirePermission(context.caller, 'query.forecastAccuracy');
        checkSpan(span);
        return context.budget.read(() => readForecastAccuracy(queryableOf(context), workspaceId, span));
      },
    }),
  );
}

/** @throws PlacardError `validation_failed` */
function checkSpan({ from, to }: { readonly from: Date; readonly to: Date }): void {
  const problems: FieldProblem[] = [];
  const ms = to.getTime() - from.getTime();
  if (ms <= 0) report(problems, 'to', 'out_of_range', 'The end must come after the start.');
  if (ms > FORECAST_RECORD_DAYS * DAY_MS)
    report(problems, 'to', 'out_of_range', `At most ${FORECAST_RECORD_DAYS} days are summed up.`);
  if (problems.length > 0) throw validationFailed(problems);
}

/** A share in percent, with two decimal places. */
function toPercent(share: number): number {
  return Math.round(share * 10_000) / 100;
}
