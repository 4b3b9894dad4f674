import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestFolder } from '../../test/support/stores.ts';
import type { BackupWriter } from './backup-files.ts';
import { spoolPart } from './spool-part.ts';

let folder: ReturnType<typeof createTestFolder>;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

test('a backup holds conversions that wait to be credited, before the files of workers', async () => {
  for (const dir of ['w0', join('uncredited', 'w0')]) {
    mkdirSync(join(folder.dir, 'spool', dir), { recursive: true });
    writeFileSync(join(folder.dir, 'spool', dir, '1700000000000-0123abcdb.5.sealed'), 'line\n');
  }
  const copied: string[] = [];
  const writer = { copy: async (to: string) => void copied.push(to) } as unknown as BackupWriter;
  await spoolPart.write({ dataDir: folder.dir, writer } as Parameters<typeof spoolPart.write>[0]);
  expect(copied).toEqual([
    'spool/uncredited/w0/1700000000000-0123abcdb.5.sealed',
    'spool/w0/1700000000000-0123abcdb.5.sealed',
  ]);
  expect(copied.every((path) => spoolPart.files.test(path))).toBe(true);
});
