import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { createTestFolder } from '../../../test/support/stores.ts';
import { readSettings } from '../../config/settings.ts';
import { loadSecrets } from '../../storage/secrets.ts';
import { acquireDataLock } from './data-lock.ts';
import { type CannotStartError, checkBeforeStart } from './preflight.ts';

const folder = createTestFolder();
afterAll(() => folder.remove());

let leftoversEnded = 0;

async function problemsOf(environment: Record<string, string>, nowMs = Date.now()): Promise<readonly string[]> {
  const given = { PLACARD_BIND: '127.0.0.1', PLACARD_CORE_PORT: '0', PLACARD_DELIVERY_PORT: '0', ...environment };
  const settings = readSettings(given);
  const endLeftovers = async (): Promise<void> => void (leftoversEnded += 1);
  return checkBeforeStart({ settings, role: 'all', nowMs, endLeftovers }).then(
    (lock) => {
      lock.release();
      return [];
    },
    (error: unknown) => (error as CannotStartError).problems,
  );
}

test('a start accepts an empty machine and makes the data folder', async () => {
  expect(await problemsOf({ PLACARD_DATA: `${folder.dir}/new` })).toEqual([]);
});

test('a start reports a taken port, a file in place of the data folder and a wrong clock together', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  writeFileSync(`${folder.dir}/file`, '');
  const problems = await problemsOf({ PLACARD_DATA: `${folder.dir}/file`, PLACARD_CORE_PORT: String(port) }, 0);
  expect(problems).toEqual([
    expect.stringContaining(`The data folder ${folder.dir}/file cannot be made`),
    expect.stringContaining('The clock of this machine says 1970-01-01'),
    expect.stringContaining(
      `Port ${port} cannot be used: another program listens on it. Free it, or set PLACARD_CORE_PORT`,
    ),
  ]);
  other.close();
});

test('a start refuses the data folder of a running instance', async () => {
  const lock = acquireDataLock(folder.dir);
  try {
    expect(await problemsOf({ PLACARD_DATA: folder.dir })).toEqual([
      expect.stringContaining(`in use by a running placard (process ${process.pid})`),
    ]);
  } finally {
    lock.release();
  }
});

test('a start names the secrets that are missing beside events, and makes none', async () => {
  const dataDir = `${folder.dir}/without-secrets`;
  mkdirSync(`${dataDir}/spool/w0`, { recursive: true });
  // As a volume that was mounted before the first start.
  expect(await problemsOf({ PLACARD_DATA: dataDir })).toEqual([]);
  writeFileSync(`${dataDir}/spool/w0/1.open`, '');
  expect(await problemsOf({ PLACARD_DATA: dataDir })).toEqual([
    expect.stringContaining('not secrets/link-keys, secrets/pepper, secrets/user-hash: put the files back'),
  ]);
  expect(existsSync(`${dataDir}/secrets`)).toBe(false);
  loadSecrets(dataDir);
  expect(await problemsOf({ PLACARD_DATA: dataDir })).toEqual([]);
});

test('a start that is refused leaves the workers of a killed one running', async () => {
  const before = leftoversEnded;
  expect(await problemsOf({ PLACARD_DATA: folder.dir }, 0)).toEqual([expect.stringContaining('The clock')]);
  expect(leftoversEnded).toBe(before);
  expect(await problemsOf({ PLACARD_DATA: folder.dir })).toEqual([]);
  expect(leftoversEnded).toBe(before + 1);
});
