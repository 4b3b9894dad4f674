import { type CallApi, loadReport, type Row } from '../api/call-api.ts';
import { AdcpError } from '../protocol/adcp-error.ts';
import { nanosOf } from './exact-money.ts';

const DAY_MS = 86_400_000;
/** Days of one report query. */
const DAYS_PER_QUERY = 90;
/** Longest period that one request asks for, in queries: two years. */
const QUERIES_MAX = 9;
const ROWS_MAX = 50_000;
const CUBE = 'campaign_overview';

/** What was delivered: figures are exact, money in billionths. */
export interface Figures {
  readonly impressions: number;
  readonly clicks: number;
  readonly completedViews: number;
  readonly conversions: number;
  readonly viewable: number;
  readonly measurable: number;
  readonly spendNanos: bigint;
}

/** What one creative of a package delivered on a day. */
export interface DeliveryRow extends Figures {
  readonly campaignId: string;
  readonly lineItemId: string;
  readonly creativeId: string;
  /** Day in UTC. */
  readonly date: string;
}

const MEASURES = {
  impressions: 'impressions',
  clicks: 'clicks',
  completedViews: 'video_completes',
  conversions: 'activities',
  viewable: 'viewable_impressions',
  measurable: 'measurable_impressions',
} as const;

const member = (name: string) => `${CUBE}.${name}`;

/** Days of a period, first and last, `YYYY-MM-DD`. */
export interface Period {
  readonly start: string;
  readonly end: string;
}

/** What campaigns delivered in a period, by package, creative and day in UTC. @throws AdcpError for a period that is too long */
export async function readDelivery(
  call: CallApi,
  { networkId, campaignIds }: { readonly networkId: string; readonly campaignIds: readonly string[] },
  period: Period,
): Promise<DeliveryRow[]> {
  if (campaignIds.length === 0) return [];
  const rows: DeliveryRow[] = [];
  for (const dateRange of rangesOf(period)) {
    const loaded = await loadReport(call, `/reports/${networkId}/v1/load`, {
      measures: [...Object.values(MEASURES), 'revenue'].map(member),
      dimensions: ['campaign_id', 'line_item_id', 'creative_id'].map(member),
      timeDimensions: [{ dimension: member('time'), granularity: 'day', dateRange }],
      filters: [{ member: member('campaign_id'), operator: 'equals', values: campaignIds }],
      timezone: 'UTC',
      limit: ROWS_MAX,
    });
    if (loaded.length >= ROWS_MAX)
      throw new AdcpError('INVALID_REQUEST', 'The period has too many figures. Ask for fewer buys or days.', {
        field: 'start_date',
      });
    rows.push(...loaded.map(toRow).filter((row) => row.lineItemId !== ''));
  }
  return rows;
}

function rangesOf({ start, end }: Period): [string, string][] {
  const [first, last] = [Date.parse(start), Date.parse(end)];
  const ranges: [string, string][] = [];
  for (let at = first; at <= last; at += DAYS_PER_QUERY * DAY_MS) {
    if (ranges.length === QUERIES_MAX)
      throw new AdcpError('INVALID_REQUEST', `A period has at most ${QUERIES_MAX * DAYS_PER_QUERY} days.`, {
        field: 'start_date',
      });
    ranges.push([dayOf(at), dayOf(Math.min(at + (DAYS_PER_QUERY - 1) * DAY_MS, last))]);
  }
  return ranges;
}

/** The day of an instant in UTC. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

function toRow(row: Row): DeliveryRow {
  const figure = (name: string) => Number(row[member(name)] ?? 0);
  return {
    campaignId: String(row[member('campaign_id')] ?? ''),
    lineItemId: String(row[member('line_item_id')] ?? ''),
    creativeId: String(row[member('creative_id')] ?? ''),
    date: String(row[member('time.day')] ?? row[member('time')] ?? '').slice(0, 10),
    impressions: figure(MEASURES.impressions),
    clicks: figure(MEASURES.clicks),
    completedViews: figure(MEASURES.completedViews),
    conversions: figure(MEASURES.conversions),
    viewable: figure(MEASURES.viewable),
    measurable: figure(MEASURES.measurable),
    spendNanos: nanosOf(String(row[member('revenue')] ?? '0')),
  };
}

const NOTHING: Figures = {
  impressions: 0,
  clicks: 0,
  completedViews: 0,
  conversions: 0,
  viewable: 0,
  measurable: 0,
  spendNanos: 0n,
};

/** The sum of figures. */
export function sumOf(rows: readonly Figures[]): Figures {
  return rows.reduce<Figures>(
    (sum, row) => ({
      impressions: sum.impressions + row.impressions,
      clicks: sum.clicks + row.clicks,
      completedViews: sum.completedViews + row.completedViews,
      conversions: sum.conversions + row.conversions,
      viewable: sum.viewable + row.viewable,
      measurable: sum.measurable + row.measurable,
      spendNanos: sum.spendNanos + row.spendNanos,
    }),
    NOTHING,
  );
}
