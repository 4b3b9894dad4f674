import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createTestFolder } from '../../../test/support/stores.ts';
import { openLmdbHotStore } from './lmdb-hot-store.ts';

const folder = createTestFolder();
afterAll(() => folder.remove());

const childPath = fileURLToPath(new URL('fixtures/lmdb-child.ts', import.meta.url));

function startChild(dir: string, rounds: number): ChildProcess {
  return fork(childPath, [dir, String(rounds)], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

test('a writer that is killed in the middle of a transaction stops no other', async () => {
  const dir = `${folder.dir}/killed`;
  const writerPath = fileURLToPath(new URL('fixtures/lmdb-writer.ts', import.meta.url));
  const start = (): { child: ChildProcess; done: number } => {
    const writer = { child: fork(writerPath, [dir], { execArgv: [] }), done: 0 };
    writer.child.on('message', ([done]: [number]) => (writer.done = done));
    return writer;
  };
  const survivor = start();
  for (let round = 0; round < 4; round += 1) {
    const doomed = start();
    await expect.poll(() => doomed.done, { interval: 1 }).toBeGreaterThan(round);
    doomed.child.kill('SIGKILL');
    await once(doomed.child, 'exit');
    const before = survivor.done;
    await expect.poll(() => survivor.done).toBeGreaterThan(before + 2);
  }
  expect(survivor.child.exitCode).toBeNull();
  survivor.child.kill('SIGKILL');
  await once(survivor.child, 'exit');
  const store = openLmdbHotStore(dir, () => Date.now());
  const values = await store.readCounters(Array.from({ length: 1_000 }, (_none, at) => `${at}`));
  expect(new Set(values).size).toBe(1);
  expect(values[0]).toBeGreaterThanOrEqual(BigInt(survivor.done));
  await store.close();
});

test('processes that count and claim the same keys at once neither lose nor double, even when one is killed', async () => {
  const dir = `${folder.dir}/processes`;
  const rounds = 1_000;
  const store = openLmdbHotStore(dir, () => Date.now());
  const [one, other, doomed] = [startChild(dir, rounds), startChild(dir, rounds), startChild(dir, 1_000_000)];
  await Promise.all([one, other, doomed].map((child) => once(child, 'message')));
  for (const child of [one, other, doomed]) child.send('go');
  setTimeout(() => doomed.kill('SIGKILL'), 150);
  const finished = await Promise.all([once(one, 'exit'), once(other, 'exit'), once(doomed, 'exit')]);
  expect(finished.map(([code, signal]) => signal ?? code)).toEqual([0, 0, 'SIGKILL']);
  let claims = 0;
  while ((await store.get(`claim-${claims}`)) !== null) claims += 1;
  expect(claims).toBeGreaterThanOrEqual(rounds);
  expect(await store.readCounters(['claimed', 'tally'])).toEqual([BigInt(claims), BigInt(claims)]);
  const [plain] = await store.readCounters(['plain']);
  expect(plain).toBeGreaterThanOrEqual(BigInt(2 * rounds));
  // The lock of the killed process is free, and what it did half is undone.
  await store.applyOnce({
    key: 'after',
    value: 'v',
    ttlMs: 1_000,
    increments: [{ key: 'plain', by: 1n, ttlMs: 60_000 }],
  });
  expect(await store.readCounters(['plain'])).toEqual([(plain ?? 0n) + 1n]);
  await store.close();
});
