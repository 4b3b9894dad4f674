import type { CubeQuery } from '../reports/lens-query.ts';
import { addDays } from '../reports/calendar.ts';
import { type ReportRow, toNumber } from '../reports/report-rows.ts';
import { wallTimeOf } from '../format/wall-time.ts';

const CUBE = 'campaign_overview';
const member = (name: string): string => `${CUBE}.${name}`;
const UNITS_MAX = 2_000;
const DAYS_OF_WEEK = 7;

/** Requests of the same span last week from which on none at all is a stop. */
const STOPPED_MIN = 50;
/** Below so many requests or impressions, rates are luck. */
const RATE_MIN = 500;
/** A rate that is below this part of the rate a week ago has fallen. */
const FALLEN_PART = 0.75;

/** An ad unit, or a whole site, that is worse than on the same weekday of last week. */
export interface InventoryAlert {
  readonly kind: 'SITE_STOPPED' | 'UNIT_STOPPED' | 'FILL' | 'ECPM';
  readonly siteId: string;
  readonly siteName: string;
  readonly unitName: string;
  /** Of stops, requests; of fill, percent; of eCPM, money. */
  readonly before: number;
  readonly now: number;
  /** Revenue that the same span had more a week ago. */
  readonly lost: number;
}

/** The report by ad unit of today until now, or of the same span some days before. */
export function unitsQuery(timezone: string, nowMs: number, daysBefore: number): CubeQuery {
  const [today = '', clock = ''] = wallTimeOf(nowMs, timezone).split('T');
  const date = addDays(today, -daysBefore);
  return {
    measures: ['requests', 'served', 'impressions', 'revenue'].map(member),
    dimensions: ['site_id', 'site_domain', 'ad_unit_id', 'ad_unit_name'].map(member),
    timeDimensions: [{ dimension: member('time'), dateRange: [`${date}T00:00:00.000`, `${date}T${clock}:59.999`] }],
    filters: [],
    order: [[member('requests'), 'desc']],
    timezone,
    limit: UNITS_MAX,
  };
}

/** The query of a week ago. */
export const LAST_WEEK = DAYS_OF_WEEK;

interface Unit {
  readonly siteId: string;
  readonly siteName: string;
  readonly unitName: string;
  readonly requests: number;
  readonly served: number;
  readonly impressions: number;
  readonly revenue: number;
}

/** What stopped asking for ads or fell, the dearest first. A site that stopped as a whole is one alert. */
export function inventoryAlerts(today: readonly ReportRow[], lastWeek: readonly ReportRow[]): InventoryAlert[] {
  const now = new Map(today.map((row) => [unitKey(row), unitOf(row)]));
  const found = lastWeek.flatMap((row): InventoryAlert[] => {
    const alert = alertOf(unitOf(row), now.get(unitKey(row)) ?? { ...unitOf(row), ...NOTHING });
    return alert === null ? [] : [alert];
  });
  const speaking = new Set([...now.values()].filter(({ requests }) => requests > 0).map(({ siteId }) => siteId));
  return joinSites(found, speaking).toSorted((one, other) => other.lost - one.lost || other.before - one.before);
}

const NOTHING = { requests: 0, served: 0, impressions: 0, revenue: 0 };

function alertOf(before: Unit, now: Unit): InventoryAlert | null {
  const { siteId, siteName, unitName } = before;
  const common = { siteId, siteName, unitName, lost: Math.max(0, before.revenue - now.revenue) };
  if (now.requests === 0)
    return before.requests < STOPPED_MIN ? null : { ...common, kind: 'UNIT_STOPPED', before: before.requests, now: 0 };
  const fill = ({ served, requests }: Unit): number => (100 * served) / requests;
  const hasRequests = before.requests >= RATE_MIN && now.requests >= RATE_MIN;
  if (hasRequests && fill(now) < FALLEN_PART * fill(before))
    return { ...common, kind: 'FILL', before: fill(before), now: fill(now) };
  const ecpm = ({ revenue, impressions }: Unit): number => (1_000 * revenue) / impressions;
  const hasImpressions = before.impressions >= RATE_MIN && now.impressions >= RATE_MIN;
  if (hasImpressions && ecpm(now) < FALLEN_PART * ecpm(before))
    return { ...common, kind: 'ECPM', before: ecpm(before), now: ecpm(now) };
  return null;
}

/** One alert for each site without a request today. */
function joinSites(alerts: readonly InventoryAlert[], speaking: ReadonlySet<string>): InventoryAlert[] {
  const stopped = alerts.filter(({ kind, siteId }) => kind === 'UNIT_STOPPED' && !speaking.has(siteId));
  const sites = Map.groupBy(stopped, ({ siteId }) => siteId);
  const joined = [...sites.values()].flatMap((units): InventoryAlert[] => {
    const [first] = units;
    if (first === undefined) return [];
    const sum = (of: 'before' | 'lost'): number => units.reduce((total, unit) => total + unit[of], 0);
    return [{ ...first, kind: 'SITE_STOPPED', unitName: '', before: sum('before'), lost: sum('lost') }];
  });
  return [...joined, ...alerts.filter((alert) => !stopped.includes(alert))];
}

function unitKey(row: ReportRow): string {
  return `${String(row[member('site_id')])}/${String(row[member('ad_unit_id')])}`;
}

function unitOf(row: ReportRow): Unit {
  const number = (name: string): number => toNumber(row[member(name)] ?? null) ?? 0;
  return {
    siteId: String(row[member('site_id')] ?? ''),
    siteName: String(row[member('site_domain')] ?? ''),
    unitName: String(row[member('ad_unit_name')] ?? ''),
    requests: number('requests'),
    served: number('served'),
    impressions: number('impressions'),
    revenue: number('revenue'),
  };
}
