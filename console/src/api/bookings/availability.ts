import { DELIVERY_TEXT_FIELDS, type DeliveryText } from './delivery-text.ts';
import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';

/** Impressions of a day; null where there is no history. */
export interface AvailableDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly expected: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly sold: number;
  readonly reserved: number;
  readonly free: number | null;
}

/** What is sold, reserved and free, and who has it. */
export interface Availability {
  readonly days: readonly AvailableDay[];
  readonly lineItems: readonly {
    readonly lineItemId: string;
    readonly name: string;
    readonly isReserved: boolean;
    readonly impressions: number;
  }[];
  readonly historyDays: number;
  readonly shownPercent: number;
  readonly notes: readonly string[];
  /** The notes as data, a text for each. */
  readonly remarks: readonly DeliveryText[];
}

const AVAILABILITY = `query Availability($input: AvailabilityInput!) { availability(input: $input) {
  days { day expected low high sold reserved free }
  lineItems { lineItemId name isReserved impressions } historyDays shownPercent notes remarks ${DELIVERY_TEXT_FIELDS} } }`;

/** Reads the calendar of some inventory. */
export async function loadAvailability(
  scope: Scope,
  input: { readonly adUnitIds: readonly string[]; readonly siteIds: readonly string[]; readonly days: number },
  signal: AbortSignal,
): Promise<Availability> {
  return (await askGraphql<{ availability: Availability }>(scope, AVAILABILITY, { input }, signal)).availability;
}
