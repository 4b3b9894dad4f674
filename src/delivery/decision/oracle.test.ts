import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DRAW_SEED } from '../../../test/support/draw-seed.ts';
import { compileSteps, compileWorkspace } from './index/compile-workspace.ts';
import type { CompiledWorkspace } from './index/compiled-workspace.ts';
import { Competition } from './index/competition.ts';
import { GroupOrders } from './index/group-orders.ts';
import { LocalClock } from './index/local-clock.ts';
import { sortSnapshot } from './index/snapshot-parts.ts';
import { finishSteps } from './index/work-steps.ts';
import { decide } from './decide.ts';
import type { DeliveryState } from './delivery-state.ts';
import { paceLineItem } from './even-pacing.ts';
import type { Decision } from './decision.ts';
import { foresee, foreseeCompanions } from '../../../test/worlds/oracle.ts';
import type { OracleWorld, PlacedAd } from '../../../test/worlds/oracle-contender.ts';
import { choosyWorldOf } from '../../../test/worlds/choosy-world.ts';
import { filmWorld } from '../../../test/worlds/film-world.ts';
import { pricedWorldOf } from '../../../test/worlds/priced-world.ts';
import { randomWorld } from '../../../test/worlds/random-world.ts';
import type { LineItem } from '../../domain/booking/line-item.ts';
import type { Slot, PlayerOffer } from '../../domain/requests/opportunity.ts';
import { readOpportunityJson, writeOpportunityJson } from '../traffic/opportunity-json.ts';
import { runsOf } from '../../../test/support/longer-runs.ts';

/**
 * `ORACLE_WORLDS=100000 npx vitest run src/delivery/decision/oracle.test.ts` tries that many. The test's title names the seed, which
 * `PROPERTY_SEED` sets; a failure prints its world.
 */
const worlds = Number(process.env['ORACLE_WORLDS'] ?? 60);
const seed = DRAW_SEED;
/** Some worlds must be of the kind that a test is about, or it would hold nothing. Among few worlds there may be none by chance. */
function expectSome(found: number, share: number): void {
  if (worlds >= 1_000) expect(found / worlds).toBeGreaterThan(share);
}
const COMPILED_BEFORE_MS = 4 * 3_600_000;

/**
 * Compiled some hours ago, as in workers: the decision must notice a flight that has ended since. In every second world most line items are
 * changes on top of others, which they replaced.
 */
function compile({ snapshot, nowMs }: Omit<OracleWorld, 'state'>): CompiledWorkspace {
  const atMs = nowMs - COMPILED_BEFORE_MS;
  const reportUnusable = (_id: string, error: unknown): never => {
    throw error;
  };
  if (snapshot.lineItems.length % 2 === 1) return compileWorkspace(snapshot, atMs, reportUnusable);
  const formers = snapshot.lineItems.flatMap((lineItem, at): LineItem[] => {
    if (at % 3 === 0) return [lineItem];
    return at % 3 === 1 ? [{ ...lineItem, type: 'HOUSE', priceMicros: 7, goal: null, targeting: null }] : [];
  });
  const former = compileWorkspace({ ...snapshot, lineItems: formers }, atMs, reportUnusable);
  const sorted = finishSteps(sortSnapshot(snapshot));
  return finishSteps(compileSteps(sorted, { nowMs: atMs, reportUnusable, previous: former, layeredMax: 1_000 }));
}

function decideIn(world: OracleWorld, draws: readonly number[], explain = false): Decision {
  let at = 0;
  const random = () => draws[at++ % draws.length] as number;
  return decide(compile(world), world.opportunity, { state: world.state, nowMs: world.nowMs, random, explain });
}

/** The difference from the oracle, or null. */
function checkDecision(world: OracleWorld, { placements }: Decision): string | null {
  const placed: (PlacedAd | null)[] = [];
  for (const [at, placement] of placements.entries()) {
    const { winners, mayBeEmpty } = foresee(world, at, placed);
    const may = [...winners.keys(), ...(mayBeEmpty ? ['nobody'] : [])].join(', ');
    if (placement === null) {
      if (!mayBeEmpty) return `slot ${at} is empty, and should be of ${may}`;
      placed.push(null);
      continue;
    }
    const id = placement.lineItem.booked.id;
    const rightly = winners.get(id);
    if (rightly === undefined) return `slot ${at} has line item ${id}, and should be of ${may}`;
    if (rightly.bidMicros !== placement.bidMicros)
      return `slot ${at}: line item ${id} bids ${placement.bidMicros} instead of ${rightly.bidMicros}`;
    const creativeId = placement.creative.creative.id;
    if (!rightly.creativeIds.has(creativeId))
      return `slot ${at}: line item ${id} shows ${creativeId} instead of one of ${[...rightly.creativeIds].join(', ')}`;
    placed.push({ lineItemId: id, creativeId, bidMicros: placement.bidMicros });
  }
  for (const [at, placement] of placements.entries()) {
    const brought = placement?.companions.creatives.map(({ creative }) => creative.id).join(', ') ?? '';
    const rightly = foreseeCompanions(world, at, placed).join(', ');
    if (brought !== rightly) return `slot ${at} brings the companions (${brought}) instead of (${rightly})`;
  }
  return null;
}

const pricedWorld = pricedWorldOf(randomWorld);
const anyWorld = fc.oneof(
  { weight: 2, arbitrary: randomWorld },
  { weight: 1, arbitrary: filmWorld },
  { weight: 1, arbitrary: pricedWorld },
);
const draws = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 6 });

test(`decisions follow the plain rules in ${worlds} random worlds of seed ${seed}`, {
  timeout: 60_000 + worlds * 20,
}, () => {
  let filled = 0;
  let slots = 0;
  fc.assert(
    fc.property(anyWorld, draws, (world, drawn) => {
      const decision = decideIn(world, drawn);
      filled += decision.placements.filter((placement) => placement !== null).length;
      slots += decision.placements.length;
      expect(checkDecision(world, decision)).toBeNull();
    }),
    { numRuns: worlds, seed },
  );
  // Worlds in which nothing or everything is filled would test little.
  expect(filled / slots).toBeGreaterThan(0.15);
  expect(filled / slots).toBeLessThan(0.95);
});

test(`decisions follow the plain rules from remembered scores and orders in ${worlds} random worlds of seed ${seed}`, {
  timeout: 60_000 + worlds * 30,
}, () => {
  let ordered = 0;
  fc.assert(
    fc.property(anyWorld, draws, (world, drawn) => {
      const plain = compile(world);
      const orders = new GroupOrders({ sizeMin: 1, scans: 0 });
      const compiled = { ...plain, competition: new Competition(plain.lineItems, orders) };
      let at = 0;
      const context = {
        state: rememberedState(world),
        nowMs: world.nowMs,
        random: () => drawn[at++ % drawn.length] as number,
      };
      for (const deviceType of ['mobile', 'desktop', 'mobile', 'desktop']) {
        const { reported } = world.opportunity;
        const asked = { ...world, opportunity: { ...world.opportunity, reported: { ...reported, deviceType } } };
        expect(checkDecision(asked, decide(compiled, asked.opportunity, context))).toBeNull();
      }
      if ([...plain.lineItems].some((_one, start) => orders.find(start, context.state.pacer, world.nowMs) !== null))
        ordered += 1;
    }),
    { numRuns: worlds, seed },
  );
  expectSome(ordered, 0.1);
});

const worth = fc.double({ min: 0, max: 4, noNaN: true });

/** What the goals of a world bid: the first worth for the first line item, and so on in turn. */
function bidIn(world: OracleWorld, given: readonly number[]): Map<string, number> {
  const goals = world.snapshot.lineItems.filter(({ type, goal }) => type === 'STANDARD' && goal !== null);
  return new Map(goals.map(({ id }, at) => [id, given[at % given.length] as number]));
}

/** The state of a world whose goals bid. */
function biddingState(state: DeliveryState, world: OracleWorld, bids: ReadonlyMap<string, number>): DeliveryState {
  const clock = new LocalClock();
  const pace: DeliveryState['pace'] = (lineItem, { workspaceId, nowMs }) => {
    const at = { workspaceId, nowMs };
    const paced =
      state.pace?.(lineItem, at) ??
      paceLineItem(lineItem, { ...at, local: clock.at(nowMs, lineItem.booked.timezone) }, world.state);
    const bid = bids.get(lineItem.booked.id);
    return bid === undefined ? paced : Object.assign(paced, { worth: bid });
  };
  return { ...state, counter: (key) => state.counter(key), pace, hasWorths: () => true };
}

test(`decisions by what goals bid follow the plain rules in ${worlds} random worlds of seed ${seed}`, {
  timeout: 60_000 + worlds * 30,
}, () => {
  let won = 0;
  fc.assert(
    fc.property(anyWorld, draws, fc.array(worth, { minLength: 1, maxLength: 12 }), (plain, drawnNumbers, given) => {
      const byId = bidIn(plain, given);
      const compiled = compile(plain);
      const world = { ...plain, worths: { byId, usualCpmMicros: compiled.competition.usualCpmMicros } };
      for (const state of [plain.state, rememberedState(plain)]) {
        let at = 0;
        const decision = decide(compiled, world.opportunity, {
          state: biddingState(state, world, byId),
          nowMs: world.nowMs,
          random: () => drawnNumbers[at++ % drawnNumbers.length] as number,
        });
        expect(checkDecision(world, decision)).toBeNull();
        if (decision.placements.some((one) => one !== null && byId.has(one.lineItem.booked.id))) won += 1;
      }
    }),
    { numRuns: worlds, seed },
  );
  expectSome(won, 0.05);
});

test(`line items that choose their units follow the plain rules in ${worlds} random worlds of seed ${seed}`, {
  timeout: 60_000 + worlds * 40,
}, () => {
  let chose = 0;
  let waited = 0;
  const bids = fc.array(worth, { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(choosyWorldOf(anyWorld), draws, bids, fc.boolean(), (plain, drawnNumbers, given, isBidding) => {
      const byId = bidIn(plain, given);
      const compiled = compile(plain);
      const { usualCpmMicros } = compiled.competition;
      const world = isBidding ? { ...plain, worths: { byId, usualCpmMicros } } : plain;
      for (const state of [plain.state, rememberedState(plain)]) {
        const decideOnce = (explain: boolean): Decision => {
          let at = 0;
          const random = () => drawnNumbers[at++ % drawnNumbers.length] as number;
          const asked = isBidding ? biddingState(state, world, byId) : state;
          return decide(compiled, world.opportunity, { state: asked, nowMs: world.nowMs, random, explain });
        };
        const decision = decideOnce(true);
        expect(checkDecision(world, decision)).toBeNull();
        expect(checkDecision(world, decideOnce(false))).toBeNull();
        if ((decision.weighed?.length ?? 0) > 0) chose += 1;
        if (decision.losers.some(({ reason }) => reason === 'better_unit')) waited += 1;
      }
    }),
    { numRuns: worlds, seed },
  );
  // Of two decisions a world, about 0.17 and 0.13.
  expectSome(chose, 0.05);
  expectSome(waited, 0.05);
});

/** The state of a world, with a pacer whose paces hold for a second. */
function rememberedState({ state }: OracleWorld): DeliveryState & { readonly pacer: object } {
  const clock = new LocalClock();
  const pacer = {};
  const pace: DeliveryState['pace'] = (lineItem, { workspaceId, nowMs }) => {
    const local = clock.at(nowMs, lineItem.booked.timezone);
    const { mayDeliver, urgency } = paceLineItem(lineItem, { workspaceId, nowMs, local }, state);
    return (lineItem.pacing = { by: pacer, mayDeliver, urgency, untilMs: nowMs + 1_000 });
  };
  return { ...state, counter: (key) => state.counter(key), pacer, pace };
}

test('the context changes who wins in some worlds of close prices', () => {
  let decided = 0;
  for (const world of fc.sample(pricedWorld, { numRuns: 300, seed: 1 })) {
    const winnersOf = ({ placements }: Decision) => placements.map((one) => one?.lineItem.booked.id);
    const everywhere = decideIn({ ...world, state: { ...world.state, lifts: () => null } }, [0.4]);
    if (!isDeepStrictEqual(winnersOf(decideIn(world, [0.4])), winnersOf(everywhere))) decided += 1;
  }
  // Otherwise the oracle would not test contexts.
  expect(decided).toBeGreaterThan(2);
});

test('the companion slots of a player change the decision in some worlds with films', () => {
  let decided = 0;
  for (const world of fc.sample(filmWorld, { numRuns: 150, seed: 1 })) {
    const open = world.opportunity.slots.map(
      (slot): Slot => ({ ...slot, video: slot.video && { ...slot.video, companionPlaces: openedOf(slot.video) } }),
    );
    const shownOf = ({ placements }: Decision) =>
      placements.map((one) => one && [one.creative, ...one.companions.creatives].map(({ creative }) => creative.id));
    const withoutBlocks = decideIn({ ...world, opportunity: { ...world.opportunity, slots: open } }, [0.4]);
    if (!isDeepStrictEqual(shownOf(decideIn(world, [0.4])), shownOf(withoutBlocks))) decided += 1;
  }
  // Otherwise the oracle would not test companion slots.
  expect(decided).toBeGreaterThan(3);
});

function openedOf({ companionPlaces }: PlayerOffer): PlayerOffer['companionPlaces'] {
  return companionPlaces.map(({ sizes }) => ({ sizes, blockedAttributes: [] }));
}

test('explaining changes no decision, and the summary of an empty response is one of the reasons', () => {
  fc.assert(
    fc.property(anyWorld, draws, (world, drawn) => {
      const plain = decideIn(world, drawn);
      const explained = decideIn(world, drawn, true);
      const idsOf = ({ placements }: Decision) => placements.map((one) => one?.creative.creative.id ?? null);
      expect(idsOf(explained)).toEqual(idsOf(plain));
      expect(explained.noFill).toBe(plain.noFill);
      if (plain.noFill === null || plain.noFill === 'network_paused') return;
      const reasons = new Set(explained.losers.map(({ reason }) => reason.split('.')[0]));
      if (plain.noFill !== 'no_match') expect(reasons).toContain(plain.noFill);
    }),
    { numRuns: runsOf(200) },
  );
});

test('the tests that a loser failed include the reason why it lost, and each loser has one', () => {
  const isLoss = (code: string) => code.split('.')[0] === 'lost';
  const family = (code: string) => code.split(/[.:]/)[0];
  const isOfCreative = (reason: string) =>
    /^(format|size|secure|not_in_flight|exclusion|blocked\.(attribute|language))/.test(reason);
  fc.assert(
    fc.property(anyWorld, draws, (world, drawn) => {
      for (const { reason, failed } of decideIn(world, drawn, true).losers) {
        const own = failed.filter((test) => !isLoss(test) || test === reason);
        expect(own, reason).not.toEqual([]);
        // Of several creatives, the reason is that of the first one, and the tests are those of the nearest.
        if (own[0]?.startsWith('idle.') || isOfCreative(reason)) continue;
        const families = own.map(family);
        if (family(reason) === 'floor') families.push(...(families.includes('currency') ? ['floor'] : []));
        if (reason === 'capped.line_item' && families.includes('goal_reached')) continue;
        if (reason === 'targeting.segment' && families.includes('consent')) continue;
        expect(families, `${reason}: ${failed.join(' ')}`).toContain(family(reason));
      }
    }),
    { numRuns: runsOf(500) },
  );
});

test('a logged decision is repeated bit by bit from snapshot, request, counters, draws and time alone', () => {
  fc.assert(
    fc.property(anyWorld, fc.integer(), (world, seed) => {
      const counters: Record<string, number> = {};
      const drawn: number[] = [];
      let state = seed;
      const decisionOf = ({ placements, noFill, losers }: Decision) => ({
        placements: placements.map((one) => one && [one.lineItem.booked.id, one.creative.creative.id, one.bidMicros]),
        noFill,
        losers,
      });
      const made = decide(compile(world), world.opportunity, {
        nowMs: world.nowMs,
        state: { counter: (key) => (counters[key] = world.state.counter(key)) },
        random: () => {
          state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
          drawn.push((state >>> 0) / 2 ** 32);
          return drawn.at(-1) as number;
        },
        explain: true,
      });
      const { snapshot, opportunity, nowMs } = world;
      const text = writeOpportunityJson({ snapshot, opportunity, nowMs, counters, drawn });
      const kept = readOpportunityJson(text) as Omit<OracleWorld, 'state'> & {
        counters: typeof counters;
        drawn: number[];
      };
      const again = decide(compile(kept), kept.opportunity, {
        nowMs: kept.nowMs,
        state: { counter: (key) => kept.counters[key] ?? Number.NaN },
        random: () => kept.drawn.shift() ?? Number.NaN,
        explain: true,
      });
      expect(decisionOf(again)).toEqual(decisionOf(made));
      expect(kept.drawn, 'and no draw is left over').toEqual([]);
    }),
    { numRuns: runsOf(200) },
  );
});
