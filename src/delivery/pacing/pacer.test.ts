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
  lineItem: CompiledLineItem;

  /** The part of the line item's conversions that has come. */
  maturity: number | null = null;

  constructor(processes: number, lineItem: Booked) {
    this.lineItem = this.compile(lineItem);
    const curve = flatCurve('Europe/Warsaw');
    this.pacers = Array.from(
      { length: processes },
      (_none, workerIndex) =>
        new Pacer({ peers: { processes, workerIndex }, curveOf: () => curve, maturityOf: () => this.maturity }),
    );
  }

  compile(booked: Booked): CompiledLineItem {
    const snapshot = sampleSnapshot({ lineItems: [{ type: 'STANDARD', ...flight, ...booked }] });
    const [lineItem] = compileWorkspace(snapshot, startMs, () => {}).lineItems;
    if (lineItem === undefined) throw new Error('The line item does not compile');
    return lineItem;
  }

  mayDeliver(process = 0): boolean {
    const read = (key: string) => Number(this.store.readCountersNow([key])[0]);
    return this.pacers[process]?.pace(this.lineItem, { workspaceId: 1, nowMs: this.nowMs }, read).mayDeliver === true;
  }

  /** The bid of the goal, as a multiple of the usual price. */
  worth(): number {
    const read = (key: string) => Number(this.store.readCountersNow([key])[0]);
    return this.pacers[0]?.pace(this.lineItem, { workspaceId: 1, nowMs: this.nowMs }, read).worth ?? 0;
  }

  /** Serves as long as the process may deliver, and reports it. */
  serveAll(process = 0, most = 10_000): number {
    let served = 0;
    for (; served < most && this.mayDeliver(process); served += 1) this.pacers[process]?.recordServed(this.lineItem);
    this.report(process);
    return served;
  }

  report(process: number): void {
    const report = this.pacers[process]?.startReport(100);
    for (const increment of report?.increments ?? []) this.store.add(increment);
    report?.done();
  }

  deliver(count: number, kind: CounterKind = 'imp', day?: string): void {
    const subject = { workspaceId: 1, scope: 'li', id: '1', kind } as const;
    const key = day === undefined ? lifetimeCounterKey(subject) : dayCounterKey(subject, day);
    this.store.add({ key, by: BigInt(count), ttlMs: 9e9 });
  }
}

describe('a part of the traffic whose goals do not bid', () => {
  /** Serves as long as a process may deliver in a tenth of the traffic. */
  function serveTenth(bench: Bench, process: number): number {
    const read = (key: string) => Number(bench.store.readCountersNow([key])[0]);
    const at = { workspaceId: 1, nowMs: bench.nowMs, shareWithoutBids: 0.1 };
    const pacer = bench.pacers[process];
    let served = 0;
    for (; served < 1_000 && pacer?.pace(bench.lineItem, at, read).mayDeliver === true; served += 1)
      pacer.recordServed(bench.lineItem, false);
    bench.report(process);
    bench.deliver(served);
    return served;
  }

  test.each([
    ['far behind', 0],
    ['far ahead', 14_000],
  ])('a goal that is %s takes its share of its plan there, over all processes', (_name, delivered) => {
    const bench = new Bench(2, { goal: lifetime(100_000) });
    bench.nowMs += 24 * HOUR_MS;
    bench.deliver(delivered);
    let served = 0;
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      bench.nowMs += 60_000;
      served += serveTenth(bench, 0) + serveTenth(bench, 1);
    }
    // A tenth of a day's 10,000, which a plan has a little before its end, and one ad of each process.
    expect(served).toBeGreaterThanOrEqual(1_000);
    expect(served).toBeLessThanOrEqual(1_025);
  });

  test('a goal catches up on what no request came for, and stops when it is reached', () => {
    const bench = new Bench(1, { goal: lifetime(10_000) });
    serveTenth(bench, 0);
    bench.nowMs += 48 * HOUR_MS;
    expect(serveTenth(bench, 0)).toBeGreaterThanOrEqual(200);
    bench.deliver(10_000);
    bench.nowMs += 24 * HOUR_MS;
    expect(serveTenth(bench, 0)).toBe(0);
  });
});

describe('pacing over processes', () => {
  test.each([
    // 36 an hour: 18 in half an hour, and one for each process.
    ['half an hour of a slow plan', 8_640, 17, 24],
    // 3,600 an hour, and 4,000 behind by now: 20, and one and two turns' worth of four times the rate for each process.
    ['no more than 20 beside the turns of a fast one', 864_000, 160, 200],
  ])('credit is saved while no user comes: %s', (_name, amount, least, most) => {
    const bench = new Bench(2, { goal: lifetime(amount) });
    const serveBoth = () => bench.serveAll(0) + bench.serveAll(1);
    for (let second = 0; second < 60; second += 1) {
      bench.nowMs += 1_000;
      bench.deliver(serveBoth());
    }
    for (let second = 0; second < 2_400; second += 1) {
      bench.nowMs += 1_000;
      for (const process of [0, 1]) bench.mayDeliver(process);
    }
    const allotted = serveBoth();
    expect(allotted).toBeGreaterThanOrEqual(least);
    expect(allotted).toBeLessThanOrEqual(most);
  });

  test.each([1, 2, 8])(
    '%i processes together serve at least the plan, and at most the plan and its head start',
    (processes) => {
      const bench = new Bench(processes, { goal: lifetime(240_000) });
      let served = 0;
      for (let second = 0; second < 600; second += 1) {
        bench.nowMs += 1_000;
        for (let process = 0; process < processes; process += 1) {
          const allotted = bench.serveAll(process);
          bench.deliver(allotted);
          served += allotted;
        }
      }
      // 1,000 an hour, to be done four of 240 hours early, a head start of at most a thousandth of the goal, and the ads that were
      // allotted before it was that far ahead.
      expect(served).toBeGreaterThan(1_000 / 6);
      expect(served).toBeLessThan((1_000 * 240) / 236 / 6 + 240 + 20 + 8 + processes);
    },
  );

  test.each([1, 2, 8])('a single unit is released once by %i processes', (processes) => {
    const bench = new Bench(processes, { goal: lifetime(10) });
    let served = 0;
    for (let process = 0; process < processes; process += 1) served += bench.serveAll(process);
    expect(served).toBe(1);
    bench.nowMs += 1_000;
    for (let process = 0; process < processes; process += 1) served += bench.serveAll(process);
    expect(served).toBe(1);
  });

  test('the plan is met although one process gets no traffic', () => {
    const bench = new Bench(4, { goal: lifetime(240_000) });
    let served = 0;
    for (let second = 0; second < 1_800; second += 1) {
      bench.nowMs += 1_000;
      const allotted = bench.serveAll(2);
      bench.deliver(allotted);
      served += allotted;
    }
    expect(served).toBeGreaterThan(500 * 0.95);
  });
});

describe('a goal', () => {
  test('a goal that is nearly reached waits for the ads that are in flight', () => {
    const bench = new Bench(1, { goal: lifetime(100), pacing: 'ASAP' });
    expect(bench.serveAll()).toBe(100);
    bench.nowMs += 2_000;
    expect(bench.mayDeliver()).toBe(false);
    bench.deliver(100);
    bench.nowMs += 2_000;
    expect(bench.mayDeliver()).toBe(false);
  });

  test('a goal releases the units of ads that were never shown', () => {
    const bench = new Bench(1, { goal: lifetime(100), pacing: 'ASAP' });
    bench.serveAll();
    bench.deliver(90);
    bench.nowMs += 2_000;
    bench.mayDeliver();
    bench.nowMs += 10 * 60_000;
    const more = bench.serveAll();
    expect(more).toBeGreaterThanOrEqual(10);
    expect(more).toBeLessThanOrEqual(12);
  });

  test('a goal of clicks serves as many ads as the observed click rate requires', () => {
    const bench = new Bench(1, { goal: { kind: 'CLICKS', amount: 100, period: 'LIFETIME' }, pacing: 'ASAP' });
    bench.deliver(100_000, 'imp');
    bench.deliver(50, 'clk');
    const served = bench.serveAll(0, 200_000);
    expect(served).toBeGreaterThan(80_000);
    expect(served).toBeLessThan(120_000);
  });

  test('a goal of a day starts over at local midnight', () => {
    const bench = new Bench(1, { goal: { kind: 'IMPRESSIONS', amount: 10, period: 'DAY' }, pacing: 'ASAP' });
    bench.deliver(10, 'imp', '2026-11-16');
    bench.nowMs = startMs + 23.9 * HOUR_MS;
    expect(bench.mayDeliver()).toBe(false);
    bench.nowMs = startMs + 24 * HOUR_MS;
    expect(bench.serveAll()).toBe(10);
  });

  test('a goal that was raised continues from its present state', () => {
    const bench = new Bench(1, { goal: lifetime(10), pacing: 'ASAP' });
    bench.serveAll();
    bench.deliver(10);
    bench.lineItem = bench.compile({ goal: lifetime(15), pacing: 'ASAP' });
    bench.nowMs += 2_000;
    expect(bench.serveAll()).toBe(5);
  });

  test('a goal is requested again while its counters are unknown', () => {
    const bench = new Bench(1, { goal: lifetime(10) });
    const asked: string[] = [];
    const unknown = (key: string) => {
      asked.push(key);
      return null;
    };
    expect(bench.pacers[0]?.pace(bench.lineItem, { workspaceId: 1, nowMs: bench.nowMs }, unknown).mayDeliver).toBe(
      true,
    );
    expect(asked).toEqual(['d/1/li/1/imp/all', 'd/1/li/1/ans/all']);
  });

  test('a report that failed is sent again later', () => {
    const bench = new Bench(1, { goal: lifetime(10), pacing: 'ASAP' });
    bench.mayDeliver();
    bench.pacers[0]?.recordServed(bench.lineItem);
    bench.pacers[0]?.startReport(100).failed();
    expect(bench.pacers[0]?.startReport(100).increments.map(({ by }) => by)).toEqual([1n]);
    expect(bench.pacers[0]?.startReport(100).increments).toEqual([]);
  });
});

describe('a goal of conversions that come days after their ads', () => {
  const goal = { kind: 'CONVERSIONS', amount: 100, period: 'LIFETIME' } as const;

  test('the goal counts conversions on their way as delivered, once it is known which part has come', () => {
    const bench = new Bench(1, { goal });
    bench.deliver(20_000, 'ans');
    bench.deliver(20_000);
    bench.deliver(50, 'conv');
    bench.nowMs = startMs + 5 * 24 * HOUR_MS;
    // Half of the flight has passed, and half of the goal came.
    expect(bench.worth()).toBeGreaterThan(1);
    bench.maturity = 0.5;
    bench.nowMs += 2_000;
    // As much again is on its way: the whole goal.
    expect(bench.worth()).toBeLessThan(0.01);
    expect(bench.mayDeliver()).toBe(false);
  });

  test('the goal is not taken for reached by ads that nobody converts after', () => {
    const bench = new Bench(1, { goal });
    bench.deliver(20_000, 'ans');
    bench.deliver(20_000);
    bench.deliver(10, 'conv');
    bench.maturity = 0.99;
    bench.nowMs = startMs + 5 * 24 * HOUR_MS;
    expect(bench.mayDeliver()).toBe(true);
    expect(bench.worth()).toBeGreaterThan(1_000);
  });
});
