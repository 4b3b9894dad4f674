import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeLogTo } from '../../runtime/log/log.ts';
import {
  createTestDatabase,
  createTestOlapDatabase,
  silentLog,
  type TestDatabase,
  type TestOlapDatabase,
} from '../../../test/support/stores.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { EVENT_OLAP_MIGRATIONS } from '../shipping/events.olap.ts';
import { RetentionJob } from './retention-job.ts';

const nowMs = Date.parse('2026-11-20T10:00:00Z');
const DAY_MS = 86_400_000;
let database: TestDatabase;
let store: TestOlapDatabase;

beforeAll(async () => {
  [database, store] = await Promise.all([createTestDatabase(), createTestOlapDatabase()]);
  await migrateOlap({ olap: store.olap, migrations: EVENT_OLAP_MIGRATIONS, log: silentLog });
  for (const [id, settings] of [
    [1000, { retentionDays: 30 }],
    [2000, {}],
  ] as const) {
    await sql`INSERT INTO networks (id, name, timezone, currency, settings) VALUES (${id}, 'N', 'UTC', 'EUR', ${JSON.stringify(settings)})`.execute(
      database.db,
    );
    for (const [offset, environment] of ['production', 'staging'].entries()) {
      await sql`INSERT INTO workspaces (id, network_id, environment) VALUES (${id / 1000 + offset * 10}, ${id}, ${environment})`.execute(
        database.db,
      );
    }
  }
  const rows = [1, 11, 2].flatMap((workspaceId) =>
    [0, 29, 30, 31, 400].map((days) => ({
      event_id: `${workspaceId}-${days}`,
      workspace_id: workspaceId,
      kind: 'impression',
      time: new Date(nowMs - days * DAY_MS).toISOString().replace('T', ' ').replace('Z', ''),
    })),
  );
  const body = Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'));
  await store.olap.insertRaw({ table: 'events', body, token: 'retention' });
});
afterAll(async () => {
  await Promise.all([database.close(), store.close()]);
});

const left = async (): Promise<string[]> =>
  (await store.olap.query<{ event_id: string }>({ sql: 'SELECT event_id FROM events ORDER BY event_id' })).map(
    ({ event_id }) => event_id,
  );

describe('retention', () => {
  test('the job deletes events past the retention of their network, in both environments, and leaves other networks alone', async () => {
    const lines: string[] = [];
    const log = writeLogTo({ write: (line: string) => void lines.push(line) }, 'info', 'test');
    const job = new RetentionJob({ sql: database.db, olap: store.olap, exported: null, nowMs: () => nowMs, log });
    expect(await job.run()).toBe(4);
    const kept = ['1-0', '1-29', '1-30', '11-0', '11-29', '11-30', '2-0', '2-29', '2-30', '2-31', '2-400'];
    expect(await left()).toEqual(kept.sort());
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { workspaceId: 1, networkId: '1000', days: 30, events: 2, before: '2026-10-21T00:00:00.000Z' },
      { workspaceId: 11, networkId: '1000', days: 30, events: 2 },
    ]);
  });

  test('a second run finds nothing to do', async () => {
    const job = new RetentionJob({
      sql: database.db,
      olap: store.olap,
      exported: null,
      nowMs: () => nowMs,
      log: silentLog,
    });
    expect(await job.run()).toBe(0);
  });
});
