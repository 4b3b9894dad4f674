import { createConnection } from 'mysql2';
import { ImportError } from '../plan/import-error.ts';
import { REVIVE_TABLES, type ReviveRow, type ReviveSource } from './revive-tables.ts';

const CONNECT_MS_MAX = 10_000;
/** Most time for one table. */
const TABLE_MS_MAX = 3_600_000;

/** Reads the rows of a live database in one transaction that changes nothing. @throws ImportError */
export async function* readDatabase(url: string, prefix: string): ReviveSource {
  const connection = createConnection({
    uri: url,
    connectTimeout: CONNECT_MS_MAX,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    charset: 'latin1',
    // As a dump has them: bytes as latin1 text.
    typeCast: (field: { buffer(): Buffer | null }) => field.buffer()?.toString('latin1') ?? null,
  } as never);
  const failed = new Promise<never>((_resolve, reject) => {
    connection.on('error', (error: Error) => reject(new ImportError(`The database cannot be read: ${error.message}`)));
  });
  failed.catch(() => undefined);
  try {
    const ask = (sql: string): Promise<unknown> => Promise.race([failed, connection.promise().query(sql)]);
    await ask('SET NAMES binary');
    await ask('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await ask('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    for (const table of REVIVE_TABLES) {
      const rows = connection.query({
        sql: `SELECT * FROM \`${prefix.replaceAll('`', '')}${table}\``,
        timeout: TABLE_MS_MAX,
      });
      for await (const row of rows.stream({ highWaterMark: 1_000 })) yield { table, row: row as ReviveRow };
    }
  } catch (error) {
    throw error instanceof ImportError ? error : new ImportError(`The database cannot be read: ${messageOf(error)}`);
  } finally {
    connection.destroy();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
