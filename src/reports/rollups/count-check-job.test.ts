import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestOlapDatabase, silentLog, type TestOlapDatabase } from '../../../test/support/stores.ts';
import type { Log } from '../../domain/log/log.ts';
import { EMPTY_EVENT_ROW } from '../../events/recording/event-rows.ts';
import { EVENT_OLAP_MIGRATIONS, EVENTS_INTAKE_TABLE } from '../../events/shipping/events.olap.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { CountCheckJob } from './count-check-job.ts';
import { REPORT_OLAP_MIGRATIONS } from './rollups.olap.ts';

const HOURLY = 'delivery_hourly';
const NOON_MS = Date.parse('2026-05-02T12:00:00Z');
let store: TestOlapDatabase;

beforeAll(async () => {
  store = await createTestOlapDatabase();
  const migrations = [...EVENT_OLAP_MIGRATIONS, ...REPORT_OLAP_MIGRATIONS];
  await migrateOlap({ olap: store.olap, migrations, log: silentLog });
  const rows = ['2026-05-01 10:15:00.000', '2026-05-01 23:59:00.000', '2026-05-02 11:00:00.000'].map((time, at) =>
    JSON.stringify({ ...EMPTY_EVENT_ROW, event_id: `e${at}`, workspace_id: 1, kind: 'impression', time }),
  );
  await store.olap.insertRaw({ table: EVENTS_INTAKE_TABLE, body: Buffer.from(rows.join('\n')), token: 'three' });
});
afterAll(() => store.close());

test('a roll-up that counts an event of yesterday twice is found, told and shown; one of today waits for tomorrow', async () => {
  const registry = new Registry();
  const told: unknown[] = [];
  const log: Log = { ...silentLog, event: (code, fields) => void told.push([code, fields]) };
  const job = new CountCheckJob({ olap: store.olap, nowMs: () => NOON_MS, log, registry });
  const shown = async (): Promise<number | undefined> =>
    (await registry.getSingleMetric('placard_count_differences')?.get())?.values[0]?.value;
  const twice = (day: string): Promise<void> =>
    store.olap.command(
      `INSERT INTO ${HOURLY} SELECT * FROM ${HOURLY} WHERE toDate(time, 'UTC') = toDate({day: String})`,
      { day },
    );
  await twice('2026-05-02');
  expect(await job.run()).toEqual([]);
  expect([await shown(), told]).toEqual([0, []]);
  await twice('2026-05-01');
  const found = await job.run();
  expect(found).toContainEqual(
    expect.objectContaining({ table: HOURLY, bucket: '2026-05-01 10:00:00', events: '1', rollUp: '2' }),
  );
  expect(await shown()).toBe(found.length);
  expect(told).toEqual([['counts.differ', expect.objectContaining({ day: '2026-05-01', differences: found.length })]]);
  await job.stop();
  expect(await shown()).toBe(0);
});
