/** Ids of the objects that a staged cause booked, for inputs that name them. */
export interface StagedIds {
  readonly site: string;
  readonly adUnit: string;
  readonly segment: string;
  readonly deal: string;
  readonly advertiser: string;
  readonly campaign: string;
  readonly lineItem: string;
}

type Input = Readonly<Record<string, unknown>>;

/**
 * One way in which a line item fails to deliver, as differences from one that delivers: a PRICE line item at a CPM of 5.00 with a banner of
 * 300x250 on a site of its own, which has 1 % of the traffic.
 */
export interface StagedCause {
  readonly name: string;
  /** The code of the diagnosis begins with it. */
  readonly code: string;
  readonly advertiser?: Input;
  readonly campaign?: Input;
  readonly lineItem?: Input | ((ids: StagedIds) => Input);
  /** A further test of its targeting. */
  readonly target?: (ids: StagedIds) => Input;
  /** Null: it has none. */
  readonly creative?: Input | null;
  /** A second creative. */
  readonly creatives?: Input;
  readonly deal?: Input;
  readonly adUnit?: Input;
  readonly floor?: string;
  /** A line item on the same site. */
  readonly rival?: Input;
  /** Archived after all is booked. */
  readonly archived?: 'LineItem' | 'Advertiser' | 'Deal' | 'AdUnit' | 'Segment' | 'Creative';
  /** Members of the requests in reach: of the root, the impression and the user. */
  readonly root?: Input;
  readonly imp?: Input;
  readonly user?: Input;
  /** Counters of the line item, its campaign or its advertiser; `day`: today's. */
  readonly counted?: {
    readonly scope: 'li' | 'ca' | 'ad';
    readonly kind: 'imp' | 'spend' | 'clk';
    readonly by: bigint;
    readonly day?: true;
  };
  /** The user has seen it so often by this cap. */
  readonly seen?: number;
  /** The network has a cap of one ad of this label a day, and the user has seen one. */
  readonly seenLabel?: string;
  /** The change lies outside of the bookings, or a person must complete it. */
  readonly isOutside?: true;
}

const test = (dimension: string, values: readonly string[], key?: string): Input => ({
  test: { dimension, values, ...(key === undefined ? {} : { key }) },
});
const GOAL = { kind: 'IMPRESSIONS', amount: 1_000_000 };
const FLIGHT = { startsAt: '2026-11-01T00:00:00Z', endsAt: '2026-12-01T00:00:00Z' };
const CAP = { count: 1, window: 'DAY' };
const MICROS_NANOS = 1_000_000_000n;

/** The causes, with the code that names each. */
export const STAGED_CAUSES: readonly StagedCause[] = [
  { name: 'line item paused', code: 'paused.line_item', lineItem: { status: 'PAUSED' } },
  { name: 'line item a draft', code: 'draft.line_item', lineItem: { status: 'DRAFT' } },
  { name: 'line item archived', code: 'archived.line_item', archived: 'LineItem' },
  { name: 'campaign paused', code: 'paused.campaign', campaign: { status: 'PAUSED' } },
  {
    name: 'campaign ended',
    code: 'not_in_flight.campaign_ended',
    campaign: { startsAt: '2026-11-01T00:00:00Z', endsAt: '2026-11-19T00:00:00Z' },
  },
  {
    name: 'line item not begun',
    code: 'not_in_flight.line_item_not_started',
    lineItem: { startsAt: '2026-11-25T00:00:00Z' },
  },
  { name: 'advertiser archived', code: 'archived.advertiser', archived: 'Advertiser' },
  {
    name: 'deal archived',
    code: 'archived.deal',
    deal: { floor: '1.00' },
    archived: 'Deal',
    imp: { pmp: { deals: [{ id: 'staged' }] } },
  },
  { name: 'creative waits for review', code: 'creative.pending', creative: { reviewState: 'PENDING' } },
  { name: 'creative rejected', code: 'creative.rejected', creative: { reviewState: 'REJECTED' } },
  { name: 'creative paused', code: 'creative.paused', creative: { status: 'PAUSED' } },
  { name: 'creative archived', code: 'creative.archived', archived: 'Creative' },
  { name: 'no creative', code: 'creative.none', creative: null, isOutside: true },
  { name: 'creative not begun', code: 'creative.not_started', creative: { startsAt: '2026-11-25T00:00:00Z' } },
  { name: 'size', code: 'size', creative: { width: 728, height: 90 } },
  {
    name: 'format',
    code: 'format',
    imp: { banner: undefined, video: { mimes: ['video/mp4'], w: 640, h: 360 } },
    isOutside: true,
  },
  { name: 'country', code: 'targeting.country', target: () => test('COUNTRY', ['DE']) },
  { name: 'device type', code: 'targeting.deviceType', target: () => test('DEVICE_TYPE', ['tv']) },
  { name: 'key-value', code: 'targeting.keyValue', target: () => test('KEY_VALUE', ['sport'], 'section') },
  { name: 'keyword', code: 'targeting.keyword', target: () => test('KEYWORD', ['cars']) },
  {
    name: 'excluded position',
    code: 'targeting.position',
    target: () => ({ test: { dimension: 'POSITION', operator: 'IS_NOT', values: ['top'] } }),
    imp: { ext: { pos: 'top' } },
  },
  { name: 'segment without members', code: 'targeting.segment', target: ({ segment }) => test('SEGMENT', [segment]) },
  {
    name: 'segment without consent',
    code: 'consent.segments',
    target: ({ segment }) => test('SEGMENT', [segment]),
    user: { ext: { npa: 1 } },
  },
  {
    name: 'segment archived',
    code: 'archived.segment',
    target: ({ segment }) => test('SEGMENT', [segment]),
    archived: 'Segment',
  },
  {
    name: 'ad unit archived',
    code: 'archived.adUnit',
    target: ({ adUnit }) => test('AD_UNIT', [adUnit]),
    archived: 'AdUnit',
  },
  {
    name: 'other ad unit',
    code: 'no_traffic.adUnit',
    target: ({ adUnit }) => test('AD_UNIT', [adUnit]),
    imp: { tagid: 'elsewhere' },
    isOutside: true,
  },
  { name: 'day-parts', code: 'daypart', lineItem: { dayParts: [{ days: [7], startMinute: 0, endMinute: 60 }] } },
  { name: 'day-part of targeting', code: 'targeting.dayPart', target: () => test('DAY_PART', ['7 00:00-01:00']) },
  { name: 'floor of the request', code: 'floor.request', imp: { bidfloor: 7.5, bidfloorcur: 'PLN' } },
  { name: 'floor rule', code: 'floor.rule', floor: '6.00' },
  { name: 'floor of the ad unit', code: 'floor.ad_unit', adUnit: { floor: '6.00' } },
  {
    name: 'floor of the deal',
    code: 'floor.deal',
    deal: { floor: '9.00' },
    imp: { pmp: { deals: [{ id: 'staged' }] } },
  },
  { name: 'currency of the floor', code: 'currency', imp: { bidfloor: 1, bidfloorcur: 'USD' }, isOutside: true },
  {
    name: 'impressions of all time',
    code: 'capped.line_item.impressions_lifetime',
    lineItem: { caps: { impressionsLifetime: 100 } },
    counted: { scope: 'li', kind: 'imp', by: 100n },
  },
  {
    name: 'clicks of today',
    code: 'capped.line_item.clicks_per_day',
    lineItem: { caps: { clicksPerDay: 5 } },
    counted: { scope: 'li', kind: 'clk', by: 5n, day: true },
  },
  {
    name: 'budget of today',
    code: 'budget.line_item.spend_per_day',
    lineItem: { caps: { spendPerDay: '10.00' } },
    counted: { scope: 'li', kind: 'spend', by: 10n * MICROS_NANOS, day: true },
  },
  {
    name: 'budget of the campaign',
    code: 'budget.campaign.spend_lifetime',
    campaign: { caps: { spendLifetime: '10.00' } },
    counted: { scope: 'ca', kind: 'spend', by: 10n * MICROS_NANOS },
  },
  {
    name: 'credit of the advertiser',
    code: 'budget.advertiser',
    advertiser: { credit: '10.00' },
    counted: { scope: 'ad', kind: 'spend', by: 10n * MICROS_NANOS },
  },
  {
    name: 'goal reached',
    code: 'goal_reached',
    lineItem: { type: 'STANDARD', goal: { kind: 'IMPRESSIONS', amount: 50 }, pacing: 'ASAP', ...FLIGHT },
    counted: { scope: 'li', kind: 'imp', by: 50n },
  },
  {
    name: 'goal reached, to pause after',
    code: 'goal_reached',
    lineItem: { goal: { kind: 'IMPRESSIONS', amount: 50 }, pacing: 'ASAP', pauseAfterGoal: true, ...FLIGHT },
    counted: { scope: 'li', kind: 'imp', by: 50n },
  },
  {
    name: 'ahead of its plan',
    code: 'pacing',
    lineItem: { type: 'STANDARD', goal: { kind: 'IMPRESSIONS', amount: 50 }, ...FLIGHT },
    counted: { scope: 'li', kind: 'imp', by: 33n },
  },
  {
    name: 'goal out of reach of its traffic',
    code: 'targeting.site',
    lineItem: {
      type: 'STANDARD',
      goal: { kind: 'IMPRESSIONS', amount: 43_000_000 },
      pacing: 'FRONT_LOADED',
      ...FLIGHT,
    },
    counted: { scope: 'li', kind: 'imp', by: 36n },
  },
  { name: 'frequency cap', code: 'capped.line_item.frequency', lineItem: { frequencyCaps: [CAP] }, seen: 1 },
  {
    name: 'frequency cap of a label',
    code: 'capped.label.frequency',
    lineItem: { labels: ['staged label'] },
    seenLabel: 'staged label',
  },
  { name: 'frequency cap without user', code: 'capped.no_user', lineItem: { frequencyCaps: [CAP] }, user: { ext: {} } },
  {
    name: 'frequency cap without consent',
    code: 'consent',
    lineItem: { frequencyCaps: [CAP] },
    user: { ext: { npa: 1 } },
  },
  { name: 'outbid', code: 'lost.price', rival: { price: '8.00' } },
  {
    name: 'outranked by tier',
    code: 'lost.tier',
    rival: { type: 'STANDARD', goal: GOAL, pacing: 'ASAP', ...FLIGHT },
    lineItem: { type: 'PRICE', ...FLIGHT },
    isOutside: true,
  },
  {
    name: 'outbid by a goal of a higher level',
    code: 'lost.plan',
    rival: { type: 'STANDARD', level: 2, goal: GOAL, pacing: 'ASAP', ...FLIGHT },
    lineItem: { type: 'STANDARD', level: 9, goal: GOAL, pacing: 'ASAP', ...FLIGHT },
  },
  { name: 'small share of voice', code: 'lost.draw', lineItem: { type: 'SPONSORSHIP', sharePercent: 1 } },
  {
    name: 'advertiser blocked',
    code: 'blocked.advertiser',
    advertiser: { domains: ['staged.example'] },
    root: { badv: ['staged.example'] },
    isOutside: true,
  },
  {
    name: 'category blocked',
    code: 'blocked.category',
    advertiser: { categories: ['IAB7'] },
    root: { bcat: ['IAB7'] },
    isOutside: true,
  },
  { name: 'seat not allowed', code: 'blocked.seat', root: { wseat: ['someone'] }, isOutside: true },
  {
    name: 'attribute blocked',
    code: 'blocked.attribute',
    creative: { attributes: [6] },
    imp: { banner: { format: [{ w: 300, h: 250 }], battr: [6] } },
  },
  { name: 'language of creatives', code: 'blocked.language', creative: { language: 'de' }, root: { wlang: ['pl'] } },
  {
    name: 'not secure',
    code: 'secure',
    creative: { content: { html: { html: '<img src="http://cdn.example/1.png">' } } },
    imp: { secure: 1 },
    isOutside: true,
  },
  {
    name: 'facts of the Digital Services Act',
    code: 'dsa_missing',
    root: { regs: { ext: { dsa: { dsarequired: 2 } } } },
  },
  {
    name: 'private auction',
    code: 'blocked.private_auction',
    imp: { pmp: { private_auction: 1, deals: [{ id: 'other' }] } },
    isOutside: true,
  },
  {
    name: 'deal not offered',
    code: 'targeting.deal',
    deal: { floor: '1.00' },
    imp: { pmp: { deals: [{ id: 'other' }] } },
  },
  { name: 'roadblock', code: 'roadblock', lineItem: { roadblock: 'ALL' }, creatives: { width: 728, height: 90 } },
  { name: 'nothing', code: 'delivering' },
  {
    name: 'nothing, with a goal on its plan',
    code: 'delivering',
    lineItem: { type: 'STANDARD', goal: { kind: 'IMPRESSIONS', amount: 3_000 }, pacing: 'ASAP', ...FLIGHT },
    counted: { scope: 'li', kind: 'imp', by: 1_950n },
  },
];
