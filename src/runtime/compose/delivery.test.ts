import { expect, test } from 'vitest';
import { decisionLogOf, supervisorReadiness } from './delivery.ts';

test('a worker that no longer logs decisions still keeps the log within its age and size', () => {
  const settings = { decisionLogPerSecond: 0, decisionLogDays: 2, decisionLogMegabytes: 50 };
  expect(decisionLogOf(settings)).toEqual({
    decisionLog: { perSecond: 0, retentionMs: 2 * 86_400_000, bytesMax: 50_000_000 },
  });
});

test('readiness is degraded in a worker whose supervisor is gone', () => {
  expect(supervisorReadiness({ connected: false })).toMatchObject([{ name: 'supervisor', ok: true, degraded: true }]);
  expect(supervisorReadiness({ connected: true })).toEqual([]);
  expect(supervisorReadiness({})).toEqual([]);
});
