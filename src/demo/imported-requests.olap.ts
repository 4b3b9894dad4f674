import { IMPORTED_EVENT_PREFIX } from '../domain/money/counted-sums.ts';
import type { Olap } from '../storage/olap/olap.ts';

const TIMEOUT_MS = 120_000;

/** Requests of one hour that are alike. */
export interface ImportedRequests {
  readonly workspaceId: number;
  readonly hourMs: number;
  readonly siteId: string;
  readonly areaId: string;
  readonly adUnitId: string;
  /** As reports name them. */
  readonly country: string;
  readonly deviceType: string;
  readonly os: string;
  readonly browser: string;
  /** 1: no personalised ads. */
  readonly npa: number;
  readonly requests: number;
}

/** Reads the requests of imported history from some instant on, hour by hour. @throws OlapError */
export async function readImportedRequests(olap: Olap, fromMs: number): Promise<ImportedRequests[]> {
  const rows = await olap.query<Record<keyof ImportedRequests, string | number>>({
    sql: `SELECT workspace_id AS workspaceId,
        toString(toUnixTimestamp(toStartOfHour(events.time, 'UTC')) * 1000) AS hourMs, toString(site_id) AS siteId, toString(area_id) AS areaId,
        toString(ad_unit_id) AS adUnitId, country, device_type AS deviceType, os, browser, npa, toString(sum(quantity)) AS requests
      FROM events
      WHERE startsWith(event_id, '${IMPORTED_EVENT_PREFIX}') AND kind = 'request'
        AND events.time >= fromUnixTimestamp64Milli({from: Int64}, 'UTC')
      GROUP BY workspaceId, hourMs, siteId, areaId, adUnitId, country, deviceType, os, browser, npa
      ORDER BY workspaceId, hourMs, adUnitId, country, deviceType, os, browser, npa`,
    params: { from: fromMs },
    timeoutMs: TIMEOUT_MS,
    isFinal: true,
  });
  const idOf = (value: string | number): string => (value === '0' ? '' : String(value));
  return rows.map((row) => ({
    workspaceId: Number(row.workspaceId),
    hourMs: Number(row.hourMs),
    siteId: idOf(row.siteId),
    areaId: idOf(row.areaId),
    adUnitId: idOf(row.adUnitId),
    country: String(row.country),
    deviceType: String(row.deviceType),
    os: String(row.os),
    browser: String(row.browser),
    npa: Number(row.npa),
    requests: Number(row.requests),
  }));
}
