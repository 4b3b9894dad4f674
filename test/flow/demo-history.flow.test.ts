import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openOlap } from '../../src/storage/olap/clickhouse.ts';
import { readChildren, readEndpoints } from '../../src/runtime/supervisor/run-files.ts';
import {
  makeDataDir,
  type PlacardProcess,
  removeDataDir,
  runPlacard,
  startPlacard,
} from '../support/placard-process.ts';
import { silentLog } from '../support/stores.ts';

const ENV = { PLACARD_WORKERS: '1' };
const DAY_MS = 86_400_000;
const dataDir = makeDataDir();
let server: PlacardProcess | undefined;

afterAll(async () => {
  await server?.stop();
  await removeDataDir(dataDir);
});

/** Kills every process that has our code, as a power cut would. */
async function killAll(): Promise<void> {
  for (const { name, pid } of readChildren(dataDir)) if (name !== 'postgres') process.kill(pid, 'SIGKILL');
  await server?.kill();
}

test('the history of a demo is complete after a kill -9 of every process and the next start, with no day doubled', async () => {
  server = await startPlacard({ dataDir, env: ENV });
  expect(server.output()).not.toContain('Demo history:');
  await expect
    .poll(() => server?.output(), { timeout: 120_000, interval: 10 })
    .toContain('Demo history: 10 of 90 days');
  await new Promise((resolve) => setTimeout(resolve, 150));
  const before = server.demo;
  await killAll();
  expect(JSON.parse(readFileSync(join(dataDir, 'demo-progress.json'), 'utf8'))).toMatchObject({ step: 'history' });

  server = await startPlacard({ dataDir, env: ENV, demoHistory: 'whole' });
  expect(server.demo.keys).toEqual(before.keys);
  expect(server.output()).toContain('Demo history: 90 of 90 days');
  const olap = openOlap({ url: readEndpoints(dataDir)?.clickhouseUrl ?? '', log: silentLog });
  const [counted] = await olap.query<{ n: string; ids: string; hours: string; span: string }>({
    sql: `SELECT count() AS n, uniqExact(event_id) AS ids, uniqExact(toStartOfHour(time)) AS hours,
        dateDiff('hour', min(time), max(time)) + 1 AS span
      FROM events WHERE startsWith(event_id, 'demo:')`,
  });
  await olap.close();
  expect(counted?.n).toBe(counted?.ids);
  // It ends at a minute of its last hour: 90 days touch an hour more.
  expect([String(90 * 24), String(90 * 24 + 1)]).toContain(counted?.hours);
  expect(counted?.span).toBe(counted?.hours);
  const from = new Date(Date.now() - 91 * DAY_MS).toISOString().slice(0, 10);
  const verified = await runPlacard(['verify-counts', '--from', from], { PLACARD_DATA: dataDir });
  expect(verified.out + verified.err).toContain('0 differences in roll-ups');
  expect(verified.code).toBe(0);
}, 300_000);
