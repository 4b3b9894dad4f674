import { DELIVERY_STATUSES } from '../../api/bookings/desk-list.ts';
import type { CsvColumn } from './csv-column.ts';
import type { CsvKind } from './csv-kinds.ts';
import { PRODUCT_COLUMNS } from './product-columns.ts';

/** The object above another one, and the columns that name it. */
export interface CsvParent {
  readonly kind: 'campaigns' | 'advertisers' | 'sites';
  readonly field: string;
  /** Its member of a record. */
  readonly one: string;
  readonly idColumn: string;
  readonly keyColumn: string;
  /** The field of the parent that `keyColumn` names. */
  readonly key: 'externalId' | 'code';
  /** Null: it has no name beside its key. */
  readonly nameColumn: string | null;
  readonly keyExample: string;
  readonly nameExample: string;
}

/** How a kind is written and read. */
export interface CsvKindFacts {
  readonly type: string;
  readonly one: string;
  readonly columns: readonly CsvColumn[];
  readonly parent: CsvParent | null;
  /** The field by which a line without an id finds its object, and the API's filter by it; null: there is none but `where`. */
  readonly key: string;
  readonly keyFilter: 'externalIds' | 'codes' | 'names' | 'keys' | null;
  /** Whether the API makes objects by their external ids, each one once. */
  readonly hasUpsert: boolean;
}

const LIFECYCLE = ['ACTIVE', 'ARCHIVED'] as const;
const NAME: CsvColumn = { name: 'name', field: 'name', cell: 'text', isRequired: true, example: 'Example' };
const status = (choices: readonly string[]): CsvColumn => ({
  name: 'status',
  field: 'status',
  cell: 'choice',
  choices,
  example: choices[0] ?? '',
});
const LABELS = list('labels', 'labels', 'spring|brand');
const ANNOTATIONS: readonly CsvColumn[] = [
  LABELS,
  { name: 'notes', field: 'notes', cell: 'text', empty: '' },
  { name: 'owner', field: 'owner', cell: 'text', empty: null },
  { name: 'team_id', field: 'teamId', cell: 'text', empty: null },
  { name: 'custom_fields', field: 'customFields', cell: 'custom_fields', empty: {} },
];
const ORDER: readonly CsvColumn[] = [
  { name: 'order_number', field: 'orderNumber', cell: 'text', empty: null },
  { name: 'salesperson', field: 'salesperson', cell: 'text', empty: null },
  list('contacts', 'contacts', 'Ann Lee|lee@example.com'),
];
const EXTERNAL_ID: CsvColumn = {
  name: 'external_id',
  field: 'externalId',
  cell: 'text',
  empty: null,
  example: 'crm-1001',
};
const FLIGHT: readonly CsvColumn[] = [
  { name: 'starts_at', field: 'startsAt', cell: 'instant', empty: null, example: '2030-03-01' },
  { name: 'ends_at', field: 'endsAt', cell: 'instant', empty: null, example: '2030-04-01' },
];

const cap = (name: string, member: string, cell: 'integer' | 'decimal'): CsvColumn => ({
  name,
  field: 'caps',
  member,
  cell,
  empty: null,
});
const FREQUENCY_CAPS: CsvColumn = {
  name: 'frequency_caps',
  field: 'frequencyCaps',
  cell: 'frequency_caps',
  empty: [],
  example: '3 per day; 10 per 7 days',
};
const LIMITS: readonly CsvColumn[] = [
  cap('cap_impressions_per_day', 'impressionsPerDay', 'integer'),
  cap('cap_impressions_lifetime', 'impressionsLifetime', 'integer'),
  cap('cap_clicks_per_day', 'clicksPerDay', 'integer'),
  cap('cap_clicks_lifetime', 'clicksLifetime', 'integer'),
  cap('cap_spend_per_day', 'spendPerDay', 'decimal'),
  { ...cap('cap_spend_lifetime', 'spendLifetime', 'decimal'), example: '5000' },
  FREQUENCY_CAPS,
];

function list(name: string, field: string, example = ''): CsvColumn {
  return { name, field, cell: 'list', empty: [], example };
}

const LINE_ITEM_COLUMNS: readonly CsvColumn[] = [
  EXTERNAL_ID,
  NAME,
  {
    name: 'type',
    field: 'type',
    cell: 'choice',
    choices: ['SPONSORSHIP', 'STANDARD', 'PRICE', 'HOUSE'],
    isRequired: true,
    example: 'STANDARD',
  },
  status(DELIVERY_STATUSES),
  ...FLIGHT,
  { name: 'timezone', field: 'timezone', cell: 'text', empty: null },
  {
    name: 'day_parts',
    field: 'dayParts',
    cell: 'day_parts',
    empty: [],
    example: 'mon-fri 08:00-18:00; sat 10:00-12:00',
  },
  { name: 'price', field: 'price', cell: 'decimal', example: '12.5' },
  {
    name: 'pricing_model',
    field: 'pricingModel',
    cell: 'choice',
    choices: ['CPM', 'VCPM', 'CPC', 'CPA', 'CPCV', 'FLAT'],
    example: 'CPM',
  },
  { name: 'goal', field: 'goal', member: 'target', cell: 'long', empty: null, example: '100000' },
  {
    name: 'goal_kind',
    field: 'goal',
    member: 'kind',
    cell: 'choice',
    choices: ['IMPRESSIONS', 'VIEWABLE_IMPRESSIONS', 'CLICKS', 'CONVERSIONS'],
    example: 'IMPRESSIONS',
  },
  {
    name: 'goal_period',
    field: 'goal',
    member: 'period',
    cell: 'choice',
    choices: ['LIFETIME', 'DAY'],
    example: 'LIFETIME',
  },
  ...LIMITS,
  { name: 'pacing', field: 'pacing', cell: 'choice', choices: ['EVEN', 'ASAP', 'FRONT_LOADED'] },
  { name: 'level', field: 'level', cell: 'integer' },
  { name: 'share_percent', field: 'sharePercent', cell: 'float', empty: null },
  { name: 'representative_percent', field: 'representativePercent', cell: 'float', empty: null },
  { name: 'pause_after_goal', field: 'pauseAfterGoal', cell: 'flag' },
  { name: 'serve_without_user', field: 'serveWithoutUser', cell: 'flag' },
  { name: 'roadblock', field: 'roadblock', cell: 'choice', choices: ['ONE', 'AS_MANY_AS_POSSIBLE', 'ALL'] },
  {
    name: 'companion_mode',
    field: 'companionMode',
    cell: 'choice',
    choices: ['NONE', 'OPTIONAL', 'AT_LEAST_ONE', 'ALL'],
  },
  {
    name: 'creative_rotation',
    field: 'creativeRotation',
    cell: 'choice',
    choices: ['EVEN', 'WEIGHTED', 'OPTIMISED', 'SEQUENTIAL'],
  },
  {
    name: 'optimisation_goal',
    field: 'optimisationGoal',
    cell: 'choice',
    choices: ['CLICKS', 'CONVERSIONS', 'VIEWABLE_IMPRESSIONS', 'COMPLETED_VIEWS'],
    empty: null,
  },
  { name: 'deal_id', field: 'dealId', cell: 'text', empty: null },
  { name: 'advertising_product_id', field: 'advertisingProductId', cell: 'text', empty: null },
  { name: 'countries', field: 'targeting', member: 'COUNTRY', cell: 'list', empty: [], example: 'PL|DE' },
  { name: 'devices', field: 'targeting', member: 'DEVICE_TYPE', cell: 'list', empty: [], example: 'mobile|desktop' },
  { name: 'ad_unit_ids', field: 'targeting', member: 'AD_UNIT', cell: 'list', empty: [] },
  list('exclusion_labels', 'exclusionLabels'),
  ...ANNOTATIONS,
];

const CODE: CsvColumn = { name: 'code', field: 'code', cell: 'text', isRequired: true, example: 'example' };
const DESCRIPTION: CsvColumn = { name: 'description', field: 'description', cell: 'text', empty: '' };

/** All kinds. The first columns of every file are `id`, `version` and those that name the parent. */
export const CSV: Readonly<Record<CsvKind, CsvKindFacts>> = {
  lineItems: {
    type: 'LineItem',
    one: 'lineItem',
    columns: LINE_ITEM_COLUMNS,
    parent: {
      kind: 'campaigns',
      field: 'campaignId',
      one: 'campaign',
      idColumn: 'campaign_id',
      keyColumn: 'campaign_external_id',
      key: 'externalId',
      nameColumn: 'campaign',
      keyExample: '',
      nameExample: 'Example campaign',
    },
    key: 'externalId',
    keyFilter: 'externalIds',
    hasUpsert: true,
  },
  campaigns: {
    type: 'Campaign',
    one: 'campaign',
    columns: [EXTERNAL_ID, NAME, status(DELIVERY_STATUSES), ...FLIGHT, ...LIMITS, ...ORDER, ...ANNOTATIONS],
    parent: {
      kind: 'advertisers',
      field: 'advertiserId',
      one: 'advertiser',
      idColumn: 'advertiser_id',
      keyColumn: 'advertiser_external_id',
      key: 'externalId',
      nameColumn: 'advertiser',
      keyExample: '',
      nameExample: 'Example advertiser',
    },
    key: 'externalId',
    keyFilter: 'externalIds',
    hasUpsert: true,
  },
  advertisers: {
    type: 'Advertiser',
    one: 'advertiser',
    columns: [
      EXTERNAL_ID,
      NAME,
      status(LIFECYCLE),
      list('domains', 'domains', 'shop.example|shop.test'),
      list('categories', 'categories', 'IAB2-3'),
      { name: 'credit', field: 'credit', cell: 'decimal', empty: null, example: '50000' },
      { name: 'dsa_behalf', field: 'dsaBehalf', cell: 'text', empty: null },
      { name: 'dsa_paid', field: 'dsaPaid', cell: 'text', empty: null },
      FREQUENCY_CAPS,
      list('exclusion_labels', 'exclusionLabels'),
      ...ANNOTATIONS,
    ],
    parent: null,
    key: 'externalId',
    keyFilter: 'externalIds',
    hasUpsert: true,
  },
  sites: {
    type: 'Site',
    one: 'site',
    columns: [
      CODE,
      NAME,
      { name: 'domain', field: 'domain', cell: 'text', isRequired: true, example: 'news.example' },
      status(LIFECYCLE),
      ...ANNOTATIONS,
    ],
    parent: null,
    key: 'code',
    keyFilter: 'codes',
    hasUpsert: false,
  },
  adUnits: {
    type: 'AdUnit',
    one: 'adUnit',
    columns: [
      { ...NAME, example: 'example/top' },
      { name: 'area_id', field: 'areaId', cell: 'text', empty: null },
      status(LIFECYCLE),
      { name: 'sizes', field: 'sizes', cell: 'sizes', empty: [], example: '300x250|728x90' },
      {
        name: 'media_types',
        field: 'mediaTypes',
        cell: 'list',
        choices: ['BANNER', 'VIDEO', 'NATIVE', 'AUDIO'],
        example: 'BANNER|VIDEO',
      },
      { name: 'floor', field: 'floor', cell: 'decimal', example: '1.2' },
      ...ANNOTATIONS,
    ],
    parent: {
      kind: 'sites',
      field: 'siteId',
      one: 'site',
      idColumn: 'site_id',
      keyColumn: 'site',
      key: 'code',
      nameColumn: null,
      keyExample: 'example',
      nameExample: '',
    },
    key: 'name',
    keyFilter: 'names',
    hasUpsert: false,
  },
  keyValues: {
    type: 'KeyValue',
    one: 'keyValue',
    columns: [
      { name: 'key', field: 'key', cell: 'text', isRequired: true, onlyNew: true, example: 'topic' },
      NAME,
      list('values', 'values', 'sport|culture'),
      DESCRIPTION,
      { name: 'reportable', field: 'reportable', cell: 'flag', example: 'false' },
      status(LIFECYCLE),
      ...ANNOTATIONS,
    ],
    parent: null,
    key: 'key',
    keyFilter: 'keys',
    hasUpsert: false,
  },
  deals: {
    type: 'Deal',
    one: 'deal',
    columns: [
      { ...CODE, example: 'deal-2030-1' },
      NAME,
      {
        name: 'kind',
        field: 'kind',
        cell: 'choice',
        choices: ['PRIVATE', 'PROGRAMMATIC_GUARANTEED'],
        example: 'PRIVATE',
      },
      { name: 'floor', field: 'floor', cell: 'decimal', example: '2.5' },
      { name: 'fixed_price', field: 'fixedPrice', cell: 'decimal', empty: null },
      list('seats', 'seats', 'seat-1|seat-2'),
      status(LIFECYCLE),
      ...ANNOTATIONS,
    ],
    parent: null,
    key: 'code',
    keyFilter: 'codes',
    hasUpsert: false,
  },
  advertisingProducts: {
    type: 'AdvertisingProduct',
    one: 'advertisingProduct',
    columns: [
      NAME,
      { ...DESCRIPTION, example: 'What buyers get' },
      status(LIFECYCLE),
      ...PRODUCT_COLUMNS,
      ...ANNOTATIONS,
    ],
    parent: null,
    key: 'name',
    keyFilter: null,
    hasUpsert: false,
  },
  segments: {
    type: 'Segment',
    one: 'segment',
    columns: [
      NAME,
      { ...DESCRIPTION, example: 'Who is in it' },
      { name: 'membership_days', field: 'membershipDays', cell: 'integer', example: '30' },
      status(LIFECYCLE),
      ...ANNOTATIONS,
    ],
    parent: null,
    key: 'name',
    keyFilter: null,
    hasUpsert: false,
  },
};
