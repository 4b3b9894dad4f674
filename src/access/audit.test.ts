import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder, silentLog, type TestDatabase } from '../../test/support/stores.ts';
import { redact } from './audit-chain.ts';
import { AttemptLog } from './attempt-log.ts';
import { PlacardError } from '../domain/errors.ts';
import { AuditHeadWriter, auditHeadsDir } from './audit-heads.ts';
import { type AuditEntry, countAudit, listAudit, recordAudit } from './audit.sql.ts';
import { verifyAudit } from './audit-verify.ts';

const folder = createTestFolder();
const secret = Buffer.alloc(32, 7);
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

const verify = () => verifyAudit(database.db, { dataDir: folder.dir, secret });

/** Does what only a database administrator could: the trigger is off for the statement. */
async function tamper(statement: string): Promise<void> {
  await sql.raw('ALTER TABLE audit_log DISABLE TRIGGER USER').execute(database.db);
  await sql.raw(statement).execute(database.db);
  await sql.raw('ALTER TABLE audit_log ENABLE TRIGGER USER').execute(database.db);
}

describe('the audit log', () => {
  test('numbers the entries of each network without gaps, also when many write at once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_none, index) => record(index % 2 === 0 ? '10' : '11', 3)));
    const entries = await listAudit(database.db, '10', {}, { beforeSequence: null, limit: 100 });
    expect(entries.map((one) => Number(one.sequence))).toEqual(
      Array.from({ length: 30 }, (_none, index) => 30 - index),
    );
    expect((await verify()).problems).toEqual([]);
  });

  test('an entry and the change it tells of are one: neither stays without the other', async () => {
    const failing = database.db.transaction().execute(async (trx) => {
      await recordAudit(trx, entry('12'));
      throw new Error('the change failed');
    });
    await expect(failing).rejects.toThrow('the change failed');
    expect(await countAudit(database.db, '12', {})).toBe(0);
  });

  test.each(['UPDATE audit_log SET actor = $$nobody$$', 'DELETE FROM audit_log', 'TRUNCATE audit_log'])(
    'refuses %s',
    async (statement) => {
      await record('13');
      await expect(sql.raw(statement).execute(database.db)).rejects.toThrow('append-only');
    },
  );

  test('is filtered by actor, action, object and time, and paged', async () => {
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

  test('keeps no secrets, whatever the names of the fields', () => {
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

  test('survives odd details: what is hashed is what is read back', async () => {
    const after = { b: 1, a: [{ z: null, y: 1e21 }], 'k"ey': '\u2028', big: 2n ** 70n, deep: { none: undefined } };
    await record('16', 1, { after });
    expect((await verify()).problems).toEqual([]);
  });
});

describe('failed attempts', () => {
  test('of one source and of many are summed up, so that guessing cannot fill the disk', async () => {
    const log = new AttemptLog({ sql: database.db, log: silentLog, nowMs: Date.now });
    const error = new PlacardError('invalid_credentials');
    const refusal = { error, reason: 'unknown', networkId: '0', workspaceId: null } as const;
    const noted = 2_000;
    for (let guess = 0; guess < noted; guess += 1) {
      log.noteRefusal({ ...refusal, credential: `plc_live_${guess}` }, '198.51.100.1');
    }
    for (let guess = 0; guess < noted; guess += 1) {
      log.noteRefusal({ ...refusal, credential: 'plc_live_abc' }, `203.0.113.${guess}`);
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

describe('verifying it', () => {
  test.each([
    [
      'an entry that was changed',
      '20',
      'UPDATE audit_log SET actor = $$x$$ WHERE network_id = 20 AND sequence = 2',
      'entry 2: was changed',
    ],
    [
      'an entry that is gone',
      '21',
      'DELETE FROM audit_log WHERE network_id = 21 AND sequence = 2',
      'entry 3: entries before it are missing',
    ],
    [
      'two entries that changed places',
      '23',
      `UPDATE audit_log SET sequence = CASE sequence WHEN 1 THEN 1002 ELSE 1001 END WHERE network_id = 23 AND sequence < 3;
       UPDATE audit_log SET sequence = sequence - 1000 WHERE network_id = 23 AND sequence > 1000`,
      'entry 1: ',
    ],
    [
      'an entry that was put in',
      '24',
      `INSERT INTO audit_log SELECT network_id, 4, at, workspace_id, actor, remote_address, action, object_kind, object_id,
       details, hash, hash FROM audit_log WHERE network_id = 24 AND sequence = 3`,
      'entry 4: was changed',
    ],
    ['all of it gone', '25', 'DELETE FROM audit_log WHERE network_id = 25', 'not where its head says'],
    [
      'the end cut off',
      '22',
      'DELETE FROM audit_log WHERE network_id = 22 AND sequence = 3',
      'not where its head says',
    ],
  ])('finds %s', async (_title, networkId, statement, problem) => {
    await record(networkId, 3);
    await tamper(statement);
    const { problems } = await verify();
    expect(problems.some((text) => text.startsWith(`network ${networkId}`) && text.includes(problem))).toBe(true);
  });

  test('of one network is checked alone: what is wrong with another one is not its matter', async () => {
    await record('32', 2);
    const check = (networkId: string) => verifyAudit(database.db, { dataDir: folder.dir, secret, networkId });
    expect(await check('32')).toMatchObject({ networks: [{ networkId: '32', entries: 2 }], problems: [] });
    await tamper("UPDATE audit_log SET actor = 'nobody' WHERE network_id = 32 AND sequence = 2");
    expect((await check('32')).problems).toEqual(['network 32, entry 2: was changed']);
    expect((await check('10')).problems).toEqual([]);
  });

  test('finds a chain that was rolled back with its head, by the head signed on disk', async () => {
    await record('30', 3);
    const writer = new AuditHeadWriter(folder.dir, { sql: database.db, secret, log: silentLog, nowMs: Date.now });
    await writer.write();
    await writer.write();
    await tamper('DELETE FROM audit_log WHERE network_id = 30 AND sequence = 3');
    await sql`UPDATE audit_heads SET sequence = 2, hash = (SELECT hash FROM audit_log WHERE network_id = 30 AND sequence = 2)
      WHERE network_id = 30`.execute(database.db);
    const { problems } = await verify();
    expect(problems.filter((text) => text.startsWith('network 30'))).toEqual([
      expect.stringMatching(/entry 3, signed at .* is gone/),
    ]);
  });

  test('signs the heads that moved within a minute, so that a cut and mended end shows even when it is young', async () => {
    const writer = new AuditHeadWriter(folder.dir, { sql: database.db, secret, log: silentLog, nowMs: Date.now });
    await record('31', 2);
    await writer.write();
    await record('31', 1);
    await writer.write();
    const [name = ''] = readdirSync(auditHeadsDir(folder.dir));
    const lines = readFileSync(join(auditHeadsDir(folder.dir), name), 'utf8')
      .trim()
      .split('\n');
    expect((JSON.parse(lines.at(-1) ?? '') as { heads: unknown[] }).heads).toMatchObject([
      { networkId: '31', sequence: '3' },
    ]);
    await tamper('DELETE FROM audit_log WHERE network_id = 31 AND sequence = 3');
    await sql`UPDATE audit_heads SET sequence = 2, hash = (SELECT hash FROM audit_log WHERE network_id = 31 AND sequence = 2)
      WHERE network_id = 31`.execute(database.db);
    // Whoever cuts it off goes on writing: the new entry is not the one that was signed.
    await record('31', 1, { action: 'campaign.archive' });
    const { problems } = await verify();
    expect(problems.filter((text) => text.startsWith('network 31'))).toEqual([
      expect.stringMatching(/entry 3: is not the one that was signed/),
    ]);
  });

  test('finds a signed head that was forged', async () => {
    const dir = auditHeadsDir(folder.dir);
    const [name = ''] = readdirSync(dir);
    const text = readFileSync(join(dir, name), 'utf8');
    writeFileSync(join(dir, name), text.replace('"sequence":"3"', '"sequence":"2"'));
    expect((await verify()).problems.some((problem) => problem.includes('the signature is wrong'))).toBe(true);
  });
});
