import { expect, test } from 'vitest';
import { decodeTime, isValid } from 'ulid';
import { neighbourUlids, newUlid, repeatableUlid } from './ids.ts';

test('ids are ULIDs that carry their time', () => {
  const nowMs = Date.parse('2026-11-20T10:00:00.123Z');
  const id = newUlid(nowMs);
  expect(isValid(id)).toBe(true);
  expect(decodeTime(id)).toBe(nowMs);
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

test('one seed has one id in a window of five minutes, and its neighbours are the ids of the windows beside it', () => {
  const startMs = Date.parse('2026-11-20T10:05:00Z');
  const id = repeatableUlid('1\n0\nrequest', startMs);
  expect(isValid(id)).toBe(true);
  expect(repeatableUlid('1\n0\nrequest', startMs + 299_999)).toBe(id);
  expect(neighbourUlids(id)).toEqual([
    repeatableUlid('1\n0\nrequest', startMs - 1),
    repeatableUlid('1\n0\nrequest', startMs + 300_000),
  ]);
  expect(repeatableUlid('1\n1\nrequest', startMs)).not.toBe(id);
  expect(neighbourUlids(newUlid(startMs + 1))).toEqual([]);
});
