import fc from 'fast-check';
import type { Creative, CreativeContent } from '../../src/domain/booking/creative.ts';
import type { MediaType } from '../../src/domain/creative-format.ts';
import type { FrequencyCap } from '../../src/domain/frequency/frequency-cap.ts';
import { PRICING_MODELS, type PricingModel } from '../../src/domain/pricing/pricing-models.ts';
import type { Targeting } from '../../src/domain/targeting/targeting.ts';
import { DIMENSIONS, dimensionRow } from '../../src/domain/targeting/targeting-dimensions.ts';
import type { TargetingDimension } from '../../src/domain/targeting/targeting-dimensions.ts';
import type { Opportunity, Slot } from '../../src/domain/requests/opportunity.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot } from './sample-workspace.ts';
import type { SampleInput } from './sample-workspace.ts';
import { mostly, rarelyNot, seldom } from './odds.ts';
import type { OracleWorld } from './oracle-contender.ts';
import { seededState } from './seeded-state.ts';

const HOUR_MS = 3_600_000;
const NOON_MS = Date.parse('2026-11-20T12:00:00Z');
const ZONES = ['Europe/Warsaw', 'America/New_York', 'Asia/Kolkata'];

const size = fc.constantFrom(
  { width: 300, height: 250 },
  { width: 300, height: 250 },
  { width: 300, height: 250 },
  { width: 728, height: 90 },
  { width: 160, height: 600 },
);
const instant = fc.integer({ min: -3, max: 3 }).map((hours) => NOON_MS + hours * HOUR_MS);
const units = fc.integer({ min: 0, max: 8 }).map((count) => count * 1_000_000);
const label = fc.subarray(['car', 'beer', 'bank'], { maxLength: 2 });

/** All dimensions without keys and times; those that the worlds vary most are drawn more often. */
const PLAIN_DIMENSIONS = (Object.keys(DIMENSIONS) as TargetingDimension[]).filter((dimension) => {
  const { are } = dimensionRow(dimension).accepts;
  return are !== 'keyed' && are !== 'dayParts';
});

const test: fc.Arbitrary<Targeting> = fc.oneof(
  fc.record({
    dimension: fc.constantFrom(
      ...PLAIN_DIMENSIONS,
      'country' as const,
      'os' as const,
      'keyword' as const,
      'adUnit' as const,
      'segment' as const,
      'size' as const,
      'mediaType' as const,
      'position' as const,
      'pageUrl' as const,
      'deal' as const,
    ),
    operator: fc.constantFrom(
      'is' as const,
      'is' as const,
      'isNot' as const,
      'beginsWith' as const,
      'contains' as const,
    ),
    values: fc.array(
      fc.constantFrom('PL', 'de', 'Android', 'ski', 's', '1', '2', '300x250', 'banner', 'top', 'https://news', 'd1'),
      { maxLength: 3 },
    ),
  }),
  fc.record({
    dimension: fc.constant('keyValue' as const),
    operator: fc.constantFrom('is' as const, 'isNot' as const, 'beginsWith' as const, 'contains' as const),
    key: fc.constantFrom('topic', 'Age'),
    values: fc.array(fc.constantFrom('news', 'sport', '30'), { maxLength: 2 }),
  }),
  fc.record({
    dimension: fc.constant('dayPart' as const),
    operator: fc.constantFrom('is' as const, 'isNot' as const),
    values: fc.array(fc.constantFrom('1-5', '5 08:00-12:05', '6-7', '6-1 10:00-24:00', 'never'), {
      minLength: 1,
      maxLength: 2,
    }),
  }),
);
const targeting = fc.letrec<{ tree: Targeting }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    test,
    fc.record({ all: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('tree') }),
  ),
})).tree;

const frequencyCap: fc.Arbitrary<FrequencyCap> = fc
  .record({
    event: fc.constantFrom('IMPRESSIONS', 'CLICKS'),
    count: fc.integer({ min: 1, max: 4 }),
    window: fc.constantFrom('HOUR', 'DAY', 'LIFETIME'),
    every: fc.constant(1),
    per: mostly<'HOUSEHOLD' | undefined>(undefined, 'HOUSEHOLD'),
  })
  .map(({ per, ...cap }) => (per === undefined ? cap : { ...cap, per }));
const frequencyCaps = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(frequencyCap, { maxLength: 2 }) },
);
const labels = mostly<string[]>([], ['drinks'], ['drinks', 'a/b %']);
/** Most networks have none. A label may have caps while nothing bears it. */
const labelCaps = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc
      .record({ drinks: fc.array(frequencyCap, { minLength: 1, maxLength: 2 }), other: fc.option(frequencyCap) })
      .map(({ drinks, other }) => [
        { label: 'drinks', frequencyCaps: drinks },
        ...(other === null ? [] : [{ label: 'a/b %', frequencyCaps: [other] }]),
      ]),
  },
);
const count = mostly<number | null>(null, 1, 2, 4);
const spend = mostly<number | null>(null, 1_000, 4_000, 9_000);
const caps = fc.record({
  impressionsPerDay: count,
  impressionsLifetime: count,
  clicksPerDay: count,
  clicksLifetime: count,
  spendMicrosPerDay: spend,
  spendMicrosLifetime: spend,
});
const flight = { startsAtMs: seldom(instant), endsAtMs: seldom(instant) };

const lineItem = fc.record({
  campaignId: fc.constantFrom('1', '2', '3'),
  type: fc.constantFrom('SPONSORSHIP', 'STANDARD', 'STANDARD', 'PRICE', 'PRICE', 'HOUSE'),
  level: fc.integer({ min: 1, max: 3 }),
  status: rarelyNot('ACTIVE', 'PAUSED'),
  sharePercent: fc.constantFrom(null, 0, 30, 60, 100),
  goal: fc.option(
    fc.record({
      kind: fc.constantFrom('IMPRESSIONS', 'CLICKS', 'VIEWABLE_IMPRESSIONS', 'CONVERSIONS'),
      amount: fc.integer({ min: 1, max: 8 }),
      period: fc.constantFrom('DAY', 'LIFETIME'),
    }),
  ),
  pacing: fc.constantFrom('EVEN', 'ASAP', 'FRONT_LOADED'),
  pricingModel: mostly<PricingModel>('CPM', ...PRICING_MODELS.filter((model) => model !== 'CPM')),
  priceMicros: units,
  pauseAfterGoal: fc.boolean(),
  serveWithoutUser: fc.boolean(),
  dealId: mostly<string | null>(null, '1', '2'),
  exclusionLabels: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: label }),
  labels,
  roadblock: mostly('ONE', 'ALL', 'AS_MANY_AS_POSSIBLE'),
  companionMode: fc.constantFrom('NONE', 'OPTIONAL', 'AT_LEAST_ONE', 'ALL'),
  creativeRotation: fc.constantFrom('EVEN', 'WEIGHTED', 'SEQUENTIAL'),
  timezone: fc.constantFrom(...ZONES),
  dayParts: fc.oneof(
    { weight: 5, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        [{ days: [5], startMinute: 480, endMinute: 725 }],
        [{ days: [6, 7], startMinute: 0, endMinute: 1_440 }],
      ),
    },
  ),
  targeting: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: targeting }),
  frequencyCaps,
  caps,
  ...flight,
});

const picture: CreativeContent = { format: 'IMAGE', imageUrl: 'https://cdn.example/1.png', alt: '' };
const film: CreativeContent = {
  format: 'VIDEO',
  title: 'V',
  durationMs: 15_000,
  mediaFiles: [],
  vastTagUrl: null,
  skipOffsetMs: null,
};
const content = mostly<CreativeContent>(
  picture,
  { format: 'IMAGE', imageUrl: 'https://cdn.example/2.png', alt: '' },
  { format: 'HTML', html: '<p>' },
  {
    format: 'NATIVE',
    title: 'T',
    body: 'B',
    callToAction: '',
    sponsoredBy: 'A',
    imageUrl: 'https://cdn.example/1.png',
    imageWidth: 1,
    imageHeight: 1,
    iconUrl: null,
  },
  film,
);
const creative = fc.record({
  isCompanion: fc.boolean(),
  size: fc.oneof({ weight: 5, arbitrary: size }, { weight: 1, arbitrary: fc.constant({ width: 0, height: 0 }) }),
  status: rarelyNot('ACTIVE', 'PAUSED'),
  reviewState: rarelyNot('APPROVED', 'PENDING'),
  content,
  weight: fc.constantFrom(1, 50, 100),
  secure: mostly(true, false),
  attributes: mostly<number[]>([], [1], [2, 3]),
  companionAttributes: fc.constantFrom<number[]>([], [1], [2, 3]),
  language: mostly<string | null>(null, 'pl', 'EN'),
  frequencyCaps,
  ...flight,
});

const advertiser = fc.record({
  status: rarelyNot('ACTIVE', 'ARCHIVED'),
  domains: fc.constantFrom(['acme.example'], ['shop.Beta.example', 'beta.example'], []),
  categories: mostly<string[]>([], ['IAB7-1'], ['IAB2']),
  dsaBehalf: mostly<string | null>('Acme', null),
  exclusionLabels: mostly<string[]>([], ['car']),
  labels,
  creditMicros: spend,
  frequencyCaps,
});
const campaign = fc.record({
  advertiserId: fc.constantFrom('1', '2'),
  status: rarelyNot('ACTIVE', 'PAUSED'),
  caps,
  frequencyCaps,
  labels,
  ...flight,
});

/** Most networks have none. An open rule matches all. */
const floors = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.record({
        priority: fc.nat(2),
        floorMicros: units,
        siteId: mostly<string | null>(null, '1', '2'),
        areaId: mostly<string | null>(null, '1'),
        adUnitId: fc.constantFrom(null, null, '1', '2'),
        dealId: fc.constantFrom(null, null, null, '1', '2'),
        sizes: fc.oneof(fc.constant([]), fc.array(size, { maxLength: 2 })),
        mediaTypes: fc.constantFrom<MediaType[]>([], [], ['banner'], ['native', 'video']),
        countries: fc.constantFrom([], [], ['pl'], ['de', 'fr']),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  },
);

const network: fc.Arbitrary<SampleInput> = fc
  .record({
    status: rarelyNot('ACTIVE', 'PAUSED'),
    floorMicros: mostly(0, 2_000_000),
    labelCaps,
    lineItems: fc.array(lineItem, { minLength: 3, maxLength: 8 }),
    creatives: fc.array(creative, { minLength: 8, maxLength: 20 }),
    advertisers: fc.array(advertiser, { minLength: 2, maxLength: 2 }),
    campaigns: fc.array(campaign, { minLength: 3, maxLength: 3 }),
    unitFloor: mostly(0, 3_000_000),
    floors,
    hasVideoMaster: fc.boolean(),
    fixedPriceMicros: fc.option(units),
  })
  .map(
    ({
      status,
      floorMicros,
      labelCaps: capsOfLabels,
      lineItems,
      creatives,
      unitFloor,
      hasVideoMaster,
      fixedPriceMicros,
      ...rest
    }) =>
      ({
        ...rest,
        workspace: { status, floorMicros, ...(capsOfLabels === undefined ? {} : { labelCaps: capsOfLabels }) },
        deals: [
          { code: 'd1', fixedPriceMicros, seats: ['s1'] },
          { code: 'D2', floorMicros: 3_000_000 },
        ],
        adUnits: [{ floorMicros: unitFloor }, { name: 'second' }],
        lineItems: lineItems.map((one, index) => (index < 2 ? one : { ...one, companionMode: 'NONE' })),
        creatives: creatives.map(({ size: { width, height }, isCompanion, companionAttributes, ...one }, index) => ({
          ...(one as Partial<Creative>),
          ...(index >= 8 && isCompanion ? { attributes: companionAttributes } : {}),
          ...(index === 0 && hasVideoMaster ? { content: film } : {}),
          width,
          height,
          id: String(1_000 + index),
          // Every line item has one. Extra ones go to the first two, so that there are creatives to rotate and companions.
          lineItemId: String(index < 8 ? index + 1 : 1 + (index % 2)),
          masterCreativeId: index >= 8 && isCompanion ? String(1_000 + (index % 2)) : null,
        })),
      }) as SampleInput,
  );

const offeredDeal = fc.record({
  code: fc.constantFrom('d1', 'D2'),
  floorMicros: fc.option(units),
  fixedPrice: mostly(false, true),
  seats: mostly<string[]>([], ['s1'], ['advertiser-1']),
  advertiserDomains: mostly<string[]>([], ['acme.example']),
});
const anyFilm = {
  mimeTypes: [],
  minDurationMs: 0,
  maxDurationMs: 20_000,
  protocols: [],
  companionPlaces: [],
  companionTypes: [],
};
const [rectangle, banner] = [
  { width: 300, height: 250 },
  { width: 728, height: 90 },
];
/** Half of them have one size only, so that a creative fits one slot and not another. */
const companionPlaces = fc.array(
  fc.record({
    sizes: fc.constantFrom([rectangle], [rectangle], [rectangle, banner], []),
    blockedAttributes: fc.constantFrom([], [1], [2], [1, 3]),
  }),
  { minLength: 1, maxLength: 3 },
);
const slot = fc.record({
  adUnitId: fc.constantFrom('1', '1', '2', ''),
  position: fc.constantFrom('', 'top'),
  sizes: fc.array(size, { maxLength: 3 }),
  mediaTypes: mostly<Slot['mediaTypes']>(
    ['banner'],
    ['banner', 'native'],
    ['banner', 'video'],
    ['video'],
    ['video'],
    ['video'],
    [],
  ),
  video: fc.oneof(
    fc.constantFrom(null, { ...anyFilm, maxDurationMs: 10_000 }, { ...anyFilm, companionTypes: [2] }),
    companionPlaces.map((slots) => ({ ...anyFilm, companionPlaces: slots })),
  ),
  floorMicros: mostly(0, 1_000_000, 5_000_000),
  deals: fc.option(fc.uniqueArray(offeredDeal, { maxLength: 2, selector: ({ code }) => code }), { freq: 2 }),
  privateAuction: mostly(false, true),
  secure: mostly(false, true),
  blockedAttributes: mostly<number[]>([], [1, 3]),
});
const setOf = (...values: string[]) =>
  mostly<ReadonlySet<string>>(new Set(), ...values.map((value) => new Set([value])));
const opportunity: fc.Arbitrary<Opportunity> = fc
  .record({
    slots: fc.array(slot, { minLength: 1, maxLength: 4 }),
    country: fc.constantFrom('pl', 'de', ''),
    os: fc.constantFrom('android', ''),
    keywords: fc.subarray(['ski', 'snow']),
    segments: fc.subarray(['s', '1']),
    browserLanguages: fc.subarray(['pl-pl', 'pl', 'de']),
    keyValues: fc.constantFrom(
      new Map<string, string[]>(),
      new Map([['topic', ['news']]]),
      new Map([
        ['age', ['30']],
        ['topic', ['sport', 'news']],
      ]),
    ),
    userHash: mostly('00112233aabbccdd', ''),
    householdHash: mostly('', 'ddccbbaa33221100'),
    npa: mostly(false, true),
    blockedDomains: setOf('acme.example', 'beta.example', 'example2'),
    blockedCategories: setOf('IAB7', 'IAB2'),
    allowedSeats: setOf('advertiser-1', 's1'),
    blockedSeats: setOf('advertiser-1', 's1'),
    creativeLanguages: setOf('pl', 'en'),
    dsaRequired: mostly(0, 1, 2),
  })
  .map(({ slots, userHash, householdHash, ...rest }) =>
    sampleOpportunity({
      ...rest,
      // Without consent, neither has an id.
      userHash: rest.npa ? '' : userHash,
      householdHash: rest.npa ? '' : householdHash,
      slots: slots.map((overrides, index) => sampleSlot({ ...(overrides as Partial<Slot>), slotId: `s${index + 1}` })),
    }),
  );

/** Small worlds that exercise every rule of delivery, with counters that depend on a seed alone. */
export const randomWorld: fc.Arbitrary<OracleWorld> = fc
  .record({ network, opportunity, seed: fc.integer(), nowMs: instant })
  .map(({ network: input, opportunity: request, seed, nowMs }) => ({
    snapshot: sampleSnapshot(input),
    opportunity: request,
    state: seededState(seed),
    nowMs,
  }));
