import { open } from 'lmdb';
import { afterAll, expect, test } from 'vitest';
import { createTestFolder } from '../../../test/support/stores.ts';
import { describeEventCounts } from './fixtures/event-counts-contract.ts';
import { describeHotStore } from './fixtures/hot-contract.ts';
import { JointTransactions } from './joint-transactions.ts';
import { openLmdbHotStore } from './lmdb-hot-store.ts';

const folder = createTestFolder();
afterAll(() => folder.remove());

let now = 1_700_000_000_000;

const advance = async (ms: number): Promise<void> => {
  now += ms;
};
describeHotStore('LMDB', { open: () => openLmdbHotStore(`${folder.dir}/contract`, () => now), advance });
describeEventCounts('LMDB', { open: () => openLmdbHotStore(`${folder.dir}/events`, () => now), advance });

test('a sweep deletes what has expired, as far as it walks, and nothing else', async () => {
  const store = openLmdbHotStore(`${folder.dir}/sweep`, () => now);
  const ops = Array.from({ length: 2_500 }, (_one, at) => ({
    key: `k${at}`,
    value: 'v',
    ttlMs: 1_000,
    increments: [{ key: `c${at}`, by: 1n, ttlMs: at % 2 === 0 ? 1_000 : 9_000 }],
  }));
  await store.applyOnceAll(ops);
  await store.set('renewed', 'v', 1_000);
  await store.set('renewed', 'v', 9_000);
  expect(await store.sweep(now, 10_000)).toEqual({ seen: 5_001, entries: 5_001 });
  now += 2_000;
  expect(await store.sweep(now, 1_500)).toEqual({ seen: 1_500, entries: 4_250 });
  expect(await store.sweep(now, 10_000)).toEqual({ seen: 3_501, entries: 1_251 });
  expect(await store.sweep(now, 10_000)).toEqual({ seen: 1_251, entries: 1_251 });
  expect(await store.get('renewed')).toBe('v');
  expect(await store.readCounters(['c0', 'c1'])).toEqual([0n, 1n]);
  await store.close();
});

test('a sweep deletes the index by time that an older program left', async () => {
  const dir = `${folder.dir}/old-index`;
  const env = open<Buffer, Buffer>({ path: dir, encoding: 'binary', keyEncoding: 'binary' });
  const later = Buffer.alloc(8);
  later.writeDoubleBE(now + 60_000);
  await env.put(Buffer.concat([Buffer.from([0]), later, Buffer.from('vkept')]), Buffer.alloc(0));
  await env.put(Buffer.from('vkept'), Buffer.concat([later, Buffer.from('value')]));
  await env.put(Buffer.from('vcut'), Buffer.from([1, 2]));
  await env.close();
  const store = openLmdbHotStore(dir, () => now);
  expect(await store.sweep(now, 100)).toEqual({ seen: 3, entries: 2 });
  expect(await store.get('kept')).toBe('value');
  await store.close();
});

test('a value that was written is there after the store is opened again', async () => {
  const dir = `${folder.dir}/again`;
  const first = openLmdbHotStore(dir, () => now);
  await first.addToCounters([{ key: 'c', by: 3n, ttlMs: 60_000 }]);
  await first.flushed();
  await first.close();
  const second = openLmdbHotStore(dir, () => now);
  expect(second.readCountersNow(['c'])).toEqual([3n]);
  await second.close();
});

/** Writes the stored entry of a counter as damage leaves it, or deletes it. */
async function putCounterEntry(dir: string, key: string, entry: Buffer | null): Promise<void> {
  const env = open<Buffer, Buffer>({ path: dir, encoding: 'binary', keyEncoding: 'binary' });
  const stored = Buffer.from(`c${key}`);
  await (entry === null ? env.remove(stored) : env.put(stored, entry));
  await env.close();
}

const claimOf = (id: string, counter: string) => ({
  key: id,
  value: 'v',
  ttlMs: 60_000,
  increments: [
    { key: 'all', by: 1n, ttlMs: 60_000 },
    { key: counter, by: 1n, ttlMs: 60_000 },
  ],
  pushes: [{ key: 'list', value: id, max: 9, ttlMs: 60_000 }],
});

test('a batch changes nothing when a counter of its second operation is damaged, and its retry counts each operation once', async () => {
  const dir = `${folder.dir}/damaged-batch`;
  await putCounterEntry(dir, 'bad', Buffer.from([1, 2, 3]));
  const store = openLmdbHotStore(dir, () => now);
  const batch = [claimOf('first', 'good'), claimOf('second', 'bad')];
  await expect(store.applyOnceAll(batch)).rejects.toThrow(RangeError);
  expect([await store.get('first'), await store.get('second'), await store.readList('list')]).toEqual([null, null, []]);
  expect(await store.readCounters(['all', 'good'])).toEqual([0n, 0n]);
  await store.close();
  await putCounterEntry(dir, 'bad', null);
  const mended = openLmdbHotStore(dir, () => now);
  expect(await mended.applyOnceAll([...batch, claimOf('first', 'good')])).toMatchObject([
    { first: true },
    { first: true },
    { first: false },
  ]);
  expect(await mended.readCounters(['all', 'good', 'bad'])).toEqual([2n, 1n, 1n]);
  expect(await mended.readList('list')).toEqual(['second', 'first']);
  await mended.close();
});

test('operations that share a transaction are done one by one when a counter of one of them is damaged', async () => {
  const dir = `${folder.dir}/damaged-together`;
  await putCounterEntry(dir, 'bad', Buffer.from([1, 2, 3]));
  const store = openLmdbHotStore(dir, () => now);
  const done = await Promise.allSettled([
    store.applyOnce(claimOf('before', 'good')),
    store.applyOnce(claimOf('damaged', 'bad')),
    store.addToCounters([{ key: 'good', by: 5n, ttlMs: 60_000 }]),
    store.applyOnce(claimOf('before', 'good')),
    store.set('after', 'v', 60_000),
  ]);
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  expect(done[2]).toMatchObject({ value: [6n] });
  expect(done[3]).toMatchObject({ value: { first: false } });
  expect(await store.readValues(['before', 'damaged', 'after', 'unknown'])).toEqual(['v', null, 'v', null]);
  expect(await store.readCounters(['all', 'good'])).toEqual([1n, 6n]);
  expect(await store.readList('list')).toEqual(['before']);
  await store.close();
});

test('a caller that waits for operations goes on when they have failed', async () => {
  const commit = Promise.withResolvers<void>();
  const joint = new JointTransactions<null>({
    transaction: () => commit.promise,
    begin: () => null,
    write: () => undefined,
  });
  const failed = [joint.change(1, () => 1), joint.change(1, () => 2)].map((one) => expect(one).rejects.toThrow('full'));
  const finished = joint.finished();
  commit.reject(new Error('The disk is full'));
  await expect(finished).resolves.toBeUndefined();
  await Promise.all(failed);
});

test('additions to counters change nothing when one of the counters is damaged', async () => {
  const dir = `${folder.dir}/damaged-counter`;
  await putCounterEntry(dir, 'bad', Buffer.from([1, 2, 3]));
  const store = openLmdbHotStore(dir, () => now);
  const increments = ['good', 'bad'].map((key) => ({ key, by: 1n, ttlMs: 60_000 }));
  await expect(store.addToCounters(increments)).rejects.toThrow(RangeError);
  await expect(store.addNumbered({ writer: 'w', number: 1, ttlMs: 60_000, increments })).rejects.toThrow(RangeError);
  expect(await store.readCounters(['good'])).toEqual([0n]);
  await store.close();
});

test('a counter that another process changes or deletes, or that expires, is read again', async () => {
  const dir = `${folder.dir}/two-openers`;
  const [store, other] = [openLmdbHotStore(dir, () => now), openLmdbHotStore(dir, () => now)];
  const add = (to: typeof store): Promise<readonly bigint[]> => to.addToCounters([{ key: 'c', by: 1n, ttlMs: 1_000 }]);
  expect(await add(store)).toEqual([1n]);
  expect(await add(other)).toEqual([2n]);
  expect(await add(store)).toEqual([3n]);
  await other.delete('c');
  expect(await add(store)).toEqual([1n]);
  now += 1_000;
  expect(await add(store)).toEqual([1n]);
  await store.close();
  await other.close();
});
