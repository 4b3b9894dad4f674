import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestOlapDatabase, type TestOlapDatabase } from '../../test/support/stores.ts';
import type { Olap } from '../storage/olap/olap.ts';
import { BackupWriter } from './backup-files.ts';
import { clickhousePart } from './clickhouse-part.olap.ts';
import type { Manifest } from './manifest.ts';
import type { BackupSource, RestoreTarget } from './part.ts';

let dir: string;
let parser: TestOlapDatabase;
const TARGET = "Disk('backups', '{name}')";

beforeAll(async () => {
  parser = await createTestOlapDatabase();
});

afterAll(() => parser.close());

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'clickhouse-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A ClickHouse that makes backups: the embedded engine has none. It records statements, and says how each went. */
function serverThat(of: { statuses: { status: string; error: string }[]; tables?: string }): Olap & { ran: string[] } {
  const ran: string[] = [];
  const query = async ({ sql }: { sql: string }): Promise<unknown[]> => {
    if (sql.includes('system.backups')) return of.statuses.splice(0, 1);
    return [{ database: 'ads', own: 'ads_new', tables: of.tables ?? '0' }];
  };
  return { ran, query, command: async (statement: string) => void ran.push(statement) } as unknown as Olap & {
    ran: string[];
  };
}

const DONE = { status: 'BACKUP_CREATED', error: '' };
let manifest: Pick<Manifest, 'files'> = { files: [] };
const write = async (olap: Olap, clickhouseTarget: string | null = TARGET): Promise<void> => {
  const writer = new BackupWriter(dir);
  await clickhousePart.write({ olap, clickhouseTarget, writer } as unknown as BackupSource);
  manifest = { files: writer.files() };
};
const fill = (olap: Olap): Promise<void> | undefined =>
  clickhousePart.fill?.(
    { folder: dir, manifest, clickhouseTarget: TARGET } as unknown as RestoreTarget,
    { olap } as unknown as Parameters<NonNullable<typeof clickhousePart.fill>>[1],
  );

test('ClickHouse makes its backup under a new name and restores that one into an empty database', async () => {
  const server = serverThat({ statuses: [{ status: 'CREATING_BACKUP', error: '' }, DONE] });
  await write(server);
  const { name } = JSON.parse(readFileSync(join(dir, 'clickhouse.json'), 'utf8')) as { name: string };
  expect(server.ran[0]).toMatch(
    /^BACKUP DATABASE ads TO Disk\('backups', 'placard-[\w-]+'\) SETTINGS id = '[\w-]+' ASYNC$/,
  );
  const other = serverThat({ statuses: [{ status: 'RESTORED', error: '' }] });
  await fill(other);
  expect(other.ran[0]).toContain(`RESTORE DATABASE ads AS ads_new FROM Disk('backups', '${name}')`);
});

test('the statements are those that ClickHouse can read', async () => {
  const server = serverThat({ statuses: [DONE] });
  await write(server);
  const other = serverThat({ statuses: [{ status: 'RESTORED', error: '' }] });
  await fill(other);
  for (const statement of [...server.ran, ...other.ran]) {
    const [row] = await parser.olap.query<{ same: string }>({
      sql: 'SELECT formatQuerySingleLine({statement: String}) AS same',
      params: { statement },
    });
    expect(row?.same).toMatch(/^(?:BACKUP|RESTORE) DATABASE/);
  }
});

test.each([
  ['a backup that failed', [{ status: 'BACKUP_FAILED', error: 'no space left' }], 'no space left'],
  ['a backup that is not listed', [], 'not listed'],
])('%s leaves nothing', async (_title, statuses, problem) => {
  await expect(write(serverThat({ statuses }))).rejects.toThrow(problem);
  expect(() => readFileSync(join(dir, 'clickhouse.json'))).toThrow('ENOENT');
});

test('a database that holds tables is not restored into', async () => {
  await write(serverThat({ statuses: [DONE] }));
  const server = serverThat({ statuses: [], tables: '3' });
  await expect(fill(server)).rejects.toThrow('is not empty');
  expect(server.ran).toEqual([]);
});

test('a backup without PLACARD_BACKUP_CLICKHOUSE_TO is refused', async () => {
  await expect(write(serverThat({ statuses: [] }), null)).rejects.toThrow('PLACARD_BACKUP_CLICKHOUSE_TO');
});
