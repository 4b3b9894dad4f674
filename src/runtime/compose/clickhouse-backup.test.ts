/** ClickHouse's own backup of the whole schema, made and restored by its engine: an analytics process plays the server, in memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestOlapDatabase, silentLog, type TestOlapDatabase } from '../../../test/support/stores.ts';
import { BackupWriter } from '../../backup/backup-files.ts';
import { clickhousePart, dropTables, requireEmptyDatabase } from '../../backup/clickhouse-part.olap.ts';
import type { BackupSource, RestoreTarget } from '../../backup/part.ts';
import { EMPTY_EVENT_ROW } from '../../events/recording/event-rows.ts';
import { compareRollUps } from '../../reports/rollups/compare-rollups.olap.ts';
import { COUNTED_TABLES } from '../../reports/rollups/rollups.olap.ts';
import { VERSIONS_TABLE } from '../../reports/rollups/versions-table.olap.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { OLAP_MIGRATIONS } from './migrate-stores.ts';

/** Merges alone decide how many rows the table of versions has. */
const TABLES = COUNTED_TABLES.filter((table) => table !== VERSIONS_TABLE);
const TARGET = "Memory('{name}')";
const DAY = '2026-10-01';
const NEXT_DAY = '2026-10-02';
const dir = mkdtempSync(join(tmpdir(), 'placard-clickhouse-'));
let first: TestOlapDatabase;
let second: TestOlapDatabase;

beforeAll(async () => {
  [first, second] = await Promise.all([createTestOlapDatabase(), createTestOlapDatabase()]);
});

afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  rmSync(dir, { recursive: true, force: true });
});

async function insert(olap: Olap, token: string, day: string): Promise<void> {
  const rows = Array.from({ length: 40 }, (_none, at) => ({
    ...EMPTY_EVENT_ROW,
    event_id: `${token}-${at}`,
    workspace_id: 1,
    kind: at % 5 === 0 ? 'click' : 'impression',
    time: `${day} 1${at % 10}:10:00.000`,
    line_item_id: String(1 + (at % 7)),
    user_hash: String(1_000 + at),
    revenue_nanos: '7',
    ...(at % 4 === 0 ? { key_values: { 7: `v${at % 3}` } } : {}),
  }));
  await olap.insertRaw({
    table: 'events',
    body: Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n')),
    token,
  });
}

const rowsOf = async (olap: Olap): Promise<Record<string, number>> => {
  const counted = TABLES.map(async (table) => {
    const [row] = await olap.query<{ n: string }>({ sql: `SELECT count() AS n FROM ${table}`, isFinal: true });
    return [table, Number(row?.n)] as const;
  });
  return Object.fromEntries(await Promise.all(counted));
};

test('a database that ClickHouse backed up comes back under another name, and counts on by itself', async () => {
  await migrateOlap({ olap: first.olap, migrations: OLAP_MIGRATIONS, log: silentLog });
  await insert(first.olap, 'before', DAY);
  const kept = await rowsOf(first.olap);
  expect(Object.values(kept).every((rows) => rows > 0)).toBe(true);

  const writer = new BackupWriter(dir);
  await clickhousePart.write({ olap: first.olap, clickhouseTarget: TARGET, writer } as unknown as BackupSource);
  await insert(first.olap, 'after', NEXT_DAY);
  await second.olap.command(`ALTER DATABASE ${second.database} MODIFY COMMENT 'of a drill'`);
  const target = { folder: dir, manifest: { files: writer.files() }, clickhouseTarget: TARGET };
  await clickhousePart.fill?.(target as unknown as RestoreTarget, { olap: second.olap } as never);
  expect(await rowsOf(second.olap)).toEqual(kept);

  // The views of the copy fill the copy, and no migration is left to do.
  const ofFirst = await rowsOf(first.olap);
  await insert(second.olap, 'copy', NEXT_DAY);
  expect(await rowsOf(first.olap)).toEqual(ofFirst);
  expect(await rowsOf(second.olap)).toEqual(ofFirst);
  expect(await compareRollUps(second.olap, { from: DAY, to: NEXT_DAY })).toEqual([]);
  expect(await migrateOlap({ olap: second.olap, migrations: OLAP_MIGRATIONS, log: silentLog })).toEqual([]);

  // What a drill leaves.
  await expect(requireEmptyDatabase(second.olap, '--clickhouse-url-file')).rejects.toThrow('is not empty');
  await dropTables(second.olap);
  expect(await requireEmptyDatabase(second.olap, '--clickhouse-url-file')).toBe(second.database);
  expect(await rowsOf(first.olap)).toEqual(ofFirst);
});
