import { companionModeOf } from './index/compile-line-items.ts';
import type { CompiledCreative, CompiledLineItem } from './index/compile-line-items.ts';
import { fitsSize, hasBlockedAttribute, refuseCreative } from './creative-fit.ts';
import { isCreativeCapped } from './eligibility.ts';
import type { SlotContext } from './eligibility.ts';
import { formatRow, isPlayedFormat } from '../../domain/creative-format.ts';
import { playerOfferOf } from '../../domain/requests/opportunity.ts';
import type { CompanionSlot, Slot } from '../../domain/requests/opportunity.ts';

const NO_COMPANIONS: readonly CompiledCreative[] = [];
const EMPTY_RESPONSE = { creativeIds: new Set<string>() };

/** A companion is shown beside its master, never by itself. */
export function isCompanion({ creative }: CompiledCreative): boolean {
  return creative.masterCreativeId !== null;
}

/** The companions of a creative; none for a companion. */
export function companionsOf(lineItem: CompiledLineItem, master: CompiledCreative): readonly CompiledCreative[] {
  if (companionModeOf(lineItem.booked) === 'NONE') return NO_COMPANIONS;
  return lineItem.creatives.filter(({ creative }) => creative.masterCreativeId === master.creative.id);
}

/**
 * Whether the response of a video or audio ad can carry a companion (VAST's CompanionAds). One of the player's companion slots must accept it, if the player
 * lists any. The rules of the slot and the companion's own caps must allow it.
 */
export function isCarried(
  { lineItem, master }: { readonly lineItem: CompiledLineItem; readonly master: CompiledCreative },
  companion: CompiledCreative,
  slot: Slot,
  slotContext: SlotContext,
): boolean {
  const { format } = master.creative.content;
  if (!isPlayedFormat(format)) return false;
  const offer = playerOfferOf(slot, format);
  const types = offer?.companionTypes ?? [];
  if (types.length > 0 && !types.includes(formatRow(companion.creative.content.format).companionType)) return false;
  const companionSlots = offer?.companionPlaces ?? [];
  if (companionSlots.length > 0 && !companionSlots.some((companionSlot) => fitsCompanionSlot(companionSlot, companion)))
    return false;
  const beside: Slot = { ...slot, mediaTypes: ['banner'], sizes: [] };
  const { opportunity, nowMs } = slotContext;
  const refusal = refuseCreative(companion, { opportunity, slot: beside, nowMs, response: EMPTY_RESPONSE });
  return refusal === null && !isCreativeCapped(companion, lineItem, slotContext);
}

/** One companion slot must accept both the size and the attributes: attributes that another slot blocks do not matter. */
function fitsCompanionSlot({ sizes, blockedAttributes }: CompanionSlot, companion: CompiledCreative): boolean {
  return fitsSize(companion, sizes) && !hasBlockedAttribute(companion, blockedAttributes);
}

/** The companions that the response of a video or audio ad carries. */
export interface CarriedCompanions {
  /** How many of these the player must show, or else leave the ad out: VAST's `required`. */
  readonly required: 'all' | 'any' | 'none';
  readonly creatives: readonly CompiledCreative[];
}

export const NOTHING_CARRIED: CarriedCompanions = { required: 'none', creatives: [] };

/** The companions that a video or audio ad carries: those that got no slot of the request. */
export function listCarried(
  shown: { readonly lineItem: CompiledLineItem; readonly creative: CompiledCreative; readonly slot: Slot },
  placedIds: ReadonlySet<string>,
  slotContext: SlotContext,
): CarriedCompanions {
  const { lineItem, creative: master, slot } = shown;
  const companions = isPlayedFormat(master.creative.content.format) ? companionsOf(lineItem, master) : NO_COMPANIONS;
  const inSlots = companions.filter(({ creative }) => placedIds.has(creative.id));
  const creatives = companions.filter(
    (companion) => !inSlots.includes(companion) && isCarried({ lineItem, master }, companion, slot, slotContext),
  );
  if (creatives.length === 0) return NOTHING_CARRIED;
  const mode = companionModeOf(lineItem.booked);
  if (mode === 'ALL') return { required: 'all', creatives };
  return { required: mode === 'AT_LEAST_ONE' && inSlots.length === 0 ? 'any' : 'none', creatives };
}
