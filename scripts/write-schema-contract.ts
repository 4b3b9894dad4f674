/**
 * Writes `contract/postgres.json`, the schema that a released version reads and writes, for the next version to be compared with. Run it when a
 * version is released, then raise `LEVEL` in src/storage/sql/schema-level.sql.ts: `node scripts/write-schema-contract.ts <empty database>`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { SILENT_LOG } from '../src/domain/log/log.ts';
import { migrate } from '../src/storage/sql/migrate.ts';
import { MIGRATIONS } from '../src/storage/sql/migrations/list.ts';
import { openPostgres } from '../src/storage/sql/postgres.ts';
import { SCHEMA_LEVEL } from '../src/storage/sql/schema-level.sql.ts';
import { readSchemaContract } from '../test/support/schema-contract.ts';

const FILE = new URL('../contract/postgres.json', import.meta.url);
const [url, last = Object.keys(MIGRATIONS).at(-1) ?? '', level = String(SCHEMA_LEVEL.level)] = process.argv.slice(2);
if (url === undefined) throw new Error('Give the address of an empty PostgreSQL database.');
const { db, close } = openPostgres({ url, log: SILENT_LOG, poolMax: 2, statementTimeoutMs: 0 });
try {
  const migrations = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name <= last));
  await migrate({ db, log: SILENT_LOG, migrations });
  writeFileSync(FILE, `${JSON.stringify(await readSchemaContract(db, Number(level)), null, 1)}\n`);
  const { tables } = JSON.parse(readFileSync(FILE, 'utf8')) as { tables: object };
  console.log(`contract/postgres.json: level ${level}, ${Object.keys(tables).length} tables`);
} finally {
  await close();
}
