/** The oldest PostgreSQL that the program promises to run on takes the schema: newer ones accept more. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SILENT_LOG } from '../../domain/log/log.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/list.ts';
import { openPostgres } from './postgres.ts';

const OLDEST = 15;
/** Where Debian's packages have their versions. */
const VERSIONS = '/usr/lib/postgresql';
const found = existsSync(VERSIONS)
  ? readdirSync(VERSIONS)
      .map(Number)
      .sort((one, other) => one - other)[0]
  : undefined;
const bin = join(VERSIONS, String(found), 'bin');
const dir = mkdtempSync(join(tmpdir(), 'oldest-'));
const data = join(dir, 'data');

/** PostgreSQL refuses to run as root. */
function run(program: string, args: readonly string[]): void {
  const command = [join(bin, program), ...args];
  const [file = '', ...rest] = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command;
  execFileSync(file, rest, { stdio: 'ignore' });
}

afterAll(() => {
  if (existsSync(join(data, 'postmaster.pid'))) run('pg_ctl', ['stop', '-D', data, '-m', 'immediate']);
  rmSync(dir, { recursive: true, force: true });
});

test.skipIf(found !== OLDEST)(
  `PostgreSQL ${OLDEST} takes every migration (needs the package "postgresql-${OLDEST}")`,
  async () => {
    chmodSync(dir, 0o777);
    run('initdb', ['-D', data, '-A', 'trust', '-U', 'postgres']);
    run('pg_ctl', ['start', '-w', '-D', data, '-l', join(dir, 'log'), '-o', `-k ${dir} -c listen_addresses=`]);
    const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(dir)}`;
    const sql = openPostgres({ url, log: SILENT_LOG, poolMax: 1, statementTimeoutMs: 60_000 });
    try {
      await migrate({ db: sql.db, log: SILENT_LOG, serviceRole: null });
      const done = await sql.db.selectFrom('schema_level').selectAll().execute();
      expect([done.length, Object.keys(MIGRATIONS).length > 0]).toEqual([1, true]);
    } finally {
      await sql.close();
    }
  },
);
