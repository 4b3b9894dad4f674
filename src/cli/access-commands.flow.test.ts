import { spawn } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder, type TestDatabase } from '../../test/support/stores.ts';
import { loadAuditKey } from '../access/audit/audit-key.ts';
import { findInvitation } from '../access/users/invitations.sql.ts';
import { verifyPassword } from '../access/secrets/password.ts';
import { confirmSecondFactor, hasSecondFactor, startSecondFactor } from '../access/sign-in/second-factor.sql.ts';
import { createSession, listSessions } from '../access/permissions/sessions.sql.ts';
import { createUser, findAccount } from '../access/users/users.sql.ts';
import { loadSecrets } from '../storage/secrets.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const folder = createTestFolder();
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  // This folder is the installation's: commands sign here while nothing runs.
  loadAuditKey(folder.dir);
  await database.db.insertInto('networks').values({ id: 1000, name: 'Demo' }).execute();
  for (const environment of ['production', 'staging'] as const) {
    await database.db.insertInto('workspaces').values({ network_id: 1000, environment }).execute();
  }
});

afterAll(async () => {
  await database.close();
  folder.remove();
});

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(...args: string[]): Promise<Ran> {
  const env = {
    ...process.env,
    PLACARD_DATA: folder.dir,
    PLACARD_POSTGRES_URL: database.url,
    PLACARD_LOG_FORMAT: 'json',
  };
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve) => {
    child.once('close', (code) =>
      resolve({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }),
    );
  });
}

const json = <T>(ran: Ran): T => JSON.parse(ran.out) as T;

describe('placard networks', () => {
  test('network creation creates both workspaces and writes both audit logs; ids count up', async () => {
    const first = json<{ id: string }>(
      await run('networks', 'create', '--name', 'Second', '--timezone', 'Europe/Warsaw', '--currency', 'PLN', '--json'),
    );
    const second = json<{ id: string }>(await run('networks', 'create', '--name', 'Third', '--json'));
    expect([first.id, second.id]).toEqual(['1001', '1002']);
    const workspaces = await database.db
      .selectFrom('workspaces')
      .select('environment')
      .where('network_id', '=', 1001n)
      .orderBy('environment')
      .execute();
    expect(workspaces).toEqual([{ environment: 'production' }, { environment: 'staging' }]);
    for (const network of ['0', '1001']) {
      const listed = await run('audit', 'list', '-n', network, '--action', 'network.create');
      expect(listed.out).toContain('network 1001');
    }
    expect((await run('networks', 'list')).out).toMatch(/1001 +Second +ACTIVE +Europe\/Warsaw +PLN/);
  });

  test.each([
    ['an id that is taken', ['--name', 'x', '--id', '1000'], 'there is a network 1000 already'],
    ['an id that is none', ['--name', 'x', '--id', '0'], 'id: '],
    ['no name', ['--name', ' '], 'name: '],
    ['an unknown time zone', ['--name', 'x', '--timezone', 'Mars/Base'], 'timezone: '],
    ['an unknown currency', ['--name', 'x', '--currency', 'eur'], 'currency: '],
  ])('create with %s fails, says why, and leaves nothing behind', async (_title, args, words) => {
    const count = () => database.db.selectFrom('networks').select('id').execute();
    const before = await count();
    const ran = await run('networks', 'create', ...args);
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining(words)]);
    expect(await count()).toEqual(before);
  });
});

describe('placard rates', () => {
  test('rates are set from a day on, listed, and removed', async () => {
    const set = await run('rates', 'set', 'usd', '0.92', '-n', '1000', '--from', '2026-11-01', '--json');
    const rate = { currency: 'USD', rate: '0.92', from: '2026-11-01' };
    expect(json(set)).toEqual({
      networkId: '1000',
      from: '2026-11-01',
      currency: 'EUR',
      timezone: 'UTC',
      rates: [rate],
    });
    const today = json<{ rates: { from: string }[] }>(await run('rates', 'set', 'USD', '0.93', '-n', '1000', '--json'));
    expect(today.rates[1]?.from).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect((await run('rates', 'list', '-n', '1000')).out).toMatch(/USD +2026-11-01 +0\.92 EUR/);
    expect((await run('rates', 'remove', 'USD', '-n', '1000')).code).toBe(0);
    const wrong = await run('rates', 'set', 'EUR', '1', '-n', '1000');
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('currency: ')]);
    expect(json<{ rates: object[] }>(await run('rates', 'list', '-n', '1000', '--json')).rates).toEqual([]);
  });
});

describe('placard keys', () => {
  test('the keys command creates, lists, rotates and revokes keys, and prints each value once', async () => {
    const wish = [
      '--network',
      '1000',
      '--environment',
      'staging',
      '--name',
      'CI',
      '--modules',
      'DELIVERY,REPORTS',
      '--expires',
      '90d',
    ];
    const created = json<{ id: string; value: string }>(await run('keys', 'create', ...wish, '--json'));
    expect(created.value).toMatch(/^plc_test_[0-9A-Za-z]{42}$/);
    const listed = await run('keys', 'list', '--network', '1000', '-e', 'staging');
    expect(listed.out).toContain(`${created.value.slice(0, 12)}…${created.value.slice(-4)}`);
    expect(listed.out).not.toContain(created.value);
    const rotated = json<{ id: string }>(
      await run('keys', 'rotate', created.id, '-n', '1000', '-e', 'staging', '--json'),
    );
    expect(rotated.id).not.toBe(created.id);
    expect((await run('keys', 'revoke', rotated.id, '-n', '1000', '-e', 'staging')).out).toContain('is revoked');
    const active = json<{ id: string }[]>(await run('keys', 'list', '-n', '1000', '-e', 'staging', '--json'));
    expect(active.map((key) => key.id)).toEqual([created.id]);
  });

  test.each([
    ['an unknown network', ['-n', '4711', '--name', 'x'], 1, 'no network 4711'],
    ['no network', ['--name', 'x'], 2, '--network'],
    ['an unknown permission', ['-n', '1000', '--name', 'x', '--permission', 'root'], 2, 'read-only'],
    ['an unknown module', ['-n', '1000', '--name', 'x', '--modules', 'ADS'], 1, 'modules'],
    ['an expiry that is none', ['-n', '1000', '--name', 'x', '--expires', 'soon'], 2, '90d'],
  ])('create with %s fails and says why', async (_title, args, code, words) => {
    const ran = await run('keys', 'create', ...args);
    expect(ran.code).toBe(code);
    expect(ran.err).toContain(words);
    expect(ran.out).toBe('');
  });
});

describe('placard credentials', () => {
  test('the credentials command creates, lists and disables header credentials', async () => {
    const made = json<{ id: string; login: string; token: string }>(
      await run('credentials', 'create', '-n', '1000', '--name', 'BI', '--login', 'bi-team', '--json'),
    );
    expect(made).toMatchObject({ login: 'bi-team' });
    expect((await run('credentials', 'create', '-n', '1000', '--name', 'BI', '--login', 'bi-team')).err).toContain(
      'taken',
    );
    expect((await run('credentials', 'disable', made.id, '-n', '1000')).code).toBe(0);
    expect((await run('credentials', 'list', '-n', '1000', '--json')).out.trim()).toBe('[]');
    const all = await run('credentials', 'list', '-n', '1000', '--all');
    expect(all.out).toContain('bi-team');
    expect(all.out).not.toContain(made.token);
  });
});

describe('placard users', () => {
  test('the users command creates accounts with a password from a file, or with a one-time link', async () => {
    const passwordFile = join(folder.dir, 'password');
    writeFileSync(passwordFile, 'correct horse battery\n');
    const wish = ['--email', 'Op@Example.com', '--name', 'Op', '--operator', '--password-file', passwordFile];
    expect((await run('users', 'create', ...wish)).code).toBe(0);
    const account = await findAccount(database.db, 'op@example.com');
    expect(account?.operator).toBe(true);
    expect(await verifyPassword('correct horse battery', account?.passwordHash ?? null)).toBe(true);
    const invited = await run(
      'users',
      'create',
      '--email',
      'a@example.com',
      '--name',
      'A',
      '-n',
      '1000',
      '--role',
      'admin',
    );
    expect(invited.out).toMatch(/https:\/\/localhost:8443\/reset-password#[0-9A-Za-z]{43}/);
    expect((await run('users', 'role', account?.id ?? '', '-n', '1000', '--role', 'viewer')).code).toBe(0);
    expect((await run('users', 'disable', account?.id ?? '')).code).toBe(0);
    expect((await run('users', 'list')).out).toContain('op@example.com');
  });
});

describe('placard users invite', () => {
  test('the invite command prints the link; a new link of the same invitation replaces it', async () => {
    const wish = ['--email', 'ivy@example.com', '-n', '1000', '--role', 'viewer'];
    const invited = await run('users', 'invite', ...wish);
    const [, id, link] =
      /Invitation (\d+)\..*(https:\/\/localhost:8443\/invitation#[0-9A-Za-z]{43})/.exec(invited.out) ?? [];
    const renewed = await run('users', 'invitation-link', id ?? '');
    expect(renewed.out).toMatch(/\/invitation#[0-9A-Za-z]{43}/);
    expect(renewed.out.trim()).not.toBe(link);
    const deps = { sql: database.db, pepper: loadSecrets(folder.dir).pepper };
    const tokenOf = (address: string): string => address.trim().split('#')[1] ?? '';
    expect(await findInvitation(deps, tokenOf(link ?? ''), new Date())).toBeNull();
    expect(await findInvitation(deps, tokenOf(renewed.out), new Date())).toMatchObject({ email: 'ivy@example.com' });
    expect((await run('users', 'invitation-link', '999999')).err).toContain('is no longer open');
  });
});

describe('placard users reset-second-factor', () => {
  test('a second-factor reset removes the factor and its codes, ends the sessions, and is in the audit log', async () => {
    const by = { actor: 'test', remoteAddress: '', networkId: '0', workspaceId: null };
    const { id } = await createUser(database.db, { email: 'lost@example.com', name: 'Lost', by });
    expect((await run('users', 'reset-second-factor', id)).err).toContain('has no second factor');
    const deps = { sql: database.db, pepper: loadSecrets(folder.dir).pepper };
    const { secret } = await startSecondFactor(deps, { id, email: 'lost@example.com' }, new Date());
    const code = new TOTP({ secret }).generate();
    await confirmSecondFactor(deps, { userId: id, code, by }, new Date());
    await createSession(
      database.db,
      deps.pepper,
      { userId: id, userAgent: '', remoteAddress: '', method: 'password', networkId: null },
      new Date(),
    );
    expect((await run('users', 'reset-second-factor', id)).code).toBe(0);
    expect(await hasSecondFactor(deps, id)).toBe(false);
    expect(await listSessions(database.db, { userId: id }, new Date())).toEqual([]);
    expect((await run('audit', 'list', '--action', 'user.secondFactorOff')).out).toContain(`user ${id}`);
    expect((await run('users', 'reset-second-factor', '999999')).err).toContain('no such user');
  });
});

describe('placard audit', () => {
  test('lists what was done, and notices when an entry was changed', async () => {
    const listed = await run('audit', 'list', '-n', '1000', '--action', 'apiKey.create');
    expect(listed.out).toContain('operator:');
    const good = await run('audit', 'verify');
    expect(good).toMatchObject({ code: 0, out: expect.stringContaining('nothing was changed') });
    const copy = join(folder.dir, 'copy-of-heads');
    cpSync(join(folder.dir, 'audit', 'heads'), copy, { recursive: true });
    expect((await run('audit', 'verify', '--heads', copy)).out).toMatch(
      /[1-9]\d* lines of the copy: nothing was changed/,
    );
    await sql`ALTER TABLE audit_log DISABLE TRIGGER USER`.execute(database.owner);
    await sql`UPDATE audit_log SET actor = 'nobody' WHERE network_id = 1000 AND sequence = 1`.execute(database.owner);
    const bad = await run('audit', 'verify');
    expect(bad.code).toBe(1);
    expect(bad.out).toContain('network 1000, entry 1: was changed');
    rmSync(join(folder.dir, 'audit', 'heads'), { recursive: true });
    const missing = await run('audit', 'verify', '--heads', copy);
    expect(missing.code).toBe(1);
    expect(missing.out).toContain('is missing from the heads of the data folder');
  });
});

describe('placard limits', () => {
  interface Shown {
    readonly environment: string;
    readonly limit: string;
    readonly ceiling: number;
    readonly effective: number;
    readonly used: number | null;
  }

  test('set changes a ceiling, show shows it, reset restarts a count, and the audit log of the network names the operator', async () => {
    const set = json<{ after: number }>(await run('limits', 'set', '1000', 'events', '500', '--json'));
    expect(set.after).toBe(500);
    const shown = json<Shown[]>(await run('limits', 'show', '1000', '--json'));
    expect(shown.find((one) => one.environment === 'production' && one.limit === 'events')).toMatchObject({
      ceiling: 500,
      effective: 500,
      used: 0,
    });
    const reset = json<{ used: number }>(await run('limits', 'reset', 'events', '-n', '1000', '--json'));
    expect(reset.used).toBe(0);
    const audit = await run('audit', 'list', '-n', '1000');
    expect(audit.out).toMatch(/operator:.*limits\.reset/);
    expect(audit.out).toMatch(/operator:.*limits\.set/);
  });

  test.each([
    ['an unknown network', ['set', '99', 'events', '5'], 'There is no network 99'],
    ['a ceiling of 0', ['set', '1000', 'events', '0'], 'units: '],
    ['a limit per second', ['reset', 'ads', '-n', '1000'], 'ads'],
  ])('limits commands refuse %s', async (_title, args, said) => {
    const ran = await run('limits', ...args);
    expect(ran.code).not.toBe(0);
    expect(ran.err).toContain(said);
  });
});
