import type { FloorRule } from '../../../domain/booking/floor.ts';
import type { CompiledCreative } from './compile-line-items.ts';
import type { Opportunity, Slot } from '../../../domain/requests/opportunity.ts';

const NO_RULES: readonly FloorRule[] = [];

/** Floor rules in their order: the first rule that matches applies. */
export function sortFloors(rules: readonly FloorRule[]): readonly FloorRule[] {
  return rules.toSorted((left, right) => right.priority - left.priority || right.floorMicros - left.floorMicros);
}

/** The rules, in their order, that match the slot's inventory and the user's country. */
export function matchFloors(sorted: readonly FloorRule[], slot: Slot, opportunity: Opportunity): readonly FloorRule[] {
  if (sorted.length === 0) return NO_RULES;
  return sorted.filter(
    (rule) =>
      (rule.siteId === null || rule.siteId === slot.siteId) &&
      (rule.areaId === null || rule.areaId === slot.areaId) &&
      (rule.adUnitId === null || rule.adUnitId === slot.adUnitId) &&
      (rule.countries.length === 0 || rule.countries.includes(opportunity.country)),
  );
}

/** The properties of an ad that a floor rule checks. */
export interface FlooredAd {
  readonly creative: CompiledCreative;
  readonly slot: Slot;
  /** The line item's deal; null = none. */
  readonly dealId: string | null;
  /** The ad bids under a deal that the request offers: only rules of that deal apply. */
  readonly isUnderOfferedDeal: boolean;
}

/** The floor of one ad by the rules that `matchFloors` returned, CPM micros; 0 = none. */
export function floorByRules(rules: readonly FloorRule[], ad: FlooredAd): number {
  return rules.find((rule) => appliesTo(rule, ad))?.floorMicros ?? 0;
}

function appliesTo(rule: FloorRule, { creative, slot, dealId, isUnderOfferedDeal }: FlooredAd): boolean {
  if (rule.dealId === null ? isUnderOfferedDeal : rule.dealId !== dealId) return false;
  if (rule.mediaTypes.length > 0 && !rule.mediaTypes.includes(creative.mediaType)) return false;
  if (rule.sizes.length === 0) return true;
  const { width, height } = creative.creative;
  const shown = width === 0 && height === 0 ? slot.sizes[0] : creative.creative;
  return shown !== undefined && rule.sizes.some((size) => size.width === shown.width && size.height === shown.height);
}
