import type { Kysely } from 'kysely';
import { earnedNanos } from '../domain/money/earning.ts';
import { type CreativeFormat, formatRow } from '../domain/creative-format.ts';
import type { Goal } from '../domain/booking/line-item.ts';
import type { CountedKind, PricingModel } from '../domain/pricing/pricing-models.ts';
import type { Environment } from '../domain/tenancy/workspace.ts';
import type { Database } from '../storage/sql/schema.ts';
import { DEMO_ACTGID, DEMO_AD_UNITS } from './booking.ts';
import type { HistoryPlan, HistoryStream } from './history.olap.ts';
import { DEMO_STORIES } from './stories.ts';
import { HOUR_MEAN } from './traffic-curve.ts';

/** Impressions in an average hour of a share-1 line item in an ad unit of traffic 1. */
const BASE_HOURLY: Readonly<Record<Environment, number>> = { production: 13, staging: 2.2 };
const CLICK_RATES: Readonly<Record<string, number>> = { IMAGE: 0.0016, HTML: 0.0024, NATIVE: 0.0058, VIDEO: 0.0093 };
const VIEWABILITY: Readonly<Record<string, number>> = { IMAGE: 0.62, HTML: 0.65, NATIVE: 0.71, VIDEO: 0.82 };
const TIER_SHARES: Readonly<Record<string, number>> = { SPONSORSHIP: 3.2, STANDARD: 2.4, PRICE: 1, HOUSE: 0.5 };

/** The share of impressions whose viewability is measured there. */
const MEASURABLE = 0.96;
/** Just over the plan, so that rounding leaves no goal behind. */
const ON_PLAN = 1.01;
const DAY_MS = 86_400_000;

interface StreamRow {
  readonly name: string;
  readonly status: string;
  readonly goal: Goal | null;
  readonly starts_at: Date | null;
  readonly ends_at: Date | null;
  readonly advertiser_id: bigint;
  readonly campaign_id: bigint;
  readonly line_item_id: bigint;
  readonly type: string;
  readonly pricing_model: PricingModel;
  readonly price_micros: bigint;
  readonly targeting: unknown;
  readonly deal_id: bigint | null;
  readonly advertising_product_id: bigint | null;
  readonly creative_id: bigint;
  readonly format: CreativeFormat;
  readonly width: number;
  readonly height: number;
}

/** Reads the demo's booking back and plans believable history for each creative in each ad unit that it fits. */
export async function planHistory(
  sql: Kysely<Database>,
  scope: { workspaceId: number; environment: Environment; untilMs: number; hours: number },
): Promise<HistoryPlan> {
  const units = await sql.selectFrom('ad_units').selectAll().where('workspace_id', '=', scope.workspaceId).execute();
  const rows: StreamRow[] = await sql
    .selectFrom('creatives')
    .innerJoin('line_items', (join) =>
      join
        .onRef('line_items.id', '=', 'creatives.line_item_id')
        .onRef('line_items.workspace_id', '=', 'creatives.workspace_id'),
    )
    .innerJoin('campaigns', (join) =>
      join
        .onRef('campaigns.id', '=', 'line_items.campaign_id')
        .onRef('campaigns.workspace_id', '=', 'line_items.workspace_id'),
    )
    .select([
      'campaigns.advertiser_id',
      'line_items.campaign_id',
      'line_items.id as line_item_id',
      'line_items.name',
      'line_items.status',
      'line_items.goal',
      'line_items.starts_at',
      'line_items.ends_at',
      'line_items.type',
      'line_items.pricing_model',
      'line_items.price_micros',
      'line_items.targeting',
      'line_items.deal_id',
      'line_items.advertising_product_id',
      'creatives.id as creative_id',
      'creatives.format',
      'creatives.width',
      'creatives.height',
    ])
    .where('creatives.workspace_id', '=', scope.workspaceId)
    .where('creatives.master_creative_id', 'is', null)
    .orderBy('creatives.id')
    .execute();
  const activity = await sql
    .selectFrom('activities')
    .select('id')
    .where('workspace_id', '=', scope.workspaceId)
    .where('actgid', '=', DEMO_ACTGID)
    .executeTakeFirstOrThrow();
  const pairs = units.flatMap((unit) =>
    firstOfEachLineItem(rows.filter((row) => fits(row, unit))).map((row) => ({ row, unit })),
  );
  const traffic = new Map<bigint, number>();
  for (const { row, unit } of pairs)
    traffic.set(row.line_item_id, (traffic.get(row.line_item_id) ?? 0) + trafficOf(unit));
  const streams = pairs
    .map(({ row, unit }) => {
      const share = trafficOf(unit) / (traffic.get(row.line_item_id) ?? 1);
      return streamOf(row, unit, goalHourly(row, share) ?? BASE_HOURLY[scope.environment] * tierHourly(row, unit));
    })
    .map((stream, at, all) => ({ ...stream, nanosPerDay: isFirstOfItem(stream, all, at) ? stream.nanosPerDay : 0 }))
    .filter(({ hourly, startsAt }) => hourly > 0 && startsAt < scope.untilMs / 1000);
  return { ...scope, activityId: activity.id.toString(), streams, timezone: 'Europe/Warsaw' };
}

function isFirstOfItem({ lineItemId }: HistoryStream, all: readonly HistoryStream[], at: number): boolean {
  return all.findIndex((other) => other.lineItemId === lineItemId) === at;
}

/** One creative a line item and ad unit is enough for a history, and keeps the first start short. */
function firstOfEachLineItem(rows: readonly StreamRow[]): StreamRow[] {
  return [...new Map(rows.toReversed().map((row) => [row.line_item_id, row])).values()];
}

interface UnitRow {
  readonly id: bigint;
  readonly site_id: bigint;
  readonly area_id: bigint | null;
  readonly name: string;
  readonly sizes: readonly { readonly width: number; readonly height: number }[];
  readonly media_types: readonly string[];
}

function fits(row: StreamRow, unit: UnitRow): boolean {
  const media = formatRow(row.format).mediaType;
  if (!unit.media_types.includes(media)) return false;
  if (media === 'banner' && !unit.sizes.some((size) => size.width === row.width && size.height === row.height))
    return false;
  const tests = (row.targeting as { all?: { dimension: string; values: string[] }[] } | null)?.all ?? [];
  return tests.every(({ dimension, values }) => {
    if (dimension === 'site') return values.includes(unit.site_id.toString());
    if (dimension === 'adUnit') return values.includes(unit.id.toString());
    return true;
  });
}

function trafficOf(unit: UnitRow): number {
  return DEMO_AD_UNITS.find((one) => one.name === unit.name)?.traffic ?? 1;
}

function tierHourly(row: StreamRow, unit: UnitRow): number {
  return (trafficOf(unit) / 10) * (TIER_SHARES[row.type] ?? 1);
}

/** Impressions in an average hour that reach a goal of impressions or viewable impressions; null without such a goal. */
function goalHourly({ name, status, goal, format, ...flight }: StreamRow, share: number): number | null {
  if (goal === null || status === 'DRAFT') return status === 'DRAFT' ? 0 : null;
  const days = goal.period === 'DAY' ? 1 : flightDays(flight);
  const seen = goal.kind === 'VIEWABLE_IMPRESSIONS' ? MEASURABLE * (VIEWABILITY[format] ?? 0.6) : 1;
  const delivers = DEMO_STORIES.find((story) => story.name === name)?.delivers ?? ON_PLAN;
  return (delivers * share * goal.amount) / days / 24 / HOUR_MEAN / seen;
}

function flightDays({ starts_at, ends_at }: Pick<StreamRow, 'starts_at' | 'ends_at'>): number {
  return Math.max(1, ((ends_at?.getTime() ?? 0) - (starts_at?.getTime() ?? 0)) / DAY_MS);
}

function countryOf({ targeting }: StreamRow): string {
  const tests = (targeting as { all?: { dimension: string; values: string[] }[] } | null)?.all ?? [];
  return tests.find(({ dimension }) => dimension === 'country')?.values[0] ?? '';
}

function streamOf(row: StreamRow, unit: UnitRow, hourly: number): HistoryStream {
  const ad = { pricingModel: row.pricing_model, priceMicros: Number(row.price_micros) };
  const earns = (kind: CountedKind): number => Number(earnedNanos(kind, ad));
  return {
    advertiserId: row.advertiser_id.toString(),
    campaignId: row.campaign_id.toString(),
    lineItemId: row.line_item_id.toString(),
    lineItemType: row.type,
    creativeId: row.creative_id.toString(),
    creativeFormat: row.format,
    dealId: row.deal_id?.toString() ?? '',
    advertisingProductId: row.advertising_product_id?.toString() ?? '',
    siteId: unit.site_id.toString(),
    areaId: unit.area_id?.toString() ?? '',
    adUnitId: unit.id.toString(),
    size: row.width === 0 ? '' : `${row.width}x${row.height}`,
    country: countryOf(row),
    hourly,
    isPaced: row.goal === null ? 0 : 1,
    startsAt: (row.starts_at?.getTime() ?? 0) / 1000,
    endsAt: (row.ends_at?.getTime() ?? Date.UTC(2100)) / 1000,
    clickRate: CLICK_RATES[row.format] ?? 0.001,
    viewability: VIEWABILITY[row.format] ?? 0.6,
    nanosPerImpression: earns('impression'),
    nanosPerViewable: earns('viewable'),
    nanosPerClick: earns('click'),
    nanosPerActivity: earns('activity'),
    nanosPerDay: row.pricing_model === 'FLAT' ? Number(row.price_micros) * 1_000 : 0,
  };
}
