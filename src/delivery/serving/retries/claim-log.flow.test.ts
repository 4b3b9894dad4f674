import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createTestFolder } from '../../../../test/support/stores.ts';

const WRITER = fileURLToPath(new URL('../../../../test/support/claim-writer.ts', import.meta.url));
const WORKERS = 3;
const CLAIMS = 1_000;

test('processes that claim the same requests at once see one order, and each request has one owner', async () => {
  const folder = createTestFolder();
  try {
    const writers = Array.from({ length: WORKERS }, (_one, worker) =>
      fork(WRITER, [folder.dir, String(worker), String(WORKERS), String(CLAIMS)]),
    );
    const told = writers.map((writer) => once(writer, 'message'));
    for (const writer of writers) writer.send('go');
    const results = (await Promise.all(told)).map(([result]) => result as { order: string; won: number[] });
    expect(new Set(results.map(({ order }) => order)).size).toBe(1);
    const won = results.flatMap((result) => result.won).toSorted((one, other) => one - other);
    expect(won).toEqual(Array.from({ length: CLAIMS }, (_one, at) => at + 1));
    expect(results.filter((result) => result.won.length > 0).length).toBeGreaterThan(0);
  } finally {
    folder.remove();
  }
});
