import fc from 'fast-check';
import type { LineItem } from '../../src/domain/booking/line-item.ts';
import type { RateEvidence } from '../../src/delivery/value/draw-rate.ts';
import { evidenceByCounters } from '../../src/delivery/value/rate-evidence.ts';
import type { OracleWorld } from './oracle-contender.ts';

const DAY_MS = 86_400_000;
const FLIGHT_MS = 100 * DAY_MS;
/** So much surer than its counters is a rate that its draws are its mean: prices are then those of the oracle. */
const SURE = 2 ** 50;
const CLICKS_KEY = /^d\/1\/li\/\d+\/clk\/all$/;

/**
 * Worlds in which some line items with a goal have an optimisation goal. Most of those are behind their plan by less than they may be, so that they choose
 * their units.
 * @param plain worlds whose state has counters alone
 */
export function choosyWorldOf(plain: fc.Arbitrary<OracleWorld>): fc.Arbitrary<OracleWorld> {
  const bar = fc.constantFrom(0, 0.01, 0.03, 2);
  const lagDays = fc.constantFrom(null, 0.1, 0.4, 0.7, 1, 1.3);
  const choosing = fc.array(fc.option(fc.record({ lagDays, bar }), { freq: 4 }), { minLength: 8, maxLength: 8 });
  return fc.tuple(plain, choosing).map(([world, chosen]) => {
    const bars = new Map(world.snapshot.lineItems.map(({ id }, at) => [id, chosen[at]?.bar ?? 0]));
    // Enough clicks of each line item, so that it knows where they are likely.
    const counter = (key: string): number => world.state.counter(key) + (CLICKS_KEY.test(key) ? 6 : 0);
    return {
      ...world,
      snapshot: {
        ...world.snapshot,
        lineItems: world.snapshot.lineItems.map((one, at) => choosyLineItem(one, chosen[at]?.lagDays, world.nowMs)),
      },
      state: {
        counter,
        unitBar: (id: string) => ({ at: () => bars.get(id) ?? 0 }),
        rate: (asked, parent): RateEvidence => {
          if (asked.unit !== undefined) return { hits: 3, trials: 150 };
          const { hits, trials } = evidenceByCounters(asked, parent, counter);
          return { hits: hits * SURE, trials: trials * SURE };
        },
      },
    };
  });
}

/** @param lagDays how much of its flight has passed; null: its own flight and goal; undefined: it chooses nothing */
function choosyLineItem(one: LineItem, lagDays: number | null | undefined, nowMs: number): LineItem {
  if (lagDays === undefined) return one;
  const choosy = { ...one, optimisationGoal: 'CLICKS' } as const;
  if (lagDays === null) return choosy;
  const startsAtMs = nowMs - lagDays * DAY_MS;
  return {
    ...choosy,
    startsAtMs,
    endsAtMs: startsAtMs + FLIGHT_MS,
    goal: { kind: 'IMPRESSIONS', amount: 1_000, period: 'LIFETIME' },
  };
}
