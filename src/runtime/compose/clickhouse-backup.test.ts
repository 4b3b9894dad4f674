/** ClickHouse's own backup of the whole schema, made and restored by its engine: an analytics process with a disk for backups plays the server. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOwnAnalytics } from '../../../test/cluster/own-stores.ts';
import { silentLog } from '../../../test/support/stores.ts';
import { BackupWriter } from '../../backup/backup-files.ts';
import { clickhousePart, dropTables, requireEmptyDatabase } from '../../backup/clickhouse-part.olap.ts';
import type { BackupSource, RestoreTarget } from '../../backup/part.ts';
import { EMPTY_EVENT_ROW } from '../../events/recording/event-rows.ts';
import { compareRollUps } from '../../reports/rollups/compare-rollups.olap.ts';
import { COUNTED_TABLES } from '../../reports/rollups/rollups.olap.ts';
import { VERSIONS_TABLE } from '../../reports/rollups/versions-table.olap.ts';
import { openOlap } from '../../storage/olap/clickhouse.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { OLAP_MIGRATIONS } from './migrate-stores.ts';

/** Merges alone decide how many rows the table of versions has. */
const TABLES = COUNTED_TABLES.filter((table) => table !== VERSIONS_TABLE);
const TARGET = "Disk('backups', '{name}')";
const DAY = '2026-10-01';
const NEXT_DAY = '2026-10-02';
const dir = mkdtempSync(join(tmpdir(), 'placard-clickhouse-'));
const ENGINE = `<clickhouse>
  <storage_configuration><disks><backups><type>local</type><path>${dir}/backups/</path></backups></disks></storage_configuration>
  <backups><allowed_disk>backups</allowed_disk></backups>
</clickhouse>`;
let analytics: Awaited<ReturnType<typeof startOwnAnalytics>>;
let first: Olap;
let second: Olap;

beforeAll(async () => {
  for (const folder of ['analytics/engine.d', 'backups', 'placard']) mkdirSync(join(dir, folder), { recursive: true });
  writeFileSync(join(dir, 'analytics/engine.d/backups.xml'), ENGINE);
  analytics = await startOwnAnalytics(join(dir, 'analytics'));
  const admin = openOlap({ url: analytics.url, log: silentLog });
  for (const name of ['first', 'second']) await admin.command(`CREATE DATABASE ${name}`);
  await admin.close();
  [first, second] = ['first', 'second'].map((name) =>
    openOlap({ url: `${analytics.url}/${name}`, log: silentLog }),
  ) as [Olap, Olap];
});

afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await analytics.end();
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
  await migrateOlap({ olap: first, migrations: OLAP_MIGRATIONS, log: silentLog });
  await insert(first, 'before', DAY);
  const kept = await rowsOf(first);
  expect(Object.values(kept).every((rows) => rows > 0)).toBe(true);

  const writer = new BackupWriter(join(dir, 'placard'));
  await clickhousePart.write({ olap: first, clickhouseTarget: TARGET, writer } as unknown as BackupSource);
  await insert(first, 'after', NEXT_DAY);
  await second.command("ALTER DATABASE second MODIFY COMMENT 'of a drill'");
  const target = { folder: join(dir, 'placard'), manifest: { files: writer.files() }, clickhouseTarget: TARGET };
  await clickhousePart.fill?.(target as unknown as RestoreTarget, { olap: second } as never);
  expect(await rowsOf(second)).toEqual(kept);

  // The views of the copy fill the copy, and no migration is left to do.
  const ofFirst = await rowsOf(first);
  await insert(second, 'copy', NEXT_DAY);
  expect(await rowsOf(first)).toEqual(ofFirst);
  expect(await rowsOf(second)).toEqual(ofFirst);
  expect(await compareRollUps(second, { from: DAY, to: NEXT_DAY })).toEqual([]);
  expect(await migrateOlap({ olap: second, migrations: OLAP_MIGRATIONS, log: silentLog })).toEqual([]);

  // What a drill leaves.
  await expect(requireEmptyDatabase(second, '--clickhouse-url-file')).rejects.toThrow('is not empty');
  await dropTables(second);
  expect(await requireEmptyDatabase(second, '--clickhouse-url-file')).toBe('second');
  expect(await rowsOf(first)).toEqual(ofFirst);
});
