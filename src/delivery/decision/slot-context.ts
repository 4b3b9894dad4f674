import { formatSize } from '../../domain/booking/inventory.ts';
import type { CompiledWorkspace } from './index/compiled-workspace.ts';
import type { DecideContext } from './decision.ts';
import type { ResponseSoFar, SlotContext } from './eligibility.ts';
import { matchFloors } from './index/floors.ts';
import type { Opportunity, Slot } from '../../domain/requests/opportunity.ts';
import type { TargetingFacts } from './index/targeting.ts';

/** What the context of one slot is made of, besides the workspace and the request. */
export interface SlotInput {
  readonly slot: Slot;
  readonly response: ResponseSoFar;
  readonly context: DecideContext;
}

/** All that checking line items for one slot needs. */
export function makeSlotContext(compiled: CompiledWorkspace, opportunity: Opportunity, input: SlotInput): SlotContext {
  const { slot, response, context } = input;
  const { nowMs, state } = context;
  const facts: TargetingFacts = {
    opportunity,
    slot,
    sizes: slot.sizes.map(formatSize),
    deals: (slot.deals ?? []).map((deal) => deal.code.toLowerCase()),
    localMoment: (timezone) => compiled.memory.clock.at(nowMs, timezone),
  };
  const unitFloor = compiled.inventory.adUnitsById.get(slot.adUnitId)?.floorMicros ?? 0;
  const ownFloorMicros = Math.max(compiled.snapshot.workspace.floorMicros, unitFloor);
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
    together: 1,
  };
}
