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
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import { LocalClock } from '../../decision/index/local-clock.ts';
import { evidenceByCounters } from '../../value/rate-evidence.ts';
import type { DecisionRecord } from './decision-log.ts';
import { replayDecision } from './decision-replay.ts';
import { RecordingState, toDecisionOutcome } from './decision-tape.ts';
import type { AskedState } from './decision-tape.ts';

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

function compile({ snapshot, nowMs }: OracleWorld): CompiledWorkspace {
  return compileWorkspace(snapshot, nowMs, (_id, error) => {
    throw error;
  });
}

/** A decision with all that it asked. */
function logged(world: OracleWorld, asked: AskedState, draws: readonly number[]): DecisionRecord {
  const { opportunity, nowMs } = world;
  let at = 0;
  const state = new RecordingState(asked, () => draws[at++ % draws.length] as number);
  const made = decide(compile(world), opportunity, { state, nowMs, random: state.random });
  // As it is read from the log.
  const tape = JSON.parse(JSON.stringify(state.tape)) as DecisionRecord['tape'];
  return { snapshot: '', workspaceId: 1, atMs: nowMs, opportunity, tape, answer: toDecisionOutcome(made) };
}

const draws = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 6 });

test('a logged decision in which line items chose their units is repeated bit by bit', () => {
  let bars = 0;
  fc.assert(
    fc.property(choosyWorldOf(randomWorld), draws, (world, drawn) => {
      const record = logged(world, askedOf(world), drawn);
      bars += record.tape.some(([kind]) => kind === 'bar') ? 1 : 0;
      expect(replayDecision(compile(world), record)).toEqual([]);
    }),
    { numRuns: 500 },
  );
  expect(bars).toBeGreaterThan(10);
});

test('a log of a version that knew no bars is repeated bit by bit', () => {
  fc.assert(
    fc.property(choosyWorldOf(randomWorld), draws, (world, drawn) => {
      const record = logged(world, { ...askedOf(world), unitBar: () => null }, drawn);
      const tape = record.tape.filter(([kind]) => kind !== 'units');
      expect(replayDecision(compile(world), { ...record, tape })).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('a logged decision whose values depend on the context is repeated bit by bit', () => {
  let lifted = 0;
  fc.assert(
    fc.property(pricedWorldOf(randomWorld), draws, (world, drawn) => {
      const record = logged(world, askedOf(world), drawn);
      lifted += record.tape.some(([kind]) => kind === 'lift') ? 1 : 0;
      expect(replayDecision(compile(world), record)).toEqual([]);
    }),
    { numRuns: 500 },
  );
  expect(lifted).toBeGreaterThan(50);
});

test('a log of a version that knew no contexts is repeated bit by bit', () => {
  fc.assert(
    fc.property(pricedWorldOf(randomWorld), draws, (world, drawn) => {
      const record = logged(world, { ...askedOf(world), lifts: () => null }, drawn);
      const tape = record.tape.filter(([kind]) => kind !== 'contexts');
      expect(replayDecision(compile(world), { ...record, tape })).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
