import type { MediaType } from '../creative-format.ts';
import type { Size } from './inventory.ts';

/**
 * A lowest price for a part of the inventory or of the demand. What is left open (null, empty) matches all; all that is said must
 * match. Of the rules that match, the one of the highest priority holds, among equals the highest floor.
 */
export interface FloorRule {
  readonly id: string;
  /** The higher goes first. */
  readonly priority: number;
  /** Lowest CPM in micros of the network's currency. */
  readonly floorMicros: number;
  readonly siteId: string | null;
  readonly areaId: string | null;
  readonly adUnitId: string | null;
  /** Only for line items of this deal; a rule without one leaves deals that the request offers to their own floors. */
  readonly dealId: string | null;
  /** Sizes of the ad that is to be shown. */
  readonly sizes: readonly Size[];
  readonly mediaTypes: readonly MediaType[];
  /** ISO 3166-1 alpha-2, lower case. An unknown country matches none of them. */
  readonly countries: readonly string[];
}
