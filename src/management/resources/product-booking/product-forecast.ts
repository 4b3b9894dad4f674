import type { Forecast, ForecastDraft } from '../../../domain/booking/delivery-insight.ts';
import { goalKindOf, narrowedTargeting, tierOf } from '../../../domain/booking/product-booking.ts';
import type { PriceOption, ProductFormat } from '../../../domain/booking/product.ts';
import { NO_CAPS } from '../../../domain/booking/line-item.ts';
import { formatRow, isBannerFormat, MEDIA_TYPES } from '../../../domain/creative-format.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { decimalIdOf } from '../../../domain/ids/global-ids.ts';
import { writeSentences } from '../../../domain/booking/delivery-text.ts';
import { formatMicros } from '../../../domain/money/money.ts';
import type { Targeting } from '../../../domain/targeting/targeting.ts';
import { checkFrequencyCaps, FrequencyCapInput } from '../../fields/delivery-limits.ts';
import { ForecastPrecisionRef, PacingRef } from '../../fields/enumerations.ts';
import { TargetingInput } from '../../fields/targeting-field.ts';
import { builder } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { validationFailed } from '../../kernel/drafts.ts';
import { moneyTwin } from '../../kernel/money-type.ts';
import { report, type StoredRow } from '../../kernel/field.ts';
import { loadObject } from '../../kernel/loaders.ts';
import { checkMoney } from '../../kernel/scalar-fields.ts';
import { priceOptionsOf } from '../advertising-product/product-facts.sql.ts';
import { insightOf } from '../delivery-insight/delivery-insight.ts';
import { DisplacedRef, FLIGHT_MS_MAX, NUMBERS } from '../delivery-insight/forecast.ts';
import { loadNetworkTimezone } from '../delivery-progress/delivery-figures.ts';
import { readTerms } from './booking-input.ts';
import { type AskedTerms, checkTerms, type Priced, priceBooking } from './product-terms.ts';

const ProductForecastInput = builder.inputType('ProductForecastInput', {
  description: 'A booking from a product that is not made yet.',
  fields: (t) => ({
    productId: t.id({ required: true, description: 'The product.' }),
    priceOptionId: t.id({ required: true, description: 'The id of one of its price options.' }),
    bid: t.field({ type: 'Decimal', description: 'The price that is bid; for options with a floor only.' }),
    cpm: t.field({
      type: 'Decimal',
      description:
        'What a thousand impressions are expected to earn, for options that are not CPM: a price by event is compared by it. Required for those of a product that promises nothing.',
    }),
    budget: t.field({ type: 'Decimal', description: 'What the booking may cost; default: all that there is.' }),
    quantity: t.field({ type: 'Long', description: 'How many units are booked; instead of `budget`.' }),
    startsAt: t.field({ type: 'DateTime', required: true, description: 'Start of the flight.' }),
    endsAt: t.field({ type: 'DateTime', required: true, description: 'End of the flight, at most a year on.' }),
    targeting: t.field({ type: TargetingInput, description: 'Targeting that narrows the product; default none.' }),
    frequencyCaps: t.field({ type: [FrequencyCapInput], description: 'Limits per user; default none.' }),
    pacing: t.field({ type: PacingRef, description: 'How delivery is spread; default EVEN.' }),
  }),
});

/** Numbers of slots and impressions. */
const COUNTS = [
  'opportunities',
  'matched',
  'available',
  'possible',
  'possibleLow',
  'possibleHigh',
  'likelyLow',
  'likelyHigh',
  'impressions',
] as const;

const ProductForecastRef = builder.objectRef<Forecast>('ProductForecast').implement({
  description: 'What a booking from a product could get over its flight.',
  fields: (t) => ({
    precision: t.field({
      type: ForecastPrecisionRef,
      description: 'How much was replayed.',
      resolve: ({ precision }) => precision,
    }),
    ...Object.fromEntries(
      COUNTS.map((name) => [
        name,
        t.field({ type: 'Long', description: NUMBERS[name], resolve: (one: Forecast) => one[name] }),
      ]),
    ),
    sampleSize: t.exposeInt('sampleSize', { description: 'Requests in the sample.' }),
    sampledHours: t.exposeFloat('sampledHours', { description: 'How long the sample was gathered.' }),
    displaced: t.field({
      type: [DisplacedRef],
      description:
        'The line items that get less, the largest loss of revenue first, at most 20. Not for keys of buyers.',
      resolve: ({ displaced }) => [...displaced],
    }),
    displacedRevenue: t.field({
      type: 'Decimal',
      description: 'What all others earn less because of it. Not for keys of buyers.',
      resolve: ({ displacedRevenueMicros }) => formatMicros(BigInt(displacedRevenueMicros)),
    }),
    displacedRevenueMoney: t.field(
      moneyTwin<Forecast>('What all others earn less because of it. Not for keys of buyers.', (one) =>
        formatMicros(BigInt(one.displacedRevenueMicros)),
      ),
    ),
    notes: t.stringList({
      description: 'Remarks on the numbers, such as a small sample. Not for keys of buyers.',
      resolve: ({ remarks }) => writeSentences(remarks),
    }),
  }),
});

type Given = typeof ProductForecastInput.$inferInput;

/** Adds `productForecast`. */
export function defineProductForecast(): void {
  builder.queryField('productForecast', (t) =>
    t.field({
      type: ProductForecastRef,
      description:
        'What a booking from a product could get: its inventory, formats and price with the dates, amount and added targeting that are given, by the same replay as `forecast`.',
      args: {
        input: t.arg({ type: ProductForecastInput, required: true, description: 'The booking.' }),
        precision: t.arg({ type: ForecastPrecisionRef, description: 'How much is replayed; default ROUGH.' }),
      },
      resolve: async (_root, { input, precision }, context) => {
        const draft = await draftOf(context, input);
        return insightOf(context).forecast(context.principal.workspaceId, draft, {
          precision: precision ?? 'ROUGH',
          signal: context.signal,
        });
      },
    }),
  );
}

/** @throws PlacardError `validation_failed` */
async function draftOf(context: ManagementContext, input: Given): Promise<ForecastDraft> {
  const problems: FieldProblem[] = [];
  const id = decimalIdOf('AdvertisingProduct', input.productId);
  const product = id === null ? null : await loadObject(context, 'AdvertisingProduct', BigInt(id));
  if (product === null)
    throw validationFailed([
      { path: 'input.productId', code: 'unknown', message: 'There is no product with this id.' },
    ]);
  const option = priceOptionsOf(product).find((one) => one.id === String(input.priceOptionId));
  if (option === undefined)
    throw validationFailed([
      { path: 'input.priceOptionId', code: 'unknown', message: 'The product has no price option with this id.' },
    ]);
  const asked = readTerms(input, input, problems);
  if (asked.endsAt.getTime() - asked.startsAt.getTime() > FLIGHT_MS_MAX)
    report(problems, 'input.endsAt', 'out_of_range', 'At most a year is forecast.');
  const facts = {
    advertiserId: '',
    timezone: await loadNetworkTimezone(context),
    nowMs: context.nowMs(),
    // The lead time binds a booking; a forecast shows what it would miss.
    startedAt: asked.startsAt,
    isBuyer: false,
  };
  checkTerms(product, asked, facts, problems);
  const hasAmount = asked.budgetMicros !== null || asked.quantity !== null || option.sharePercent !== null;
  const priced = hasAmount ? priceBooking({ product, option }, asked, facts, problems) : null;
  const frequencyCaps = checkFrequencyCaps(input.frequencyCaps ?? [], 'input.frequencyCaps', problems);
  const cpmMicros = cpmOf(product, option, input, problems);
  if (problems.length > 0) throw validationFailed(problems);
  return {
    ...termsOf(product, option, priced),
    ...reachOf(product, asked),
    cpmMicros,
    frequencyCaps,
    pacing: input.pacing ?? 'EVEN',
  };
}

function cpmOf(product: StoredRow, option: PriceOption, input: Given, problems: FieldProblem[]): number {
  const given = input.cpm ? Number(checkMoney(input.cpm, 'input.cpm', problems)) : null;
  if (option.pricingModel !== 'CPM') {
    if (given === null && product['delivery'] !== 'GUARANTEED')
      report(problems, 'input.cpm', 'required', `Say what a thousand impressions at ${option.pricingModel} earn.`);
    return given ?? 0;
  }
  if (option.priceMicros !== null) return option.priceMicros;
  if (input.bid) return Number(checkMoney(input.bid, 'input.bid', problems));
  report(problems, 'input.bid', 'required', 'The option has a floor and no price: give a bid.');
  return 0;
}

function termsOf(
  product: StoredRow,
  option: PriceOption,
  priced: Priced | null,
): Pick<ForecastDraft, 'type' | 'level' | 'sharePercent' | 'goal' | 'caps' | 'dealId' | 'lineItemId'> {
  const { sharePercent, pricingModel } = option;
  const kind = goalKindOf(pricingModel);
  const type = tierOf(product['delivery'], pricingModel);
  const isPromised = type === 'STANDARD' && priced !== null && kind !== null;
  const limit = priced === null || type === 'SPONSORSHIP' ? {} : { spendMicrosLifetime: Number(priced.budgetMicros) };
  return {
    type,
    level: 8,
    sharePercent,
    goal: isPromised ? { kind, amount: Number(priced.units), period: 'LIFETIME' } : null,
    caps: { ...NO_CAPS, ...limit },
    dealId: null,
    lineItemId: null,
  };
}

function reachOf(
  product: StoredRow,
  { startsAt, endsAt, added }: AskedTerms,
): Pick<
  ForecastDraft,
  'targeting' | 'sizes' | 'mediaTypes' | 'startsAtMs' | 'endsAtMs' | 'serveWithoutUser' | 'dayParts' | 'timezone'
> {
  const formats = product['formats'] as readonly ProductFormat[];
  const banners = formats.filter(({ format }) => isBannerFormat(format));
  const media = new Set(formats.map(({ format }) => formatRow(format).mediaType));
  return {
    targeting: narrowedTargeting((product['targeting'] ?? null) as Targeting | null, added),
    sizes: banners.some(({ sizes }) => sizes.length === 0) ? [] : banners.flatMap(({ sizes }) => sizes),
    mediaTypes: media.size === 0 ? [...MEDIA_TYPES] : [...media],
    startsAtMs: startsAt.getTime(),
    endsAtMs: endsAt.getTime(),
    serveWithoutUser: false,
    dayParts: [],
    timezone: null,
  };
}
