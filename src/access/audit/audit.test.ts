import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder, silentLog, type TestDatabase } from '../../../test/support/stores.ts';
import { instantText, redact } from './audit-chain.ts';
import { AttemptLog } from '../sign-in/attempt-log.ts';
import { PlacardError } from '../../domain/errors.ts';
import { loadAuditVerifyKeys } from './audit-key.ts';
import { type AuditEntry, countAudit, listAudit, recordAudit } from './audit.sql.ts';
import { verifyAudit } from './audit-verify.ts';

const folder = createTestFolder();
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database.close();
  folder.remove();
});

function entry(networkId: string, change: Partial<AuditEntry> = {}): AuditEntry {
  const by = { actor: 'user:7 ann@example.com', remoteAddress: '192.0.2.1', networkId, workspaceId: 1 };
  return {
    by,
    action: 'campaign.update',
    objectKind: 'campaign',
    objectId: '5',
    before: { name: 'a' },
    after: { name: 'b' },
    ...change,
  };
}

async function record(networkId: string, count = 1, change: Partial<AuditEntry> = {}): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    await database.db.transaction().execute((trx) => recordAudit(trx, entry(networkId, change)));
  }
}

const verify = () =>
  verifyAudit(database.db, { dataDir: folder.dir, keys: loadAuditVerifyKeys(folder.dir), nowMs: Date.now() });

describe('the audit log', () => {
  test('the log numbers the entries of each network without gaps, also under concurrent writes', async () => {
    await Promise.all(Array.from({ length: 20 }, (_none, index) => record(index % 2 === 0 ? '10' : '11', 3)));
    const entries = await listAudit(database.db, '10', {}, { beforeSequence: null, limit: 100 });
    expect(entries.map((one) => Number(one.sequence))).toEqual(
      Array.from({ length: 30 }, (_none, index) => 30 - index),
    );
    expect((await verify()).problems).toEqual([]);
  });

  test('an entry and its change are committed or rolled back together', async () => {
    const failing = database.db.transaction().execute(async (trx) => {
      await recordAudit(trx, entry('12'));
      throw new Error('the change failed');
    });
    await expect(failing).rejects.toThrow('the change failed');
    expect(await countAudit(database.db, '12', {})).toBe(0);
  });

  test.each(['UPDATE audit_log SET actor = $$nobody$$', 'DELETE FROM audit_log', 'TRUNCATE audit_log'])(
    'the audit log refuses %s',
    async (statement) => {
      await record('13');
      await expect(sql.raw(statement).execute(database.db)).rejects.toThrow('permission denied');
      await expect(sql.raw(statement).execute(database.owner)).rejects.toThrow('append-only');
    },
  );

  test('the listing filters by actor, action, object and time, and pages', async () => {
    await record('14', 3);
    await record('14', 2, { action: 'apiKey.create', objectKind: 'apiKey', objectId: '9' });
    expect(await countAudit(database.db, '14', { action: 'apiKey.create' })).toBe(2);
    expect(await countAudit(database.db, '14', { objectKind: 'apiKey', objectId: '9' })).toBe(2);
    expect(await countAudit(database.db, '14', { actor: 'nobody' })).toBe(0);
    expect(await countAudit(database.db, '14', { from: new Date(Date.now() + 60_000) })).toBe(0);
    expect(await countAudit(database.db, '14', { to: new Date(Date.now() + 60_000) })).toBe(5);
    const page = await listAudit(database.db, '14', {}, { beforeSequence: 4n, limit: 2 });
    expect(page.map((one) => Number(one.sequence))).toEqual([3, 2]);
    expect(await countAudit(database.db, '15', {})).toBe(0);
  });

  test('the audit log holds no secrets under any field name', () => {
    const details = {
      after: {
        name: 'x',
        password: 'p',
        tokenDigest: 'd',
        nested: [{ clientSecret: 's', recovery_codes: ['r'] }],
        hasPassword: true,
      },
      amount: 5n,
      at: new Date(0),
      text: 'a\0b\ud800',
    };
    expect(redact(details)).toEqual({
      after: {
        name: 'x',
        password: '[redacted]',
        tokenDigest: '[redacted]',
        nested: [{ clientSecret: '[redacted]', recovery_codes: '[redacted]' }],
        hasPassword: true,
      },
      amount: '5',
      at: '1970-01-01T00:00:00.000Z',
      text: 'a\ufffdb\ufffd',
    });
    expect(redact({ long: 'x'.repeat(70_000) })).toMatchObject({ tooLong: { characters: 70_011 } });
  });

  test('the hash of an entry covers unusual details exactly as they are read back', async () => {
    const after = { b: 1, a: [{ z: null, y: 1e21 }], 'k"ey': '\u2028', big: 2n ** 70n, deep: { none: undefined } };
    await record('16', 1, { after });
    expect((await verify()).problems).toEqual([]);
  });
});

describe('failed attempts', () => {
  test('refusals of one source and of many are summed, so that guessing cannot fill the disk', async () => {
    const log = new AttemptLog({ sql: database.db, log: silentLog, nowMs: Date.now });
    const error = new PlacardError('invalid_credentials');
    const refusal = { error, reason: 'unknown', networkId: '0', workspaceId: null } as const;
    const noted = 2_000;
    for (let guess = 0; guess < noted; guess += 1) {
      log.recordRefusal({ ...refusal, credential: `plc_live_${guess}` }, '198.51.100.1');
    }
    for (let guess = 0; guess < noted; guess += 1) {
      log.recordRefusal({ ...refusal, credential: 'plc_live_abc' }, `203.0.113.${guess}`);
    }
    await log.stop();
    const entries = await listAudit(
      database.db,
      '0',
      { action: 'auth.failure' },
      { beforeSequence: null, limit: 1_000 },
    );
    const ofSource = entries.filter((one) => one.remoteAddress === '198.51.100.1');
    expect(ofSource.length).toBe(11);
    expect(entries.length).toBeLessThanOrEqual(502);
    const counts = (list: typeof entries): number => list.reduce((sum, one) => sum + Number(one.details['count']), 0);
    expect([counts(ofSource), counts(entries)]).toEqual([noted, 2 * noted]);
  });
});

test.each([
  ['1772366400123000', '2026-03-01T12:00:00.123Z'],
  ['1772366400123001', '2026-03-01T12:00:00.123001Z'],
  ['-1', '1969-12-31T23:59:59.999999Z'],
  ['Infinity', 'Infinity'],
  ['9999999999999999999', '9999999999999999999'],
])('%s microseconds are hashed as %s', (micros, text) => {
  expect(instantText(micros)).toBe(text);
});
