import { companionsOf, isCarried, isCompanion } from './companions.ts';
import { companionModeOf } from './index/compile-line-items.ts';
import type { CompiledCreative, CompiledLineItem } from './index/compile-line-items.ts';
import { checkLineItem } from './eligibility.ts';
import type { Candidate, SlotContext } from './eligibility.ts';
import type { ResponseSoFar } from './response-so-far.ts';
import { isPlayed } from '../../domain/booking/creative.ts';
import type { Slot } from '../../domain/requests/opportunity.ts';
import { isTargeted } from './slots-ahead.ts';
import type { Need, SlotFits, SlotsOfRequest } from './slots-ahead.ts';

/** Creatives of one line item that one response shows together: a roadblock, or a master with its companions. */
export interface CreativeSet {
  readonly lineItem: CompiledLineItem;
  /** The creative that the companions accompany; null = a roadblock. */
  readonly master: CompiledCreative | null;
  /** The slot of the master; null = it has none yet. */
  readonly masterSlot: Slot | null;
}

/** The slots after the present one. */
export interface SlotsAhead {
  readonly slots: SlotsOfRequest;
  /** The position of the present slot. */
  readonly position: number;
  readonly laterSlots: readonly Slot[];
  /** A set has begun and needs later slots: no other set that needs later slots may begin. */
  readonly isReserved: boolean;
}

/**
 * The candidate with those creatives that let the rest of their set fit into later slots, and as much of the set as possible. Masters come
 * before companions. Null when no creative does, or when the caps do not allow the whole roadblock: then the set does not begin.
 */
export function beginSet(found: Candidate, slotContext: SlotContext, ahead: SlotsAhead): Candidate | null {
  const { lineItem } = found;
  if (lineItem.isIndependent) return found;
  if (lineItem.booked.roadblock === 'ALL') {
    const forAll = checkLineItem(lineItem, { ...slotContext, together: lineItem.creatives.length });
    if (typeof forAll === 'string') return null;
  }
  const lookAhead = { slotContext, ahead, fits: ahead.slots.fitsOf(lineItem, slotContext.together, false) };
  const beginning = found.creatives.filter((one) => {
    const set = setOf(lineItem, one);
    if (set !== null && isCompanion(one) && isPlaced(set.master, slotContext)) return false;
    return set === null || canComplete(set, one, lookAhead);
  });
  if (lineItem.booked.roadblock !== 'ONE') {
    const preferred = preferLargestSets({ lineItem, master: null, masterSlot: null }, beginning, lookAhead);
    return preferred.length > 0 ? { ...found, creatives: preferred } : null;
  }
  const masters = beginning.filter((one) => !isCompanion(one));
  if (masters.length > 0) return { ...found, creatives: masters };
  return beginning.length > 0 ? { ...found, creatives: beginning } : null;
}

/**
 * A line item whose set has begun comes first wherever another creative of the set fits, so that the set gets its slots. Null when none of
 * its creatives fits here.
 */
export function continueSet(set: CreativeSet, slotContext: SlotContext, ahead: SlotsAhead): Candidate | null {
  const { lineItem, master } = set;
  if (!isTargeted(lineItem, slotContext)) return null;
  // The caps had headroom when the set began. Companions are counted together with their master.
  const joining = master === null ? slotContext : { ...slotContext, together: 0 };
  const found = checkLineItem(lineItem, joining);
  if (typeof found === 'string') return null;
  const own = found.creatives.filter((one) => belongsTo(set, one));
  const lookAhead = {
    slotContext,
    ahead: { ...ahead, isReserved: false },
    fits: ahead.slots.fitsOf(lineItem, joining.together, true),
  };
  const kept = own.filter((one) => canComplete(set, one, lookAhead));
  if (kept.length > 0) return { ...found, creatives: preferLargestSets(set, kept, lookAhead) };
  return master === null ? found : null;
}

/** The set that a creative belongs to; null for a creative that is shown alone. */
export function setOf(lineItem: CompiledLineItem, { creative }: CompiledCreative): CreativeSet | null {
  if (lineItem.booked.roadblock !== 'ONE') return { lineItem, master: null, masterSlot: null };
  if (companionModeOf(lineItem.booked) === 'NONE') return null;
  const masterId = creative.masterCreativeId ?? creative.id;
  const master = lineItem.creatives.find((one) => one.creative.id === masterId) ?? null;
  return master === null ? null : { lineItem, master, masterSlot: null };
}

/** The set after one more creative got its slot. */
export function addToSet(set: CreativeSet, creative: CompiledCreative, slot: Slot): CreativeSet {
  return creative === set.master ? { ...set, masterSlot: slot } : set;
}

/** Whether the set still needs slots. */
export function isUnfinished(set: CreativeSet, slotContext: SlotContext): boolean {
  const masterSlots = set.masterSlot === null ? [] : [set.masterSlot];
  return needsOf(set, { response: slotContext.response, placed: null, masterSlots, slotContext }).length > 0;
}

function isPlaced(creative: CompiledCreative | null, { response }: SlotContext): boolean {
  return creative !== null && response.creativeIds.has(creative.creative.id);
}

function belongsTo({ master }: CreativeSet, one: CompiledCreative): boolean {
  return master === null || one === master || one.creative.masterCreativeId === master.creative.id;
}

interface LookAhead {
  readonly slotContext: SlotContext;
  readonly ahead: SlotsAhead;
  readonly fits: SlotFits;
}

/** Whether the rest of the set finds slots of its own when this creative takes the present slot. */
function canComplete(set: CreativeSet, placed: CompiledCreative, { slotContext, ahead, fits }: LookAhead): boolean {
  const { response, slot } = slotContext;
  const masterSlots = masterSlotsOf(set, placed, { slot, ahead, fits });
  const needs = needsOf(set, { response, placed, masterSlots, slotContext });
  if (needs.length === 0) return true;
  if (ahead.isReserved || needs.length > ahead.laterSlots.length) return false;
  // Most sets that cannot be completed end here: a need without a slot is remembered, so asking again costs nothing.
  if (needs.some((need) => fits.firstAfter(need, ahead.position) === null)) return false;
  return countSeatable(needs, ahead, fits) === needs.length;
}

/** The creatives that leave later slots for most others of the set. */
function preferLargestSets(
  set: CreativeSet,
  kept: readonly CompiledCreative[],
  { slotContext, ahead, fits }: LookAhead,
): readonly CompiledCreative[] {
  if (kept.length < 2 || ahead.laterSlots.length === 0) return kept;
  const open = set.lineItem.creatives.filter((one) => belongsTo(set, one) && !isPlaced(one, slotContext));
  if (countSeatable(open.map(idOf), ahead, fits) === open.length) return kept;
  const seats = kept.map((one) => countSeatable(open.filter((other) => other !== one).map(idOf), ahead, fits));
  const most = Math.max(...seats);
  return kept.filter((_one, at) => seats[at] === most);
}

/** The slot of the master, or those that it may get later. */
function masterSlotsOf(
  { master, masterSlot }: CreativeSet,
  placed: CompiledCreative,
  { slot, ahead, fits }: Pick<LookAhead, 'ahead' | 'fits'> & { readonly slot: Slot },
): readonly Slot[] {
  // Only a video master carries companions.
  if (master === null || !isPlayed(master.creative.content)) return [];
  if (placed === master) return [slot];
  if (masterSlot !== null) return [masterSlot];
  const need = idOf(master);
  return ahead.laterSlots.filter((_later, at) => fits.canFill(need, ahead.position + 1 + at));
}

interface SetProgress {
  readonly response: ResponseSoFar;
  readonly placed: CompiledCreative | null;
  readonly masterSlots: readonly Slot[];
  readonly slotContext: SlotContext;
}

/** The creatives that still need a slot. */
function needsOf(set: CreativeSet, { response, placed, masterSlots, slotContext }: SetProgress): Need[] {
  const { lineItem, master } = set;
  const isThere = (one: CompiledCreative) => one === placed || response.creativeIds.has(one.creative.id);
  if (master === null) {
    if (lineItem.booked.roadblock !== 'ALL') return [];
    return lineItem.creatives.filter((one) => !isThere(one)).map(idOf);
  }
  const needs = isThere(master) ? [] : [idOf(master)];
  const mode = companionModeOf(lineItem.booked);
  if (mode === 'OPTIONAL') return needs;
  const companions = companionsOf(lineItem, master);
  const isCarriedBy = (one: CompiledCreative) =>
    masterSlots.length > 0 && masterSlots.every((slot) => isCarried({ lineItem, master }, one, slot, slotContext));
  const open = companions.filter((one) => !isThere(one) && !isCarriedBy(one));
  if (companions.length === 0 || (mode === 'AT_LEAST_ONE' && open.length === companions.length))
    return [...needs, new Set(open.map(({ creative }) => creative.id))];
  return mode === 'ALL' ? [...needs, ...open.map(idOf)] : needs;
}

/** The largest number of needs that can have later slots of their own: a matching by augmenting paths. */
function countSeatable(needs: readonly Need[], { laterSlots, position }: SlotsAhead, fits: SlotFits): number {
  const holders: (Need | null)[] = laterSlots.map(() => null);
  const fitsAt = (need: Need, at: number) => fits.canFill(need, position + 1 + at);
  const seat = (need: Need, tried: Set<number>): boolean => {
    const first = fits.firstAfter(need, position);
    if (first === null) return false;
    for (let at = first - position - 1; at < holders.length; at += 1) {
      if (holders[at] !== null || !fitsAt(need, at)) continue;
      holders[at] = need;
      return true;
    }
    for (const [at, holder] of holders.entries()) {
      if (holder === null || tried.has(at) || !fitsAt(need, at)) continue;
      tried.add(at);
      if (!seat(holder, tried)) continue;
      holders[at] = need;
      return true;
    }
    return false;
  };
  return needs.filter((need) => seat(need, new Set())).length;
}

function idOf({ creative }: CompiledCreative): Need {
  return new Set([creative.id]);
}
