import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createBulkWorld, type BulkWorld, lineItemRows } from './fixtures/bulk-world.ts';

const ROWS = 6_000;
const KILLS = 4;

let api: BulkWorld;
const running = new Set<ChildProcess>();
beforeAll(async () => {
  api = await createBulkWorld();
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});
afterAll(() => api.close());

function startRunner(): ChildProcess {
  const script = fileURLToPath(new URL('fixtures/run-jobs.ts', import.meta.url));
  const child = spawn(process.execPath, [script, api.database.url], { stdio: ['ignore', 'inherit', 'inherit'] });
  running.add(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  running.delete(child);
}

const processedOf = async (id: string): Promise<number> => (await api.job(id)).processed;

test('a job whose process is killed again and again applies each row once, and its results are complete and in order', async () => {
  const { id } = await api.submit('resource=lineItems', lineItemRows(ROWS));
  let before = 0;
  for (let killed = 0; killed < KILLS; killed += 1) {
    const child = startRunner();
    await expect.poll(() => processedOf(id), { interval: 5 }).toBeGreaterThan(before);
    await kill(child);
    before = await processedOf(id);
    // Whole portions, and as many results.
    expect([before % 500, (await api.results(id)).length]).toEqual([0, before]);
  }
  expect(before).toBeLessThan(ROWS);
  const last = startRunner();
  await expect.poll(async () => (await api.job(id)).state, { interval: 20 }).toBe('completed');
  await kill(last);
  expect(await api.job(id)).toMatchObject({ rows: ROWS, processed: ROWS, succeeded: ROWS, failed: 0 });
  const results = await api.results(id);
  expect(results.map(({ line, externalId }) => `${line} ${externalId}`)).toEqual(
    Array.from({ length: ROWS }, (_row, index) => `${index + 1} l${index + 1}`),
  );
  // A row that was applied again would be unchanged.
  expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['created']));
  const { rows } = await sql<{ items: bigint; newest: number; entries: bigint }>`
    SELECT (SELECT count(*) FROM line_items) AS items, (SELECT max(version) FROM line_items) AS newest,
      (SELECT count(*) FROM audit_log WHERE action = 'lineItem.create') AS entries`.execute(api.database.db);
  expect(rows).toEqual([{ items: BigInt(ROWS), newest: 1, entries: BigInt(ROWS) }]);
});
