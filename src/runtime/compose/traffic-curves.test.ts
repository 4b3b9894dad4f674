import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestDatabase,
  createTestOlapDatabase,
  silentLog,
  type TestDatabase,
  type TestOlapDatabase,
} from '../../../test/support/stores.ts';
import { CurveFeed } from '../../delivery/pacing/pacing-curve-feed.ts';
import type { SitedInventory } from '../../delivery/pacing/pacing-inventory.ts';
import { CurveJob } from '../../delivery/pacing/pacing-curve-job.ts';
import { EMPTY_EVENT_ROW } from '../../events/recording/event-rows.ts';
import { EVENT_OLAP_MIGRATIONS } from '../../events/shipping/events.olap.ts';
import { formatEventTime } from '../../domain/events/event.ts';
import { REPORT_OLAP_MIGRATIONS } from '../../reports/rollups/rollups.olap.ts';
import { readAdUnitDays, readRequestHours } from '../../reports/rollups/traffic-history.olap.ts';
import type { InventoryRequests } from '../../reports/rollups/traffic-history.olap.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';

const HOUR_MS = 3_600_000;
const nowMs = Date.parse('2026-11-23T10:20:00Z');
let database: TestDatabase;
let analytics: TestOlapDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  analytics = await createTestOlapDatabase();
  const migrations = [...EVENT_OLAP_MIGRATIONS, ...REPORT_OLAP_MIGRATIONS];
  await migrateOlap({ olap: analytics.olap, migrations, log: silentLog });
  await database.db
    .insertInto('networks')
    .values({ id: 1000n, name: 'Demo', timezone: 'Europe/Warsaw', currency: 'PLN' })
    .execute();
  await database.db
    .insertInto('workspaces')
    .values([
      { id: 1, network_id: 1000n, environment: 'production' },
      { id: 2, network_id: 1000n, environment: 'staging' },
    ])
    .execute();
});
afterAll(async () => {
  await analytics.close();
  await database.close();
});

test('each worker follows the traffic of the last 28 days for the network, each site and each ad unit', async () => {
  const lines: string[] = [];
  for (let back = 0; back < 30 * 24; back += 1) {
    const timeMs = nowMs - back * HOUR_MS;
    // Warsaw is an hour ahead of UTC in November; two hours before 25 October.
    const hour = (new Date(timeMs).getUTCHours() + (timeMs < Date.parse('2026-10-25T01:00:00Z') ? 2 : 1)) % 24;
    for (const [siteId, adUnitId, busy] of [
      ['7', '71', 20],
      ['8', '81', 9],
      ['8', '82', 14],
    ] as const) {
      const inventory = { site_id: siteId, ad_unit_id: adUnitId, area_id: '5' };
      const event = { event_id: `q:${adUnitId}:${back}`, workspace_id: 1, kind: 'request', ...inventory } as const;
      const quantity = hour === busy ? 5_000 : hour < 6 ? 100 : 1_000;
      lines.push(JSON.stringify({ ...EMPTY_EVENT_ROW, ...event, time: formatEventTime(timeMs), quantity }));
    }
  }
  await analytics.olap.insertRaw({ table: 'events', body: Buffer.from(lines.join('\n')), token: 'history' });
  const during = [nowMs - 28 * 24 * HOUR_MS, nowMs] as const;
  const inventory = await readRequestHours(analytics.olap, 1, during);
  expect(inventory.map(({ kind, inventoryId }) => `${kind} ${inventoryId}`).sort()).toEqual(
    ['adUnit 71', 'adUnit 81', 'adUnit 82', 'area 5', 'site 0', 'site 7', 'site 8'].sort(),
  );
  for (const { hours } of inventory) expect(new Set(hours.map(({ startMs }) => startMs)).size).toBe(hours.length);
  expect(await readRequestHours(analytics.olap, 2, during)).toEqual([]);
  await checkAdUnitDays(inventory, during);
  const job = new CurveJob({
    sql: database.db,
    readRequestHours: (workspaceId, during) => readRequestHours(analytics.olap, workspaceId, during),
    nowMs: () => nowMs,
    log: silentLog,
  });
  await job.run();
  const feed = new CurveFeed(database.db, silentLog);
  await feed.reload();
  const sites = (...ids: string[]): SitedInventory => ({ kind: 'site', ids, siteIds: ids });
  const busiest = (inventory: SitedInventory | null): number[] => {
    const { timezone, weights } = feed.find(1, 'UTC', inventory);
    expect(timezone).toBe('Europe/Warsaw');
    expect(weights[3] ?? 1).toBeLessThan(0.3);
    const ofTuesday = weights.slice(24, 48);
    return ofTuesday.flatMap((weight, hour) => (weight > 0.8 * Math.max(...ofTuesday) ? [hour] : []));
  };
  expect(busiest(sites('7'))).toEqual([20]);
  expect(busiest(sites('8'))).toEqual([9, 14]);
  expect(busiest(sites('7', '8'))).toEqual([9, 14, 20]);
  expect(busiest(null)).toEqual([9, 14, 20]);
  expect(busiest({ kind: 'adUnit', ids: ['82'], siteIds: ['8'] })).toEqual([14]);
  expect(busiest({ kind: 'adUnit', ids: ['71', '82'], siteIds: ['7', '8'] })).toEqual([14, 20]);
  expect(busiest({ kind: 'area', ids: ['5'], siteIds: ['7', '8'] })).toEqual([9, 14, 20]);
  // An ad unit without a curve of its own follows that of its site.
  expect(busiest({ kind: 'adUnit', ids: ['99'], siteIds: ['7'] })).toEqual([20]);
  // A site without a curve of its own follows that of the network.
  expect(feed.find(1, 'UTC', sites('7', '9'))).toBe(feed.find(1, 'UTC', null));
  // Staging had no traffic: flat.
  expect(new Set(feed.find(2, 'Europe/Warsaw', null).weights)).toEqual(new Set([1]));
  const before = feed.find(1, 'UTC', null);
  await job.run();
  await feed.reload();
  expect(feed.find(1, 'UTC', null)).toBe(before);
  expect(feed.find(1, 'UTC', sites('7'))).toBe(feed.find(1, 'UTC', sites('7')));
});

const IN_WARSAW = { timezone: 'Europe/Warsaw', countries: [], deviceTypes: [] };

/** Days of ad units have the requests of their hours. */
async function checkAdUnitDays(
  inventory: readonly InventoryRequests[],
  during: readonly [number, number],
): Promise<void> {
  const units = await readAdUnitDays(analytics.olap, 1, during, IN_WARSAW);
  const sumOf = (all: readonly { readonly requests: number }[]) => all.reduce((sum, { requests }) => sum + requests, 0);
  const ofHours = inventory.flatMap(({ kind, inventoryId, hours }) =>
    kind === 'adUnit' ? [[inventoryId, sumOf(hours)] as const] : [],
  );
  expect(new Map(units.map(({ adUnitId, days }) => [adUnitId, sumOf(days)]))).toEqual(new Map(ofHours));
  expect(units.flatMap(({ days }) => days.map(({ day }) => day))).toContain('2026-11-22');
  expect(await readAdUnitDays(analytics.olap, 2, during, IN_WARSAW)).toEqual([]);
}
