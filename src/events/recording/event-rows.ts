import { formatEventTime } from '../../domain/events/event.ts';
import type { EventKind, EventRow } from '../../domain/events/event.ts';
import { NO_KEY_VALUES, type ReportedKeyValues } from '../../domain/targeting/key-value.ts';
import type { ServedAd } from '../../domain/events/served-ad.ts';

/** Why an event is stored but not billed; '' = billable. `repeat` marks further clicks on one impression. */
export type InvalidReason =
  | ''
  | 'robot'
  | 'no_user_agent'
  | 'address'
  | 'rate'
  | 'late'
  | 'test'
  | 'unmatched'
  | 'repeat';

/** A row without any ad, from which request counts and unattributed activities start. */
export const EMPTY_EVENT_ROW: Omit<EventRow, 'event_id' | 'workspace_id' | 'kind' | 'time'> = {
  impression_id: '',
  advertiser_id: '',
  campaign_id: '',
  line_item_id: '',
  line_item_type: '',
  creative_id: '',
  creative_format: '',
  deal_id: '',
  advertising_product_id: '',
  site_id: '',
  area_id: '',
  ad_unit_id: '',
  size: '',
  country: '',
  region: '',
  device_type: '',
  os: '',
  browser: '',
  npa: false,
  user_hash: '0',
  activity_id: '',
  attribution: '',
  value_micros: '0',
  revenue_nanos: '0',
  quantity: 1,
  invalid_reason: '',
};

type AdFields = Omit<
  ServedAd,
  | 'workspaceId'
  | 'decidedAtMs'
  | 'userHash'
  | 'householdHash'
  | 'npa'
  | 'test'
  | 'companion'
  | 'heldLimits'
  | 'chosenBy'
  | 'pricingModel'
  | 'priceMicros'
>;

/** A row that is being made. */
export type NewEventRow = { -readonly [Column in keyof EventRow]: EventRow[Column] };

/** Sets the columns that describe the ad of an event. One by one: copying them from another object takes several times as long. */
export function setAdColumns(row: NewEventRow, ad: AdFields): void {
  row.impression_id = ad.impressionId;
  row.advertiser_id = ad.advertiserId;
  row.campaign_id = ad.campaignId;
  row.line_item_id = ad.lineItemId;
  row.line_item_type = ad.lineItemType;
  row.creative_id = ad.creativeId;
  row.creative_format = ad.creativeFormat;
  row.deal_id = ad.dealId;
  row.advertising_product_id = ad.advertisingProductId;
  row.site_id = ad.siteId;
  row.area_id = ad.areaId;
  row.ad_unit_id = ad.adUnitId;
  row.size = ad.width === 0 && ad.height === 0 ? '' : `${ad.width}x${ad.height}`;
  row.country = ad.country;
  row.region = ad.region;
  row.device_type = ad.deviceType;
  row.os = ad.os;
  row.browser = ad.browser;
  if (ad.keyValues !== NO_KEY_VALUES) row.key_values = ad.keyValues;
}

/** The column of reported key-values, where there are any. */
export function keyValueColumn(keyValues: ReportedKeyValues): Pick<EventRow, 'key_values'> {
  return keyValues === NO_KEY_VALUES ? {} : { key_values: keyValues };
}

/** The row of an event of a served ad. Under npa the user is left out. */
export function servedAdRow(
  ad: ServedAd,
  event: { eventId: string; kind: EventKind; timeMs: number; revenueNanos: bigint; invalidReason: InvalidReason },
): EventRow {
  const row: NewEventRow = {
    ...EMPTY_EVENT_ROW,
    event_id: event.eventId,
    workspace_id: ad.workspaceId,
    kind: event.kind,
    time: formatEventTime(event.timeMs),
  };
  setAdColumns(row, ad);
  row.npa = ad.npa;
  row.user_hash = ad.npa ? '0' : userHashColumn(ad.userHash);
  row.revenue_nanos = event.revenueNanos.toString();
  row.invalid_reason = event.invalidReason;
  return row;
}

/** 16 hex digits as the unsigned decimal text of column `user_hash`; '' = '0'. */
export function userHashColumn(userHash: string): string {
  return userHash === '' ? '0' : BigInt(`0x${userHash}`).toString();
}
