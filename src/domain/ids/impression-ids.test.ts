import { expect, test } from 'vitest';
import { decodeTime, isValid } from 'ulid';
import { ImpressionIds } from './impression-ids.ts';

const nowMs = Date.parse('2026-11-20T10:00:00.123Z');

test('impression ids are ULIDs that carry their time', () => {
  const ids = new ImpressionIds();
  for (const timeMs of [nowMs, nowMs + 1, nowMs - 5]) {
    const id = ids.next(timeMs);
    expect(isValid(id)).toBe(true);
    expect(decodeTime(id)).toBe(timeMs);
  }
});

test('4,096 impression ids share their random part, the next ones have another, and none repeats', () => {
  const ids = new ImpressionIds();
  const made = Array.from({ length: 3 * 4_096 }, () => ids.next(nowMs));
  expect(new Set(made).size).toBe(made.length);
  const labels = [0, 1, 2].map(
    (part) => new Set(made.slice(part * 4_096, (part + 1) * 4_096).map((id) => id.slice(10, 23))),
  );
  expect(labels.map(({ size }) => size)).toEqual([1, 1, 1]);
  expect(new Set(labels.flatMap((label) => [...label])).size).toBe(3);
  expect(new ImpressionIds().next(nowMs).slice(10, 23)).not.toBe(new ImpressionIds().next(nowMs).slice(10, 23));
});
