import type { CompiledCreative, CompiledLineItem } from './compile-rows.ts';
import type { DecideContext } from './decide.ts';
import { checkLineItem } from './eligibility.ts';
import type { Candidate, SlotContext } from './eligibility.ts';
import type { Slot } from './opportunity.ts';
import { makeSlotContext } from './slot-context.ts';
import { findFailedDimension } from './targeting.ts';

/** The slots that come after the one in question, and how they are decided. */
export interface SlotsAhead {
  readonly laterSlots: readonly Slot[];
  readonly context: DecideContext;
}

/**
 * Roadblock ALL: the candidate with those of its creatives with which all others can still stand in the later slots, each once.
 * Null when there is none, or when its caps have no room for all of them: then it does not begin.
 */
export function beginTogether(found: Candidate, slotContext: SlotContext, ahead: SlotsAhead): Candidate | null {
  const { row } = found;
  const left = row.creatives.map(({ creative }) => creative.id);
  const withRoom = checkLineItem(row, { ...slotContext, together: left.length });
  if (typeof withRoom === 'string') return null;
  const kept = keepCompletable(found, left, fitsAhead(row, slotContext, ahead));
  return kept.length === 0 ? null : { ...found, creatives: kept };
}

/**
 * The line item whose roadblock has begun comes first wherever another creative of it fits; with ALL, so that the rest of them still
 * finds its slots.
 */
export function continueRoadblock(
  row: CompiledLineItem,
  slotContext: SlotContext,
  ahead: SlotsAhead,
): Candidate | null {
  if (!isTargeted(row, slotContext)) return null;
  const found = checkLineItem(row, slotContext);
  if (typeof found === 'string') return null;
  if (row.lineItem.roadblock !== 'ALL') return found;
  const left = row.creatives.map(({ creative }) => creative.id).filter((id) => !slotContext.answer.creativeIds.has(id));
  const kept = keepCompletable(found, left, fitsAhead(row, slotContext, ahead));
  return kept.length === 0 ? found : { ...found, creatives: kept };
}

function keepCompletable(
  found: Candidate,
  left: readonly string[],
  fits: readonly ReadonlySet<string>[],
): CompiledCreative[] {
  if (left.length - 1 > fits.length) return [];
  return found.creatives.filter(({ creative }) => {
    const others = left.filter((id) => id !== creative.id);
    return others.length === 0 || canPlaceAll(others, fits);
  });
}

/** For each later slot, the creatives that could stand there. */
function fitsAhead(row: CompiledLineItem, slotContext: SlotContext, ahead: SlotsAhead): ReadonlySet<string>[] {
  const { compiled, opportunity, answer } = slotContext;
  return ahead.laterSlots.map((slot) => {
    const there = makeSlotContext(compiled, opportunity, { slot, answer, context: ahead.context });
    const found = isTargeted(row, there) ? checkLineItem(row, there) : 'pacing';
    return new Set(typeof found === 'string' ? [] : found.creatives.map(({ creative }) => creative.id));
  });
}

function isTargeted({ lineItem }: CompiledLineItem, { facts }: SlotContext): boolean {
  return findFailedDimension(lineItem.targeting, lineItem.timezone, facts) === null;
}

/** Whether every creative finds a slot of its own: a matching, by augmenting paths. */
function canPlaceAll(ids: readonly string[], fits: readonly ReadonlySet<string>[]): boolean {
  const holders: (string | null)[] = fits.map(() => null);
  const seat = (id: string, tried: Set<number>): boolean => {
    for (const [at, fitting] of fits.entries()) {
      if (!fitting.has(id) || tried.has(at)) continue;
      tried.add(at);
      const holder = holders[at] ?? null;
      if (holder !== null && !seat(holder, tried)) continue;
      holders[at] = id;
      return true;
    }
    return false;
  };
  return ids.every((id) => seat(id, new Set()));
}
