import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BackupWriter, copyBack, verifyFiles } from './backup-files.ts';
import { type Manifest, parseManifest, readManifest, renderManifest, requireFits, requireStores } from './manifest.ts';
import { checkMac, openWithPassphrase, Passphrase, sealWithPassphrase, writeMac } from './seal.ts';

const PASSPHRASE = new Passphrase('correct horse battery', 1_024);
const ANOTHER = new Passphrase('correct horse batterx', 1_024);
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'backup-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const manifestOf = (changes: Partial<Manifest> = {}): Manifest => ({
  format: 3,
  parts: ['postgres'],
  version: '1.4.2',
  platform: 'linux-x64',
  migration: '0001',
  cutAt: '2026-03-01T10:00:00.000Z',
  finishedAt: '2026-03-01T10:01:00.000Z',
  nodes: [],
  folders: [],
  files: [],
  ...changes,
});

describe('seal', () => {
  test('only the passphrase opens sealed bytes, and a changed byte closes them', async () => {
    const sealed = await sealWithPassphrase(PASSPHRASE, Buffer.from('pepper'));
    expect(sealed.includes('pepper')).toBe(false);
    expect((await openWithPassphrase(PASSPHRASE, sealed)).toString()).toBe('pepper');
    await expect(openWithPassphrase(ANOTHER, sealed)).rejects.toThrow('does not open');
    for (const at of [0, 40]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(openWithPassphrase(PASSPHRASE, changed)).rejects.toThrow(/does not open|damaged/);
    }
  });

  test('any changed byte of a manifest or of its proof is noticed', async () => {
    const manifest = Buffer.from('{"files":[]}');
    const text = await writeMac(PASSPHRASE, manifest);
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.nat(), fc.integer({ min: 1, max: 127 }), async (isManifest, at, change) => {
        const [bytes, mac] = [Buffer.from(manifest), Buffer.from(text)];
        const changed = isManifest ? bytes : mac.subarray(0, -1);
        changed[at % changed.length] = (changed[at % changed.length] ?? 0) ^ change;
        expect(await checkMac(PASSPHRASE, { bytes, text: mac.toString('utf8') })).not.toBe('authentic');
      }),
    );
    expect(await checkMac(PASSPHRASE, { bytes: manifest, text })).toBe('authentic');
  });

  // A guess at a stolen backup costs what this one cost.
  test('secrets that an earlier program sealed are opened', async () => {
    const sealed = Buffer.from(
      'cGxhY2FyZC1zZWFsLTEK4/EyPywgcAnlPpwhwfbP2PDotQYg6C88WBLYq4IAtYPpB99XFM/JOoIfVuGBMRpCY7k=',
      'base64',
    );
    expect((await openWithPassphrase(new Passphrase('correct horse battery'), sealed)).toString()).toBe('pepper');
  });

  test('the same bytes are sealed differently each time', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => sealWithPassphrase(PASSPHRASE, Buffer.from('x'))));
    expect(one?.equals(two ?? Buffer.alloc(0))).toBe(false);
  });
});

describe('manifest', () => {
  test.each(['../x', '/etc/passwd', 'a/../../b', 'a//b', './a', ''])(
    'a path that may leave the folder (%j) is refused',
    (path) => {
      expect(() => parseManifest(manifestOf({ files: [{ path, bytes: 1, sha256: 'a'.repeat(64) }] }))).toThrow();
    },
  );

  test.each([
    ['1.4.2', true],
    ['1.5.0', true],
    ['2.0.0', true],
    ['1.4.1', false],
    ['0.9.9', false],
  ])('program %s restores a backup of 1.4.2: %s', (version, fits) => {
    const check = (): void => requireFits(manifestOf(), { version, platform: 'linux-x64' });
    if (fits) expect(check).not.toThrow();
    else expect(check).toThrow('Use that or a newer one');
  });

  test('a machine of another kind is refused', () => {
    expect(() => requireFits(manifestOf(), { version: '1.4.2', platform: 'darwin-arm64' })).toThrow('this machine is');
  });

  test('a backup of rows fits every kind of machine', () => {
    const rows = manifestOf({ parts: ['rows'] });
    expect(() => requireFits(rows, { version: '1.4.2', platform: 'darwin-arm64' })).not.toThrow();
  });

  test.each([
    [['postgres'], { postgres: true }, '--portable'],
    [['analytics'], { clickhouse: true }, 'without PLACARD_CLICKHOUSE_URL'],
    [['clickhouse'], { clickhouse: true }, 'PLACARD_BACKUP_CLICKHOUSE_TO'],
    [['clickhouse'], { hasClickhouseTarget: true }, 'set PLACARD_CLICKHOUSE_URL'],
    [['rows', 'analytics'], { postgres: true }, null],
    [['rows', 'clickhouse'], { clickhouse: true, hasClickhouseTarget: true }, null],
  ])('a backup of %j that is restored with %j says %j', (parts, given, problem) => {
    const none = { postgres: false, clickhouse: false, hasClickhouseTarget: false };
    const check = (): void => requireStores(manifestOf({ parts }), { ...none, ...given });
    if (problem === null) expect(check).not.toThrow();
    else expect(check).toThrow(problem);
  });

  test('a folder without a manifest, or with one that nobody vouches for, is refused', async () => {
    const read = (passphrase = PASSPHRASE): Promise<Manifest> => readManifest(dir, passphrase);
    await expect(read()).rejects.toThrow('was not finished');
    const texts = await renderManifest(manifestOf(), PASSPHRASE);
    writeFileSync(join(dir, 'manifest.json'), texts.manifest);
    await expect(read()).rejects.toThrow('manifest.mac of the backup is missing');
    writeFileSync(join(dir, 'manifest.mac'), texts.mac);
    expect(await read()).toEqual(manifestOf());
    await expect(read(ANOTHER)).rejects.toThrow('The passphrase is not that of this backup');
    writeFileSync(join(dir, 'manifest.mac'), '{');
    await expect(read()).rejects.toThrow('manifest.mac of the backup was changed');
  });

  test('a manifest of another format is refused, also by its own passphrase', async () => {
    const texts = await renderManifest({ ...manifestOf(), format: 2 as unknown as 3 }, PASSPHRASE);
    writeFileSync(join(dir, 'manifest.json'), texts.manifest);
    writeFileSync(join(dir, 'manifest.mac'), texts.mac);
    await expect(readManifest(dir, PASSPHRASE)).rejects.toThrow('another program wrote it');
  });
});

test('files are copied back as they were, and a changed, cut or missing one is named', async () => {
  const writer = new BackupWriter(join(dir, 'b'));
  await writer.write('part/a', 'first');
  await writer.copy('part/in/b', { path: join(dir, 'b', 'part', 'a'), bytes: 3 });
  await writer.copy('part/none', { path: join(dir, 'b', 'part', 'a'), bytes: 0 });
  writer.addFolder('part/empty');
  const manifest = manifestOf({ files: writer.files(), folders: writer.folders() });
  expect(writer.files().map(({ path, bytes }) => [path, bytes])).toEqual([
    ['part/a', 5],
    ['part/in/b', 3],
    ['part/none', 0],
  ]);
  await verifyFiles(join(dir, 'b'), manifest);
  await copyBack({ folder: join(dir, 'b'), manifest }, { prefix: 'part/', to: join(dir, 'back') });
  await verifyFiles(join(dir, 'back'), {
    ...manifest,
    files: manifest.files.map((file) => ({ ...file, path: file.path.slice('part/'.length) })),
  });
  writeFileSync(join(dir, 'b', 'part', 'new'), '');
  await expect(verifyFiles(join(dir, 'b'), manifest)).rejects.toThrow('part/new was added to the backup');
  rmSync(join(dir, 'b', 'part', 'new'));
  writeFileSync(join(dir, 'b', 'part', 'a'), 'firsT');
  const again = copyBack({ folder: join(dir, 'b'), manifest }, { prefix: 'part/', to: join(dir, 'again') });
  await expect(again).rejects.toThrow('part/a of the backup was changed');
  await expect(verifyFiles(join(dir, 'b'), manifest)).rejects.toThrow('part/a of the backup was changed');
  rmSync(join(dir, 'b', 'part', 'a'));
  await expect(verifyFiles(join(dir, 'b'), manifest)).rejects.toThrow('part/a of the backup is missing');
});
