import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';

/** A floor of an ad unit that would have earned more. Money is exact text. */
export interface FloorSuggestion {
  readonly adUnitId: string;
  readonly name: string;
  readonly floor: string;
  readonly suggestedFloor: string;
  readonly revenue: string;
  readonly gain: string;
  readonly gainLow: string;
  readonly gainHigh: string;
  readonly paidSlots: number;
  readonly suggestedPaidSlots: number;
  readonly sampledHours: number;
}

/** Reads the suggestions, the largest gain first, at most 100. */
export async function loadFloorSuggestions(scope: Scope, signal: AbortSignal): Promise<readonly FloorSuggestion[]> {
  const query = `query FloorSuggestions { found: floorSuggestions { adUnitId name floor suggestedFloor revenue
    gain gainLow gainHigh paidSlots suggestedPaidSlots sampledHours } }`;
  return (await askGraphql<{ found: readonly FloorSuggestion[] }>(scope, query, {}, signal)).found;
}
