import { formatNanos } from '../../domain/money/money.ts';
import type { SharedDay } from './shared-figures.olap.ts';
import type { SharedCampaign } from './shared-report.sql.ts';

/** Figures of a row of a shared report, as texts: the page and the PDF show the same. */
export interface SharedRow {
  readonly name: string;
  readonly cells: readonly string[];
}

/** A shared report, ready to be shown. */
export interface SharedReport {
  readonly campaign: SharedCampaign;
  /** Such as `1 Sep 2026 – 25 Nov 2026`; '' without figures. */
  readonly span: string;
  readonly madeAt: string;
  readonly heads: readonly string[];
  readonly total: SharedRow;
  readonly lineItems: readonly SharedRow[];
  /** By day, oldest first, without gaps. */
  readonly days: readonly { readonly day: string; readonly impressions: number; readonly clicks: number }[];
}

const DAY_MS = 86_400_000;
const COUNT = new Intl.NumberFormat('en-GB');

type Sums = Omit<SharedDay, 'lineItemId' | 'day'>;

const NOTHING: Sums = { impressions: 0, viewable: 0, clicks: 0, conversions: 0, completed: 0, spend: 0n };

interface Column {
  readonly head: (campaign: SharedCampaign) => string;
  readonly text: (sums: Sums, campaign: SharedCampaign) => string;
  /** Whether it is about money. */
  readonly isMoney?: true;
}

const COLUMNS: readonly Column[] = [
  { head: () => 'Impressions', text: ({ impressions }) => COUNT.format(impressions) },
  { head: () => 'Viewable', text: ({ viewable, impressions }) => percent(viewable, impressions, 1) },
  { head: () => 'Clicks', text: ({ clicks }) => COUNT.format(clicks) },
  { head: () => 'Click rate', text: ({ clicks, impressions }) => percent(clicks, impressions, 2) },
  { head: () => 'Conversions', text: ({ conversions }) => COUNT.format(conversions) },
  { head: () => 'Videos completed', text: ({ completed }) => COUNT.format(completed) },
  {
    head: ({ currency }) => `Spend (${currency})`,
    text: ({ spend }, { currency }) => money(spend, currency),
    isMoney: true,
  },
];

/** Sums what was counted into the tables and the chart of a report. */
export function makeSharedReport(campaign: SharedCampaign, days: readonly SharedDay[], nowMs: number): SharedReport {
  const columns = COLUMNS.filter(({ isMoney }) => isMoney !== true || campaign.showsSpend);
  const rowOf = (name: string, counted: readonly SharedDay[]): SharedRow => {
    const sums = counted.reduce<Sums>(add, NOTHING);
    return { name, cells: columns.map(({ text }) => text(sums, campaign)) };
  };
  const byLineItem = Map.groupBy(days, ({ lineItemId }) => lineItemId);
  const byDay = Map.groupBy(days, ({ day }) => day);
  const chart = fillDays([...byDay.keys()].sort()).map((day) => {
    const { impressions, clicks } = (byDay.get(day) ?? []).reduce<Sums>(add, NOTHING);
    return { day, impressions, clicks };
  });
  const [first, last] = [chart.at(0)?.day, chart.at(-1)?.day];
  return {
    campaign,
    span: first === undefined || last === undefined ? '' : `${dayText(first)} – ${dayText(last)}`,
    madeAt: `${new Date(nowMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    heads: columns.map(({ head }) => head(campaign)),
    total: rowOf('Total', days),
    lineItems: campaign.lineItems.map(({ id, name }) => rowOf(name, byLineItem.get(id) ?? [])),
    days: chart,
  };
}

function add(sums: Sums, day: SharedDay): Sums {
  return {
    impressions: sums.impressions + day.impressions,
    viewable: sums.viewable + day.viewable,
    clicks: sums.clicks + day.clicks,
    conversions: sums.conversions + day.conversions,
    completed: sums.completed + day.completed,
    spend: sums.spend + day.spend,
  };
}

function fillDays(days: readonly string[]): string[] {
  const [first, last] = [days.at(0), days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, at) => new Date(Date.parse(first) + at * DAY_MS).toISOString().slice(0, 10));
}

/** Such as `25 Nov 2026`. @param day `YYYY-MM-DD` */
export function dayText(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

function percent(part: number, whole: number, digits: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(digits)} %`;
}

/** With the digits of the currency: none for JPY, three for KWD. */
function money(nanos: bigint, currency: string): string {
  const { maximumFractionDigits: digits } = new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return new Intl.NumberFormat('en-GB', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(Number(formatNanos(nanos)));
}
