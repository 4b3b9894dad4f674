import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApplyOnce, HOT_BATCH_MAX, type HotStore } from './hot-store.ts';

/** How a driver is tried out. */
export interface HotContractSubject {
  open(): HotStore | Promise<HotStore>;
  /** Lets time pass for the store: a fake clock, or a wait. */
  advance(ms: number): Promise<void>;
}

const hour = 3_600_000;

/** What every hot store has to do, as tests. */
export function describeHotStore(name: string, subject: HotContractSubject): void {
  describe(name, () => {
    let store: HotStore;
    let unique = 0;
    const fresh = (stem: string) => `${stem}-${process.pid}-${(unique += 1)}`;

    beforeAll(async () => {
      store = await subject.open();
    });
    afterAll(() => store.close());

    describe('applyOnce', () => {
      test('remembers the first value, and counts and pushes with it', async () => {
        const [key, counter, list] = [fresh('seen'), fresh('count'), fresh('list')];
        const op: ApplyOnce = {
          key,
          value: 'first',
          ttlMs: hour,
          increments: [{ key: counter, by: 2n, ttlMs: hour }],
          pushes: [{ key: list, value: 'touch', max: 3, ttlMs: hour }],
        };
        expect(await store.applyOnce(op)).toEqual({ first: true, value: 'first' });
        expect(await store.applyOnce({ ...op, value: 'second' })).toEqual({ first: false, value: 'first' });
        expect(await store.readCounters([counter])).toEqual([2n]);
        expect(await store.readList(list)).toEqual(['touch']);
      });

      test('counts once when the same operation is asked for many times at once', async () => {
        const [key, counter] = [fresh('seen'), fresh('count')];
        const op: ApplyOnce = { key, value: 'x', ttlMs: hour, increments: [{ key: counter, by: 1n, ttlMs: hour }] };
        const results = await Promise.all(Array.from({ length: 50 }, () => store.applyOnce(op)));
        expect(results.filter((result) => result.first)).toHaveLength(1);
        expect(await store.readCounters([counter])).toEqual([1n]);
      });

      test('counts again after the key has expired', async () => {
        const [key, counter] = [fresh('seen'), fresh('count')];
        const op: ApplyOnce = { key, value: 'x', ttlMs: 200, increments: [{ key: counter, by: 1n, ttlMs: hour }] };
        await store.applyOnce(op);
        await subject.advance(250);
        expect(await store.get(key)).toBeNull();
        expect(await store.applyOnce({ ...op, value: 'y' })).toEqual({ first: true, value: 'y' });
        expect(await store.readCounters([counter])).toEqual([2n]);
      });

      test('in a batch keeps the order, also for a key that comes twice', async () => {
        const [key, counter] = [fresh('seen'), fresh('count')];
        const increments = [{ key: counter, by: 1n, ttlMs: hour }];
        const results = await store.applyOnceAll([
          { key, value: 'a', ttlMs: hour, increments },
          { key: fresh('seen'), value: 'b', ttlMs: hour, increments },
          { key, value: 'c', ttlMs: hour, increments },
        ]);
        expect(results).toEqual([
          { first: true, value: 'a' },
          { first: true, value: 'b' },
          { first: false, value: 'a' },
        ]);
        expect(await store.readCounters([counter])).toEqual([2n]);
      });

      test('takes the largest batch, and no larger one', async () => {
        const counter = fresh('count');
        const stem = fresh('many');
        const ops = Array.from({ length: HOT_BATCH_MAX }, (_one, at) => ({
          key: `${stem}-${at}`,
          value: '',
          ttlMs: hour,
          increments: [{ key: counter, by: 1n, ttlMs: hour }],
        }));
        const results = await store.applyOnceAll(ops);
        expect(results.every((result) => result.first && result.value === '')).toBe(true);
        expect(await store.readCounters([counter])).toEqual([BigInt(HOT_BATCH_MAX)]);
        await expect(store.applyOnceAll([...ops, ...ops.slice(0, 1)])).rejects.toThrow(RangeError);
      });

      test('changes nothing when one operation of the batch is out of bounds', async () => {
        const key = fresh('seen');
        const ops = [
          { key, value: 'a', ttlMs: hour },
          { key: '', value: 'b', ttlMs: hour },
        ];
        await expect(store.applyOnceAll(ops)).rejects.toThrow(RangeError);
        expect(await store.get(key)).toBeNull();
      });
    });

    describe('numbered additions', () => {
      test('add once per number, however often they are sent, and repeat the values of the first time', async () => {
        const [writer, counter, other] = [fresh('writer'), fresh('count'), fresh('count')];
        const increments = [
          { key: counter, by: 5n, ttlMs: hour },
          { key: other, by: -2n, ttlMs: hour },
        ];
        const first = { writer, number: 1, ttlMs: hour, increments };
        expect(await store.addNumbered(first)).toEqual([5n, -2n]);
        await store.addToCounters([{ key: counter, by: 100n, ttlMs: hour }]);
        const again = await Promise.all(Array.from({ length: 20 }, () => store.addNumbered(first)));
        expect(again.every((values) => values?.join(' ') === '5 -2')).toBe(true);
        expect(await store.addNumbered({ ...first, number: 2 })).toEqual([110n, -4n]);
        expect(await store.readCounters([counter, other])).toEqual([110n, -4n]);
      });

      test('that arrive after a higher number of their writer add nothing', async () => {
        const [writer, counter] = [fresh('writer'), fresh('count')];
        const late = { writer, number: 7, ttlMs: hour, increments: [{ key: counter, by: 3n, ttlMs: hour }] };
        expect(await store.addNumbered({ ...late, number: 8 })).toEqual([3n]);
        expect(await store.addNumbered(late)).toBeNull();
        expect(await store.addNumbered({ ...late, writer: fresh('writer') })).toEqual([6n]);
      });

      test('are cancelled by their number with no counters, unless they were there first', async () => {
        const [writer, counter] = [fresh('writer'), fresh('count')];
        const first = { writer, number: 1, ttlMs: hour, increments: [{ key: counter, by: 3n, ttlMs: hour }] };
        expect(await store.addNumbered(first)).toEqual([3n]);
        expect(await store.addNumbered({ ...first, increments: [] })).toEqual([3n]);
        expect(await store.addNumbered({ ...first, number: 2, increments: [] })).toEqual([]);
        expect(await store.addNumbered({ ...first, number: 2 })).toEqual([]);
        expect(await store.readCounters([counter])).toEqual([3n]);
      });

      test('are remembered for their time to live from the newest one on', async () => {
        const [writer, counter] = [fresh('writer'), fresh('count')];
        const one = { writer, number: 1, ttlMs: 400, increments: [{ key: counter, by: 1n, ttlMs: hour }] };
        await store.addNumbered(one);
        await subject.advance(250);
        expect(await store.addNumbered({ ...one, number: 2 })).toEqual([2n]);
        await subject.advance(250);
        expect(await store.addNumbered(one)).toBeNull();
        await subject.advance(450);
        expect(await store.addNumbered(one)).toEqual([3n]);
      });

      test.each([
        ['number 0', { number: 0 }],
        ['a time to live of 0', { ttlMs: 0 }],
        [
          '201 counters',
          { increments: Array.from({ length: 201 }, (_one, at) => ({ key: `${at}`, by: 1n, ttlMs: 1 })) },
        ],
      ])('refuse %s', async (_what, wrong) => {
        const right = { writer: fresh('writer'), number: 1, ttlMs: hour, increments: [] };
        await expect(store.addNumbered({ ...right, ...wrong })).rejects.toThrow(RangeError);
      });
    });

    describe('counters', () => {
      test('that are unknown read as 0, in the order asked for', async () => {
        const counter = fresh('count');
        await store.addToCounters([{ key: counter, by: 5n, ttlMs: hour }]);
        expect(await store.readCounters([fresh('none'), counter, fresh('none')])).toEqual([0n, 5n, 0n]);
        expect(await store.readCounters([])).toEqual([]);
      });

      test('give their new values, hold 64 bits, and go down', async () => {
        const counter = fresh('count');
        const large = 9_007_199_254_740_993n;
        expect(await store.addToCounters([{ key: counter, by: large, ttlMs: hour }])).toEqual([large]);
        const both = [
          { key: counter, by: 1n, ttlMs: hour },
          { key: counter, by: -3n, ttlMs: hour },
        ];
        expect(await store.addToCounters(both)).toEqual([large + 1n, large - 2n]);
      });

      test.each([1n, -1n])('stay at the end of 64 bits instead of beginning again (%d)', async (sign) => {
        const counter = fresh('count');
        const end = sign > 0n ? 2n ** 63n - 1n : -(2n ** 63n);
        const large = { key: counter, by: sign * 9_000_000_000_000_000_000n, ttlMs: 400 };
        expect(await store.addToCounters([large, large])).toEqual([large.by, end]);
        const op = { key: fresh('seen'), value: 'x', ttlMs: hour, increments: [large] };
        expect(await store.applyOnce(op)).toEqual({ first: true, value: 'x' });
        expect(await store.readCounters([counter])).toEqual([end]);
        expect(await store.addToCounters([{ key: counter, by: -sign, ttlMs: hour }])).toEqual([end - sign]);
        await subject.advance(450);
        expect(await store.readCounters([counter]), 'its window ends as ever').toEqual([0n]);
      });

      test('end with the window that their first increment opened, however often they count', async () => {
        const counter = fresh('count');
        await store.addToCounters([{ key: counter, by: 1n, ttlMs: 400 }]);
        await subject.advance(250);
        await store.addToCounters([{ key: counter, by: 1n, ttlMs: 400 }]);
        expect(await store.readCounters([counter])).toEqual([2n]);
        await subject.advance(200);
        expect(await store.readCounters([counter])).toEqual([0n]);
        expect(await store.addToCounters([{ key: counter, by: 1n, ttlMs: 400 }])).toEqual([1n]);
      });

      test('can be read at once, or it is said that they cannot', async () => {
        const counter = fresh('count');
        await store.addToCounters([{ key: counter, by: 7n, ttlMs: hour }]);
        expect([null, [7n]]).toContainEqual(store.readCountersNow([counter]));
      });
    });

    describe('lists', () => {
      const push = (list: string, value: string, max: number, ttlMs = hour) =>
        store.applyOnce({ key: fresh('event'), value: '', ttlMs: hour, pushes: [{ key: list, value, max, ttlMs }] });

      test('have the newest first and keep as many as asked', async () => {
        const list = fresh('list');
        for (const value of ['a', 'ą "quoted"\n', '', 'd']) await push(list, value, 3);
        expect(await store.readList(list)).toEqual(['d', '', 'ą "quoted"\n']);
      });

      test('live on with every push, and end as a whole', async () => {
        const list = fresh('list');
        await push(list, 'a', 3, 400);
        await subject.advance(250);
        await push(list, 'b', 3, 400);
        await subject.advance(250);
        expect(await store.readList(list)).toEqual(['b', 'a']);
        await subject.advance(200);
        expect(await store.readList(list)).toEqual([]);
      });
    });

    describe('values', () => {
      test('are set, set again, and expire', async () => {
        const key = fresh('value');
        await store.set(key, 'one', hour);
        await store.set(key, 'two', 200);
        expect(await store.get(key)).toBe('two');
        await subject.advance(250);
        expect(await store.get(key)).toBeNull();
      });

      test('counters and lists of one key do not meet, and are forgotten together', async () => {
        const key = fresh('same');
        const increments = [{ key, by: 1n, ttlMs: hour }];
        await store.applyOnce({
          key,
          value: 'v',
          ttlMs: hour,
          increments,
          pushes: [{ key, value: 'l', max: 1, ttlMs: hour }],
        });
        expect([await store.get(key), await store.readCounters([key]), await store.readList(key)]).toEqual([
          'v',
          [1n],
          ['l'],
        ]);
        await store.delete(key);
        expect([await store.get(key), await store.readCounters([key]), await store.readList(key)]).toEqual([
          null,
          [0n],
          [],
        ]);
      });

      test('are forgotten together by what their keys begin with, in every space, and no others', async () => {
        const stem = fresh('ą*?[x]');
        const keys = ['/a', '/b', ''].map((end) => `${stem}/user${end}`);
        const increments = keys.map((key) => ({ key, by: 1n, ttlMs: hour }));
        const pushes = keys.map((key) => ({ key, value: 'l', max: 1, ttlMs: hour }));
        await store.applyOnce({ key: `${stem}/user/a`, value: 'v', ttlMs: hour, increments, pushes });
        await store.set(`${stem}/usher`, 'kept', hour);
        await store.set(`${stem}/other`, 'v', hour);
        const prefixes = [`${stem}/user`, `${stem}/user/a`, `${stem}/nobody`, `${stem}/oth`];
        expect(await store.deletePrefixes(prefixes)).toEqual([7, 0, 0, 1]);
        expect([await store.get(`${stem}/user/a`), await store.readCounters(keys)]).toEqual([null, [0n, 0n, 0n]]);
        expect(await store.readList(`${stem}/user/b`)).toEqual([]);
        expect(await store.get(`${stem}/usher`)).toBe('kept');
        expect(await store.deletePrefixes(prefixes)).toEqual([0, 0, 0, 0]);
        expect(await store.deletePrefixes([])).toEqual([]);
        const many = Array.from({ length: 2_500 }, (_one, at) => `${stem}/${at}/`);
        await store.set(`${stem}/2400/last`, 'v', hour);
        const counts = await store.deletePrefixes(many);
        expect([counts.length, counts.indexOf(1), await store.get(`${stem}/2400/last`)]).toEqual([2_500, 2_400, null]);
        await expect(async () => store.deletePrefixes([stem, ''])).rejects.toThrow(RangeError);
      });

      test.each([
        ['an empty key', '', 1],
        ['a key of more than 1,000 bytes', 'ą'.repeat(501), 1],
        ['no time to live', 'k', 0],
        ['a broken time to live', 'k', 1.5],
      ])('refuse %s', async (_name, key, ttlMs) => {
        await expect(async () => store.set(key, 'v', ttlMs)).rejects.toThrow(RangeError);
      });

      test('have keys of up to 1,000 bytes of any sign', async () => {
        const key = `${fresh('ą\0 "x"')}${'y'.repeat(900)}`;
        await store.set(key, 'v', hour);
        expect(await store.get(key)).toBe('v');
      });
    });

    test('earlier writes are safe once flushed', async () => {
      await store.set(fresh('value'), 'v', hour);
      await store.flushed();
      await store.ping();
    });
  });
}
