import type { Creative } from '../../../domain/booking/creative.ts';
import type { CompanionMode, LineItem } from '../../../domain/booking/line-item.ts';

/** How a line item shows its companions; a roadblock has none. */
export function companionModeOf({ roadblock, companionMode }: LineItem): CompanionMode {
  return roadblock === 'ONE' ? companionMode : 'NONE';
}

/** The live creatives of a line item that can ever be shown: companions only where the line item uses them and their master is live. */
export function listShowable(lineItem: LineItem, creatives: readonly Creative[]): readonly Creative[] {
  if (creatives.every(({ masterCreativeId }) => masterCreativeId === null)) return creatives;
  const masters = creatives.filter(({ masterCreativeId }) => masterCreativeId === null);
  if (companionModeOf(lineItem) === 'NONE') return masters;
  const masterIds = new Set(masters.map(({ id }) => id));
  return creatives.filter(({ masterCreativeId }) => masterCreativeId === null || masterIds.has(masterCreativeId));
}
