import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder, silentLog, type TestDatabase } from '../../../test/support/stores.ts';
import { recordAudit } from './audit.sql.ts';
import { GENESIS_HASH, hashAuditRecord } from './audit-chain.ts';
import { auditHeadsDir } from './audit-head-files.ts';
import { parseHeadLine, signHeadLine, sha256 } from './audit-head-line.ts';
import { AuditHeadWriter } from './audit-heads.ts';
import { loadAuditKey, loadAuditVerifyKeys } from './audit-key.ts';
import { type AuditVerification, verifyAudit } from './audit-verify.ts';

const START_MS = Date.parse('2026-03-01T12:00:00Z');
const MINUTE_MS = 60_000;
let folder: ReturnType<typeof createTestFolder>;
let database: TestDatabase;
let nowMs = START_MS;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  folder = createTestFolder();
  nowMs = START_MS;
  await tamper('TRUNCATE audit_log, audit_heads, audit_head_lines');
});
afterEach(() => folder.remove());

async function record(count: number, networkId = '7'): Promise<void> {
  const by = { actor: 'user:7 ann@example.com', remoteAddress: '192.0.2.1', networkId, workspaceId: 1 };
  for (let done = 0; done < count; done += 1) {
    const entry = { by, action: 'campaign.update', objectKind: 'campaign', objectId: '5', after: { name: 'b' } };
    await database.db.transaction().execute((trx) => recordAudit(trx, entry, new Date(nowMs)));
  }
}

const newWriter = (dataDir = folder.dir) =>
  new AuditHeadWriter(dataDir, { sql: database.db, key: loadAuditKey(dataDir), log: silentLog, nowMs: () => nowMs });

/** Four entries in each of `rounds` rounds, each of which is signed. */
async function signRounds(rounds: number, writer = newWriter()): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await record(4);
    await writer.run();
    nowMs += MINUTE_MS;
  }
}

async function verify(more: { copy?: string; dataDir?: string } = {}): Promise<AuditVerification> {
  const options = { dataDir: folder.dir, keys: loadAuditVerifyKeys(folder.dir), nowMs, ...more };
  return verifyAudit(database.db, options);
}

const problemsOf = async (copy?: string) => (await verify(copy === undefined ? {} : { copy })).problems.join('\n');

/** Does what only the owner of the database could: the triggers are off for the statements. */
async function tamper(statement: string): Promise<void> {
  const tables = ['audit_log', 'audit_heads', 'audit_head_lines'];
  const switchTriggers = (to: string) => tables.map((table) => `ALTER TABLE ${table} ${to} TRIGGER USER;`).join('');
  await sql.raw(`${switchTriggers('DISABLE')}${statement};${switchTriggers('ENABLE')}`).execute(database.owner);
}

/** Rewrites actors and actions from an entry on and recomputes every hash, including that of the head. */
async function rewriteFrom(sequence: number): Promise<void> {
  const { readAuditForward } = await import('./audit.sql.ts');
  let previous = GENESIS_HASH;
  for (const entry of await readAuditForward(database.db, '7', 0n, 1_000)) {
    const { exactAt: _exact, ...record } = entry;
    const changed = entry.sequence < sequence ? record : { ...record, actor: 'user:8 bob@example.com' };
    const hash = hashAuditRecord(previous, changed);
    const bytes = (value: Buffer) => `'\\x${value.toString('hex')}'`;
    await tamper(
      `UPDATE audit_log SET actor = '${changed.actor}', previous_hash = ${bytes(previous)}, hash = ${bytes(hash)}
       WHERE sequence = ${entry.sequence}; UPDATE audit_heads SET hash = ${bytes(hash)}`,
    );
    previous = hash;
  }
}

const dir = () => auditHeadsDir(folder.dir);
const dayFile = () => join(dir(), readdirSync(dir()).sort()[0] ?? '');
const readLines = (path = dayFile()) => readFileSync(path, 'utf8').trimEnd().split('\n');
const writeLines = (lines: readonly string[], path = dayFile()) =>
  writeFileSync(path, lines.map((one) => `${one}\n`).join(''));

function storeCopy(): string {
  const copy = join(folder.dir, 'copy');
  cpSync(dir(), copy, { recursive: true });
  return copy;
}

describe('a log that nobody touched', () => {
  test('an untouched log verifies with its entries, heads and copy', async () => {
    await signRounds(3);
    const copy = storeCopy();
    await signRounds(1);
    expect(await verify({ copy })).toMatchObject({ problems: [], signedHeads: 7, copiedLines: 3, uncoveredEntries: 0 });
  });

  test('a log verifies across days, restarts and a partial copy', async () => {
    await signRounds(2);
    nowMs += 86_400_000;
    await signRounds(2, newWriter());
    await newWriter().run();
    expect(readdirSync(dir())).toHaveLength(2);
    const copy = join(folder.dir, 'part.ndjson');
    cpSync(join(dir(), '2026-03-02.ndjson'), copy);
    expect(await verify({ copy })).toMatchObject({ problems: [], copiedLines: 2 });
  });

  test('the process signs only moved heads, and all heads once a day', async () => {
    await record(1, '8');
    await signRounds(2);
    await newWriter().run();
    expect(readLines().map((line) => parseHeadLine(line)?.heads.map((head) => head.networkId))).toEqual([
      ['7', '8'],
      ['7'],
    ]);
  });

  test('a log verifies while no head covers the entries of the last five minutes, and fails for older ones', async () => {
    await signRounds(1);
    await record(2);
    nowMs += 4 * MINUTE_MS;
    expect(await verify()).toMatchObject({ problems: [], uncoveredEntries: 2 });
    nowMs += 2 * MINUTE_MS;
    expect(await problemsOf()).toContain('network 7: 2 entries above 4 are covered by no signed head');
  });

  test('the process completes its files from the database after a crash between the two', async () => {
    await signRounds(3);
    writeLines([...readLines().slice(0, 2), '{"version":2,"nu']);
    expect(await problemsOf()).toContain('line 3 of the database is missing from the files');
    await signRounds(1, newWriter());
    writeLines(readLines().filter((line) => line !== '{"version":2,"nu'));
    expect(await problemsOf()).toBe('');
  });
});

describe('the check of the audit log', () => {
  const changed = 'UPDATE audit_log SET actor = $$x$$ WHERE sequence = 2';
  const inserted = `INSERT INTO audit_log SELECT network_id, 9, at, workspace_id, actor, remote_address, action, object_kind,
    object_id, details, hash, hash FROM audit_log WHERE sequence = 8`;
  const swapped = `UPDATE audit_log SET sequence = CASE sequence WHEN 1 THEN 1002 ELSE 1001 END WHERE sequence < 3;
    UPDATE audit_log SET sequence = sequence - 1000 WHERE sequence > 1000`;
  test.each([
    ['an entry that was changed', changed, 'entry 2: was changed'],
    ['an entry that is gone', 'DELETE FROM audit_log WHERE sequence = 2', 'entry 3: entries before it are missing'],
    ['two entries that were swapped', swapped, 'entry 1: '],
    ['an entry that was put in', inserted, 'entry 9: was changed'],
    ['all of it gone', 'DELETE FROM audit_log', 'not where its head says'],
    ['the end cut off', 'DELETE FROM audit_log WHERE sequence = 8', 'entry 8, signed at'],
    [
      'an instant moved by a microsecond',
      "UPDATE audit_log SET at = at + interval '1 us' WHERE sequence = 2",
      'entry 2: was changed',
    ],
    [
      'an instant moved back by a microsecond',
      "UPDATE audit_log SET at = at - interval '1 us' WHERE sequence = 2",
      'entry 2: was changed',
    ],
    [
      'an instant of another era',
      "UPDATE audit_log SET at = '2026-03-01 12:00 BC' WHERE sequence = 2",
      'entry 2: was changed',
    ],
    ['an instant without end', "UPDATE audit_log SET at = 'infinity' WHERE sequence = 2", 'entry 2: was changed'],
    [
      'a line of heads gone from the database',
      'DELETE FROM audit_head_lines WHERE number = 1',
      '1 lines of the files are missing',
    ],
    ['a line of heads changed in the database', "UPDATE audit_head_lines SET line = line || ' '", 'line 1 differs'],
  ])('verification finds %s', async (_title, statement, problem) => {
    await signRounds(2);
    await tamper(statement);
    expect(await problemsOf()).toContain(problem);
  });

  test('verification of one network leaves out problems of another', async () => {
    await record(2, '8');
    await signRounds(1);
    await tamper("UPDATE audit_log SET actor = 'nobody' WHERE network_id = 8 AND sequence = 2");
    const check = async (networkId: string) =>
      (await verifyAudit(database.db, { dataDir: folder.dir, keys: loadAuditVerifyKeys(folder.dir), nowMs, networkId }))
        .problems;
    expect(await check('7')).toEqual([]);
    expect(await check('8')).toEqual(['network 8, entry 2: was changed']);
  });

  test('verification finds rewritten entries with new hashes by their signed heads', async () => {
    await signRounds(3);
    await rewriteFrom(9);
    expect(await problemsOf()).toMatch(/^network 7, entry 12: is not the one that was signed at/);
  });

  test('verification finds rewritten entries when the head lines that named them are gone from the files', async () => {
    await signRounds(3);
    await rewriteFrom(9);
    writeLines(readLines().slice(0, 2));
    expect(await problemsOf()).toContain('line 3 of the database is missing from the files');
  });

  test('verification finds rewritten entries when the head lines are gone from the files and from the database', async () => {
    await signRounds(3);
    await rewriteFrom(9);
    writeLines(readLines().slice(0, 2));
    await tamper('DELETE FROM audit_head_lines WHERE number = 3');
    nowMs += 5 * MINUTE_MS;
    expect(await problemsOf()).toContain('4 entries above 8 are covered by no signed head');
  });

  test('verification finds rewritten entries when all heads are deleted everywhere', async () => {
    await signRounds(3);
    await rewriteFrom(1);
    rmSync(dir(), { recursive: true });
    expect(await problemsOf()).toContain('line 1 of the database is missing from the files');
    await tamper('DELETE FROM audit_head_lines');
    nowMs += 5 * MINUTE_MS;
    expect(await problemsOf()).toBe(
      'network 7: 12 entries above 0 are covered by no signed head: heads are missing, or the core has not run since',
    );
  });

  test('verification finds rewritten entries with future instants', async () => {
    await signRounds(1);
    nowMs += 60 * MINUTE_MS;
    await record(1);
    nowMs -= 60 * MINUTE_MS;
    expect(await problemsOf()).toContain('bear an instant that lies ahead');
  });

  test.each([
    ['a line in the middle is missing', (lines: string[]) => lines.toSpliced(1, 1), 'has number 3 where 2 should be'],
    ['the first line is missing', (lines: string[]) => lines.slice(1), 'has number 2 where 1 should be'],
    ['two lines were swapped', ([a, b, c]: string[]) => [b, a, c].map(String), 'has number 2 where 1 should be'],
    [
      'a head was altered',
      (lines: string[]) => lines.map((one) => one.replace('"sequence":"8"', '"sequence":"4"')),
      'signature is wrong',
    ],
    [
      'something unsigned was added',
      (lines: string[]) => lines.map((one) => `{"note":1,${one.slice(1)}`),
      'signature is wrong',
    ],
    ['a line was repeated', (lines: string[]) => [...lines, String(lines[2])], 'has number 3 where 4 should be'],
  ])('verification finds that in the files of heads %s', async (_title, change, problem) => {
    await signRounds(3);
    writeLines(change(readLines()));
    expect(await problemsOf()).toContain(problem);
  });

  test('numbering continues after a cut with a number that leaves a gap', async () => {
    const writer = newWriter();
    await signRounds(3, writer);
    writeLines(readLines().slice(0, 1));
    await tamper('DELETE FROM audit_head_lines WHERE number > 1');
    await signRounds(1, writer);
    expect(await problemsOf()).toContain('has number 4 where 2 should be');
  });
});

describe('heads that were replaced', () => {
  test('verification finds a whole chain of another key with the key of this folder', async () => {
    await signRounds(3);
    await rewriteFrom(1);
    const { privateKey } = generateKeyPairSync('ed25519');
    const [stored] = (
      await sql<{ hash: string }>`SELECT encode(hash, 'hex') AS hash FROM audit_heads`.execute(database.db)
    ).rows;
    const line = {
      version: 2,
      number: 1,
      at: new Date(nowMs).toISOString(),
      previous: sha256(''),
      heads: [{ networkId: '7', sequence: '12', hash: stored?.hash ?? '' }],
    } as const;
    const text = signHeadLine(privateKey, line);
    writeLines([text]);
    await tamper(`DELETE FROM audit_head_lines; INSERT INTO audit_head_lines VALUES (1, '${text}')`);
    expect(await problemsOf()).toContain('the signature is wrong');
    // When the key is replaced as well, copies of the heads or of the public key from elsewhere show it.
    const replaced = { publicKey: createPublicKey(privateKey), legacySecret: null };
    const fooled = await verifyAudit(database.db, { dataDir: folder.dir, keys: replaced, nowMs });
    expect(fooled.problems).toEqual([]);
  });

  test('the copy kept elsewhere reveals heads signed with the stolen key', async () => {
    await signRounds(3);
    const copy = storeCopy();
    await rewriteFrom(1);
    rmSync(dir(), { recursive: true });
    await tamper('DELETE FROM audit_head_lines');
    await newWriter().run();
    expect(await problemsOf()).toBe('');
    const found = await problemsOf(copy);
    expect(found).toContain(
      'copy: line 1, signed at 2026-03-01T12:00:00.000Z, differs from that of the heads of the data folder',
    );
    expect(found).toContain(
      'copy: line 3, signed at 2026-03-01T12:02:00.000Z, is missing from the heads of the data folder',
    );
    expect(found).toContain('entry 4: is not the one that was signed at 2026-03-01T12:00:00.000Z');
  });

  test('the copy reveals heads that were cut together with the log', async () => {
    await signRounds(3);
    const copy = storeCopy();
    await tamper(`DELETE FROM audit_log WHERE sequence > 8; DELETE FROM audit_head_lines WHERE number = 3;
      UPDATE audit_heads SET sequence = 8, hash = (SELECT hash FROM audit_log WHERE sequence = 8)`);
    writeLines(readLines().slice(0, 2));
    expect(await problemsOf()).toBe('');
    expect(await problemsOf(copy)).toMatch(
      /copy: line 3, .* is missing[\s\S]*network 7: entry 12, signed at .*, is gone/,
    );
  });

  test.each([
    ['is empty', (copy: string) => rmSync(copy, { recursive: true }), 'holds no signed head'],
    [
      'has its days swapped',
      (copy: string) => {
        renameSync(join(copy, '2026-03-01.ndjson'), join(copy, '2026-03-03.ndjson'));
      },
      'lines are missing or out of order',
    ],
    [
      'lacks a line',
      (copy: string) => {
        const path = join(copy, '2026-03-01.ndjson');
        writeLines(readLines(path).toSpliced(1, 1), path);
      },
      'copy: 2026-03-01.ndjson, line 2: has number 3 where 2 should be',
    ],
  ])('a copy that %s proves nothing', async (_title, spoil, problem) => {
    await signRounds(3);
    nowMs = START_MS + 86_400_000;
    await signRounds(2);
    const copy = storeCopy();
    spoil(copy);
    expect(await problemsOf(copy)).toContain(problem);
  });

  test('a copy of another installation proves nothing', async () => {
    await signRounds(1);
    const other = createTestFolder();
    await tamper('DELETE FROM audit_head_lines');
    await newWriter(other.dir).run();
    await tamper('DELETE FROM audit_head_lines');
    expect(await problemsOf(auditHeadsDir(other.dir))).toContain(
      'copy: 2026-03-01.ndjson, line 1: the signature is wrong',
    );
    other.remove();
  });
});

describe('heads that older versions signed', () => {
  const secret = Buffer.alloc(32, 7);

  async function writeLegacy(rounds: number): Promise<void> {
    mkdirSync(dir(), { recursive: true });
    mkdirSync(join(folder.dir, 'secrets'), { recursive: true });
    writeFileSync(join(folder.dir, 'secrets', 'audit'), `${secret.toString('hex')}\n`);
    const lines: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await record(4);
      const { rows } = await sql<{ sequence: string; hash: string }>`
        SELECT sequence::text, encode(hash, 'hex') AS hash FROM audit_heads`.execute(database.db);
      const heads = rows.map((row) => ({ networkId: '7', ...row }));
      const at = new Date(nowMs).toISOString();
      const text = JSON.stringify([at, heads.map(({ networkId, sequence, hash }) => [networkId, sequence, hash])]);
      lines.push(JSON.stringify({ at, heads, signature: createHmac('sha256', secret).update(text).digest('hex') }));
    }
    writeFileSync(join(dir(), '2026-03-01.ndjson'), lines.map((one) => `${one}\n`).join(''));
  }

  test('entries from before the chain stay verifiable, alone and before the new chain', async () => {
    await writeLegacy(2);
    expect(await verify()).toMatchObject({ problems: [], signedHeads: 2, uncoveredEntries: 0 });
    await signRounds(2);
    expect(await verify()).toMatchObject({ problems: [], signedHeads: 4 });
    await tamper("UPDATE audit_log SET actor = 'nobody' WHERE sequence = 2");
    expect(await problemsOf()).toContain('entry 2: was changed');
  });

  test('old heads can no longer be dropped or changed once the new chain has begun', async () => {
    await writeLegacy(2);
    await signRounds(2);
    const lines = readLines();
    writeLines(lines.toSpliced(1, 1));
    expect(await problemsOf()).toContain('lines of older versions before it were changed or are missing');
    writeLines(lines.map((line, index) => (index === 0 ? line.replace('"sequence":"4"', '"sequence":"3"') : line)));
    expect(await problemsOf()).toContain('line 1: the signature is wrong');
    writeLines([...lines.slice(1), String(lines[0])]);
    expect(await problemsOf()).toContain('a line of an older version stands behind newer ones');
  });
});

test('a log to which entries and heads come while it is checked is found whole', async () => {
  const writer = newWriter();
  await signRounds(1, writer);
  let isChecked = false;
  const writing = (async () => {
    for (let round = 0; round <= 20 || !isChecked; round += 1) {
      await record(3);
      // Two of the looks at most find lines that are being signed.
      if (round === 10 || round === 20) await writer.run();
    }
  })();
  const found: string[] = [];
  try {
    for (let checks = 0; checks < 6; checks += 1) found.push(...(await verify()).problems);
  } finally {
    isChecked = true;
    await writing;
  }
  expect(found).toEqual([]);
});
