import { expect, test } from 'vitest';
import { meanRate } from './draw-rate.ts';
import type { AskedRate } from './rate-evidence.ts';
import { RateMemory } from './rate-memory.ts';

const ofLineItem: AskedRate = { kind: 'click', workspaceId: 1, advertiserId: '7', lineItemId: '21', creativeId: '' };
const ofCreative = (creativeId: string): AskedRate => ({ ...ofLineItem, creativeId });
const DAY_MS = 86_400_000;

/** Counters that grow, and the worker that reads them. */
class World {
  readonly memory = new RateMemory();
  readonly counters = new Map<string, number>();
  nowMs = 1_000_000;
  readonly #event: string;

  /** @param event the counter of the event that follows impressions */
  constructor(event = 'clk') {
    this.#event = event;
  }

  count(scope: string, id: string, impressions: number, clicks: number): void {
    for (const [kind, by] of [
      ['imp', impressions],
      [this.#event, clicks],
    ] as const) {
      const key = `d/1/${scope}/${id}/${kind}/all`;
      this.counters.set(key, (this.counters.get(key) ?? 0) + by);
    }
  }

  /** Impressions and clicks of a creative, which the line item and the advertiser share. */
  show(creativeId: string, impressions: number, clicks: number): void {
    this.count('cr', creativeId, impressions, clicks);
    this.count('li', '21', impressions, clicks);
    this.count('ad', '7', impressions, clicks);
    this.nowMs += 1_000;
  }

  source() {
    return { read: (key: string) => this.counters.get(key) ?? 0, nowMs: this.nowMs };
  }

  rateOf(creativeId = '') {
    const counters = this.source();
    const parent = this.memory.evidence(ofLineItem, null, counters);
    return creativeId === '' ? parent : this.memory.evidence(ofCreative(creativeId), parent, counters);
  }
}

test('a line item without a history has the usual rate, of which little is sure', () => {
  const evidence = new World().rateOf();
  expect(meanRate(evidence)).toBeCloseTo(0.001, 6);
  expect(evidence.hits).toBeLessThanOrEqual(1);
});

test('a line item without a history has the rate of its advertiser, and that the rate of the network', () => {
  const world = new World();
  world.count('ad', '7', 100_000, 1_000);
  expect(meanRate(world.rateOf())).toBeCloseTo(0.01, 3);
  const other = new World();
  other.count('li', '22', 50_000, 500);
  const counters = { read: (key: string) => other.counters.get(key) ?? 0, nowMs: other.nowMs };
  other.memory.evidence({ ...ofLineItem, advertiserId: '8', lineItemId: '22' }, null, counters);
  expect(meanRate(other.rateOf())).toBeGreaterThan(0.004);
});

test('a creative has a history of its own for each event, with its own impressions', () => {
  const world = new World();
  const viewability = { ...ofLineItem, kind: 'viewable', creativeId: '31' } as const;
  world.counters.set('d/1/cr/31/imp/all', 9_000);
  world.counters.set('d/1/cr/31.view/imp/all', 1_000);
  world.counters.set('d/1/cr/31.view/view/all', 900);
  const counters = { read: (key: string) => world.counters.get(key) ?? 0, nowMs: world.nowMs };
  const evidence = world.memory.evidence(viewability, { hits: 500, trials: 1_000 }, counters);
  expect(meanRate(evidence)).toBeCloseTo(0.88, 2);
  expect(world.rateOf('31').trials).toBeGreaterThan(9_000);
});

test('a line item has a history of its own in each unit, which begins with the rate of the whole', () => {
  const world = new World();
  world.counters.set('d/1/un/21.4.clk/imp/all', 1_000);
  world.counters.set('d/1/un/21.4.clk/clk/all', 50);
  world.counters.set('d/1/cr/4/imp/all', 9_000);
  const counters = { read: (key: string) => world.counters.get(key) ?? 0, nowMs: world.nowMs };
  const rateIn = (unit: string) =>
    meanRate(world.memory.evidence({ ...ofLineItem, unit }, { hits: 10, trials: 1_000 }, counters));
  expect(rateIn('4')).toBeCloseTo(0.048, 3);
  expect(rateIn('5')).toBeCloseTo(0.01, 6);
  // A creative of the same id is another rate.
  expect(world.rateOf('4').trials).toBeGreaterThan(9_000);
});

test('the history of a line item counts once, though its advertiser and its network have it too', () => {
  const world = new World();
  world.count('li', '21', 20_000, 0);
  world.count('ad', '7', 20_000, 0);
  expect(world.rateOf().trials).toBeCloseTo(21_000, 0);
  world.nowMs += 1_000;
  expect(world.rateOf().trials).toBeCloseTo(21_000, 0);
});

test('a creative without a history has the rate of its line item', () => {
  const world = new World();
  world.show('31', 20_000, 200);
  expect(meanRate(world.rateOf('32'))).toBeCloseTo(0.01, 3);
  expect(world.rateOf('32').hits).toBeLessThan(1);
  expect(world.rateOf('31').hits).toBeGreaterThan(190);
});

test('evidence is used for a second and then follows the counters', () => {
  const world = new World();
  world.rateOf();
  world.count('li', '21', 1_000, 100);
  expect(meanRate(world.rateOf())).toBeLessThan(0.002);
  world.nowMs += 1_000;
  expect(meanRate(world.rateOf())).toBeGreaterThan(0.03);
});

test('a rate that has changed is learned again, and what is known of the other creatives weighs less', () => {
  const world = new World();
  for (let round = 0; round < 100; round += 1) {
    world.show('31', 300, 6);
    world.show('32', 100, 1);
    world.rateOf('31');
    world.rateOf('32');
  }
  const hitsBefore = world.rateOf('32').hits;
  for (let round = 0; round < 20; round += 1) {
    world.show('31', 300, 0);
    world.rateOf('31');
    world.rateOf('32');
  }
  expect(meanRate(world.rateOf('31'))).toBeLessThan(0.004);
  expect(world.rateOf('32').hits).toBeLessThan(hitsBefore / 2);
});

test('a steady rate is never learned again', () => {
  const world = new World();
  for (let round = 0; round < 200; round += 1) {
    world.show('31', 300, 3);
    world.rateOf('31');
  }
  expect(world.rateOf('31').trials).toBeGreaterThan(40_000);
});

test('history weighs less after weeks, and after many impressions', () => {
  const world = new World();
  world.show('31', 10_000, 100);
  world.rateOf('31');
  world.nowMs += 56 * DAY_MS;
  world.show('31', 300, 3);
  expect(world.rateOf('31').trials).toBeLessThan(10_000 * Math.exp(-2) + 400);
  const large = new World();
  large.show('31', 50_000_000, 500_000);
  expect(large.rateOf('31').trials).toBeLessThan(110_000);
});

test('impressions count for the part of their conversions that has come, and recent ones show no change before that', () => {
  const world = new World('conv');
  world.show('31', 40_000, 400);
  let part = 0.5;
  const source = () => ({ ...world.source(), maturity: () => part });
  const evidence = () => world.memory.evidence({ ...ofLineItem, kind: 'activity' }, null, source());
  const half = evidence();
  expect(half.trials).toBeGreaterThan(20_400);
  expect(half.trials).toBeLessThan(31_000);
  // Their conversions are still to come.
  world.show('31', 40_000, 0);
  world.nowMs += 2_000;
  part = 0.4;
  const later = evidence();
  expect(later.hits, 'nothing is forgotten').toBeGreaterThan(200);
});

test('a counter that is unknown or reads lower for a moment changes nothing that is remembered', () => {
  const world = new World();
  world.show('31', 20_000, 200);
  const before = world.rateOf();
  world.nowMs += 1_000;
  const missing = { read: () => null, nowMs: world.nowMs };
  expect(world.memory.evidence(ofLineItem, null, missing).hits, 'the usual rate alone').toBeCloseTo(1);
  const lower = { read: () => 0, nowMs: world.nowMs };
  expect(world.memory.evidence(ofLineItem, null, lower).trials).toBeGreaterThan(20_000);
  world.nowMs += 1_000;
  expect(world.rateOf().trials).toBeCloseTo(before.trials, -1);
});
