import { expect, test } from 'vitest';
import { decisionLogOf } from './delivery.ts';

test('a worker that logs no decisions any more still keeps the log to its days and its room', () => {
  const settings = { decisionLogPerSecond: 0, decisionLogDays: 2, decisionLogMegabytes: 50 };
  expect(decisionLogOf(settings)).toEqual({
    decisionLog: { perSecond: 0, keepMs: 2 * 86_400_000, bytesMax: 50_000_000 },
  });
});
