import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestFolder, silentLog } from '../../test/support/stores.ts';
import { signingKey } from '../domain/events/served-ad.ts';
import { addLinkKey, newLinkKeys, parseLinkKeys, watchLinkKeys } from './link-keys.ts';

const DAY_MS = 86_400_000;
let folder: ReturnType<typeof createTestFolder>;
let path: string;
beforeEach(() => {
  folder = createTestFolder();
  mkdirSync(join(folder.dir, 'secrets'));
  path = join(folder.dir, 'secrets', 'link-keys');
  writeFileSync(path, newLinkKeys());
});
afterEach(() => folder.remove());

const keysAt = (nowMs: number) => parseLinkKeys(readFileSync(path, 'utf8'), nowMs);
const rotate = (signsFromMs: number, nowMs: number) => {
  const { text, rotation } = addLinkKey(readFileSync(path, 'utf8'), { signsFromMs, nowMs });
  writeFileSync(path, text);
  return rotation;
};
const idsAt = (nowMs: number) => keysAt(nowMs).map(({ keyId }) => keyId);

test('a new key verifies at once and signs later; the old one verifies until its last link has expired', () => {
  const rotatedMs = 1_000 * DAY_MS;
  const signsFromMs = rotatedMs + 600_000;
  expect(rotate(signsFromMs, rotatedMs)).toEqual({ keyId: 'b', signsFromMs, removed: [] });
  expect(idsAt(rotatedMs)).toEqual(['a', 'b']);
  expect(signingKey(keysAt(rotatedMs), signsFromMs - 1).keyId).toBe('a');
  expect(signingKey(keysAt(rotatedMs), signsFromMs).keyId).toBe('b');
  expect(idsAt(signsFromMs + 31 * DAY_MS)).toEqual(['a', 'b']);
  expect(idsAt(signsFromMs + 31 * DAY_MS + 1)).toEqual(['b']);
});

test('a rotation removes keys whose links have all expired, and no others', () => {
  const startMs = 1_000 * DAY_MS;
  rotate(startMs, startMs);
  rotate(startMs + DAY_MS, startMs + DAY_MS);
  const third = rotate(startMs + 32 * DAY_MS, startMs + 32 * DAY_MS);
  expect(third).toMatchObject({ keyId: 'd', removed: ['a'] });
  expect(idsAt(startMs + 32 * DAY_MS)).toEqual(['b', 'c', 'd']);
});

test('a running worker takes over a rotation, and keeps its keys when the file is damaged', async () => {
  const keys = keysAt(Date.now());
  const [first] = keys;
  const watch = watchLinkKeys(folder.dir, keys, { log: silentLog, everyMs: 5 });
  rotate(Date.now(), Date.now());
  await vi.waitFor(() => expect(keys.map(({ keyId }) => keyId)).toEqual(['a', 'b']), { timeout: 60_000 });
  expect(keys[0]).toBe(first);
  writeFileSync(path, 'nonsense\n');
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(keys).toHaveLength(2);
  watch.stop();
});

test.each(['', 'a:00', `abcde:${'0'.repeat(64)}`, `a:${'0'.repeat(62)}`])('a file that holds %j is refused', (text) => {
  expect(() => parseLinkKeys(text, 0)).toThrow(/link-keys/);
});
