import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleSnapshot } from '../../../test/worlds/sample-workspace.ts';
import type { Candidate } from './eligibility.ts';
import { compileWorkspace } from './index/compile-workspace.ts';
import type { CompiledLineItem } from './index/compile-line-items.ts';
import type { CompiledWorkspace } from './index/compiled-workspace.ts';
import type { GroupOrder } from './index/group-orders.ts';
import { makeOrder, pickFromOrder } from './ordered-pick.ts';
import { NOT_ELIGIBLE } from './tiers.ts';
import { runsOf } from '../../../test/support/longer-runs.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const GOAL = { kind: 'IMPRESSIONS', amount: 1_000, period: 'LIFETIME' } as const;
const pacer = {};

/** So many line items of STANDARD that compete, with the urgency of each. */
class World {
  readonly urgencies: number[];
  readonly #compiled: CompiledWorkspace;
  #nowMs = NOW_MS;

  constructor(urgencies: readonly number[]) {
    this.urgencies = [...urgencies];
    const lineItems = urgencies.map(() => ({ type: 'STANDARD', goal: GOAL }) as const);
    this.#compiled = compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, (_id, error) => {
      throw error;
    });
    for (const [position, urgency] of urgencies.entries())
      this.#compiled.competition.setUrgency(position, urgency, { pacer, untilMs: NOW_MS + 1_000 });
  }

  order(): GroupOrder {
    const positions = Int32Array.from(this.urgencies, (_urgency, position) => position);
    const order = makeOrder({ ...this.#rules(Math.random), positions, start: 0, end: positions.length });
    if (order === null) throw new Error('there is no order');
    return order;
  }

  pass(ms: number): void {
    this.#nowMs += ms;
  }

  /** The position of the winner; null = the order does not say. @param refused those that no request may have */
  pick(order: GroupOrder, refused: ReadonlySet<number>, random: () => number): number | null {
    const { lineItems } = this.#compiled;
    const picked = pickFromOrder(order, {
      ...this.#rules(random),
      admits: (position) => position % 2 === 0 || !refused.has(position),
      check: (lineItem) => {
        const position = lineItems.findPosition(lineItem.booked) as number;
        return refused.has(position) ? null : ({ lineItem } as Candidate);
      },
    });
    return picked === null ? null : lineItems.findPosition(picked.lineItem.booked);
  }

  isValid({ fromMs, untilMs }: GroupOrder): boolean {
    return this.#nowMs >= fromMs && this.#nowMs < untilMs;
  }

  #rules(random: () => number) {
    return {
      competition: this.#compiled.competition,
      nowMs: this.#nowMs,
      check: (lineItem: CompiledLineItem) => ({ lineItem }) as Candidate,
      urgencyAt: (position: number) => this.urgencies[position] as number,
      valueAt: () => 0,
      random,
      workspaceId: 1,
    };
  }
}

const urgency = fc.oneof(fc.constantFrom(0.1, 0.2, 0.3), fc.constant(NOT_ELIGIBLE));
/** Between two picks: a line item whose urgency falls, and by how much. */
const fall = fc.record({
  position: fc.nat({ max: 29 }),
  by: fc.constantFrom(0, 0.1, 0.15, Number.POSITIVE_INFINITY),
  refused: fc.uniqueArray(fc.nat({ max: 29 }), { maxLength: 10 }),
  drawn: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 5 }),
});

test('while urgencies only fall, the winner by an order that was made before is one of the most urgent now', () => {
  let won = 0;
  fc.assert(
    fc.property(
      fc.array(urgency, { minLength: 2, maxLength: 30 }),
      fc.array(fall, { minLength: 1, maxLength: 40 }),
      (urgencies, falls) => {
        const world = new World(urgencies);
        const order = world.order();
        world.pass(1_000);
        // An order of so few line items ends now; those of thousands are used on.
        order.untilMs = NOW_MS + 60_000;
        for (const { position, by, refused, drawn } of falls) {
          if (!world.isValid(order)) return;
          if (position < urgencies.length) world.urgencies[position] = (world.urgencies[position] as number) - by;
          let at = 0;
          const winner = world.pick(order, new Set(refused), () => drawn[at++ % drawn.length] as number);
          if (winner === null) continue;
          won += 1;
          const eligible = world.urgencies.filter((_one, one) => !refused.includes(one));
          expect(world.urgencies[winner]).toBe(Math.max(...eligible));
          expect(refused).not.toContain(winner);
        }
      },
    ),
    { numRuns: runsOf(500) },
  );
  expect(won).toBeGreaterThan(runsOf(500));
});

test('line items of equal urgency win equally often, also after some of them have left their run', () => {
  const world = new World(Array.from({ length: 20 }, () => 0.5));
  const order = world.order();
  world.pass(1_000);
  order.untilMs = NOW_MS + 60_000;
  for (let position = 0; position < 10; position += 1) world.urgencies[position] = 0.4;
  const wins = new Map<number | null, number>();
  for (let at = 0; at < 10_000; at += 1) {
    const winner = world.pick(order, new Set(), Math.random);
    wins.set(winner, (wins.get(winner) ?? 0) + 1);
  }
  expect([...wins.keys()].toSorted((left, right) => Number(left) - Number(right))).toEqual(
    Array.from({ length: 10 }, (_none, at) => 10 + at),
  );
  for (const count of wins.values()) expect(Math.abs(count - 1_000)).toBeLessThan(200);
});

test('an order of few line items ends with their urgencies, and one of many is used for longer, but not for more than a minute', () => {
  expect(new World([0.1, 0.2]).order().untilMs).toBe(NOW_MS + 1_000);
  const many = new World(Array.from({ length: 3_000 }, () => 0.5));
  expect(many.order()).toMatchObject({ checkedFromMs: NOW_MS + 1_000, untilMs: NOW_MS + 3_000 });
});

test('an order whose line items are filtered by pacing since then ends', () => {
  const world = new World(Array.from({ length: 100 }, () => 0.5));
  const order = world.order();
  world.pass(1_000);
  order.untilMs = NOW_MS + 60_000;
  world.urgencies.fill(NOT_ELIGIBLE);
  expect(world.pick(order, new Set(), Math.random)).toBeNull();
  expect(world.isValid(order)).toBe(false);
});

test.each([
  { drawn: 30, later: 10, wins: 0 },
  { drawn: 10, later: 30, wins: 1 },
])(
  'a value of $drawn that was drawn for an order beside a price of 20 counts for its whole life',
  ({ drawn, later, wins }) => {
    const lineItems = [
      { type: 'PRICE', pricingModel: 'CPC', priceMicros: 1_000_000 },
      { type: 'PRICE', pricingModel: 'CPM', priceMicros: 20 },
    ] as const;
    const { competition, lineItems: compiled } = compileWorkspace(
      sampleSnapshot({ lineItems }),
      NOW_MS,
      (_id, error) => {
        throw error;
      },
    );
    let value = drawn;
    const rules = {
      competition,
      nowMs: NOW_MS,
      check: (lineItem: CompiledLineItem) => ({ lineItem }) as Candidate,
      urgencyAt: () => 0,
      valueAt: () => value,
      random: Math.random,
      workspaceId: 1,
    };
    for (const position of [0, 1]) competition.setValue(position, drawn, { pacer, untilMs: NOW_MS + 1_000 });
    const order = makeOrder({ ...rules, positions: Int32Array.of(0, 1), start: 0, end: 2 });
    if (order === null) throw new Error('there is no order');
    order.untilMs = NOW_MS + 60_000;
    value = later;
    const winners = Array.from({ length: 20 }, (_none, second) => {
      const picked = pickFromOrder(order, { ...rules, nowMs: NOW_MS + second * 1_000, admits: () => true });
      return picked === null ? null : compiled.findPosition(picked.lineItem.booked);
    });
    expect(winners).toEqual(Array.from({ length: 20 }, () => wins));
  },
);
