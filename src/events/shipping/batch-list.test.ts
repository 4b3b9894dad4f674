import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestFolder } from '../../../test/support/stores.ts';
import type { SpoolFile } from '../spool/spool-files.ts';
import { readList, writeList } from './batch-list.ts';

let folder: ReturnType<typeof createTestFolder>;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const filesOf = (...ids: string[]): SpoolFile[] => ids.map((fileId) => ({ folder: 'w0', fileId }) as SpoolFile);

test('the first list of a batch holds, and nothing else is left in its folder', async () => {
  await Promise.all([writeList(folder.dir, filesOf('a')), writeList(folder.dir, filesOf('a', 'b'))]);
  const first = readList(folder.dir);
  await writeList(folder.dir, filesOf('c'));
  expect(readList(folder.dir)).toEqual(first);
  expect(readdirSync(folder.dir)).toEqual(['files.json']);
});

test('a list is written on a file system without hard links', async () => {
  const noLinks = (): Promise<void> => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' }));
  await writeList(folder.dir, filesOf('a', 'b'), noLinks);
  expect(readList(folder.dir)).toEqual(new Set(['w0/a', 'w0/b']));
  expect(readdirSync(folder.dir)).toEqual(['files.json']);
});
