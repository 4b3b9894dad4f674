import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HourlyRequests, InventoryKind } from '../../domain/pacing/traffic-curve.ts';
import type { AdUnitDays } from '../../domain/booking/availability.ts';
import { splitLines } from '../../domain/text/byte-lines.ts';
import type { LineBound } from '../../domain/text/byte-lines.ts';
import type { Olap } from '../../storage/olap/olap.ts';

/** Requests for ads of one site, area or ad unit, hour by hour of UTC. */
export interface InventoryRequests {
  readonly kind: InventoryKind;
  /** The site '0' is all of the network. */
  readonly inventoryId: string;
  /** In no order; hours without any are left out. */
  readonly hours: readonly HourlyRequests[];
}

/** Sites, areas and ad units that have figures of their own in a workspace, of each kind: those with the most requests. */
const INVENTORY_MAX = 50;
/** Where each kind of inventory is counted. */
const SOURCES: Readonly<Record<InventoryKind, { readonly table: string; readonly column: string }>> = {
  site: { table: 'delivery_hourly', column: 'site_id' },
  area: { table: 'delivery_quarter_hourly', column: 'area_id' },
  adUnit: { table: 'delivery_quarter_hourly', column: 'ad_unit_id' },
};
const IN_SCOPE = `workspace_id = {workspace: UInt32} AND time >= toDateTime({from: UInt32}, 'UTC')
  AND time < toDateTime({to: UInt32}, 'UTC')`;

/**
 * Requests by hour of one workspace: of the network as a whole, and of its busiest sites, areas and ad units; at most 151 entries.
 * Bounds are instants, the end is exclusive.
 */
export async function readRequestHours(
  olap: Olap,
  workspaceId: number,
  during: readonly [number, number],
): Promise<InventoryRequests[]> {
  const read = readHours(olap, workspaceId, during);
  const inventory = await read('site', sumByHour(SOURCES.site.table, '0', ''));
  for (const kind of ['site', 'area', 'adUnit'] as const) {
    if (inventory.length === 0) break;
    const { table, column } = SOURCES[kind];
    const busiest = `SELECT ${column} FROM ${table} WHERE ${IN_SCOPE} AND ${column} != 0
      GROUP BY ${column} HAVING sum(requests) > 0 ORDER BY sum(requests) DESC LIMIT ${INVENTORY_MAX}`;
    inventory.push(...(await read(kind, sumByHour(table, column, `AND ${column} IN (${busiest})`))));
  }
  return inventory;
}

function readHours(olap: Olap, workspaceId: number, [fromMs, toMs]: readonly [number, number]) {
  const params = { workspace: workspaceId, from: Math.floor(fromMs / 1_000), to: Math.floor(toMs / 1_000) };
  return async (kind: InventoryKind, sql: string): Promise<InventoryRequests[]> => {
    const rows = await olap.query<{ id: string; starts: number[]; counts: string[] }>({ sql, params });
    return rows.map(({ id, starts, counts }) => ({
      kind,
      inventoryId: String(id),
      hours: starts.map((start, at) => ({ startMs: start * 1_000, requests: Number(counts[at]) })),
    }));
  };
}

/** Requests by hour of a whole network. Bounds are instants, the end is exclusive. */
export async function readNetworkHours(
  olap: Olap,
  workspaceId: number,
  during: readonly [number, number],
): Promise<readonly HourlyRequests[]> {
  const [network] = await readHours(olap, workspaceId, during)('site', sumByHour(SOURCES.site.table, '0', ''));
  return network?.hours ?? [];
}

/** One row for each site, area or ad unit: its hours are arrays, so that a row is small. */
function sumByHour(table: string, id: string, condition: string): string {
  return `SELECT id, groupArray(hour) AS starts, groupArray(hourly) AS counts FROM (
      SELECT ${id} AS id, toUnixTimestamp(toStartOfHour(time)) AS hour, sum(requests) AS hourly
      FROM ${table} WHERE ${IN_SCOPE} ${condition}
      GROUP BY id, hour HAVING hourly > 0) GROUP BY id`;
}

/** Ad units whose days are read: those with the most requests. */
const AD_UNITS_MAX = 2_000;
/** Ad units that are parsed between two turns of the event loop: about two milliseconds. */
const AD_UNITS_PER_TURN = 50;
const ROW_BOUND: LineBound = {
  lineBytesMax: 65_536,
  tooLong: () => new Error('The days of an ad unit take more than 64 KiB'),
};

/** The time zone of the days, and the countries and devices whose requests are counted apart; empty: any. */
export interface AskedDays {
  readonly timezone: string;
  readonly countries: readonly string[];
  readonly deviceTypes: readonly string[];
}

/**
 * Requests, served ads and impressions of each ad unit by day of a time zone: at most 2,000 ad units. Bounds are instants, the end is
 * exclusive. @throws OlapError
 */
export async function readAdUnitDays(
  olap: Olap,
  workspaceId: number,
  [fromMs, toMs]: readonly [number, number],
  { timezone, countries, deviceTypes }: AskedDays,
): Promise<AdUnitDays[]> {
  const params = {
    workspace: workspaceId,
    from: Math.floor(fromMs / 1_000),
    to: Math.floor(toMs / 1_000),
    zone: timezone,
    countries: [...countries],
    devices: [...deviceTypes],
  };
  const sql = `SELECT toString(ad_unit_id) AS id, groupArray(toString(day)) AS days, groupArray(allRequests) AS requests, groupArray(askedFor) AS asked,
      groupArray(filled) AS served, groupArray(shown) AS impressions FROM (
    SELECT ad_unit_id, toDate(time, {zone: String}) AS day, sum(requests) AS allRequests,
      sumIf(requests, (empty({countries: Array(String)}) OR country IN {countries: Array(String)})
        AND (empty({devices: Array(String)}) OR device_type IN {devices: Array(String)})) AS askedFor, sum(served) AS filled,
      sum(impressions) AS shown
    FROM ${SOURCES.adUnit.table} WHERE ${IN_SCOPE} AND ad_unit_id != 0
    GROUP BY ad_unit_id, day HAVING allRequests > 0 OR shown > 0) GROUP BY id ORDER BY sum(allRequests) DESC LIMIT ${AD_UNITS_MAX}`;
  const found: AdUnitDays[] = [];
  for await (const line of splitLines(olap.stream({ sql, params, format: 'JSONEachRow' }), ROW_BOUND)) {
    found.push(readDays(JSON.parse(line) as AdUnitDaysRow));
    if (found.length % AD_UNITS_PER_TURN === 0) await nextTurn();
  }
  return found;
}

type AdUnitDaysRow = Readonly<
  Record<'days' | 'requests' | 'asked' | 'served' | 'impressions', readonly (string | number)[]>
> & {
  readonly id: string;
};

function readDays({ id, days, requests, asked, served, impressions }: AdUnitDaysRow): AdUnitDays {
  return {
    adUnitId: id,
    days: days.map((day, at) => ({
      day: String(day),
      requests: Number(requests[at]),
      asked: Number(asked[at]),
      served: Number(served[at]),
      impressions: Number(impressions[at]),
    })),
  };
}
