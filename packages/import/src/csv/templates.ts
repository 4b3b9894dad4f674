import { FIELDS, FILE_KINDS, WORDS } from './mapping.ts';

/** Columns of each field, by file: names to begin with, which were not compared with a real export. */
type Columns = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Template {
  readonly words?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly columns: Columns;
}

const KEVEL: Template = {
  words: {
    status: { true: 'ACTIVE', false: 'PAUSED' },
    pricingModel: { '1': 'FLAT', '2': 'CPM', '3': 'CPC', '4': 'CPA', '5': 'CPA', '6': 'CPA' },
    goalKind: { '1': 'IMPRESSIONS', '3': 'CLICKS', '4': 'CONVERSIONS', '5': 'CONVERSIONS' },
  },
  columns: {
    sites: { id: 'Id', name: 'Title', domain: 'Url' },
    adUnits: { id: 'Id', name: 'Name', site: 'SiteId' },
    advertisers: { id: 'Id', name: 'Title' },
    campaigns: {
      id: 'Id',
      name: 'Name',
      advertiser: 'AdvertiserId',
      status: 'IsActive',
      start: 'StartDateISO',
      end: 'EndDateISO',
    },
    lineItems: {
      id: 'Id',
      name: 'Name',
      campaign: 'CampaignId',
      status: 'IsActive',
      start: 'StartDateISO',
      end: 'EndDateISO',
      type: 'PriorityName',
      goal: 'Impressions',
      goalKind: 'GoalType',
      pricingModel: 'RateType',
      price: 'Price',
      adUnits: 'ZoneIds',
    },
    creatives: {
      id: 'Id',
      name: 'Title',
      lineItem: 'FlightId',
      status: 'IsActive',
      size: 'Size',
      clickUrl: 'Url',
      image: 'ImageLink',
      html: 'ScriptBody',
    },
    history: {
      time: 'Date',
      lineItem: 'FlightId',
      creative: 'CreativeId',
      adUnit: 'ZoneId',
      impressions: 'Impressions',
      clicks: 'Clicks',
      conversions: 'Conversions',
      revenue: 'Revenue',
    },
  },
};
const ADBUTLER: Template = {
  words: { status: { '1': 'ACTIVE', '0': 'PAUSED', active: 'ACTIVE', inactive: 'PAUSED' } },
  columns: {
    sites: { id: 'publisher_id', name: 'publisher_name', domain: 'website' },
    adUnits: { id: 'zone_id', name: 'zone_name', site: 'publisher_id', sizes: 'size' },
    advertisers: { id: 'advertiser_id', name: 'advertiser_name' },
    campaigns: { id: 'campaign_id', name: 'campaign_name', advertiser: 'advertiser_id', status: 'status' },
    lineItems: {
      id: 'campaign_id',
      name: 'campaign_name',
      campaign: 'campaign_id',
      status: 'status',
      start: 'start_date',
      end: 'expiry_date',
      type: 'priority',
      goal: 'quota_lifetime',
      pricingModel: 'cost_type',
      price: 'cost',
      adUnits: 'zones',
    },
    creatives: {
      id: 'ad_item_id',
      name: 'ad_item_name',
      lineItem: 'campaign_id',
      status: 'status',
      size: 'size',
      clickUrl: 'destination_url',
      image: 'image_url',
      html: 'html',
    },
    history: {
      time: 'date',
      lineItem: 'campaign_id',
      creative: 'ad_item_id',
      adUnit: 'zone_id',
      requests: 'requests',
      impressions: 'impressions',
      clicks: 'clicks',
      conversions: 'conversions',
      revenue: 'revenue',
    },
  },
};
const BROADSTREET: Template = {
  words: { status: { true: 'ACTIVE', false: 'PAUSED', '1': 'ACTIVE', '0': 'PAUSED' } },
  columns: {
    sites: { id: 'network_id', name: 'network_name', domain: 'network_url' },
    adUnits: { id: 'zone_id', name: 'zone_name', site: 'network_id', sizes: 'size' },
    advertisers: { id: 'advertiser_id', name: 'advertiser_name' },
    campaigns: { id: 'campaign_id', name: 'campaign_name', advertiser: 'advertiser_id', status: 'active' },
    lineItems: {
      id: 'campaign_id',
      name: 'campaign_name',
      campaign: 'campaign_id',
      status: 'active',
      start: 'start_date',
      end: 'end_date',
      type: 'type',
      goal: 'max_impression_count',
      adUnits: 'zone_ids',
    },
    creatives: {
      id: 'advertisement_id',
      name: 'advertisement_name',
      lineItem: 'campaign_id',
      status: 'active',
      size: 'size',
      clickUrl: 'destination',
      image: 'image',
      html: 'html',
    },
    history: {
      time: 'date',
      lineItem: 'campaign_id',
      creative: 'advertisement_id',
      adUnit: 'zone_id',
      impressions: 'view_count',
      clicks: 'click_count',
    },
  },
};
const OWN: Template = {
  columns: Object.fromEntries(
    FILE_KINDS.map((kind) => [kind, Object.fromEntries(Object.keys(FIELDS[kind]).map((field) => [field, field]))]),
  ),
};

/** Mappings to begin with, by the ad server that they are for. `own`: columns that are called like the fields. */
export const TEMPLATES = { own: OWN, kevel: KEVEL, adbutler: ADBUTLER, broadstreet: BROADSTREET } as const;
/** The name of a template. */
export type TemplateName = keyof typeof TEMPLATES;

/** Whether there is a template of that name. */
export const isTemplate = (name: string): name is TemplateName => Object.hasOwn(TEMPLATES, name);

/** Writes a mapping for a person to change. */
export function writeTemplate(name: TemplateName): string {
  const { columns, words = {} }: Template = TEMPLATES[name];
  const files = Object.entries(columns).map(([kind, own]) => [kind, { path: `${kind}.csv`, columns: own }]);
  const named = Object.fromEntries(Object.keys(WORDS).map((field) => [field, words[field] ?? {}]));
  const head = { source: name, timezone: 'UTC', dateOrder: 'YMD', decimalComma: false };
  return `${JSON.stringify({ ...head, words: named, files: Object.fromEntries(files) }, null, 2)}\n`;
}
