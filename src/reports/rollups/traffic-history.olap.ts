import type { HourlyRequests, PlaceKind } from '../../domain/pacing/traffic-curve.ts';
import type { Olap } from '../../storage/olap/olap.ts';

/** Requests for ads of one place, hour by hour of UTC. */
export interface PlaceRequests {
  readonly place: PlaceKind;
  /** The site '0' stands for all of the network. */
  readonly placeId: string;
  /** In no order; hours without any are left out. */
  readonly hours: readonly HourlyRequests[];
}

/** Places of each kind that are told apart in a workspace: those with the most requests. */
const PLACES_MAX = 50;
/** Where each kind of place is counted. */
const SOURCES: Readonly<Record<PlaceKind, { readonly table: string; readonly column: string }>> = {
  site: { table: 'delivery_hourly', column: 'site_id' },
  area: { table: 'delivery_quarter_hourly', column: 'area_id' },
  adUnit: { table: 'delivery_quarter_hourly', column: 'ad_unit_id' },
};
const IN_SCOPE = `workspace_id = {workspace: UInt32} AND time >= toDateTime({from: UInt32}, 'UTC')
  AND time < toDateTime({to: UInt32}, 'UTC')`;

/**
 * Requests by hour of one workspace: of the network as a whole, and of its busiest sites, areas and ad units; at most 151 places.
 * Bounds are instants, the end is exclusive.
 */
export async function readRequestHours(
  olap: Olap,
  workspaceId: number,
  [fromMs, toMs]: readonly [number, number],
): Promise<PlaceRequests[]> {
  const params = { workspace: workspaceId, from: Math.floor(fromMs / 1_000), to: Math.floor(toMs / 1_000) };
  const read = async (place: PlaceKind, sql: string): Promise<PlaceRequests[]> => {
    const rows = await olap.query<{ id: string; starts: number[]; counts: string[] }>({ sql, params });
    return rows.map(({ id, starts, counts }) => ({
      place,
      placeId: String(id),
      hours: starts.map((start, at) => ({ startMs: start * 1_000, requests: Number(counts[at]) })),
    }));
  };
  const places = await read('site', sumByHour(SOURCES.site.table, '0', ''));
  for (const place of ['site', 'area', 'adUnit'] as const) {
    if (places.length === 0) break;
    const { table, column } = SOURCES[place];
    const busiest = `SELECT ${column} FROM ${table} WHERE ${IN_SCOPE} AND ${column} != 0
      GROUP BY ${column} HAVING sum(requests) > 0 ORDER BY sum(requests) DESC LIMIT ${PLACES_MAX}`;
    places.push(...(await read(place, sumByHour(table, column, `AND ${column} IN (${busiest})`))));
  }
  return places;
}

/** One row a place: its hours are arrays, so that a row is small. */
function sumByHour(table: string, id: string, condition: string): string {
  return `SELECT id, groupArray(hour) AS starts, groupArray(hourly) AS counts FROM (
      SELECT ${id} AS id, toUnixTimestamp(toStartOfHour(time)) AS hour, sum(requests) AS hourly
      FROM ${table} WHERE ${IN_SCOPE} ${condition}
      GROUP BY id, hour HAVING hourly > 0) GROUP BY id`;
}
