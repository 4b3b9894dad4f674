import { describe, expect, test } from 'vitest';
import { readSegments, writeSegmentEntry } from './segment-membership.ts';

const now = 1_800_000_000_000;
const entry = (segmentId: string, generation: number, expiresAtMs: number): string =>
  writeSegmentEntry({ segmentId, generation, expiresAtMs });
const present = new Map([
  ['1', 1],
  ['2', 5],
]);

describe('the segments of a user', () => {
  test.each([
    ['one that holds', [entry('1', 1, now + 1_000)], ['1']],
    ['one that has expired', [entry('1', 1, now)], []],
    ['a removal hides what was added before', [entry('1', 1, 0), entry('1', 1, now + 1_000)], []],
    ['adding again after a removal counts', [entry('1', 1, now + 1_000), entry('1', 1, 0)], ['1']],
    ['members of an older generation are void', [entry('2', 4, now + 1_000)], []],
    ['an old generation does not hide the present one', [entry('2', 4, 0), entry('2', 5, now + 1_000)], ['2']],
    ['a segment that is not in use', [entry('9', 1, now + 1_000)], []],
    ['what cannot be read', ['', 'x', '1', '1.1', '1.1.x'], []],
    ['several', [entry('2', 5, now + 1_000), entry('1', 1, now + 1_000)], ['2', '1']],
  ])('%s', (_name, entries, expected) => {
    expect(readSegments(entries, present, now)).toEqual(expected);
  });
});
