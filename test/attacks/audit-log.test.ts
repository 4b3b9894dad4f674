import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import { makeDataDir, removeDataDir, runPlacard } from '../support/placard-process.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/storage/sql/embedded-postgres.ts';
import { migrateAsOwner } from '../../src/storage/sql/migrate.ts';

const log = SILENT_LOG;
let dataDir: string;
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  dataDir = makeDataDir();
  const settings = { fsync: 'off', synchronous_commit: 'off' };
  postgres = await startEmbeddedPostgres({ dataDir, log, settings });
  await migrateAsOwner({ postgresUrl: postgres.url, postgresOwnerUrl: postgres.ownerUrl }, log);
  // The key of the data folder signs, as for a core of this installation.
  const { loadAuditKey } = await import('../../src/access/audit/audit-key.ts');
  loadAuditKey(dataDir);
  expect((await placard('networks', 'create', '--name', 'Victim')).code).toBe(0);
}, 120_000);
afterAll(async () => {
  await postgres?.stop();
  await removeDataDir(dataDir);
});

const placard = (...args: string[]) => runPlacard(args, { PLACARD_DATA: dataDir, PLACARD_POSTGRES_URL: postgres.url });

async function query(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

describe('the audit log', () => {
  test.each([
    'ALTER TABLE audit_log DISABLE TRIGGER ALL',
    'SET session_replication_role = replica',
    "UPDATE audit_log SET actor = 'nobody'",
    'DROP TABLE audit_log',
  ])('the audit log refuses %s from the role of the service', async (statement) => {
    await expect(query(postgres.url, statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  test('the audit log verifies while it is untouched', async () => {
    const found = await placard('audit', 'verify');
    expect(found).toMatchObject({ code: 0, out: expect.stringContaining('nothing was changed') });
  });

  test('the check of the log fails when entries are rewritten and their heads deleted', async () => {
    // The attacker does not even have to compute hashes: an empty log has none, and only the heads show that it had entries.
    await query(
      postgres.ownerUrl,
      'ALTER TABLE audit_log DISABLE TRIGGER ALL',
      'ALTER TABLE audit_heads DISABLE TRIGGER ALL',
      'DELETE FROM audit_log',
      'DELETE FROM audit_heads',
    );
    rmSync(join(dataDir, 'audit', 'heads'), { recursive: true });
    const found = await placard('audit', 'verify');
    expect(found.code).toBe(1);
    expect(found.out).toContain('is missing from the files');
  });
});
