import { companionsOf, isCarried, isCompanion } from './companions.ts';
import { companionModeOf } from './index/showable-creatives.ts';
import type { CompiledCreative, CompiledLineItem } from './index/compile-line-items.ts';
import { checkLineItem } from './eligibility.ts';
import type { ResponseSoFar, Candidate, SlotContext } from './eligibility.ts';
import type { Slot } from '../../domain/requests/opportunity.ts';
import { isTargeted } from './slots-ahead.ts';
import type { Need, SlotFits, SlotsOfRequest } from './slots-ahead.ts';

/** Creatives of one line item that stand in one answer together: a roadblock, or a master with its companions. */
export interface CreativeSet {
  readonly lineItem: CompiledLineItem;
  /** The creative beside which companions stand; null = a roadblock. */
  readonly master: CompiledCreative | null;
  /** Where the master stands; null = nowhere yet. */
  readonly masterSlot: Slot | null;
}

/** The slots that come after the one in question. */
export interface SlotsAhead {
  readonly slots: SlotsOfRequest;
  /** Of the slot in question. */
  readonly position: number;
  readonly laterSlots: readonly Slot[];
  /** A set stands in part and needs later slots: no other may begin that needs some, too. */
  readonly isReserved: boolean;
}

/**
 * The candidate with those of its creatives beside which all that must stand together can still stand, in later slots, and as many
 * others as possible; masters before companions. Null when there is none, or when its caps have no room for all of a roadblock:
 * then it does not begin.
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
 * The line item whose set has begun comes first wherever another creative of the set fits, so that what must stand still finds its
 * slots. Null when nothing of it can stand here.
 */
export function continueSet(set: CreativeSet, slotContext: SlotContext, ahead: SlotsAhead): Candidate | null {
  const { lineItem, master } = set;
  if (!isTargeted(lineItem, slotContext)) return null;
  // Companions are counted with their master: its caps had room when the set began.
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

/** The set of a line item to which a creative belongs; null for one that stands alone. */
export function setOf(lineItem: CompiledLineItem, { creative }: CompiledCreative): CreativeSet | null {
  if (lineItem.booked.roadblock !== 'ONE') return { lineItem, master: null, masterSlot: null };
  if (companionModeOf(lineItem.booked) === 'NONE') return null;
  const masterId = creative.masterCreativeId ?? creative.id;
  const master = lineItem.creatives.find((one) => one.creative.id === masterId) ?? null;
  return master === null ? null : { lineItem, master, masterSlot: null };
}

/** The set with one more of its creatives in its slot. */
export function placeInSet(set: CreativeSet, creative: CompiledCreative, slot: Slot): CreativeSet {
  return creative === set.master ? { ...set, masterSlot: slot } : set;
}

/** Whether something must still stand. */
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

/** Whether, with this creative in the slot, all others that must stand find slots of their own. */
function canComplete(set: CreativeSet, placed: CompiledCreative, { slotContext, ahead, fits }: LookAhead): boolean {
  const { response, slot } = slotContext;
  const masterSlots = masterSlotsOf(set, placed, { slot, ahead, fits });
  const needs = needsOf(set, { response, placed, masterSlots, slotContext });
  if (needs.length === 0) return true;
  if (ahead.isReserved || needs.length > ahead.laterSlots.length) return false;
  // Most sets that cannot stand are turned away here: where a need found nothing once, this costs nothing again.
  if (needs.some((need) => fits.firstAfter(need, ahead.position) === null)) return false;
  return countSeatable(needs, ahead, fits) === needs.length;
}

/** Of these creatives those beside which most others of the set find later slots. */
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

/** Where the master stands, or may stand later. */
function masterSlotsOf(
  { master, masterSlot }: CreativeSet,
  placed: CompiledCreative,
  { slot, ahead, fits }: Pick<LookAhead, 'ahead' | 'fits'> & { readonly slot: Slot },
): readonly Slot[] {
  // What other masters do not carry need not be asked for.
  if (master === null || master.mediaType !== 'video') return [];
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

/** What must still find a slot. */
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

/** How many needs at most find later slots of their own: a matching, by augmenting paths. */
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
