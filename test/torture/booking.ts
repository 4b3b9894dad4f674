import { localDay } from '../../src/domain/time/calendar.ts';
import type { PricingModel } from '../../src/domain/pricing/pricing-models.ts';
import { nanosEach } from '../../src/domain/money/earning.ts';
import type { Management } from './management.ts';
import { pause } from './tortured-server.ts';

/** One line item that alone serves on an ad unit of its own. */
export interface BookedLineItem {
  /** Its purpose, and the end of its ad unit's name. */
  readonly name: string;
  readonly tagId: string;
  readonly lineItemId: string;
  readonly pricingModel: PricingModel;
  readonly timezone: string;
  /** The earnings of one of its earning events; under FLAT, of one day. */
  readonly nanosEach: bigint;
}

/** The objects that the load uses. */
export interface Booking {
  readonly workspaceId: number;
  readonly networkTimezone: string;
  readonly siteCode: string;
  readonly siteId: string;
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly lineItems: readonly BookedLineItem[];
  /** The line item whose limit of impressions is used up again and again. */
  readonly cappedName: string;
  readonly activityId: string;
  readonly actgid: string;
  /** The key-value that requests carry and reports list separately. */
  readonly keyId: string;
  readonly keyName: string;
}

interface Draft {
  readonly name: string;
  readonly pricingModel: PricingModel;
  readonly price: string;
  readonly timezone: string;
  /** Limits are never reached; while the hot store is unavailable, line items with limits wait and those without go on. */
  readonly caps?: Readonly<Record<string, number | string>>;
}

const WORKSPACE_ID = 1;
const SITE_CODE = 'torture';
const CAPPED_NAME = 'capped';
/** Impressions that the limited line item gets between two comparisons. */
const CAP_STEP = 60;
const FAR_LIMITS = { impressionsLifetime: 100_000_000, spendLifetime: '10000000.00' };

/** Books line items of every pricing model, an activity and a reported key-value, and waits until workers know them. */
export async function bookLoad(management: Management): Promise<Booking> {
  const siteId = await management.create('Site', { code: SITE_CODE, name: SITE_CODE, domain: `${SITE_CODE}.example` });
  const advertiserId = await management.create('Advertiser', {
    name: 'Torture Ltd',
    domains: ['torture-shop.example'],
    dsaBehalf: 'Torture Ltd',
    dsaPaid: 'Torture Ltd',
  });
  const campaignId = await management.create('Campaign', { advertiserId, name: 'Torture', status: 'ACTIVE' });
  const keyId = await management.create('KeyValue', { key: 'mood', name: 'Mood', reportable: true });
  const activityId = await management.create('Activity', { actgid: 'torture-order', name: 'Order', advertiserId });
  const lineItems: BookedLineItem[] = [];
  for (const draft of draftsOf(Date.now())) lineItems.push(await book(management, { siteId, campaignId, draft }));
  const { network } = await management.graphql<{ network: { timezone: string } }>(
    'query ($id: ID!) { network(id: $id) { timezone } }',
    { id: management.networkId },
  );
  await pause(1_500);
  return {
    workspaceId: WORKSPACE_ID,
    networkTimezone: network.timezone,
    siteCode: SITE_CODE,
    siteId,
    advertiserId,
    campaignId,
    lineItems,
    cappedName: CAPPED_NAME,
    activityId,
    actgid: 'torture-order',
    keyId,
    keyName: 'mood',
  };
}

/** Raises the limit of the limited line item beyond what it delivered. @returns the new limit */
export async function raiseCap(management: Management, booking: Booking, delivered: number): Promise<number> {
  const id = booking.lineItems.find(({ name }) => name === booking.cappedName)?.lineItemId;
  const limit = delivered + CAP_STEP;
  await management.graphql(
    'mutation ($id: ID!, $input: UpdateLineItemInput!) { updateLineItem(id: $id, input: $input) { lineItem { id } } }',
    { id, input: { caps: { impressionsLifetime: limit } } },
  );
  return limit;
}

/** The limit that the limited line item is booked with. */
export const FIRST_CAP = CAP_STEP;

function draftsOf(nowMs: number): Draft[] {
  const timezone = 'Europe/Warsaw';
  return [
    { name: 'cpm', pricingModel: 'CPM', price: '12.34', timezone, caps: FAR_LIMITS },
    { name: 'vcpm', pricingModel: 'VCPM', price: '7.77', timezone: 'America/New_York' },
    { name: 'cpc', pricingModel: 'CPC', price: '0.55', timezone, caps: { spendLifetime: '10000000.00' } },
    { name: 'cpa', pricingModel: 'CPA', price: '3.21', timezone, caps: { spendLifetime: '10000000.00' } },
    // Its day ends soonest: a longer run bills a second one.
    { name: 'flat', pricingModel: 'FLAT', price: '101.01', timezone: zoneOfNextMidnight(nowMs) },
    { name: 'flat-limited', pricingModel: 'FLAT', price: '33.33', timezone, caps: { spendLifetime: '10000000.00' } },
    { name: CAPPED_NAME, pricingModel: 'CPM', price: '1.00', timezone, caps: { impressionsLifetime: FIRST_CAP } },
  ];
}

const MINUTE_MS = 60_000;
/** Their days begin at full, half and three quarters of an hour. */
const ZONES = [
  ...Array.from(
    { length: 26 },
    (_one, hours) => `Etc/GMT${hours <= 12 ? '+' : '-'}${hours <= 12 ? hours : hours - 12}`,
  ),
  'Asia/Kolkata',
  'Asia/Kabul',
  'Asia/Tehran',
  'Asia/Kathmandu',
  'Australia/Darwin',
  'Pacific/Marquesas',
  'Asia/Yangon',
  'Pacific/Chatham',
  'Australia/Eucla',
];

function zoneOfNextMidnight(nowMs: number): string {
  for (let minutes = 2; minutes < 24 * 60; minutes += 1) {
    const at = nowMs + minutes * MINUTE_MS;
    const zone = ZONES.find((one) => localDay(at, one) !== localDay(nowMs + MINUTE_MS, one));
    if (zone !== undefined) return zone;
  }
  return 'UTC';
}

async function book(
  management: Management,
  { siteId, campaignId, draft }: { siteId: string; campaignId: string; draft: Draft },
): Promise<BookedLineItem> {
  const { name, pricingModel, price, timezone, caps } = draft;
  const tagId = `${SITE_CODE}/${name}`;
  const adUnitId = await management.create('AdUnit', {
    siteId,
    name: tagId,
    sizes: [{ width: 300, height: 250 }],
    mediaTypes: ['BANNER'],
  });
  const lineItemId = await management.create('LineItem', {
    campaignId,
    name,
    type: 'SPONSORSHIP',
    level: 1,
    sharePercent: 100,
    pricingModel,
    price,
    timezone,
    status: 'ACTIVE',
    targeting: { test: { dimension: 'AD_UNIT', values: [adUnitId] } },
    ...(caps === undefined ? {} : { caps }),
  });
  await management.create('Creative', {
    lineItemId,
    name,
    width: 300,
    height: 250,
    clickUrl: 'https://www.torture-shop.example/landing',
    content: { image: { imageUrl: 'https://cdn.torture-shop.example/picture.png', alt: 'Torture' } },
  });
  const priceMicros = Math.round(Number(price) * 1_000_000);
  return { name, tagId, lineItemId, pricingModel, timezone, nanosEach: nanosEach({ pricingModel, priceMicros }) };
}
