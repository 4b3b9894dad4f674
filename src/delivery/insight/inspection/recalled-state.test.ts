import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choosyWorldOf } from '../../../../test/worlds/choosy-world.ts';
import type { OracleWorld } from '../../../../test/worlds/oracle-contender.ts';
import { pricedWorldOf } from '../../../../test/worlds/priced-world.ts';
import { randomWorld } from '../../../../test/worlds/random-world.ts';
import { capCounterKey } from '../../../domain/money/limit.ts';
import { decide } from '../../decision/decide.ts';
import { paceLineItem } from '../../decision/even-pacing.ts';
import { compileWorkspace } from '../../decision/index/compile-workspace.ts';
import { LocalClock } from '../../decision/index/local-clock.ts';
import { evidenceByCounters } from '../../value/rate-evidence.ts';
import { RecordingState, toDecisionOutcome } from '../decision-log/decision-tape.ts';
import type { AskedState } from '../decision-log/decision-tape.ts';
import { RecalledState } from './recalled-state.ts';
import { runsOf } from '../../../../test/support/longer-runs.ts';

const clock = new LocalClock();

/** All that a worker's state has. */
function askedOf({ state }: OracleWorld): AskedState {
  const counter = (key: string): number => state.counter(key);
  return {
    counter,
    capCount: (check, day) => counter(capCounterKey(check, day)),
    isUsedUp: () => false,
    rate: (asked, parent) => state.rate?.(asked, parent) ?? evidenceByCounters(asked, parent, counter),
    hasWorths: () => false,
    lifts: (workspaceId) => state.lifts?.(workspaceId) ?? null,
    unitBar: (id) => state.unitBar?.(id) ?? null,
    pace: (lineItem, { workspaceId, nowMs }) =>
      paceLineItem(lineItem, { workspaceId, nowMs, local: clock.at(nowMs, lineItem.booked.timezone) }, state),
  };
}

const draws = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 6 });

test.each([
  ['plain', randomWorld],
  ['choosy', choosyWorldOf(randomWorld)],
  ['priced', pricedWorldOf(randomWorld)],
])('a logged decision of a %s world comes out the same when every loser is explained', (_title, worlds) => {
  let losers = 0;
  fc.assert(
    fc.property(worlds, draws, (world, drawn) => {
      const compiled = compileWorkspace(world.snapshot, world.nowMs, () => {});
      const { opportunity, nowMs } = world;
      let at = 0;
      const recorded = new RecordingState(askedOf(world), () => drawn[at++ % drawn.length] as number);
      const made = decide(compiled, opportunity, { state: recorded, nowMs, random: recorded.random });
      const state = new RecalledState(JSON.parse(JSON.stringify(recorded.tape)) as never, () => 0);
      const explained = decide(compiled, opportunity, { state, nowMs, random: state.random, explain: true });
      losers += explained.losers.length;
      expect(toDecisionOutcome(explained)).toEqual(toDecisionOutcome(made));
    }),
    { numRuns: runsOf(150) },
  );
  expect(losers).toBeGreaterThan(100);
});
