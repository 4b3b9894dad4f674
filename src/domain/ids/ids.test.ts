import { beforeEach, expect, test, vi } from 'vitest';
import { decodeTime, isValid } from 'ulid';

let newUlid: (nowMs: number) => string;
let timeOfUlid: (ulid: string) => number;
/** As in a new process: ids rise from the last one, and other files of this worker made some. */
beforeEach(async () => {
  vi.resetModules();
  ({ newUlid, timeOfUlid } = await import('./ids.ts'));
});

test('ids are ULIDs that carry their time', () => {
  const nowMs = Date.parse('2026-11-20T10:00:00.123Z');
  const id = newUlid(nowMs);
  expect(isValid(id)).toBe(true);
  expect(decodeTime(id)).toBe(nowMs);
  expect(timeOfUlid(id)).toBe(nowMs);
});

test('ids rise strictly and never repeat, within a millisecond and when the clock steps back', () => {
  const startMs = Date.parse('2026-11-20T10:00:01Z');
  const ids: string[] = [];
  for (let at = 0; at < 20_000; at += 1) ids.push(newUlid(startMs + (at % 7 === 0 ? -5 : Math.floor(at / 3_000))));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

test('the random parts of two milliseconds have nothing in common', () => {
  const startMs = Date.parse('2026-11-20T10:00:02Z');
  const tails = Array.from({ length: 2_000 }, (_one, at) => newUlid(startMs + at).slice(10));
  expect(new Set(tails.map((tail) => tail.slice(0, 8))).size).toBe(tails.length);
});
