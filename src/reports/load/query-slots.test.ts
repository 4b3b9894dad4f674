import { describe, expect, test } from 'vitest';
import { ReportShare, SHARE_RULE } from '../../domain/reporting/report-share.ts';
import { QuerySlots } from './query-slots.ts';

const LIMITS = { runningMax: 2, runningPerNetworkMax: 2, waitingPerNetworkMax: 3, waitingMax: 5 };
const forever = new AbortController().signal;

/** Work that ends when it is told to, and records when it began. */
function bench(slots: QuerySlots) {
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const run = (network: string, name: string, signal: AbortSignal = forever): Promise<unknown> =>
    slots.run(network, signal, () => {
      order.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const drainPromises = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));
  const endOldest = async (): Promise<void> => {
    await drainPromises();
    ends.shift()?.();
    await drainPromises();
  };
  return { order, run, endOldest, drainPromises };
}

describe('QuerySlots', () => {
  test('networks take turns, whatever their number of queries', async () => {
    const { order, run, endOldest } = bench(new QuerySlots(LIMITS));
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) => run(name.charAt(0), name));
    for (let step = 0; step < 6; step += 1) await endOldest();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'b2']);
  });

  test('one network never takes more than its share, even when the others are idle', async () => {
    const slots = new QuerySlots({ ...LIMITS, runningMax: 10 });
    const { order, run, endOldest, drainPromises } = bench(slots);
    const all = ['a1', 'a2', 'a3'].map((name) => run('a', name));
    await drainPromises();
    expect(order).toEqual(['a1', 'a2']);
    expect(slots.stats()).toEqual({ running: 2, waiting: 1 });
    for (let step = 0; step < 3; step += 1) await endOldest();
    await Promise.all(all);
    expect(slots.stats()).toEqual({ running: 0, waiting: 0 });
  });

  test('a full queue refuses further queries at once with a message', async () => {
    const { run, endOldest } = bench(new QuerySlots(LIMITS));
    const all = ['1', '2', '3', '4', '5'].map((name) => run('a', name));
    await expect(run('a', '6')).rejects.toMatchObject({ code: 'overloaded' });
    for (let step = 0; step < 5; step += 1) await endOldest();
    await Promise.all(all);
  });

  test('a caller that gives up leaves the queue', async () => {
    const slots = new QuerySlots(LIMITS);
    const { order, run, endOldest } = bench(slots);
    const first = [run('a', '1'), run('a', '2')];
    const giveUp = new AbortController();
    const third = run('a', '3', giveUp.signal);
    giveUp.abort(new Error('gone'));
    await expect(third).rejects.toThrow('gone');
    expect(slots.stats().waiting).toBe(0);
    await endOldest();
    await endOldest();
    await Promise.all(first);
    expect(order).toEqual(['1', '2']);
  });

  test('failing work frees its slot', async () => {
    const slots = new QuerySlots({ ...LIMITS, runningMax: 1 });
    await expect(slots.run('a', forever, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(slots.stats()).toEqual({ running: 0, waiting: 0 });
  });
});

describe('QuerySlots that yield to ads', () => {
  const late = { lagMs: 100, waitShare: 0.5 };
  const calm = { lagMs: 0, waitShare: 0 };

  test('one statement at a time runs at the floor, and waiting ones start when the share rises', async () => {
    let nowMs = 0;
    const share = new ReportShare(() => nowMs);
    const record = (load: typeof late, times: number): void => {
      for (let time = 0; time < times; time += 1) {
        nowMs += SHARE_RULE.stepMs;
        share.record(0, load);
      }
    };
    record(late, 4);
    const slots = new QuerySlots(LIMITS, { share, nowMs: () => nowMs, rest: () => Promise.resolve() });
    const { order, run, endOldest, drainPromises } = bench(slots);
    const all = ['1', '2', '3'].map((name) => run('a', name));
    await drainPromises();
    expect(order).toEqual(['1']);
    expect(slots.isYielding).toBe(true);
    record(calm, 30);
    await drainPromises();
    expect(order).toEqual(['1', '2']);
    expect(slots.isYielding).toBe(false);
    for (let step = 0; step < 3; step += 1) await endOldest();
    await Promise.all(all);
  });

  test('a slot rests after a statement, whose caller has its result before', async () => {
    let nowMs = 0;
    const share = { value: 1 / 16, watch: () => undefined };
    const rests: { readonly ms: number; readonly end: () => void }[] = [];
    const rest = (ms: number): Promise<void> => new Promise((end) => void rests.push({ ms, end }));
    const slots = new QuerySlots(LIMITS, { share, nowMs: () => nowMs, rest });
    const { order, run, endOldest, drainPromises } = bench(slots);
    const first = run('a', '1');
    const second = run('a', '2');
    await drainPromises();
    nowMs = 100;
    await endOldest();
    await first;
    expect(order).toEqual(['1']);
    expect(rests.map(({ ms }) => ms)).toEqual([300]);
    rests[0]?.end();
    await drainPromises();
    expect(order).toEqual(['1', '2']);
    await endOldest();
    await second;
  });
});
