import { writeSentences } from '../../../domain/booking/delivery-text.ts';
import { DeliveryTextRef } from './delivery-text.ts';
import { requirePermission } from '../../../access/permissions/permissions.ts';
import type { Forecast, ForecastDraft } from '../../../domain/booking/delivery-insight.ts';
import { isTimeZone } from '../../../domain/time/calendar.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { plainIdOf } from '../../../domain/ids/global-ids.ts';
import { isDecimalId } from '../../../domain/ids/ids.ts';
import { NO_CAPS } from '../../../domain/booking/line-item.ts';
import { formatMicros } from '../../../domain/money/money.ts';
import { checkCaps, checkFrequencyCaps, DeliveryCapsInput, FrequencyCapInput } from '../../fields/delivery-limits.ts';
import { ForecastPrecisionRef, LineItemTypeRef, MediaTypeRef, PacingRef } from '../../fields/enumerations.ts';
import { checkDayParts, checkGoal, DayPartInput, GoalInput } from '../../fields/schedule.ts';
import { checkSizes, SizeInput } from '../../fields/sizes.ts';
import { checkTargeting, TargetingInput } from '../../fields/targeting-field.ts';
import { builder } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { report } from '../../kernel/field.ts';
import { loadObject } from '../../kernel/loaders.ts';
import { checkMoney, checkNumber } from '../../kernel/scalar-fields.ts';
import { validationFailed } from '../../kernel/drafts.ts';
import { insightOf } from './delivery-insight.ts';

/** The longest flight that is forecast. */
export const FLIGHT_MS_MAX = 366 * 86_400_000;

const ContenderRef = builder.objectRef<Forecast['contending'][number]>('ForecastContender').implement({
  description: 'A line item that holds some of the slots that a draft matches.',
  fields: (t) => ({
    lineItemId: t.exposeID('lineItemId', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    opportunities: t.field({ type: 'Long', description: 'Slots that it holds.', resolve: (one) => one.opportunities }),
  }),
});

/** Who gets less when a draft is booked. */
export const DisplacedRef = builder.objectRef<Forecast['displaced'][number]>('ForecastDisplaced').implement({
  description: 'A line item that gets less when the draft is booked.',
  fields: (t) => ({
    lineItemId: t.exposeID('lineItemId', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    impressions: t.field({
      type: 'Long',
      description: 'Impressions that it loses during the flight of the draft.',
      resolve: (one) => one.impressions,
    }),
    goalUnits: t.field({
      type: 'Long',
      nullable: true,
      description: 'The same in units of its goal; null without a goal.',
      resolve: (one) => one.goalUnits,
    }),
    revenue: t.field({
      type: 'Decimal',
      description: "Revenue that it loses, in the network's currency.",
      resolve: (one) => formatMicros(BigInt(one.revenueMicros)),
    }),
  }),
});

/** What the numbers of a forecast mean. */
export const NUMBERS = {
  opportunities: 'Slots expected in the network over the flight.',
  matched: 'Slots that the draft matches by targeting, format and day-parts.',
  available: 'Matched slots that higher tiers and levels, or the allocation plan, leave to it.',
  possible: 'Matched slots that it wins in the replay, at this price and share, within its goal and limits.',
  possibleLow:
    'Lower end of a 95 % interval of `possible`: by the size of the sample, by how busy the flight may be, and by how the days of parts of the traffic differ. Future changes are left out.',
  possibleHigh: 'Upper end of that interval.',
  likelyLow: 'Lower end of an 80 % interval of `possible`.',
  likelyHigh: 'Upper end of that interval.',
  impressions:
    "How many of the possible slots are shown, by the share of this network's responses that were shown up to now.",
} as const;

const ForecastRef = builder.objectRef<Forecast>('Forecast').implement({
  description:
    'What a draft could get over the rest of its flight. Sampled requests of the last days come again at the same hours of the week and are decided with the present bookings, with and without the draft. Goals continue from present delivery; limits, pacing, day-parts and frequency caps apply as in delivery. The draft starts from zero, also when it replaces a line item.',
  fields: (t) => ({
    precision: t.field({
      type: ForecastPrecisionRef,
      description: 'How much was replayed: `FULL` also where a rough forecast was asked for and leaves nothing out.',
      resolve: (one) => one.precision,
    }),
    opportunities: t.field({ type: 'Long', description: NUMBERS.opportunities, resolve: (one) => one.opportunities }),
    matched: t.field({ type: 'Long', description: NUMBERS.matched, resolve: (one) => one.matched }),
    available: t.field({ type: 'Long', description: NUMBERS.available, resolve: (one) => one.available }),
    possible: t.field({ type: 'Long', description: NUMBERS.possible, resolve: (one) => one.possible }),
    possibleLow: t.field({ type: 'Long', description: NUMBERS.possibleLow, resolve: (one) => one.possibleLow }),
    possibleHigh: t.field({ type: 'Long', description: NUMBERS.possibleHigh, resolve: (one) => one.possibleHigh }),
    likelyLow: t.field({ type: 'Long', description: NUMBERS.likelyLow, resolve: (one) => one.likelyLow }),
    likelyHigh: t.field({ type: 'Long', description: NUMBERS.likelyHigh, resolve: (one) => one.likelyHigh }),
    impressions: t.field({ type: 'Long', description: NUMBERS.impressions, resolve: (one) => one.impressions }),
    revenue: t.field({
      type: 'Decimal',
      description: "What the draft earns at its price, in the network's currency.",
      resolve: ({ revenueMicros }) => formatMicros(BigInt(revenueMicros)),
    }),
    displacedRevenue: t.field({
      type: 'Decimal',
      description:
        'What all line items and header bidders earn less because of the draft during its flight; negative where they earn more.',
      resolve: ({ displacedRevenueMicros }) => formatMicros(BigInt(displacedRevenueMicros)),
    }),
    displacedHeaderBidRevenue: t.field({
      type: 'Decimal',
      description: 'The part of `displacedRevenue` that header bidders would have paid.',
      resolve: ({ displacedHeaderBidMicros }) => formatMicros(BigInt(displacedHeaderBidMicros)),
    }),
    displaced: t.field({
      type: [DisplacedRef],
      description: 'The line items that get less with the draft, the largest loss of revenue first, at most 20.',
      resolve: (one) => [...one.displaced],
    }),
    notes: t.stringList({
      description: 'Remarks on the numbers, such as a small sample.',
      resolve: ({ remarks }) => writeSentences(remarks),
    }),
    remarks: t.field({
      type: [DeliveryTextRef],
      description: 'The same as data, a text for each.',
      resolve: ({ remarks }) => [...remarks],
    }),
    contending: t.field({
      type: [ContenderRef],
      description: 'The line items that hold the matched slots without it, largest first, at most 20.',
      resolve: (one) => [...one.contending],
    }),
    sampleSize: t.exposeInt('sampleSize', {
      description: 'Requests in the sample.',
    }),
    sampledHours: t.exposeFloat('sampledHours', { description: 'How long the sample was gathered.' }),
  }),
});

const ForecastInputRef = builder.inputType('ForecastInput', {
  description: 'A line item that is not booked yet.',
  fields: (t) => ({
    type: t.field({ type: LineItemTypeRef, required: true, description: 'Its tier.' }),
    level: t.int({ description: 'Rank within its tier, 1…16; default 8.' }),
    sharePercent: t.float({ description: 'Share of voice (SPONSORSHIP) or weight of the draw (HOUSE).' }),
    price: t.field({ type: 'Decimal', required: true, description: 'CPM.' }),
    targeting: t.field({
      type: TargetingInput,
      description: 'Its targeting; default: all inventory and all users.',
    }),
    sizes: t.field({ type: [SizeInput], description: 'Sizes of its banners; default any.' }),
    mediaTypes: t.field({ type: [MediaTypeRef], description: 'Kinds of its creatives; default banner.' }),
    dealId: t.id({ description: 'Its deal; default none.' }),
    startsAt: t.field({ type: 'DateTime', required: true, description: 'Start of its flight.' }),
    endsAt: t.field({ type: 'DateTime', required: true, description: 'End of its flight, at most a year on.' }),
    goal: t.field({ type: GoalInput, description: 'Its goal; default: none, all that it can get.' }),
    pacing: t.field({ type: PacingRef, description: 'How delivery is spread towards the goal; default EVEN.' }),
    caps: t.field({ type: DeliveryCapsInput, description: 'Hard limits; default none.' }),
    frequencyCaps: t.field({ type: [FrequencyCapInput], description: 'Limits per user; default none.' }),
    serveWithoutUser: t.boolean({
      description: 'Whether it serves to unidentified users although it has frequency caps; default false.',
    }),
    dayParts: t.field({ type: [DayPartInput], description: 'When in the week it serves; default always.' }),
    timezone: t.string({ description: "IANA time zone of its days and day-parts; default the network's." }),
    lineItemId: t.id({ description: 'A booked line item that it would replace.' }),
  }),
});

/** @throws PlacardError `validation_failed` naming every wrong field */
function readDraft(input: typeof ForecastInputRef.$inferInput): ForecastDraft {
  const problems: FieldProblem[] = [];
  const startsAtMs = input.startsAt.getTime();
  const endsAtMs = input.endsAt.getTime();
  if (endsAtMs <= startsAtMs) report(problems, 'endsAt', 'out_of_range', 'The end must come after the start.');
  if (endsAtMs - startsAtMs > FLIGHT_MS_MAX) report(problems, 'endsAt', 'out_of_range', 'At most a year is forecast.');
  const share = input.sharePercent ?? null;
  const draft: ForecastDraft = {
    type: input.type,
    level: checkNumber(input.level ?? 8, 'level', { min: 1, max: 16 }, problems),
    sharePercent: share === null ? null : checkNumber(share, 'sharePercent', { min: 0, max: 100 }, problems),
    cpmMicros: Number(checkMoney(input.price, 'price', problems)),
    targeting: input.targeting ? checkTargeting(input.targeting, 'targeting', problems) : null,
    sizes: checkSizes(input.sizes ?? [], 'sizes', problems),
    mediaTypes: input.mediaTypes && input.mediaTypes.length > 0 ? [...new Set(input.mediaTypes)] : ['banner'],
    dealId: idOf('Deal', input.dealId),
    startsAtMs,
    endsAtMs,
    ...readLimits(input, problems),
    lineItemId: idOf('LineItem', input.lineItemId),
  };
  if (problems.length > 0) throw validationFailed(problems);
  return draft;
}

/** Validates goal, limits and times of a draft. */
function readLimits(
  input: typeof ForecastInputRef.$inferInput,
  problems: FieldProblem[],
): Pick<ForecastDraft, 'goal' | 'pacing' | 'caps' | 'frequencyCaps' | 'serveWithoutUser' | 'dayParts' | 'timezone'> {
  const timezone = input.timezone ?? null;
  if (timezone !== null && !isTimeZone(timezone))
    report(problems, 'timezone', 'unknown', 'Give an IANA time zone name such as "Europe/Warsaw".');
  return {
    goal: input.goal ? checkGoal(input.goal, 'goal', problems) : null,
    pacing: input.pacing ?? 'EVEN',
    caps: { ...NO_CAPS, ...(input.caps ? checkCaps(input.caps, 'caps', problems) : {}) },
    frequencyCaps: checkFrequencyCaps(input.frequencyCaps ?? [], 'frequencyCaps', problems),
    serveWithoutUser: input.serveWithoutUser ?? false,
    dayParts: checkDayParts(input.dayParts ?? [], 'dayParts', problems),
    timezone,
  };
}

function idOf(type: string, id: string | number | null | undefined): string | null {
  return id === null || id === undefined ? null : plainIdOf(type, id);
}

/** @throws PlacardError `validation_failed` naming each id that the network and environment do not have */
async function requireKnown(context: ManagementContext, { dealId, lineItemId }: ForecastDraft): Promise<void> {
  const problems: FieldProblem[] = [];
  const check = async (path: string, type: string, id: string | null): Promise<void> => {
    if (id === null || (isDecimalId(id) && (await loadObject(context, type, BigInt(id))) !== null)) return;
    report(problems, path, 'unknown', `There is no ${type} with the id ${JSON.stringify(id.slice(0, 40))}.`);
  };
  await Promise.all([check('dealId', 'Deal', dealId), check('lineItemId', 'LineItem', lineItemId)]);
  if (problems.length > 0) throw validationFailed(problems);
}

/** Adds `forecast`. */
export function defineForecast(): void {
  builder.queryField('forecast', (t) =>
    t.field({
      type: ForecastRef,
      description: 'What a draft of a line item could get.',
      args: {
        input: t.arg({ type: ForecastInputRef, required: true, description: 'The draft.' }),
        precision: t.arg({
          type: ForecastPrecisionRef,
          description: 'How much is replayed; default FULL. Ask for a rough forecast first where a person waits.',
        }),
      },
      resolve: async (_root, { input, precision }, context) => {
        const { workspaceId } = requirePermission(context.caller, 'query.forecast');
        const draft = readDraft(input);
        await requireKnown(context, draft);
        return insightOf(context).forecast(workspaceId, draft, {
          precision: precision ?? 'FULL',
          signal: context.signal,
        });
      },
    }),
  );
}
