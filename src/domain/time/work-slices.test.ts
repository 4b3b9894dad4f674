import { expect, test } from 'vitest';
import { PROCESS_CLOCK, WorkSlices } from './work-slices.ts';

test('work that waits goes on for one slice in each turn of the event loop', async () => {
  let nowMs = 0;
  const slices = new WorkSlices({ ...PROCESS_CLOCK, nowMs: () => nowMs });
  let loopTurn = 0;
  let isOver = false;
  const count = (): void => {
    loopTurn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  expect(slices.turn('a')).toBeUndefined();
  nowMs += 10;
  const turns: number[] = [];
  const work = async (group: string): Promise<void> => {
    await slices.turn(group);
    turns.push(loopTurn);
    // Half a slice.
    nowMs += 2;
  };
  await Promise.all(Array.from({ length: 20 }, (_none, at) => work(`group ${at % 3}`)));
  isOver = true;
  const perTurn = turns.map((turn) => turns.filter((other) => other === turn).length);
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(2);
});
