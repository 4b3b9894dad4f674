import { describe, expect, test, vi } from 'vitest';
import { ADMISSION_LIMITS, type AdmittedQuery, CostAdmission } from './cost-admission.ts';
import { WorkSlices } from '../../domain/time/work-slices.ts';

const drainPromises = async (): Promise<void> => {
  for (let hop = 0; hop < 20; hop += 1) await Promise.resolve();
};

describe('Admission by cost', () => {
  const limits = {
    ...ADMISSION_LIMITS,
    smallMax: 10,
    pointsPerSecond: 100,
    pointsMax: 300,
    runningOfGroupMax: 1,
    runningMax: 2,
    waitingOfGroupMax: 2,
    waitMsMax: 5_000,
  };
  const open = () => {
    const clock = { nowMs: 0 };
    const admission = new CostAdmission(limits, () => clock.nowMs);
    const started: string[] = [];
    const enter = (group: string, query: number | AdmittedQuery, name = group) => {
      const entered = admission.enter(group, typeof query === 'number' ? { cost: query } : query).then((leave) => {
        started.push(name);
        return leave;
      });
      entered.catch(() => undefined);
      return entered;
    };
    const pass = async (ms: number): Promise<void> => {
      clock.nowMs += ms;
      await vi.advanceTimersByTimeAsync(ms);
      await drainPromises();
    };
    return { enter, pass, started };
  };

  test('large queries of a group run one after the other, and small ones alongside', async () => {
    vi.useFakeTimers();
    const { enter, pass, started } = open();
    const leave = await enter('a', 20, 'first');
    void enter('a', 20, 'second');
    await enter('a', 10, 'small');
    expect(started).toEqual(['first', 'small']);
    leave();
    await pass(1);
    expect(started).toEqual(['first', 'small', 'second']);
    vi.useRealTimers();
  });

  test('a query whose work is done elsewhere waits for points, not for others, and keeps nobody waiting', async () => {
    vi.useFakeTimers();
    const { enter, pass, started } = open();
    const forecast = { cost: 200, isElsewhere: true };
    void enter('a', forecast, 'forecast');
    void enter('a', 20, 'large');
    void enter('a', forecast, 'second forecast');
    void enter('a', forecast, 'third forecast');
    await pass(1);
    expect(started).toEqual(['forecast', 'large', 'second forecast']);
    await pass(1_300);
    expect(started).toEqual(['forecast', 'large', 'second forecast', 'third forecast']);
    vi.useRealTimers();
  });

  test('a query whose caller leaves while it waits is dropped and costs nothing', async () => {
    vi.useFakeTimers();
    const { enter, pass, started } = open();
    const caller = new AbortController();
    const leave = await enter('a', 20, 'first');
    const left = enter('a', { cost: 400, signal: caller.signal }, 'left');
    void enter('a', 20, 'next');
    void enter('a', 20, 'last');
    caller.abort(new Error('The caller is gone'));
    leave();
    await expect(left).rejects.toThrow('The caller is gone');
    await pass(1);
    expect(started).toEqual(['first', 'next']);
    vi.useRealTimers();
  });

  test('a query whose caller left does not count as waiting', async () => {
    const { enter } = open();
    const caller = new AbortController();
    await enter('a', 20, 'first');
    const left = [1, 2].map(() => enter('a', { cost: 20, signal: caller.signal }));
    caller.abort(new Error('The caller is gone'));
    const next = enter('a', 20, 'next');
    await expect(Promise.race(left)).rejects.toThrow('The caller is gone');
    await expect(Promise.race([next, Promise.resolve('waits')])).resolves.toBe('waits');
  });

  test('a group without points waits until they come back, and no other group waits', async () => {
    vi.useFakeTimers();
    const { enter, pass, started } = open();
    (await enter('a', 500, 'huge'))();
    void enter('a', 20, 'later');
    await enter('b', 20);
    expect(started).toEqual(['huge', 'b']);
    await pass(1_900);
    expect(started).toEqual(['huge', 'b']);
    await pass(200);
    expect(started).toEqual(['huge', 'b', 'later']);
    vi.useRealTimers();
  });

  test('a query that finds a full queue or waits too long is refused with a time to retry', async () => {
    vi.useFakeTimers();
    const { enter, pass } = open();
    await enter('a', 1_300);
    const waiting = [enter('a', 20), enter('a', 20)];
    await expect(enter('a', 20)).rejects.toMatchObject({ code: 'overloaded', details: { retryAfterSeconds: 10 } });
    const refused = expect(Promise.all(waiting)).rejects.toMatchObject({ code: 'overloaded' });
    await pass(5_001);
    await refused;
    vi.useRealTimers();
  });
});

describe('Work in slices', () => {
  test('work continues at once within its slice, then yields to other work, group by group', async () => {
    const clock = { nowMs: 0 };
    const later: (() => void)[] = [];
    const slices = new WorkSlices({
      nowMs: () => clock.nowMs,
      afterOthers: (run) => void later.push(run),
      afterPromises: (run) => void setImmediate(run),
    });
    const runLater = async (): Promise<void> => {
      for (const run of later.splice(0)) run();
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    expect(slices.turn('a')).toBeUndefined();
    clock.nowMs += 10;
    const order: string[] = [];
    for (const name of ['a1', 'a2', 'a3', 'b1'])
      void slices.turn(name[0] as string)?.then(() => {
        order.push(name);
        // Each piece of work takes a good part of a slice.
        clock.nowMs += 3;
      });
    await drainPromises();
    expect(order).toEqual([]);
    await runLater();
    expect(order).toEqual(['a1', 'b1']);
    await runLater();
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
  });
});
