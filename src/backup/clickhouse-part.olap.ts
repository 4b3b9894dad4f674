import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Olap } from '../storage/olap/olap.ts';
import { readListed } from './backup-files.ts';
import { BackupError } from './manifest.ts';
import type { BackupPart } from './part.ts';

const FILE = 'clickhouse.json';
const fileSchema = z.object({ database: z.string().regex(/^\w+$/), name: z.string().regex(/^[\w-]+$/) });
const POLL_MS = 500;
/** A backup of ClickHouse that takes longer is given up. */
const STATEMENT_MAX_MS = 12 * 3_600_000;

/**
 * A ClickHouse by address makes its own backup: it alone can copy its parts without sending all rows through this machine. This part
 * holds the name of that backup.
 */
export const clickhousePart: BackupPart = {
  name: 'clickhouse',
  needsStillness: true,
  files: /^clickhouse\.json$/,
  folders: null,
  async write({ olap, writer, clickhouseTarget }) {
    const name = `placard-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    const [row] = await olap.query<{ database: string }>({ sql: 'SELECT currentDatabase() AS database' });
    const content = fileSchema.parse({ database: row?.database, name });
    await runAsync(olap, `BACKUP DATABASE ${content.database} TO ${targetOf(clickhouseTarget, name)} SETTINGS`);
    await writer.write(FILE, JSON.stringify(content));
  },
  restore: async () => undefined,
  async fill(target, { olap }) {
    const { clickhouseTarget } = target;
    const { database, name } = fileSchema.parse(JSON.parse((await readListed(target, FILE)).toString('utf8')));
    const own = await requireEmptyDatabase(olap, 'PLACARD_CLICKHOUSE_URL');
    // The database is there, as its operator made it: with another engine or comment.
    const settings = 'SETTINGS allow_different_database_def = true,';
    await runAsync(olap, `RESTORE DATABASE ${database} AS ${own} FROM ${targetOf(clickhouseTarget, name)} ${settings}`);
  },
};

/** @returns the name of the database @throws BackupError when it holds tables */
export async function requireEmptyDatabase(olap: Olap, setting: string): Promise<string> {
  const [row] = await olap.query<{ own: string; tables: string }>({
    sql: 'SELECT currentDatabase() AS own, toString(count()) AS tables FROM system.tables WHERE database = currentDatabase()',
  });
  if (row?.tables !== '0') throw new BackupError(`The database of ${setting} is not empty: name a new one.`);
  return row.own;
}

/** Removes all tables of the database, views first. */
export async function dropTables(olap: Olap): Promise<void> {
  const tables = await olap.query<{ name: string }>({
    sql: `SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY engine = 'MaterializedView' DESC, name`,
  });
  for (const { name } of tables) await olap.command(`DROP TABLE IF EXISTS \`${name}\` SYNC`);
}

function targetOf(target: string | null, name: string): string {
  if (target === null)
    throw new BackupError('ClickHouse needs to know where its backup is: set PLACARD_BACKUP_CLICKHOUSE_TO.');
  return target.replaceAll('{name}', name);
}

/** What ClickHouse says, without the addresses of its program. */
const withoutTrace = (error: string): string => error.split(', Stack trace', 1)[0] ?? '';

/** The statement, which ends within its settings, returns at once: a connection need not stay open as long as it takes. @throws BackupError when it fails */
async function runAsync(olap: Olap, statement: string): Promise<void> {
  const id = crypto.randomUUID();
  await olap.command(`${statement} id = '${id}' ASYNC`);
  for (const untilMs = performance.now() + STATEMENT_MAX_MS; performance.now() < untilMs; await sleep(POLL_MS)) {
    const [found] = await olap.query<{ status: string; error: string }>({
      sql: 'SELECT toString(status) AS status, error FROM system.backups WHERE id = {id: String}',
      params: { id },
    });
    if (found?.status === 'BACKUP_CREATED' || found?.status === 'RESTORED') return;
    if (found === undefined || /FAILED|CANCELLED/.test(found.status))
      throw new BackupError(`ClickHouse could not do it: ${withoutTrace(found?.error ?? 'the backup is not listed')}`);
  }
  throw new BackupError('ClickHouse has not finished within 12 hours.');
}
