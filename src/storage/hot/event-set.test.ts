import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { ImpressionIds } from '../../domain/ids/impression-ids.ts';
import { locationOf, ulidTimeOf } from './event-location.ts';
import { addMember, EMPTY_SET, hasMember } from './event-set.ts';
import { openLedger } from '../ledger/ledger-store.ts';
import { runsOf } from '../../../test/support/longer-runs.ts';

const nowMs = Date.parse('2026-11-20T10:00:00Z');

test('a set holds the members that were added, in at most 512 bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 4_095 }), { maxLength: 600 }), (members) => {
      const set = members.reduce(addMember, EMPTY_SET);
      const expected = new Set(members);
      expect(set.length).toBeLessThanOrEqual(512);
      expect(set.length).toBeLessThanOrEqual(Math.min(512, 2 * members.length));
      for (let member = 0; member < 4_096; member += 1)
        if (hasMember(set, member) !== expected.has(member)) throw new Error(`${member} is told wrongly`);
    }),
    { numRuns: runsOf(50) },
  );
});

test('the events of a process share a set by kind, and every event has a location of its own', () => {
  const ids = new ImpressionIds();
  const keys = Array.from({ length: 10_000 }, () => ids.next(nowMs)).flatMap((id) => [
    `e/${id}:imp`,
    `e/${id}:v:video_start`,
  ]);
  const locations = keys.map(locationOf);
  expect(new Set(locations.map(({ set, member }) => `${set} ${member}`)).size).toBe(keys.length);
  expect(new Set(locations.map(({ set }) => set)).size).toBe(6);
  expect(keys.map(ulidTimeOf)).toEqual(keys.map(() => nowMs));
});

test.each([
  'e/a:0123456789abcdef',
  'e/flat:1:21:2026-11-20',
  'e/01BX5ZZKBKACTAV9WEVGEMMVRI:imp',
  'e/01BX5ZZKBKACTAV9WEVGEMMVRZ',
  'e/',
  'k',
])('an event with the key %s has a set of its own', (key) => {
  expect(locationOf(key)).toEqual({ set: key, member: 0 });
  expect(ulidTimeOf(key)).toBeNull();
});

/** Bytes of a store that remember `events` of ids of which one in `every` is counted, by counted event. */
async function bytesByEvent(events: number, every: number): Promise<number> {
  const folder = createTestFolder();
  const store = openLedger({ dir: folder.dir, nowMs: () => nowMs, log: silentLog });
  const ids = new ImpressionIds();
  for (let counted = 0; counted < events; counted += 10_000) {
    const lines = Array.from({ length: 10_000 }, (_none, at) => {
      for (let skipped = 1; skipped < every; skipped += 1) ids.next(nowMs);
      return { offset: at, key: `e/${ids.next(nowMs)}:imp`, ttlMs: 60_000, increments: [], pushes: [] };
    });
    const file = `0/${counted}`;
    expect((await store.countLines({ file, from: 0, to: 10_000, lines })).every(Boolean)).toBe(true);
    await store.forgetFile(file);
  }
  const { bytes } = store.stats;
  await store.close();
  folder.remove();
  return bytes / events;
}

test('counted events of ids that follow each other take less than 0.2 bytes each', async () => {
  expect(await bytesByEvent(200_000, 1)).toBeLessThan(0.2);
});

test.each([
  [10, 1.6],
  [50, 3],
  [100, 4],
])('where one id in %d is counted, an event takes less than %d bytes', async (every, bytes) => {
  expect(await bytesByEvent(20_000, every)).toBeLessThan(bytes);
});
