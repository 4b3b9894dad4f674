import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { HotStoreOwnedError } from '../supervisor/data-lock.ts';
import { openOwnHotStore, useServedHotStore } from './own-hot-store.ts';

const ownerPath = fileURLToPath(new URL('fixtures/owner.ts', import.meta.url));
const TTL_MS = 600_000;
const KILLS = 4;

let dataDir: string;
let folder: ReturnType<typeof createTestFolder>;
let owner: ChildProcess;

beforeEach(() => {
  folder = createTestFolder();
  dataDir = folder.dir;
});
afterEach(() => {
  owner.kill('SIGKILL');
  folder.remove();
});

const start = (): ChildProcess => fork(ownerPath, [dataDir], { execArgv: [] });

async function startOwner(): Promise<void> {
  owner = start();
  await once(owner, 'message');
}

async function killOwner(): Promise<void> {
  const ended = once(owner, 'exit');
  owner.kill('SIGKILL');
  await ended;
}

/** A process that claims and counts without a pause, and tries each claim again until it is acknowledged. */
class Claimer {
  readonly #hot: HotStore;
  readonly #until: AbortSignal;
  readonly finished: Promise<void>;
  claims = 0;
  failures = 0;

  constructor(hot: HotStore, until: AbortSignal) {
    this.#hot = hot;
    this.#until = until;
    this.finished = this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#until.aborted) {
      const increments = ['claimed', 'tally'].map((key) => ({ key, by: 1n, ttlMs: TTL_MS }));
      const op = { key: `claim-${this.claims}`, value: 'v', ttlMs: TTL_MS, increments };
      await this.#hot.applyOnce(op).then(
        () => (this.claims += 1),
        () => (this.failures += 1),
      );
    }
  }
}

test('an owner that is killed again and again loses and doubles nothing that its clients were told', async () => {
  await startOwner();
  const stores = [1, 2].map(() => useServedHotStore({ dataDir, log: silentLog }));
  const over = new AbortController();
  // Both claim the same keys.
  const claimers = stores.map(({ hot }) => new Claimer(hot, over.signal));
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = Math.max(...claimers.map(({ claims }) => claims));
    await expect
      .poll(() => Math.min(...claimers.map(({ claims }) => claims)), { interval: 1 })
      .toBeGreaterThan(before + 20);
    await killOwner();
    await startOwner();
  }
  over.abort();
  await Promise.all(claimers.map(({ finished }) => finished));
  const claims = Math.max(...claimers.map((claimer) => claimer.claims));
  const counted = await stores[0]?.hot.readCounters(['claimed', 'tally']);
  expect(counted).toEqual([BigInt(claims), BigInt(claims)]);
  // A kill met calls on their way.
  expect(claimers.reduce((sum, { failures }) => sum + failures, 0)).toBeGreaterThan(0);
  await Promise.all(stores.map((store) => store.close()));
}, 120_000);

test('a second owner is refused, in another process and in the same, until the first has gone', async () => {
  await startOwner();
  const [code] = (await once(start(), 'exit')) as [number];
  expect(code).toBe(3);
  await expect(openOwnHotStore({ dataDir, log: silentLog })).rejects.toThrow(HotStoreOwnedError);
  // The refused ones took nothing from the first.
  const client = useServedHotStore({ dataDir, log: silentLog });
  await client.hot.set('k', 'v', TTL_MS);
  await client.close();
  await killOwner();
  const own = await openOwnHotStore({ dataDir, log: silentLog });
  await expect(openOwnHotStore({ dataDir, log: silentLog })).rejects.toThrow(HotStoreOwnedError);
  expect(await own.hot.get('k')).toBe('v');
  await own.close();
});
