import { describe, expect, test } from 'vitest';
import { wallTextAt, zonedAt } from '../../domain/time/time-zone.ts';
import { formatLocal, localAt, readIsoDate } from './local-time.ts';
import { boundAfter, boundAt, type TimeBound } from './time-bound.ts';

const MINUTE_MS = 60_000;
const [FROM_MS, UNTIL_MS] = [Date.parse('2020-01-01T00:00:00Z'), Date.parse('2031-01-01T00:00:00Z')];

interface ClockChange {
  readonly timezone: string;
  readonly atMs: number;
}

/** All changes of clocks from 2020 to 2030, each with the first of the zones that share it. */
function listChanges(): ClockChange[] {
  const found = new Map<string, ClockChange>();
  for (const timezone of Intl.supportedValuesOf('timeZone')) {
    let at = zonedAt(timezone, FROM_MS).getTimeZoneTransition('next');
    while (at !== null && at.epochMilliseconds < UNTIL_MS) {
      const atMs = at.epochMilliseconds;
      const key = `${atMs} ${zonedAt(timezone, atMs - 1).offset} ${at.offset}`;
      if (!found.has(key)) found.set(key, { timezone, atMs });
      at = at.getTimeZoneTransition('next');
    }
  }
  return [...found.values()];
}

const written = (text: string) => readIsoDate(text) as NonNullable<ReturnType<typeof readIsoDate>>;
const isSince = ({ epochMs, repeated }: TimeBound, atMs: number): boolean =>
  atMs >= epochMs && !(repeated !== null && atMs >= repeated.fromMs && atMs < repeated.untilMs);

const CHANGES = listChanges();
const AROUND = Array.from({ length: 17 }, (_none, at) => (at - 8) * 15 * MINUTE_MS);
/** Wall times about a change, and those an hour on: clocks skip some of these and show others twice. */
const wallsAbout = ({ timezone, atMs }: ClockChange): string[] =>
  AROUND.map((shift) => localAt(atMs, timezone).add({ milliseconds: shift })).map(formatLocal);

describe(`bounds at all ${CHANGES.length} clock changes from 2020 to 2030`, () => {
  test('a wall time divides instants into those that show it or a later time, and the others', () => {
    const wrong = CHANGES.flatMap((change) =>
      wallsAbout(change).flatMap((wall) => {
        const bound = boundAt(written(wall), change.timezone);
        return AROUND.map((shift) => change.atMs + shift)
          .filter((atMs) => isSince(bound, atMs) !== formatLocal(localAt(atMs, change.timezone)) >= wall)
          .map((atMs) => `${change.timezone} ${wall} ${new Date(atMs).toISOString()}`);
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('the bound after a wall time is the bound at the next millisecond', () => {
    for (const { timezone, atMs } of CHANGES) {
      const midnight = formatLocal(localAt(atMs, timezone).add({ days: 1 }).with({ hour: 0, minute: 0 }));
      const before = formatLocal(written(midnight).local.subtract({ milliseconds: 1 }));
      expect(boundAfter(written(before), timezone)).toEqual(boundAt(written(midnight), timezone));
    }
  });

  test('the text of an instant in a zone names that instant again', () => {
    const wrong = CHANGES.flatMap(({ timezone, atMs }) =>
      AROUND.map((shift) => atMs + shift).filter((at) => {
        const bound = boundAt(written(wallTextAt(at, timezone)), timezone);
        return bound.epochMs !== at || bound.repeated !== null;
      }),
    );
    expect(wrong).toEqual([]);
  });
});

test('a time that clocks skip begins at the change', () => {
  const change = Date.parse('2026-03-29T01:00:00Z');
  expect(boundAt(written('2026-03-29T02:30:00'), 'Europe/Warsaw')).toEqual({ epochMs: change, repeated: null });
});

test('a time that clocks show twice begins at the first of both, and leaves out what is earlier again', () => {
  expect(boundAt(written('2026-10-25T02:30:00'), 'Europe/Warsaw')).toEqual({
    epochMs: Date.parse('2026-10-25T00:30:00Z'),
    repeated: { fromMs: Date.parse('2026-10-25T01:00:00Z'), untilMs: Date.parse('2026-10-25T01:30:00Z') },
  });
});
