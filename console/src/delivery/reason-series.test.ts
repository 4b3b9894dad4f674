import { expect, test } from 'vitest';
import { countByReason, OTHERS } from './reason-series.ts';

const counted = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([reason, opportunities]) => ({ reason, opportunities }));

test('the series begin with what was won, then come losses by their number; rare ones are one; hours are local', () => {
  const rare = { a: 6, b: 5, c: 4, d: 3, e: 2, f: 1 };
  const byHour = [
    { hour: '2026-11-25T23:00:00Z', numbers: counted({ ...rare, won: 2 }) },
    { hour: '2026-11-26T00:00:00Z', numbers: counted({ e: 9, won: 1 }) },
  ];
  expect(countByReason(byHour, 'Europe/Warsaw')).toEqual({
    hours: ['2026-11-26T00:00:00', '2026-11-26T01:00:00'],
    reasons: [
      { reason: 'won', counts: [2, 1] },
      { reason: 'e', counts: [2, 9] },
      { reason: 'a', counts: [6, 0] },
      { reason: 'b', counts: [5, 0] },
      { reason: 'c', counts: [4, 0] },
      { reason: 'd', counts: [3, 0] },
      { reason: OTHERS, counts: [1, 0] },
    ],
  });
});

test('the series are only losses where nothing was won or is rare', () => {
  const byHour = [{ hour: '2026-11-26T00:00:00Z', numbers: counted({ size: 3 }) }];
  expect(countByReason(byHour, 'UTC').reasons).toEqual([{ reason: 'size', counts: [3] }]);
});
