import { describe, expect, test } from 'vitest';
import { ReplayPace, replayInTime } from './replay-pace.ts';

const SPAN = [0, 100_000] as const;

/** A clock that a replay of one item each millisecond of its span moves on. */
function slowWorld(msPerItem: number) {
  let nowMs = 0;
  return {
    elapsedMs: () => nowMs,
    *items(count: number) {
      for (let at = 0; at < count; at += 1) {
        nowMs += msPerItem;
        yield { atMs: (at / count) * SPAN[1] };
      }
    },
  };
}

describe('the pace of a replay', () => {
  test('a replay that is fast enough is watched to its end', () => {
    const world = slowWorld(0.1);
    const pace = new ReplayPace(world.elapsedMs, 15_000);
    const watched = [...pace.watch(world.items(100_000), SPAN)];
    expect(watched).toHaveLength(100_000);
    expect(watched).not.toContain(null);
    expect(pace.replayedMax).toBe(Number.POSITIVE_INFINITY);
  });

  test('a replay that would take too long is given up early, and the next one fits', () => {
    const world = slowWorld(1);
    const pace = new ReplayPace(world.elapsedMs, 15_000);
    const watched = [...pace.watch(world.items(100_000), SPAN)];
    expect(watched.at(-1)).toBeNull();
    expect(world.elapsedMs()).toBeLessThan(2_000);
    expect(pace.replayedMax).toBeGreaterThan(11_000);
    expect(pace.replayedMax).toBeLessThanOrEqual(15_000);
  });

  test('a replay is never made with so few opportunities that it says nothing, and a short one is never given up', () => {
    const slow = slowWorld(100);
    const pace = new ReplayPace(slow.elapsedMs, 15_000);
    expect([...pace.watch(slow.items(100_000), SPAN)].at(-1)).toBeNull();
    expect(pace.replayedMax).toBe(4_000);
    const again = slowWorld(100);
    expect([...new ReplayPace(again.elapsedMs, 15_000).watch(again.items(3_900), SPAN)]).not.toContain(null);
  });

  test('the second replay has no time limit', () => {
    const asked: [boolean, number][] = [];
    const world = slowWorld(1);
    const made = replayInTime(
      (pace, replayedMax) => {
        asked.push([pace !== null, replayedMax]);
        if (pace === null) return 'made';
        return [...pace.watch(world.items(replayedMax), SPAN)].includes(null) ? null : 'made at once';
      },
      { replayedMax: 100_000, elapsedMs: world.elapsedMs, maxMs: 15_000 },
    );
    expect(made).toBe('made');
    expect(asked).toEqual([
      [true, 100_000],
      [false, expect.closeTo(12_000, -2) as number],
    ]);
  });
});
