import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeLogTo } from '../../runtime/log/log.ts';
import { openExportFolder } from '../../storage/export/export-folder.ts';
import { createExportWorld, HOUR_MS, START_MS } from '../fixtures/export-world.ts';
import { ExportJob } from './export-job.ts';

let world: Awaited<ReturnType<typeof createExportWorld>>;

beforeAll(async () => {
  world = await createExportWorld();
});
afterAll(() => world.close());

/** A job that looks again as often as it can. */
class BriskJob extends ExportJob {
  async once(): Promise<void> {
    await this.run().catch((error: unknown) => this.logFailure(error));
  }
}

test('the job exports complete hours, counts what fails, and goes on when the folder is there again', async () => {
  const lines: { event: string }[] = [];
  const log = writeLogTo(
    { write: (line: string) => void lines.push(JSON.parse(line) as { event: string }) },
    'info',
    'test',
  );
  const registry = new Registry();
  const blocked = join(world.dir, 'blocked');
  writeFileSync(blocked, 'a file where the folder should be');
  let nowMs = START_MS + HOUR_MS + 600_000;
  const exports = world.open(openExportFolder(join(blocked, 'here')));
  const job = new BriskJob({ exports, nowMs: () => nowMs, log, registry });
  const read = async (name: string): Promise<number | undefined> =>
    (await registry.getSingleMetric(name)?.get())?.values[0]?.value;
  await world.store([{ event_id: 'a' }, { event_id: 'b' }]);
  await job.once();
  expect(job.state).toMatchObject({ isFailing: true, text: expect.stringContaining('ENOTDIR') as string });
  expect(await read('placard_export_failures_total')).toBe(1);
  expect(await read('placard_export_lag_seconds')).toBeNaN();
  rmSync(blocked);
  await job.once();
  expect(job.state).toEqual({ isFailing: false, text: 'exported until 2026-11-01T11:00:00.000Z' });
  expect(await read('placard_export_lag_seconds')).toBe(600);
  expect(await read('placard_export_rows_total')).toBe(2);
  nowMs += HOUR_MS;
  expect(await read('placard_export_lag_seconds')).toBe(4_200);
  expect(lines.map(({ event }) => event)).toEqual(['export.failed', 'export.hour_written']);
});

test('the job finds late events of older hours once a day', async () => {
  const registry = new Registry();
  const log = writeLogTo({ write: () => undefined }, 'info', 'test');
  let nowMs = START_MS;
  const hours = 100;
  world.clock.storedMs = START_MS + hours * HOUR_MS;
  world.clock.completeMs = START_MS + (hours + 30) * HOUR_MS;
  const job = new BriskJob({ exports: world.open(), nowMs: () => nowMs, log, registry });
  const written = async (): Promise<number | undefined> =>
    (await registry.getSingleMetric('placard_export_rows_total')?.get())?.values[0]?.value;
  await job.once();
  const first = await written();
  await world.store([{ event_id: 'late', storedAfterMs: (hours + 1) * HOUR_MS }]);
  world.clock.storedMs = START_MS + (hours + 2) * HOUR_MS;
  await job.once();
  expect(await written()).toBe(first);
  nowMs += 24 * HOUR_MS;
  await job.once();
  expect(await written()).toBe((first ?? 0) + 1);
});
