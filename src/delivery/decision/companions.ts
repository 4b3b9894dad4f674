import type { CompiledCreative, CompiledLineItem } from './index/compile-line-items.ts';
import { fitsSize, hasBlockedAttribute, refuseCreative } from './creative-fit.ts';
import { isCreativeCapped } from './eligibility.ts';
import type { SlotContext } from './eligibility.ts';
import { companionModeOf } from './index/showable-creatives.ts';
import type { CompanionSlot, Slot } from '../../domain/requests/opportunity.ts';

const NO_COMPANIONS: readonly CompiledCreative[] = [];
/** AdCOM's companion types of what we write; 0 = none. */
const COMPANION_TYPES = { IMAGE: 1, HTML: 2, NATIVE: 0, VIDEO: 0 } as const;
const EMPTY_RESPONSE = { creativeIds: new Set<string>() };

/** Companions stand beside their master, never by themselves. */
export function isCompanion({ creative }: CompiledCreative): boolean {
  return creative.masterCreativeId !== null;
}

/** The companions of a creative; none for a companion. */
export function companionsOf(lineItem: CompiledLineItem, master: CompiledCreative): readonly CompiledCreative[] {
  if (companionModeOf(lineItem.booked) === 'NONE') return NO_COMPANIONS;
  return lineItem.creatives.filter(({ creative }) => creative.masterCreativeId === master.creative.id);
}

/**
 * Whether the answer of a video can bring a companion along (VAST's CompanionAds): the player has a place that takes it, where the
 * player says which it has, and the rules of the slot and its own caps allow it.
 */
export function isCarried(
  { lineItem, master }: { readonly lineItem: CompiledLineItem; readonly master: CompiledCreative },
  companion: CompiledCreative,
  slot: Slot,
  slotContext: SlotContext,
): boolean {
  if (master.mediaType !== 'video') return false;
  const types = slot.video?.companionTypes ?? [];
  if (types.length > 0 && !types.includes(COMPANION_TYPES[companion.creative.content.format])) return false;
  const companionSlots = slot.video?.companionPlaces ?? [];
  if (companionSlots.length > 0 && !companionSlots.some((companionSlot) => fitsCompanionSlot(companionSlot, companion)))
    return false;
  const beside: Slot = { ...slot, mediaTypes: ['banner'], sizes: [] };
  const { opportunity, nowMs } = slotContext;
  const refusal = refuseCreative(companion, { opportunity, slot: beside, nowMs, response: EMPTY_RESPONSE });
  return refusal === null && !isCreativeCapped(companion, lineItem, slotContext);
}

/** Size and attributes must suit one and the same place: a block elsewhere says nothing. */
function fitsCompanionSlot({ sizes, blockedAttributes }: CompanionSlot, companion: CompiledCreative): boolean {
  return fitsSize(companion, sizes) && !hasBlockedAttribute(companion, blockedAttributes);
}

/** What the answer of a video brings along. */
export interface CarriedCompanions {
  /** Of how many of these the player must make a place, or leave the video out: VAST's `required`. */
  readonly required: 'all' | 'any' | 'none';
  readonly creatives: readonly CompiledCreative[];
}

export const NOTHING_CARRIED: CarriedCompanions = { required: 'none', creatives: [] };

/** What a video brings along: those of its companions that got no slot of the request themselves. */
export function listCarried(
  shown: { readonly lineItem: CompiledLineItem; readonly creative: CompiledCreative; readonly slot: Slot },
  placedIds: ReadonlySet<string>,
  slotContext: SlotContext,
): CarriedCompanions {
  const { lineItem, creative: master, slot } = shown;
  const companions = master.mediaType === 'video' ? companionsOf(lineItem, master) : NO_COMPANIONS;
  const inSlots = companions.filter(({ creative }) => placedIds.has(creative.id));
  const creatives = companions.filter(
    (companion) => !inSlots.includes(companion) && isCarried({ lineItem, master }, companion, slot, slotContext),
  );
  if (creatives.length === 0) return NOTHING_CARRIED;
  const mode = companionModeOf(lineItem.booked);
  if (mode === 'ALL') return { required: 'all', creatives };
  return { required: mode === 'AT_LEAST_ONE' && inSlots.length === 0 ? 'any' : 'none', creatives };
}
