import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeDemoFile } from '../../demo/demo-file.ts';
import type { DemoFile } from '../../demo/demo-file.ts';
import { decisionLogOf, supervisorReadiness } from './delivery.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'decisions-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const SETTINGS = {
  decisionLogPerSecond: null,
  decisionLogDays: 2,
  decisionLogMegabytes: 50,
  demo: 'auto',
  dataDir,
} as const;

test('a worker that no longer logs decisions still keeps the log within its age and size', () => {
  const { decisionLog } = decisionLogOf({ ...SETTINGS, decisionLogPerSecond: 0 }, Promise.resolve());
  expect(decisionLog.perSecond()).toBe(0);
  expect(decisionLog).toMatchObject({ retentionMs: 2 * 86_400_000, bytesMax: 50_000_000 });
});

test('five decisions a second are logged by default, but only beside a demo network', async () => {
  const serviceReady = Promise.withResolvers<void>();
  const { decisionLog } = decisionLogOf(SETTINGS, serviceReady.promise);
  const without = decisionLogOf({ ...SETTINGS, dataDir: join(dataDir, 'empty') }, serviceReady.promise).decisionLog;
  const off = decisionLogOf({ ...SETTINGS, decisionLogPerSecond: 0 }, serviceReady.promise).decisionLog;
  expect(decisionLog.perSecond(), 'the demo is made by the first start').toBe(0);
  writeDemoFile(dataDir, { networkId: '1000' } as DemoFile);
  serviceReady.resolve();
  await serviceReady.promise;
  expect([decisionLog, without, off].map(({ perSecond }) => perSecond())).toEqual([5, 0, 0]);
});

test('readiness is degraded in a worker whose supervisor is gone', () => {
  expect(supervisorReadiness({ connected: false })).toMatchObject([{ name: 'supervisor', ok: true, degraded: true }]);
  expect(supervisorReadiness({ connected: true })).toEqual([]);
  expect(supervisorReadiness({})).toEqual([]);
});
