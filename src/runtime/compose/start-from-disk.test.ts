import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestFolder } from '../../../test/support/stores.ts';
import { readSettings } from '../../config/settings.ts';
import { writeSnapshotFile } from '../../delivery/snapshot/snapshot-file.ts';
import { prepareTls } from '../../http/tls/tls.ts';
import { loadSecrets } from '../../storage/secrets.ts';
import type { Endpoints } from '../supervisor/part.ts';
import { readProgramMark } from './program-mark.ts';
import { canStartFromDisk } from './start-from-disk.ts';
import { tlsSettings } from './tls-settings.ts';

const DAY_MS = 86_400_000;
const endpoints: Endpoints = {
  bind: '127.0.0.1',
  corePort: 8443,
  deliveryPort: 8444,
  sqlPort: null,
  corePublicUrl: 'https://core.example:8443',
  deliveryPublicUrl: 'https://ads.example:8444',
  postgresUrl: '',
  postgresOwnerUrl: null,
  clickhouseUrl: '',
  redisUrl: null,
};
let folder: ReturnType<typeof createTestFolder>;
const settings = () => readSettings({ PLACARD_DATA: folder.dir, PLACARD_TLS: 'self' });
const certify = (nowMs: number, at = endpoints) => prepareTls(tlsSettings(settings(), at), folder.dir, { nowMs });

/** The data folder as an earlier run leaves it. */
beforeEach(async () => {
  folder = createTestFolder();
  await writeSnapshotFile(join(folder.dir, 'snapshot'), [], readProgramMark());
  loadSecrets(folder.dir);
  await certify(Date.now());
});
afterEach(() => folder.remove());

test('workers start from the disk that an earlier run of the same program left', async () => {
  expect(await canStartFromDisk(settings(), endpoints)).toBe(true);
});

test.each(['0.0.1/0001-networks-and-booking', undefined])(
  'the core starts first after a change of program from %s',
  async (program) => {
    await writeSnapshotFile(join(folder.dir, 'snapshot'), [], program);
    expect(await canStartFromDisk(settings(), endpoints)).toBe(false);
  },
);

test('the core starts first without a snapshot', async () => {
  rmSync(join(folder.dir, 'snapshot'), { recursive: true });
  expect(await canStartFromDisk(settings(), endpoints)).toBe(false);
});

test('the core starts first when any secret is missing', async () => {
  const names = readdirSync(join(folder.dir, 'secrets'));
  expect(names.length).toBeGreaterThanOrEqual(3);
  for (const name of names) {
    rmSync(join(folder.dir, 'secrets', name));
    expect(await canStartFromDisk(settings(), endpoints), name).toBe(false);
    loadSecrets(folder.dir);
  }
});

test('the core starts first when the certificate ends soon or names other hosts', async () => {
  expect(await canStartFromDisk(settings(), { ...endpoints, deliveryPublicUrl: 'https://new.example' })).toBe(false);
  rmSync(join(folder.dir, 'tls'), { recursive: true });
  await certify(Date.now() - 380 * DAY_MS);
  expect(await canStartFromDisk(settings(), endpoints)).toBe(false);
});
