import { describe, expect, test } from 'vitest';
import { dayCounterKey, lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import type { CounterKind } from '../../domain/money/counter-key.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import type { CompiledLineItem } from '../decision/index/compile-line-items.ts';
import { sampleSnapshot } from '../../../test/worlds/sample-workspace.ts';
import { Pacer } from './pacer.ts';
import { flatCurve } from '../../domain/pacing/traffic-curve.ts';
import { MemoryHotStore } from '../../../test/simulation/memory-hot-store.ts';

const HOUR_MS = 3_600_000;
const startMs = Date.parse('2026-11-16T00:00:00+01:00');
const flight = { startsAtMs: startMs, endsAtMs: startMs + 10 * 24 * HOUR_MS };
const lifetime = (amount: number) => ({ kind: 'IMPRESSIONS', amount, period: 'LIFETIME' }) as const;
type Booked = NonNullable<Parameters<typeof sampleSnapshot>[0]['lineItems']>[number];

/** Pacers of several processes that share one store, on a simulated clock. */
class Bench {
  nowMs = startMs;
  readonly store = new MemoryHotStore(() => this.nowMs);
  readonly pacers: readonly Pacer[];
  row: CompiledLineItem;

  constructor(processes: number, lineItem: Booked) {
    this.row = this.compile(lineItem);
    const curve = flatCurve('Europe/Warsaw');
    this.pacers = Array.from(
      { length: processes },
      (_none, slot) => new Pacer({ peers: { processes, slot }, curveOf: () => curve }),
    );
  }

  compile(lineItem: Booked): CompiledLineItem {
    const snapshot = sampleSnapshot({ lineItems: [{ type: 'STANDARD', ...flight, ...lineItem }] });
    const [row] = compileWorkspace(snapshot, startMs, () => {}).rows;
    if (row === undefined) throw new Error('The row was refused');
    return row;
  }

  wants(process = 0): boolean {
    const read = (key: string) => Number(this.store.readCountersNow([key])[0]);
    return this.pacers[process]?.pace(this.row, { workspaceId: 1, nowMs: this.nowMs }, read).wants === true;
  }

  /** Answers as long as the process wants to, and reports it. */
  answerAll(process = 0, most = 10_000): number {
    let answers = 0;
    for (; answers < most && this.wants(process); answers += 1) this.pacers[process]?.noteAnswer(this.row);
    this.report(process);
    return answers;
  }

  report(process: number): void {
    const report = this.pacers[process]?.takeReport(100);
    for (const increment of report?.increments ?? []) this.store.add(increment);
    report?.done();
  }

  deliver(count: number, kind: CounterKind = 'imp', day?: string): void {
    const subject = { workspaceId: 1, scope: 'li', id: '1', kind } as const;
    const key = day === undefined ? lifetimeCounterKey(subject) : dayCounterKey(subject, day);
    this.store.add({ key, by: BigInt(count), ttlMs: 9e9 });
  }
}

describe('pacing over processes', () => {
  test.each([
    // 36 an hour: 18 in half an hour, and one for each process.
    ['half an hour of a slow plan', 8_640, 17, 22],
    // 3,600 an hour, by now 4,000 to catch up: 20, and one and two turns' worth for each process.
    ['no more than 20 beside the turns of a fast one', 864_000, 60, 67],
  ])('when nobody comes, credit is saved: %s', (_name, amount, least, most) => {
    const bench = new Bench(2, { goal: lifetime(amount) });
    const answerBoth = () => bench.answerAll(0) + bench.answerAll(1);
    for (let second = 0; second < 60; second += 1) {
      bench.nowMs += 1_000;
      bench.deliver(answerBoth());
    }
    for (let second = 0; second < 2_400; second += 1) {
      bench.nowMs += 1_000;
      for (const process of [0, 1]) bench.wants(process);
    }
    const given = answerBoth();
    expect(given).toBeGreaterThanOrEqual(least);
    expect(given).toBeLessThanOrEqual(most);
  });

  test.each([1, 2, 8])(
    '%i processes together give no more than the plan and its head start, and no less than the plan',
    (processes) => {
      const bench = new Bench(processes, { goal: lifetime(240_000) });
      let answers = 0;
      for (let second = 0; second < 600; second += 1) {
        bench.nowMs += 1_000;
        for (let process = 0; process < processes; process += 1) {
          const given = bench.answerAll(process);
          bench.deliver(given);
          answers += given;
        }
      }
      // 1,000 an hour, and a head start of at most a thousandth of the goal.
      expect(answers).toBeGreaterThan(1_000 / 6);
      expect(answers).toBeLessThan(1_000 / 6 + 240 + processes);
    },
  );

  test.each([1, 2, 8])('a single unit is released once by %i processes', (processes) => {
    const bench = new Bench(processes, { goal: lifetime(10) });
    let answers = 0;
    for (let process = 0; process < processes; process += 1) answers += bench.answerAll(process);
    expect(answers).toBe(1);
    bench.nowMs += 1_000;
    for (let process = 0; process < processes; process += 1) answers += bench.answerAll(process);
    expect(answers).toBe(1);
  });

  test('a process that gets no traffic does not keep the others from the plan', () => {
    const bench = new Bench(4, { goal: lifetime(240_000) });
    let answers = 0;
    for (let second = 0; second < 1_800; second += 1) {
      bench.nowMs += 1_000;
      const given = bench.answerAll(2);
      bench.deliver(given);
      answers += given;
    }
    expect(answers).toBeGreaterThan(500 * 0.95);
  });
});

describe('a goal', () => {
  test('that is nearly reached waits for the answers that are out', () => {
    const bench = new Bench(1, { goal: lifetime(100), pacing: 'ASAP' });
    expect(bench.answerAll()).toBe(100);
    bench.nowMs += 2_000;
    expect(bench.wants()).toBe(false);
    bench.deliver(100);
    bench.nowMs += 2_000;
    expect(bench.wants()).toBe(false);
  });

  test('gives up on answers that were never shown', () => {
    const bench = new Bench(1, { goal: lifetime(100), pacing: 'ASAP' });
    bench.answerAll();
    bench.deliver(90);
    bench.nowMs += 2_000;
    bench.wants();
    bench.nowMs += 10 * 60_000;
    const more = bench.answerAll();
    expect(more).toBeGreaterThanOrEqual(10);
    expect(more).toBeLessThanOrEqual(12);
  });

  test('of clicks gives as many answers as it takes by the rate that was seen', () => {
    const bench = new Bench(1, { goal: { kind: 'CLICKS', amount: 100, period: 'LIFETIME' }, pacing: 'ASAP' });
    bench.deliver(100_000, 'imp');
    bench.deliver(50, 'clk');
    const answers = bench.answerAll(0, 200_000);
    expect(answers).toBeGreaterThan(80_000);
    expect(answers).toBeLessThan(120_000);
  });

  test('of a day starts over at local midnight', () => {
    const bench = new Bench(1, { goal: { kind: 'IMPRESSIONS', amount: 10, period: 'DAY' }, pacing: 'ASAP' });
    bench.deliver(10, 'imp', '2026-11-16');
    bench.nowMs = startMs + 23.9 * HOUR_MS;
    expect(bench.wants()).toBe(false);
    bench.nowMs = startMs + 24 * HOUR_MS;
    expect(bench.answerAll()).toBe(10);
  });

  test('that was raised goes on where it stood', () => {
    const bench = new Bench(1, { goal: lifetime(10), pacing: 'ASAP' });
    bench.answerAll();
    bench.deliver(10);
    bench.row = bench.compile({ goal: lifetime(15), pacing: 'ASAP' });
    bench.nowMs += 2_000;
    expect(bench.answerAll()).toBe(5);
  });

  test('is asked for again while its counters are not known', () => {
    const bench = new Bench(1, { goal: lifetime(10) });
    const asked: string[] = [];
    const unknown = (key: string) => {
      asked.push(key);
      return null;
    };
    expect(bench.pacers[0]?.pace(bench.row, { workspaceId: 1, nowMs: bench.nowMs }, unknown).wants).toBe(true);
    expect(asked).toEqual(['d/1/li/1/imp/all', 'd/1/li/1/ans/all']);
  });

  test('keeps what could not be reported, and reports it later', () => {
    const bench = new Bench(1, { goal: lifetime(10), pacing: 'ASAP' });
    bench.wants();
    bench.pacers[0]?.noteAnswer(bench.row);
    bench.pacers[0]?.takeReport(100).failed();
    expect(bench.pacers[0]?.takeReport(100).increments.map(({ by }) => by)).toEqual([1n]);
    expect(bench.pacers[0]?.takeReport(100).increments).toEqual([]);
  });
});
