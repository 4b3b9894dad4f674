import type { RateContext } from '../../domain/events/context-outcome.ts';
import { contextKey } from '../value/rate-context.ts';
import type { CompiledWorkspace } from './index/compiled-workspace.ts';
import type { DecideContext } from './decision.ts';
import type { SlotContext } from './eligibility.ts';
import type { ResponseSoFar } from './response-so-far.ts';
import type { SlotLifts } from './expected-value.ts';
import { matchFloors } from './index/floors.ts';
import type { Opportunity, Slot } from '../../domain/requests/opportunity.ts';
import { targetingFacts } from './index/targeting.ts';
import type { DecisionMemory } from './index/decision-memory.ts';

/** The input of a slot context besides the workspace and the request. */
export interface SlotInput {
  readonly slot: Slot;
  readonly response: ResponseSoFar;
  readonly context: DecideContext;
}

/** Builds the input of checking line items for one slot. */
export function makeSlotContext(compiled: CompiledWorkspace, opportunity: Opportunity, input: SlotInput): SlotContext {
  const { slot, response, context } = input;
  const { nowMs, state } = context;
  const facts = targetingFacts(opportunity, slot, (timezone) => compiled.memory.clock.at(nowMs, timezone));
  const ownFloorMicros = ownFloorOf(compiled, slot);
  const floorRules = matchFloors(compiled.floors, slot, opportunity);
  const paceAt = { workspaceId: opportunity.workspaceId, nowMs };
  return {
    compiled,
    opportunity,
    slot,
    facts,
    state,
    response,
    nowMs,
    ownFloorMicros,
    floorRules,
    paceAt,
    lifts: liftsIn(compiled, opportunity, input),
    together: 1,
  };
}

function liftsIn(
  { competition }: CompiledWorkspace,
  opportunity: Opportunity,
  { slot, context: { nowMs, state } }: SlotInput,
): SlotLifts | null {
  const lifts = state.lifts?.(opportunity.workspaceId) ?? null;
  if (lifts === null) return null;
  const context = rateContextOf(opportunity, slot, nowMs);
  return {
    lifts,
    context,
    memory: state.pacer === undefined ? null : competition.contexts.of(lifts, contextKey(context)),
  };
}

/** Where and when an ad is shown, as its events will report it. */
export function rateContextOf({ reported }: Opportunity, slot: Slot, nowMs: number): RateContext {
  const { siteId, adUnitId } = slot;
  return { siteId, adUnitId, deviceType: reported.deviceType, country: reported.country, timeMs: nowMs };
}

/** The floor of network and ad unit, CPM micros. */
export function ownFloorOf({ inventory, snapshot }: CompiledWorkspace, { adUnitId }: Slot): number {
  return Math.max(snapshot.workspace.floorMicros, inventory.adUnitsById.get(adUnitId)?.floorMicros ?? 0);
}

/** The values of the index's `fit` field that a slot offers. */
export function fitValuesOf(slot: Slot, memory: DecisionMemory): string[] {
  const values: string[] = [];
  for (const mediaType of slot.mediaTypes) {
    if (mediaType !== 'banner' || slot.sizes.length === 0) values.push(mediaType);
    else {
      values.push('banner:0x0');
      for (const size of slot.sizes) values.push(memory.fitOfBanner(size));
    }
  }
  return values;
}
