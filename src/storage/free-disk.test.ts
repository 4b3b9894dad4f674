import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createTestFolder } from '../../test/support/stores.ts';
import { readDiskSpace } from './free-disk.ts';

const folder = createTestFolder();
afterAll(() => folder.remove());

test('free disk space is that of the file system of the folder, also before the folder exists', async () => {
  const { blocks, bsize } = statfsSync(folder.dir);
  const space = await readDiskSpace(join(folder.dir, 'not', 'there'));
  expect(space.totalBytes).toBe(blocks * bsize);
  expect(space.freeBytes).toBeGreaterThan(0);
  expect(space.freeBytes).toBeLessThanOrEqual(space.totalBytes);
});
