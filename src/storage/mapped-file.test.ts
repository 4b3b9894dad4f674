import { closeSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestFolder } from '../../test/support/stores.ts';
import { mapFile } from './mapped-file.ts';

const BYTES = 40_000_000;
const isLinux = process.platform === 'linux';
let folder: ReturnType<typeof createTestFolder>;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => {
  folder.remove();
});

function map(path: string): ArrayBuffer {
  const fd = openSync(path, 'r');
  try {
    const mapped = mapFile(fd);
    if (mapped === null) throw new Error('this system maps no files');
    return mapped;
  } finally {
    closeSync(fd);
  }
}

/** Memory that belongs to this process alone. */
function ownBytes(): number {
  const [, kilobytes] = /^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}

test.runIf(isLinux)('the bytes of a mapped file take no memory of the process that reads them', () => {
  const path = join(folder.dir, 'large');
  writeFileSync(path, Buffer.alloc(BYTES, 7));
  const before = ownBytes();
  const bytes = new Uint8Array(map(path));
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 1) sum += bytes[at] as number;
  expect(sum).toBe(7 * BYTES);
  expect(ownBytes() - before).toBeLessThan(BYTES / 2);
});

test.runIf(isLinux)(
  'a mapped file stays as it was when another one takes its name, and a write does not reach it',
  () => {
    const path = join(folder.dir, 'small');
    writeFileSync(path, 'first');
    const bytes = Buffer.from(map(path));
    writeFileSync(`${path}.next`, 'second');
    renameSync(`${path}.next`, path);
    expect(bytes.toString()).toBe('first');
    const again = Buffer.from(map(path));
    again.write('S');
    expect(again.toString()).toBe('Second');
    expect(readFileSync(path, 'utf8')).toBe('second');
  },
);

test('an empty file is not mapped', () => {
  const path = join(folder.dir, 'empty');
  writeFileSync(path, '');
  const fd = openSync(path, 'r');
  expect(mapFile(fd)).toBeNull();
  closeSync(fd);
});
