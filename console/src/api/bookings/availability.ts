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
  /** The upper bound; `free` is the lower bound. */
  readonly freeUpTo: number | null;
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
  /** Other ad units with free impressions, where these are sold out. */
  readonly elsewhere: readonly { readonly adUnitId: string; readonly name: string; readonly free: number }[];
  readonly historyDays: number;
  readonly shownPercent: number;
  readonly notes: readonly string[];
  /** The notes as data, a text for each. */
  readonly remarks: readonly DeliveryText[];
}

/** Which inventory, of which requests, and how many days. */
export interface AskedInventory {
  readonly adUnitIds: readonly string[];
  readonly siteIds: readonly string[];
  readonly countries: readonly string[];
  readonly deviceTypes: readonly string[];
  readonly days: number;
}

const AVAILABILITY = `query Availability($input: AvailabilityInput!) { availability(input: $input) {
  days { day expected low high sold reserved free freeUpTo }
  lineItems { lineItemId name isReserved impressions } elsewhere { adUnitId name free } historyDays shownPercent notes remarks ${DELIVERY_TEXT_FIELDS} } }`;

/** Reads the calendar of some inventory. */
export async function loadAvailability(
  scope: Scope,
  input: AskedInventory,
  signal: AbortSignal,
): Promise<Availability> {
  return (await askGraphql<{ availability: Availability }>(scope, AVAILABILITY, { input }, signal)).availability;
}
