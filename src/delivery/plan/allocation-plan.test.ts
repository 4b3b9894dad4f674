import fc from 'fast-check';
import loadHighs from 'highs';
import { describe, expect, test } from 'vitest';
import { makePlan, sharesOf, needsOf } from './allocation-plan.ts';
import { fitDemands } from './fit-demands.ts';
import { planHighWaterMark } from './high-water-mark.ts';
import type { PlanDemand } from './plan-demands.ts';
import { planShale } from './shale.ts';
import { SupplyBuilder } from './supply.ts';
import type { Supply } from './supply.ts';

/** The package declares its types for CommonJS only, whose default export would be a member. */
const openSolver = loadHighs as unknown as typeof loadHighs.default;

/** Demands that need all of their opportunities take many. */
const ROUNDS_MAX = 3_000;

interface SmallWorld {
  readonly supply: Supply;
  readonly amounts: Float64Array;
  readonly levels: Uint8Array;
}

const smallWorld: fc.Arbitrary<SmallWorld> = fc
  .integer({ min: 1, max: 6 })
  .chain((count) =>
    fc.record({
      groups: fc.array(
        fc.record({
          members: fc.subarray(Array.from({ length: count }, (_none, at) => at)),
          volume: fc.integer({ min: 1, max: 1_000 }),
        }),
        { minLength: 1, maxLength: 8 },
      ),
      amounts: fc.array(fc.integer({ min: 1, max: 800 }), { minLength: count, maxLength: count }),
      levels: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: count, maxLength: count }),
    }),
  )
  .map(({ groups, amounts, levels }) => {
    const builder = new SupplyBuilder(amounts.length);
    for (const { members, volume } of groups) builder.add(Int32Array.from(members), volume);
    return { supply: builder.build(), amounts: Float64Array.from(amounts), levels: Uint8Array.from(levels) };
  });

function demandOf(position: number, amount: number, more: Partial<PlanDemand> = {}): PlanDemand {
  const about = {
    lineItemId: String(position),
    level: 1,
    startsAtMs: 0,
    aimsAtMs: 1,
    endsAtMs: 1,
    reach: 1,
    heedsCost: false,
  };
  return { position, amount, ...about, ...more };
}

function supplyOf(demandCount: number, groups: readonly [volume: number, members: number[], cost?: number][]): Supply {
  const builder = new SupplyBuilder(demandCount);
  for (const [volume, members, cost] of groups) builder.add(Int32Array.from(members), volume, cost);
  return builder.build();
}

function sum(amounts: Iterable<number>): number {
  return [...amounts].reduce((total, one) => total + one, 0);
}

/** The most that all demands up to a level can get together. */
function programOf({ supply, amounts, levels }: SmallWorld, level: number): string {
  const names = Array.from(supply.edges.keys(), (at) => `x${at}`);
  const byDemand = Array.from(amounts.keys(), (demand) =>
    names.slice(supply.edgeStarts[demand], supply.edgeStarts[demand + 1]),
  );
  const byGroup = Map.groupBy(supply.groups.keys(), (at) => supply.groups[at] as number);
  const wanted = byDemand.filter((_names, demand) => (levels[demand] as number) <= level).flat();
  const bounds = [
    ...byDemand.flatMap((own, demand) => (own.length === 0 ? [] : [`${own.join(' + ')} <= ${amounts[demand]}`])),
    ...[...byGroup].map(([group, own]) => `${own.map((at) => names[at]).join(' + ')} <= ${supply.volumes[group]}`),
  ];
  return `Maximize\n obj: ${wanted.join(' + ')}\nSubject To\n${bounds.join('\n')}\nEnd\n`;
}

describe('the demands that fit', () => {
  test('the demands that fit are the optimum of the linear program, with each level before the lower ones', async () => {
    const highs = await openSolver();
    fc.assert(
      fc.property(smallWorld, (world) => {
        const fitting = fitDemands(world.supply, world.amounts, world.levels);
        for (const level of [1, 2, 3]) {
          const isUpTo = (_amount: number, demand: number) => (world.levels[demand] as number) <= level;
          const hasAny = world.supply.members.some((demand) => isUpTo(0, demand));
          const best = hasAny ? highs.solve(programOf(world, level), { output_flag: false }).ObjectiveValue : 0;
          expect(sum(fitting.filter(isUpTo))).toBeCloseTo(best, 2);
        }
        for (const [demand, amount] of fitting.entries())
          expect(amount).toBeLessThanOrEqual((world.amounts[demand] as number) + 1e-6);
      }),
      { numRuns: 150 },
    );
  });

  test('a demand that fits earlier moves to other opportunities', () => {
    const supply = supplyOf(2, [
      [10, [0, 1]],
      [10, [0]],
    ]);
    const fitting = fitDemands(supply, Float64Array.of(10, 10), Uint8Array.of(1, 2));
    expect([...fitting]).toEqual([10, 10]);
  });
});

describe('plans', () => {
  test('a plan gives what fits, and never more than there is', () => {
    fc.assert(
      fc.property(smallWorld, ({ supply, amounts, levels }) => {
        const fitting = fitDemands(supply, amounts, levels);
        const { delivered, fair, needs } = planShale({
          supply,
          amounts: fitting,
          heedsCost: new Uint8Array(amounts.length),
          roundsMax: ROUNDS_MAX,
        });
        const useful = sum(delivered.map((amount, demand) => Math.min(amount, fitting[demand] as number)));
        expect(useful).toBeGreaterThanOrEqual(sum(fitting) * 0.97 - 1e-6);
        expect(sum(delivered)).toBeLessThanOrEqual(sum(supply.volumes) * (1 + 1e-6));
        for (const value of [...fair, ...needs]) expect(value).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 300 },
    );
  });

  test('a plan by the High Water Mark never exceeds the supply or an amount', () => {
    fc.assert(
      fc.property(smallWorld, ({ supply, amounts }) => {
        const { delivered, rates } = planHighWaterMark(supply, amounts);
        for (const [demand, amount] of delivered.entries())
          expect(amount).toBeLessThanOrEqual((amounts[demand] as number) * (1 + 1e-6) + 1e-6);
        expect(sum(delivered)).toBeLessThanOrEqual(sum(supply.volumes) * (1 + 1e-6));
        for (const rate of rates) expect(rate).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });

  test('a plan keeps the opportunities that a narrow goal needs from a broad one', () => {
    const supply = supplyOf(2, [
      [100, [0, 1]],
      [900, [0]],
    ]);
    const plan = makePlan(supply, [demandOf(0, 600), demandOf(1, 90)]);
    expect(plan.isFeasible).toBe(true);
    const [broad, narrow] = sharesOf(plan.demands, 0);
    expect(narrow).toBeCloseTo(0.9, 2);
    expect(broad).toBeLessThanOrEqual(0.11);
    expect(sharesOf(plan.demands.slice(0, 1), 0)[0]).toBeCloseTo((600 - 10) / 900, 1);
  });

  test('a plan lets the level decide where goals do not fit', () => {
    const supply = supplyOf(2, [[100, [0, 1]]]);
    const plan = makePlan(supply, [demandOf(0, 80, { level: 8 }), demandOf(1, 60, { level: 4 })]);
    expect(plan.isFeasible).toBe(false);
    expect(plan.demands.map(({ fits }) => fits)).toEqual([40 / 80, 1]);
    expect(sharesOf(plan.demands, 0)).toEqual([expect.closeTo(0.4, 2), expect.closeTo(0.6, 2)]);
  });

  test('a plan leaves dear opportunities to PRICE, except for the representative part', () => {
    const supply = supplyOf(2, [
      [100, [0, 1], 8],
      [100, [0, 1], 0],
    ]);
    const plan = makePlan(supply, [demandOf(0, 30), demandOf(1, 30, { heedsCost: true })]);
    const [even, heeding] = sharesOf(plan.demands, 8);
    expect(even).toBeCloseTo(0.15, 2);
    expect(heeding).toBe(0);
    expect(sum(sharesOf(plan.demands, 0))).toBeCloseTo(0.45, 2);
  });

  test('a plan begins from the earlier one', () => {
    const supply = supplyOf(3, [
      [100, [0, 1]],
      [100, [1, 2]],
      [50, [2]],
    ]);
    const demands = [demandOf(0, 97), demandOf(1, 90), demandOf(2, 55)];
    const first = makePlan(supply, demands);
    expect(first.rounds).toBeGreaterThan(2);
    expect(makePlan(supply, demands, { previous: needsOf(first) }).rounds).toBe(1);
  });

  test('a plan is ahead when less of the supply is counted on', () => {
    const supply = supplyOf(1, [[100, [0]]]);
    const plan = makePlan(supply, [demandOf(0, 81)], { countedOn: () => 0.9 });
    expect(sharesOf(plan.demands, 0)[0]).toBeCloseTo(0.9, 3);
  });

  test('a goal that half of the supply would be enough for is even, and needs no margin', () => {
    const supply = supplyOf(1, [[100, [0]]]);
    const shareOf = (amount: number): number => {
      const plan = makePlan(supply, [demandOf(0, amount)], { countedOn: () => 0.9 });
      return (sharesOf(plan.demands, 0)[0] as number) / (amount / 100);
    };
    expect(shareOf(30)).toBeCloseTo(1, 3);
    expect(shareOf(50)).toBeCloseTo(1, 3);
    expect(shareOf(55), 'a part of the margin').toBeGreaterThan(1.01);
    expect(shareOf(70)).toBeCloseTo(1 / 0.9, 3);
  });

  test('margins that do not fit together are cut, and no goal loses by the margin of another one', () => {
    const supply = supplyOf(2, [
      [100, [0]],
      [100, [0, 1]],
    ]);
    const demands = [demandOf(0, 110), demandOf(1, 80)];
    const plan = makePlan(supply, demands, { countedOn: ({ position }) => (position === 0 ? 0.75 : 0.95) });
    const free = sharesOf(plan.demands.slice(0, 1), 0);
    const shared = sharesOf(plan.demands, 0);
    expect(100 * (free[0] as number) + 100 * (shared[0] as number)).toBeGreaterThanOrEqual(109.5);
    expect(100 * (shared[1] as number)).toBeGreaterThanOrEqual(79.5);
  });
});
