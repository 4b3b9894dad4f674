import {
  BELOW_KEY_VALUES_COLUMNS,
  BELOW_LINE_ITEM_COLUMNS,
  CONTEXT_COLUMNS,
  EVENT_FACTS,
  TOUCH_FACTS,
  VIDEO_ERROR_FACTS,
} from '../rollups/rollups.olap.ts';
import { CREDIT_MEASURES, CREDIT_NAMES } from './credit-measures.ts';
import type {
  CubeDefinition,
  DimensionDefinition,
  JoinDefinition,
  MeasureDefinition,
  Model,
  RelationDefinition,
} from './cube.ts';
import { DRILL, shiftDecimal } from './measure-parts.olap.ts';

/** Kinds of names in `entity_names`, with the column of the facts that holds their id. */
const NAME_COLUMNS: Readonly<Record<string, string>> = {
  advertiser: 'advertiser_id',
  campaign: 'campaign_id',
  lineItem: 'line_item_id',
  creative: 'creative_id',
  deal: 'deal_id',
  advertisingProduct: 'advertising_product_id',
  siteDomain: 'site_id',
  area: 'area_id',
  adUnit: 'ad_unit_id',
  activity: 'activity_id',
};

/** The present name of each object of one kind: joined when a query runs, so a renamed campaign is renamed in all of its past. */
function nameJoin(kind: string, idColumn: string): JoinDefinition {
  return {
    from: `(SELECT id, argMax(name, version) AS name FROM entity_names WHERE workspace_id = {workspaceId:UInt32} AND kind = '${kind}' GROUP BY id)`,
    on: `${kind}_names.id = facts.${idColumn}`,
  };
}

const JOINS = Object.fromEntries(
  Object.entries(NAME_COLUMNS).map(([kind, column]) => [`${kind}_names`, nameJoin(kind, column)]),
);

function id(idOf: string, column: string, title: string, description: string): DimensionDefinition {
  return { type: 'string', sql: `facts.${column}`, nulls: 'zeroId', idOf, title, description };
}

function name(kind: string, title: string, description: string): DimensionDefinition {
  return { type: 'string', sql: `${kind}_names.name`, nulls: 'emptyText', join: `${kind}_names`, title, description };
}

function text(column: string, title: string, description: string): DimensionDefinition {
  return { type: 'string', sql: `facts.${column}`, nulls: 'emptyText', title, description };
}

const DIMENSIONS: Readonly<Record<string, DimensionDefinition>> = {
  time: {
    type: 'time',
    sql: 'facts.time',
    title: 'Time',
    description: 'When it happened, in the time zone of the query.',
  },
  network_id: { type: 'string', sql: '{networkId:String}', title: 'Network ID', description: 'The network.' },
  advertiser_id: id('Advertiser', 'advertiser_id', 'Advertiser ID', 'The advertiser.'),
  advertiser_name: name('advertiser', 'Advertiser', 'The present name of the advertiser.'),
  campaign_id: id('Campaign', 'campaign_id', 'Campaign ID', 'The campaign.'),
  campaign_name: name('campaign', 'Campaign', 'The present name of the campaign.'),
  line_item_id: id('LineItem', 'line_item_id', 'Line item ID', 'The line item.'),
  line_item_name: name('lineItem', 'Line item', 'The present name of the line item.'),
  line_item_type: text('line_item_type', 'Line item type', 'SPONSORSHIP, STANDARD, PRICE or HOUSE.'),
  creative_id: id('Creative', 'creative_id', 'Creative ID', 'The creative.'),
  creative_name: name('creative', 'Creative', 'The present name of the creative.'),
  creative_format: text('creative_format', 'Creative format', 'IMAGE, HTML, NATIVE, VIDEO or AUDIO.'),
  size: text('size', 'Size', 'Width and height of the slot that was filled, such as 300x250.'),
  deal_id: id('Deal', 'deal_id', 'Deal ID', 'The deal that the line item belongs to.'),
  deal_name: name('deal', 'Deal', 'The present name of the deal.'),
  advertising_product_id: id(
    'AdvertisingProduct',
    'advertising_product_id',
    'Advertising product ID',
    'The product that was sold.',
  ),
  advertising_product_name: name(
    'advertisingProduct',
    'Advertising product',
    'The present name of the advertising product.',
  ),
  site_id: id('Site', 'site_id', 'Site ID', 'The site.'),
  site_domain: name('siteDomain', 'Site domain', 'The present domain of the site.'),
  area: name('area', 'Area', 'The area of the site, as ad requests name it.'),
  ad_unit_id: id('AdUnit', 'ad_unit_id', 'Ad unit ID', 'The ad unit.'),
  ad_unit_name: name('adUnit', 'Ad unit', 'The present name of the ad unit.'),
  country: text('country', 'Country', 'ISO 3166-1 code of the country.'),
  region: text('region', 'Region', 'Region within the country.'),
  device_type: text('device_type', 'Device type', 'Kind of device, such as desktop, phone or tablet.'),
  os: text('os', 'Operating system', 'Operating system of the device.'),
  browser: text('browser', 'Browser', 'Browser of the user.'),
  activity_id: id('Activity', 'activity_id', 'Activity ID', 'The activity (conversion) definition.'),
  activity_name: name('activity', 'Activity', 'The present name of the activity.'),
  video_error_code: text(
    'video_error_code',
    'Video error code',
    'Of video errors: the error code of VAST, such as 402.',
  ),
  video_vendor_domain: text(
    'video_vendor_domain',
    'Video vendor',
    'Of video errors: the domain of the third party whose tag the creative is.',
  ),
  npa: {
    type: 'boolean',
    sql: 'facts.npa',
    title: 'Non-personalised',
    description: 'Whether personalised ads were refused or not allowed.',
  },
};

/** The columns that the hourly roll-up lacks, and the names that depend on them. */
const CONTEXT_DIMENSIONS: readonly string[] = [...CONTEXT_COLUMNS, 'area', 'ad_unit_name'];
/** The members that only single events have. */
const SINGLE_EVENT_MEMBERS: readonly string[] = [
  ...CREDIT_NAMES,
  'video_errors',
  'video_error_code',
  'video_vendor_domain',
];
/** The same for the roll-ups by line item. */
const BELOW_LINE_ITEM_DIMENSIONS: readonly string[] = [
  ...BELOW_LINE_ITEM_COLUMNS,
  ...CONTEXT_DIMENSIONS,
  'creative_name',
  'site_domain',
];

/** The same for the roll-ups of key-values. */
const BELOW_KEY_VALUES_DIMENSIONS: readonly string[] = [
  ...BELOW_KEY_VALUES_COLUMNS,
  ...CONTEXT_DIMENSIONS,
  'creative_name',
];

/** The roll-ups that keep reported key-values, all of them in the text column `key_values`. Only networks with such keys query them. */
export const KEY_VALUE_RELATIONS: readonly RelationDefinition[] = [
  {
    name: 'delivery_key_values_daily',
    from: 'delivery_key_values_daily',
    bucketSeconds: 86_400,
    ends: { from: 'delivery_key_values_hourly', bucketSeconds: 3600 },
    lacks: [...BELOW_KEY_VALUES_DIMENSIONS, ...SINGLE_EVENT_MEMBERS],
  },
  {
    name: 'delivery_key_values_hourly',
    from: 'delivery_key_values_hourly',
    bucketSeconds: 3600,
    lacks: [...BELOW_KEY_VALUES_DIMENSIONS, ...SINGLE_EVENT_MEMBERS],
  },
];

function sum(column: string, title: string, description: string): MeasureDefinition {
  return { type: 'sum', sql: `facts.${column}`, title, description, drillMembers: DRILL };
}

/** `numerator / denominator × times`, with 6 decimals, computed from exact sums; null when the denominator is 0 or null. */
function ratio(numerator: string, denominator: string, times: number): string {
  return quotient(`toInt256({${numerator}}) * ${times}`, `{${denominator}}`);
}

/** `below` is a count, never negative; `above` is an integer. Few functions: reading a statement costs more than computing a small one. */
function quotient(above: string, below: string): string {
  return `if(${below} > 0, intDivOrZero(${above} * 1000000, ${below}) * toDecimal256('0.000001', 6), NULL)`;
}

/** The value of one row's activities, in micros. */
export const ACTIVITY_VALUE_MICROS = 'facts.activity_value_micros';

const REVENUE_NANOS = 'sumOrNull(facts.revenue_nanos)';

const MEASURES: Readonly<Record<string, MeasureDefinition>> = {
  impressions: sum(
    'impressions',
    'Impressions',
    'Billable impressions: ads whose impression link was fired, filtered traffic left out.',
  ),
  gross_impressions: sum('gross_impressions', 'Gross impressions', 'All fired impressions, filtered traffic included.'),
  requests: sum('requests', 'Requests', 'Opportunities: slots that an ad was asked for.'),
  served: sum('served', 'Served ads', 'Ads that were given out in responses, shown or not.'),
  clicks: sum('clicks', 'Clicks', 'Billable clicks, one an impression.'),
  gross_clicks: sum('gross_clicks', 'Gross clicks', 'All clicks, filtered traffic included.'),
  ctr: {
    type: 'number',
    sql: ratio('clicks', 'impressions', 100),
    format: 'percent',
    title: 'CTR',
    description: 'Click-through rate: billable clicks per hundred billable impressions.',
  },
  revenue: {
    type: 'number',
    sql: shiftDecimal(REVENUE_NANOS, 9),
    ungroupedSql: shiftDecimal('facts.revenue_nanos', 9),
    format: 'currency',
    aggType: 'sum',
    title: 'Revenue',
    description: "Earnings by the line items' pricing, in units of the network's currency, exact.",
    drillMembers: DRILL,
  },
  ecpm: {
    type: 'number',
    sql: quotient(`toInt256(${REVENUE_NANOS})`, 'toInt256({impressions}) * 1000000'),
    ungroupedSql: quotient('toInt256(facts.revenue_nanos)', 'toInt256({impressions}) * 1000000'),
    format: 'currency',
    title: 'eCPM',
    description: 'Revenue per thousand billable impressions.',
  },
  viewable_impressions: sum(
    'viewable_impressions',
    'Viewable impressions',
    'Impressions that were in view by the MRC rule.',
  ),
  measurable_impressions: sum(
    'measurable_impressions',
    'Measurable impressions',
    'Impressions whose visibility could be measured.',
  ),
  viewability: {
    type: 'number',
    sql: ratio('viewable_impressions', 'measurable_impressions', 100),
    format: 'percent',
    title: 'Viewability',
    description: 'Viewable impressions per hundred measurable ones.',
  },
  activities: sum('activities', 'Activities', 'Recorded activities (conversions), attributed or not.'),
  post_click_activities: sum('post_click_activities', 'Post-click activities', 'Activities that followed a click.'),
  post_view_activities: sum(
    'post_view_activities',
    'Post-view activities',
    'Activities that followed an impression without a click.',
  ),
  activity_value: {
    type: 'number',
    sql: shiftDecimal(`sumOrNull(${ACTIVITY_VALUE_MICROS})`, 6),
    ungroupedSql: shiftDecimal(ACTIVITY_VALUE_MICROS, 6),
    format: 'currency',
    aggType: 'sum',
    title: 'Activity value',
    description: 'The value of the activities, exact.',
    drillMembers: DRILL,
  },
  unique_users: {
    type: 'number',
    sql: 'uniqCombined64Merge(facts.users)',
    sqlByRelation: { events: 'ifNull(uniqCombined64(facts.users), 0)' },
    ungroupedSql: 'toUInt8(facts.users IS NOT NULL)',
    aggType: 'countDistinctApprox',
    title: 'Unique users',
    description: 'People who saw an ad, estimated (HyperLogLog, about 1 %). Non-personalised traffic is left out.',
  },
  invalid_impressions: {
    type: 'number',
    sql: '{gross_impressions} - {impressions}',
    title: 'Invalid impressions',
    description: 'Impressions that were filtered out: robots, missing user agents, abnormal rates.',
  },
  video_starts: sum('video_starts', 'Video starts', 'Videos that began to play.'),
  video_completes: sum('video_completes', 'Video completes', 'Videos and audio ads that were played to the end.'),
  video_completion_rate: {
    type: 'number',
    sql: ratio('video_completes', 'video_starts', 100),
    format: 'percent',
    title: 'Video completion rate',
    description: 'Video completes per hundred video starts.',
  },
  video_errors: sum(
    'video_errors',
    'Video errors',
    'Films that a player could not show, each with the first error that it reported.',
  ),
  ...CREDIT_MEASURES,
};

/** Delivery of a network: the cube that every network can query (conformance Q8). */
export const CAMPAIGN_OVERVIEW: CubeDefinition = {
  name: 'campaign_overview',
  title: 'Campaign Overview',
  description: 'Delivery, revenue, viewability and activities by booking, inventory and context.',
  emptySumsAreZero: true,
  relations: [
    {
      name: 'delivery_line_item_daily',
      from: 'delivery_line_item_daily',
      bucketSeconds: 86_400,
      ends: { from: 'delivery_line_item_hourly', bucketSeconds: 3600 },
      lacks: [...BELOW_LINE_ITEM_DIMENSIONS, ...SINGLE_EVENT_MEMBERS],
    },
    {
      name: 'delivery_line_item_hourly',
      from: 'delivery_line_item_hourly',
      bucketSeconds: 3600,
      lacks: [...BELOW_LINE_ITEM_DIMENSIONS, ...SINGLE_EVENT_MEMBERS],
    },
    {
      name: 'delivery_daily',
      from: 'delivery_daily',
      bucketSeconds: 86_400,
      ends: { from: 'delivery_hourly', bucketSeconds: 3600 },
      lacks: [...CONTEXT_DIMENSIONS, ...SINGLE_EVENT_MEMBERS],
    },
    {
      name: 'delivery_hourly',
      from: 'delivery_hourly',
      bucketSeconds: 3600,
      lacks: [...CONTEXT_DIMENSIONS, ...SINGLE_EVENT_MEMBERS],
    },
    {
      name: 'delivery_quarter_hourly',
      from: 'delivery_quarter_hourly',
      bucketSeconds: 900,
      lacks: SINGLE_EVENT_MEMBERS,
    },
    { name: 'touches', from: TOUCH_FACTS, bucketSeconds: 0, lacks: [], onlyMeasures: CREDIT_NAMES },
    { name: 'video_errors', from: VIDEO_ERROR_FACTS, bucketSeconds: 0, lacks: [], onlyMeasures: ['video_errors'] },
    { name: 'events', from: EVENT_FACTS, bucketSeconds: 0, lacks: [] },
  ],
  workspaceColumn: 'facts.workspace_id',
  timeColumn: 'facts.time',
  slicedBy: 'line_item_id',
  rangeDaysMax: 90,
  joins: JOINS,
  measures: MEASURES,
  dimensions: DIMENSIONS,
};

/** The model of the Reports API for every network. */
export const REPORTS_MODEL: Model = { cubes: [CAMPAIGN_OVERVIEW] };
