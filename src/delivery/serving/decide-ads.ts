import type { DecidedArm } from '../../domain/experiments/experiment.ts';
import type { Opportunity } from '../../domain/requests/opportunity.ts';
import type { HotDeliveryState } from '../budget/hot-delivery-state.ts';
import { decide } from '../decision/decide.ts';
import { decidedBy } from '../decision/experiment-rules.ts';
import type { Decision } from '../decision/decision.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import type { SameDraws } from '../decision/draws/same-draws.ts';
import type { DecisionRecording } from '../insight/decision-log/decision-log.ts';
import type { DeliveryControl } from '../pacing/delivery-control.ts';

/** Rounds of deciding and fetching unknown counters (Redis only), or of finding a limit used up. */
const ROUNDS_MAX = 8;

/** The input of a decision. */
export interface DecisionInput {
  readonly compiled: CompiledWorkspace;
  readonly opportunity: Opportunity;
  readonly state: HotDeliveryState;
  readonly nowMs: number;
  readonly draws: SameDraws;
  /** Of the experiment that runs; null: none does. */
  readonly arm: DecidedArm | null;
  /** Collects the reason of every loser. */
  readonly explain: boolean;
  /** Records the input of the decision; null for almost all. */
  readonly recording: DecisionRecording | null;
}

/** Decides with the counters that the state has now. Afterwards the state reports missing counters. */
export function decideOnce({ draws, recording, ...input }: DecisionInput): Decision {
  draws.rewind();
  const { compiled, opportunity, state, nowMs, explain } = input;
  const how = { ...decidedBy(input.arm), nowMs, explain };
  if (recording === null) return decide(compiled, opportunity, { ...how, state, random: draws.next });
  const recorded = recording.begin(state, draws.next);
  return decide(compiled, opportunity, { ...how, state: recorded, random: recorded.random });
}

/**
 * Reserves what the ads of a decision may use of hard limits. Decides again until all counters are known and all limits hold; waits only
 * when the hot store is asynchronous or a lease on a limit has to be taken. A test request reserves nothing.
 */
export function confirmDecision(
  input: DecisionInput,
  first: Decision,
  plans: Pick<DeliveryControl, 'reserve'>,
): Decision | Promise<Decision> {
  const reserved = !input.state.isIncomplete && reserveLimits(input, first, plans);
  if (reserved !== true) return decideAgain(input, { decision: first, reserved }, plans);
  input.recording?.finish(first);
  return first;
}

function reserveLimits(
  { opportunity, state }: DecisionInput,
  { placements }: Decision,
  plans: Pick<DeliveryControl, 'reserve'>,
): boolean | Promise<boolean> {
  return opportunity.test || plans.reserve(placements, opportunity.workspaceId, state);
}

async function decideAgain(
  input: DecisionInput,
  first: { readonly decision: Decision; readonly reserved: boolean | Promise<boolean> },
  plans: Pick<DeliveryControl, 'reserve'>,
): Promise<Decision> {
  const { state, recording } = input;
  let { decision } = first;
  let reserved = await first.reserved;
  for (let round = 0; round < 2 * ROUNDS_MAX && !reserved; round += 1) {
    // An unverified limit must not be exceeded. After so many rounds, only line items without limits may serve.
    if (round === ROUNDS_MAX) state.leaveOutLimited();
    if (state.isIncomplete) await state.fetchMissing();
    decision = decideOnce(input);
    reserved = !state.isIncomplete && (await reserveLimits(input, decision, plans));
  }
  if (reserved) {
    recording?.finish(decision);
    return decision;
  }
  return { placements: decision.placements.map(() => null), noFill: 'capped', losers: decision.losers };
}
