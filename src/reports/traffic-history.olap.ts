import type { Olap } from '../storage/olap/olap.ts';

/** Requests for ads of one site in one hour of UTC. */
export interface RequestHour {
  readonly workspaceId: number;
  /** '0' = a site that is not known. */
  readonly siteId: string;
  readonly startMs: number;
  readonly requests: number;
}

/** Requests by hour and site of all workspaces; hours without any are left out. Bounds are instants, the end is exclusive. */
export async function readRequestHours(olap: Olap, fromMs: number, toMs: number): Promise<RequestHour[]> {
  const rows = await olap.query<{ workspace_id: number; site_id: string; hour: string; requests: string }>({
    sql: `SELECT workspace_id, site_id, toUnixTimestamp(toStartOfHour(time)) AS hour, sum(requests) AS requests
      FROM delivery_hourly
      WHERE time >= toDateTime({from: UInt32}, 'UTC') AND time < toDateTime({to: UInt32}, 'UTC')
      GROUP BY workspace_id, site_id, hour HAVING requests > 0`,
    params: { from: Math.floor(fromMs / 1_000), to: Math.floor(toMs / 1_000) },
  });
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    siteId: row.site_id,
    startMs: Number(row.hour) * 1_000,
    requests: Number(row.requests),
  }));
}
