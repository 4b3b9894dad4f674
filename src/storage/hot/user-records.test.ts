import fc from 'fast-check';
import { open } from 'lmdb';
import { afterAll, expect, test } from 'vitest';
import { createTestFolder } from '../../../test/support/stores.ts';
import type { HotStore } from './hot-store.ts';
import { openLmdbHotStore } from './lmdb-hot-store.ts';
import { isRecordKey, recordKey, UserRecord } from './user-record.ts';
import { memberPrefixesOf, userKeyOf } from './user-key.ts';
import { walkHotStore } from './walk-hot-store.ts';

const folder = createTestFolder();
afterAll(() => folder.remove());

const START_MS = 1_700_000_000_000;
const DAY_MS = 86_400_000;
let nowMs = START_MS;
let opened = 0;
const newDir = (): string => `${folder.dir}/store-${(opened += 1)}`;
const openStore = (dir: string): HotStore => openLmdbHotStore(dir, () => nowMs);
const openRaw = (path: string) => open<Buffer, Buffer>({ path, encoding: 'binary', keyEncoding: 'binary' });

/** A key of no user, whose entry stands by itself: the form of older programs. */
const plainKey = (key: string): string => key.replace(/^(f|tv|tc)/, (family) => `-${family}`);

const OWNERS = ['1/00000000000000aa', '1/00000000000000ab', '2/00000000000000aa'];
const owner = fc.constantFrom(...OWNERS);
const counterKey = fc
  .tuple(owner, fc.constantFrom('li/1/imp/1DAY', 'li/12/imp/1DAY', 'li/1/seq', 'ca/é/clk/2HOUR'))
  .map(([of, rest]) => `f/${of}/${rest}`);
const listKey = fc
  .tuple(fc.constantFrom('tv', 'tc'), owner, fc.constantFrom('', '/7', '/78'))
  .map(([family, of, rest]) => `${family}/${of}${rest}`);
const ttlMs = fc.constantFrom(1_000, 60_000, DAY_MS);
/** Long values fill records, so that others stand beside them. */
const value = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.integer({ min: 1_000, max: 3_000 }).map((length) => 'x'.repeat(length)),
);
const prefix = fc.oneof(
  counterKey,
  listKey,
  owner.map((of) => `f/${of}/`),
  fc.tuple(fc.constantFrom('tv', 'tc'), owner).map(([family, of]) => `${family}/${of}`),
  fc.constantFrom('f/1/', 'f/1', 't', 'f', 'tv/1/00000000000000a', 'tc/1/00000000000000aa/7'),
);

interface Turn {
  run(store: HotStore, keyOf: (key: string) => string): Promise<unknown>;
  readonly text: string;
}
const turn = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ key: counterKey, by: fc.bigInt({ min: -5n, max: 9n }), ttlMs }).map(
      (one): Turn => ({
        text: `add ${one.by} to ${one.key} for ${one.ttlMs}`,
        run: (store, keyOf) => store.addToCounters([{ ...one, key: keyOf(one.key) }]),
      }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.record({ key: listKey, value, max: fc.integer({ min: 1, max: 4 }), ttlMs }).map(
      (one): Turn => ({
        text: `push ${one.value.length} onto ${one.key} for ${one.ttlMs}, at most ${one.max}`,
        run: (store, keyOf) =>
          store.applyOnce({
            key: `once/${(opened += 1)}`,
            value: '',
            ttlMs: 1,
            pushes: [{ ...one, key: keyOf(one.key) }],
          }),
      }),
    ),
  },
  fc
    .oneof(counterKey, listKey)
    .map((key): Turn => ({ text: `delete ${key}`, run: (store, keyOf) => store.delete(keyOf(key)) })),
  prefix.map(
    (key): Turn => ({
      text: `delete all that begin with ${key}`,
      run: async (store, keyOf) => {
        // Expired entries count until they are swept.
        await store.sweep(nowMs, 1_000_000);
        return store.deletePrefixes([key === 't' ? keyOf('tv').slice(0, -1) : keyOf(key)]);
      },
    }),
  ),
  fc.constant<Turn>({ text: 'sweep', run: async (store) => void (await store.sweep(nowMs, 1_000_000)) }),
  fc.constantFrom(500, 30_000, DAY_MS).map(
    (ms): Turn => ({
      text: `${ms} ms pass`,
      run: async (_store, keyOf) => {
        if (keyOf === plainKey) nowMs += ms;
      },
    }),
  ),
);

const COUNTERS = OWNERS.flatMap((of) =>
  ['li/1/imp/1DAY', 'li/12/imp/1DAY', 'li/1/seq', 'ca/é/clk/2HOUR'].map((rest) => `f/${of}/${rest}`),
);
const LISTS = OWNERS.flatMap((of) =>
  ['tv', 'tc'].flatMap((family) => ['', '/7', '/78'].map((rest) => `${family}/${of}${rest}`)),
);

async function readAll(store: HotStore, keyOf: (key: string) => string): Promise<unknown> {
  const counters = await store.readCounters(COUNTERS.map(keyOf));
  return [counters, await Promise.all(LISTS.map((key) => store.readList(keyOf(key))))];
}

async function runBeside(
  turns: readonly Turn[],
  stores: { readonly records: HotStore; readonly plain: HotStore },
): Promise<void> {
  for (const { text, run } of turns) {
    const done = await run(stores.records, (key) => key);
    const expected = await run(stores.plain, plainKey);
    if (typeof done !== 'object' || !('first' in (done ?? {}))) expect(done, text).toEqual(expected);
    expect(await readAll(stores.records, (key) => key), text).toEqual(await readAll(stores.plain, plainKey));
  }
}

/** A copy of a store of plain keys, with the names of users' entries, as an older program leaves it. */
async function copyAsOld(from: string, to: string): Promise<void> {
  const [source, target] = [openRaw(from), openRaw(to)];
  for (const { key, value: entry } of source.getRange({}))
    await target.put(
      Buffer.from(key.toString('latin1').replace(/^([cl])-(f|tv|tc)/, '$1$2'), 'latin1'),
      Buffer.from(entry),
    );
  await Promise.all([source.close(), target.close()]);
}

test('records of users give what entries of their own give, also over entries of an older program', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { maxLength: 20 }), fc.array(turn, { maxLength: 30 }), async (before, after) => {
      nowMs = START_MS;
      const [plainDir, dir] = [newDir(), newDir()];
      const old = openStore(plainDir);
      for (const { run } of before) await run(old, plainKey);
      await old.close();
      await copyAsOld(plainDir, dir);
      const stores = { records: openStore(dir), plain: openStore(plainDir) };
      try {
        await runBeside(after, stores);
      } finally {
        await Promise.all([stores.records.close(), stores.plain.close()]);
      }
      expect(walkHotStore(dir, Number.POSITIVE_INFINITY).state).toBe('whole');
    }),
    { numRuns: 40 },
  );
});

const USER = OWNERS[0] ?? '';
const keysOfUser = (prefix: string): fc.Arbitrary<string> =>
  fc.constantFrom('', '/7', '/78').map((rest) => `${prefix}/${USER}${rest}`);
const longPush = fc.record({
  key: keysOfUser('tv'),
  value: fc.constant('x'.repeat(4_000)),
  max: fc.constantFrom(1, 4),
  ttlMs,
});
const counterOfUser = fc.constantFrom('li/1/imp/1DAY', 'li/12/imp/1DAY', 'li/1/seq').map((rest) => `f/${USER}/${rest}`);
/** Turns that fill the record of one user and empty it again, several changes in one transaction. */
const fullTurn = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        pushes: fc.array(longPush, { maxLength: 6, size: 'max' }),
        increments: fc.array(fc.record({ key: counterOfUser, by: fc.bigInt({ min: 1n, max: 9n }), ttlMs }), {
          maxLength: 3,
        }),
      })
      .map(
        ({ pushes, increments }): Turn => ({
          text: `push ${pushes.map(({ key, ttlMs: ms }) => `${key} ${ms}`).join()} add ${increments.map(({ key, ttlMs: ms }) => `${key} ${ms}`).join()}`,
          run: (store, keyOf) =>
            store.applyOnce({
              key: `once/${(opened += 1)}`,
              value: '',
              ttlMs: 1,
              pushes: pushes.map((one) => ({ ...one, key: keyOf(one.key) })),
              increments: increments.map((one) => ({ ...one, key: keyOf(one.key) })),
            }),
        }),
      ),
  },
  fc
    .oneof(counterOfUser, keysOfUser('tv'))
    .map((key): Turn => ({ text: `delete ${key}`, run: (store, keyOf) => store.delete(keyOf(key)) })),
  fc.constantFrom('f', 'tv').map(
    (family): Turn => ({
      text: `delete all that begin with ${family}/${USER}`,
      run: async (store, keyOf) => void (await store.deletePrefixes([keyOf(`${family}/${USER}`)])),
    }),
  ),
  fc.constantFrom(500, 1_000, 30_000).map(
    (ms): Turn => ({
      text: `${ms} ms pass`,
      run: async (_store, keyOf) => {
        if (keyOf === plainKey) nowMs += ms;
      },
    }),
  ),
);

test('a full record of a user gives what entries of their own give, whatever is added, deleted and expires', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fullTurn, { minLength: 8, maxLength: 16 }), async (turns) => {
      nowMs = START_MS;
      const stores = { records: openStore(newDir()), plain: openStore(newDir()) };
      try {
        await runBeside(turns, stores);
      } finally {
        await Promise.all([stores.records.close(), stores.plain.close()]);
      }
    }),
    { numRuns: 25 },
  );
});

test('a counter beside a full record is read after the last member of the record is deleted', async () => {
  nowMs = START_MS;
  const store = openStore(newDir());
  const key = `f/${USER}/li/1/imp/1DAY`;
  const pushes = [1, 2, 3].map((at) => ({ key: `tv/${USER}/${at}`, value: 'x'.repeat(4_000), max: 1, ttlMs: DAY_MS }));
  await store.applyOnce({ key: 'a', value: '', ttlMs: 1, pushes });
  await store.addToCounters([{ key, by: 2n, ttlMs: DAY_MS }]);
  await store.deletePrefixes([`tv/${USER}`]);
  expect(store.readCountersNow([key])).toEqual([2n]);
  await store.addToCounters([{ key, by: 1n, ttlMs: DAY_MS }]);
  expect(store.readCountersNow([key])).toEqual([3n]);
  await store.close();
});

test('an entry beside a full record lives as long as its last change of one transaction says', async () => {
  nowMs = START_MS;
  const store = openStore(newDir());
  const push = (at: string, ms: number) => ({ key: `tv/${USER}/${at}`, value: 'x'.repeat(4_000), max: 2, ttlMs: ms });
  await store.applyOnce({ key: 'a', value: '', ttlMs: 1, pushes: ['1', '2', '3'].map((at) => push(at, 1_000)) });
  await store.applyOnce({ key: 'b', value: '', ttlMs: 1, pushes: [push('4', 1_000), push('4', DAY_MS)] });
  nowMs += 30_000;
  expect(store.readListNow(`tv/${USER}/4`)).toHaveLength(2);
  await store.close();
});

test('an entry that an older program writes beside a record is added to it', async () => {
  nowMs = START_MS;
  const dir = newDir();
  const key = 'f/1/00000000000000aa/li/1/imp/1DAY';
  const list = 'tv/1/00000000000000aa';
  const push = (text: string) => ({ key: list, value: text, max: 8, ttlMs: DAY_MS });
  const first = openStore(dir);
  await first.applyOnce({
    key: 'a',
    value: '',
    ttlMs: 1,
    increments: [{ key, by: 2n, ttlMs: DAY_MS }],
    pushes: [push('first')],
  });
  await first.close();
  // An older program knows no records.
  const plainDir = newDir();
  const older = openStore(plainDir);
  await older.applyOnce({
    key: 'b',
    value: '',
    ttlMs: 1,
    increments: [{ key: plainKey(key), by: 3n, ttlMs: DAY_MS }],
    pushes: [{ ...push('second'), key: plainKey(list) }],
  });
  await older.close();
  await copyAsOld(plainDir, dir);
  const store = openStore(dir);
  expect([store.readCountersNow([key]), store.readListNow(list)]).toEqual([[5n], ['second', 'first']]);
  await store.sweep(nowMs, 1_000);
  expect([store.readCountersNow([key]), store.readListNow(list)]).toEqual([[5n], ['second', 'first']]);
  await store.close();
  const env = openRaw(dir);
  expect([...env.getKeys({})].filter((stored) => /^[cl](f|t)/.test(stored.toString('latin1')))).toEqual([]);
  expect([...env.getKeys({})].filter(isRecordKey)).toHaveLength(1);
  await env.close();
});

test('nothing of a user stays when all of the user is deleted', async () => {
  nowMs = START_MS;
  const dir = newDir();
  const store = openStore(dir);
  const user = '1/00000000000000aa';
  const pushes = Array.from({ length: 12 }, (_one, at) => ({
    key: `tv/${user}/${at}`,
    value: 'x'.repeat(2_000),
    max: 1,
    ttlMs: DAY_MS,
  }));
  await store.applyOnce({
    key: 'a',
    value: '',
    ttlMs: 1,
    increments: [{ key: `f/${user}/li/1/imp/1DAY`, by: 1n, ttlMs: DAY_MS }],
    pushes,
  });
  expect(await Promise.all(pushes.map(({ key }) => store.readList(key)))).toEqual(
    pushes.map(({ value: one }) => [one]),
  );
  expect(await store.deletePrefixes([`f/${user}/`, `tc/${user}`, `tv/${user}`])).toEqual([1, 0, 12]);
  await store.close();
  const env = openRaw(dir);
  expect([...env.getKeys({})].filter((stored) => stored.includes(user))).toEqual([]);
  await env.close();
});

test('a record that is cut is damage, for the walk and for reads', async () => {
  nowMs = START_MS;
  const dir = newDir();
  const key = 'f/1/00000000000000aa/li/1/imp/1DAY';
  const store = openStore(dir);
  await store.addToCounters([{ key, by: 1n, ttlMs: DAY_MS }]);
  await store.close();
  const env = openRaw(dir);
  const [stored] = [...env.getKeys({})].filter(isRecordKey);
  if (stored === undefined) throw new Error('no record');
  const whole = Buffer.from(env.get(stored) ?? []);
  for (const damaged of [whole.subarray(0, 12), whole.subarray(0, -1), Buffer.concat([whole, Buffer.from([0])])]) {
    await env.put(stored, damaged);
    expect(walkHotStore(dir, Number.POSITIVE_INFINITY)).toMatchObject({ state: 'damaged', reason: /record of a user/ });
    const again = openStore(dir);
    expect(() => again.readCountersNow([key])).toThrow(RangeError);
    await expect(again.addToCounters([{ key, by: 1n, ttlMs: DAY_MS }])).rejects.toThrow(RangeError);
    await again.close();
  }
  await env.close();
});

test('keys name their user, and prefixes the members that begin with them', () => {
  expect(userKeyOf('counter', 'f/1/aa/li/5/imp/1DAY')).toEqual({ owner: '1/aa', name: 'f/li/5/imp/1DAY' });
  expect(userKeyOf('list', 'tv/1/aa')).toEqual({ owner: '1/aa', name: 'v' });
  expect(userKeyOf('list', 'tc/1/aa/7')).toEqual({ owner: '1/aa', name: 'c/7' });
  for (const key of ['f', 'f/', 'f/1', 'f/1/', 'f//aa', 'd/1/li/5', 'ti/1/aa', 'tv/1']) {
    expect(userKeyOf('counter', key), key).toBeNull();
    expect(userKeyOf('list', key), key).toBeNull();
  }
  expect(userKeyOf('list', 'f/1/aa')).toBeNull();
  expect(memberPrefixesOf('f/1/aa/li')).toEqual([{ kind: 'counter', owner: '1/aa', isWhole: true, name: 'f/li' }]);
  expect(memberPrefixesOf('tv/1/aa')).toEqual([{ kind: 'list', owner: '1/aa', isWhole: false, name: 'v' }]);
  expect(memberPrefixesOf('t').map(({ name }) => name)).toEqual(['v', 'c']);
  expect(memberPrefixesOf('d/1/')).toEqual([]);
});

test('a record finds its members after others were removed', () => {
  const record = new UserRecord(recordKey('1/a'), undefined, nowMs);
  record.add('f/first', 1n, nowMs + 1_000);
  record.add('f/second', 1n, nowMs + 1_000);
  expect(record.removeAll('f/first')).toBe(1);
  expect(record.add('f/second', 1n, nowMs + 1_000)).toBe(2n);
  record.remove('f/second');
  expect(record.has('f/second')).toBe(false);
});
