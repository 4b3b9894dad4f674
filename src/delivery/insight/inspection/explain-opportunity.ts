import { setImmediate as nextTurn } from 'node:timers/promises';
import { CHANCE_DRAWS } from '../../../domain/booking/decision-inspection.ts';
import type { WinChance } from '../../../domain/booking/decision-inspection.ts';
import { EXPLAINED_LOSERS_MAX, EXPLAINED_SLOTS_MAX } from '../../../domain/booking/delivery-insight.ts';
import type { ExplainedDecision, ExplainedSlot } from '../../../domain/booking/delivery-insight.ts';
import { textOf, writeEnglish } from '../../../domain/booking/delivery-text.ts';
import { PlacardError } from '../../../domain/errors.ts';
import { armOf, type DecidedArm } from '../../../domain/experiments/experiment.ts';
import type { Opportunity } from '../../../domain/requests/opportunity.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import { buildBidOpportunity } from '../../ad-request/bid-opportunity.ts';
import { resolveContext } from '../../ad-request/build-opportunity.ts';
import type { FindGeo } from '../../ad-request/geo-lookup.ts';
import { resolvePrivacy } from '../../ad-request/privacy.ts';
import { withSegments } from '../../ad-request/user-segments.ts';
import { HotDeliveryState, RecentCounters } from '../../budget/hot-delivery-state.ts';
import { decide } from '../../decision/decide.ts';
import type { Decision } from '../../decision/decision.ts';
import { decidedBy } from '../../decision/experiment-rules.ts';
import type { CompiledLineItem } from '../../decision/index/compile-line-items.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import { findById } from '../../decision/index/sorted-by-id.ts';
import { parseBidRequest } from '../../openrtb/bid-request.ts';
import { readDsaRequest } from '../../openrtb/dsa.ts';
import { Pacer } from '../../pacing/pacer.ts';
import type { PacerOptions } from '../../pacing/pacer.ts';
import type { TrafficCurve } from '../../../domain/pacing/traffic-curve.ts';
import type { ContextModel } from '../../value/context-model.ts';
import { RateMemory } from '../../value/rate-memory.ts';
import { RecentDraws } from '../../value/recent-draws.ts';
import { describeReason } from '../diagnosis/reason-texts.ts';
import { seededRandom } from '../forecast/seeded-random.ts';

const ROUNDS_MAX = 20;
/** Decisions between two turns of the event loop. */
const DRAWS_PER_TURN = 10;

/** What an explanation reads, in the core. */
export interface ExplainDeps {
  readonly hot: HotStore;
  readonly userHashSecret: Buffer;
  /** The geo of an address, from the same look-up as the bid endpoint. */
  readonly findGeo: FindGeo;
  /** The curve of a line item as workers know it; without one, that of the network. */
  readonly curveOf: (compiled: CompiledWorkspace, lineItem: CompiledLineItem | null) => TrafficCurve;
  /** What other goals leave to that of a line item, as workers know it. */
  readonly freeTrafficOf: NonNullable<PacerOptions['freeTrafficOf']>;
  /** How rates of creatives depend on the context, as workers know it. */
  readonly contextModelOf: (workspaceId: number, nowMs: number) => ContextModel | null;
  readonly nowMs: () => number;
}

/**
 * The opportunity of a bid request, with the user's own segments.
 * @throws PlacardError `invalid_request` for one that the bid endpoint would refuse, and for too many impressions
 */
export async function readOpportunity(
  deps: ExplainDeps,
  compiled: CompiledWorkspace,
  bidRequest: unknown,
): Promise<Opportunity> {
  const request = parseBidRequest(bidRequest);
  if (request.imps.length > EXPLAINED_SLOTS_MAX)
    throw new PlacardError('invalid_request', `At most ${EXPLAINED_SLOTS_MAX} impressions can be explained at once.`);
  const privacy = resolvePrivacy(request.privacy);
  const { userIds, device } = request;
  const source = { device, privacy, dsa: readDsaRequest(request.dsa), userIds, headers: null, address: '' };
  const { workspaceId } = compiled.snapshot.workspace;
  const opportunity = buildBidOpportunity(request, compiled, resolveContext(source, workspaceId, deps));
  return withSegments(deps, compiled.segments, { opportunity, userIds });
}

/** How to decide an opportunity. */
export interface DecideAt {
  readonly atMs: number;
  readonly random: () => number;
  /** List only this line item among the losers; null = all. */
  readonly lineItemId: string | null;
}

/** Decides on the present counters, and says why each line item lost. Counts nothing. */
export async function explainOpportunity(
  deps: ExplainDeps,
  compiled: CompiledWorkspace,
  opportunity: Opportunity,
  { atMs, random, lineItemId }: DecideAt,
): Promise<ExplainedDecision> {
  const state = newState(deps, compiled, atMs);
  const arm = armAt(deps, compiled, opportunity, atMs);
  const input = { ...decidedBy(arm), state, nowMs: atMs, random, explain: true };
  let decision = decide(compiled, opportunity, input);
  for (let round = 0; round < ROUNDS_MAX && state.isIncomplete; round += 1) {
    await state.fetchMissing();
    decision = decide(compiled, opportunity, input);
  }
  return describeDecision(compiled, decision, { opportunity, arm, lineItemId, atMs });
}

/** The arm in which a worker decides the opportunity. Without a user a worker draws; here it is that of most requests. */
function armAt(
  { userHashSecret }: ExplainDeps,
  { snapshot }: CompiledWorkspace,
  opportunity: Opportunity,
  nowMs: number,
): DecidedArm | null {
  return armOf(snapshot.workspace.experiment, opportunity, { secret: userHashSecret, nowMs, random: () => 1 });
}

/** How often each line item wins each slot over {@link CHANCE_DRAWS} decisions with other draws, most often first. */
export async function countWins(
  deps: ExplainDeps,
  compiled: CompiledWorkspace,
  opportunity: Opportunity,
  { atMs, seed }: { readonly atMs: number; readonly seed: number },
): Promise<WinChance[]> {
  const state = newState(deps, compiled, atMs);
  const ruled = decidedBy(armAt(deps, compiled, opportunity, atMs));
  const wins = new Map<string, { readonly slotId: string; readonly lineItemId: string; count: number }>();
  for (let run = 0; run < CHANCE_DRAWS; run += 1) {
    const decideAgain = (): Decision =>
      decide(compiled, opportunity, { ...ruled, state, nowMs: atMs, random: seededRandom(seed + run) });
    let decision = decideAgain();
    for (let round = 0; round < ROUNDS_MAX && state.isIncomplete; round += 1) {
      await state.fetchMissing();
      decision = decideAgain();
    }
    for (const placement of decision.placements) {
      if (placement === null) continue;
      const { slotId } = placement.slot;
      const { id } = placement.lineItem.booked;
      const key = `${slotId} ${id}`;
      const known = wins.get(key) ?? { slotId, lineItemId: id, count: 0 };
      known.count += 1;
      wins.set(key, known);
    }
    if (run % DRAWS_PER_TURN === DRAWS_PER_TURN - 1) await nextTurn();
  }
  return [...wins.values()]
    .toSorted((one, other) => other.count - one.count)
    .map(({ slotId, lineItemId, count }) => ({
      slotId,
      lineItemId,
      name: nameOf(compiled, lineItemId),
      percent: (100 * count) / CHANCE_DRAWS,
    }));
}

/** Paces as a worker that starts at this moment. */
function newState(
  { hot, curveOf, freeTrafficOf, contextModelOf }: ExplainDeps,
  compiled: CompiledWorkspace,
  nowMs: number,
): HotDeliveryState {
  const pacer = new Pacer({
    peers: { processes: 1, workerIndex: 0 },
    curveOf: (_workspaceId, lineItem) => curveOf(compiled, lineItem),
    freeTrafficOf,
  });
  return new HotDeliveryState(
    hot,
    {
      counters: new RecentCounters(),
      // Its paces are of this explanation alone, so decisions must not remember them.
      pacer: undefined,
      isUsedUp: () => false,
      rates: new RateMemory(),
      // It knows no bars, so every line item is shown as wanting the unit.
      unitDraws: new RecentDraws(),
      contextModelOf,
      pace: (lineItem, at, read) => pacer.pace(lineItem, at, read),
    },
    { nowMs },
  );
}

/** What to say of a decision. */
export interface DecisionToDescribe {
  readonly opportunity: Opportunity;
  readonly arm: DecidedArm | null;
  readonly lineItemId: string | null;
  readonly atMs: number;
}

/** A decision in the terms of people: names, sentences. */
export function describeDecision(
  compiled: CompiledWorkspace,
  decision: Decision,
  { opportunity, arm, lineItemId, atMs }: DecisionToDescribe,
): ExplainedDecision {
  const slots = opportunity.slots.map(({ slotId }, at) => describeSlot(compiled, decision, { slotId, at, lineItemId }));
  return { at: new Date(atMs), noFill: decision.noFill, arm, slots };
}

interface SlotToDescribe extends Pick<DecisionToDescribe, 'lineItemId'> {
  readonly slotId: string;
  readonly at: number;
}

function describeSlot(
  compiled: CompiledWorkspace,
  { placements, losers }: Decision,
  { slotId, at, lineItemId }: SlotToDescribe,
): ExplainedSlot {
  const placement = placements[at] ?? null;
  const own = losers.filter(
    (loser) => loser.slotId === slotId && (lineItemId === null || loser.lineItemId === lineItemId),
  );
  return {
    slotId,
    winner:
      placement === null
        ? null
        : {
            lineItemId: placement.lineItem.booked.id,
            name: placement.lineItem.booked.name,
            creativeId: placement.creative.creative.id,
            companionCreativeIds: placement.companions.creatives.map(({ creative }) => creative.id),
            bidMicros: placement.bidMicros,
            goalBidMicros: goalBidMicrosOf(compiled, placement),
          },
    losers: own.slice(0, EXPLAINED_LOSERS_MAX).map(({ lineItemId: id, reason, ...loser }) => {
      const texts = [textOf('did_not_serve'), describeReason(reason)];
      return {
        lineItemId: id,
        name: nameOf(compiled, id),
        reason,
        sentence: writeEnglish(texts),
        texts,
        goalBidMicros: goalBidMicrosOf(compiled, loser),
      };
    }),
    furtherLosers: Math.max(0, own.length - EXPLAINED_LOSERS_MAX),
  };
}

function nameOf({ snapshot }: CompiledWorkspace, id: string): string {
  return findById(snapshot.lineItems, id)?.name ?? '';
}

/** Null where no goal bids. */
function goalBidMicrosOf({ competition }: CompiledWorkspace, { worth }: { readonly worth?: number }): number | null {
  return worth === undefined ? null : Math.round(worth * competition.usualCpmMicros);
}
