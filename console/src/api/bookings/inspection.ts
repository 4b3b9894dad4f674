import { DELIVERY_TEXT_FIELDS, type DeliveryText } from './delivery-text.ts';
import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';

/** A line item that won a slot. Money is exact text. */
export interface InspectedWinner {
  readonly lineItemId: string;
  readonly name: string;
  readonly creativeId: string;
  readonly bid: string;
  /** Per thousand, in the network's currency; null = no goal bids. */
  readonly goalBid: string | null;
}

/** A line item that did not win a slot, and why. */
export interface InspectedLoser {
  readonly lineItemId: string;
  readonly name: string;
  readonly reason: string;
  readonly sentence: string;
  /** The same as data, part by part. */
  readonly texts: readonly DeliveryText[];
  /** Per thousand, in the network's currency; null = no goal bids. */
  readonly goalBid: string | null;
}

/** One slot of a decision. */
export interface InspectedSlot {
  readonly slotId: string;
  readonly winner: InspectedWinner | null;
  readonly losers: readonly InspectedLoser[];
  readonly furtherLosers: number;
}

/** One decision with its reasons. `isSame`: of a logged one. */
export interface InspectedDecision {
  readonly at: string;
  readonly noFill: string | null;
  /** Of the experiment that runs at that time; null: none does. */
  readonly arm: { readonly arm: 'RULE' | 'REST'; readonly rule: 'NO_PRICES' | 'NO_LEARNING' } | null;
  readonly slots: readonly InspectedSlot[];
  readonly chances: readonly {
    readonly slotId: string;
    readonly lineItemId: string;
    readonly name: string;
    readonly percent: number;
  }[];
  readonly isSame: boolean | null;
  readonly differences: readonly string[];
  readonly assumedValues: number;
}

/** What changes for one line item: `won`, or loss reasons. */
export interface InspectedChange {
  readonly slotId: string;
  readonly lineItemId: string;
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** A key with its values. */
export interface InspectedKeyValue {
  readonly key: string;
  readonly values: readonly string[];
}

/** The result of an inspection. */
export interface Inspection {
  readonly request: {
    readonly pageUrl: string;
    readonly country: string;
    readonly deviceType: string;
    readonly os: string;
    readonly browser: string;
    readonly npa: boolean;
    readonly hasUser: boolean;
    readonly segmentIds: readonly string[];
    readonly keyValues: readonly InspectedKeyValue[];
    readonly slots: readonly {
      readonly slotId: string;
      readonly adUnitId: string | null;
      readonly sizes: readonly string[];
      readonly mediaTypes: readonly string[];
      readonly floor: string | null;
      /** Its own, and those of the page for other keys. */
      readonly keyValues: readonly InspectedKeyValue[];
    }[];
  };
  readonly bidRequest: unknown;
  readonly ad: {
    readonly lineItemId: string;
    readonly lineItemName: string;
    readonly size: string;
    readonly country: string;
    readonly deviceType: string;
    readonly price: string;
    readonly decidedAt: string;
  } | null;
  readonly logged: InspectedDecision | null;
  readonly present: InspectedDecision;
  readonly imagined: InspectedDecision | null;
  readonly changes: readonly InspectedChange[];
  readonly notes: readonly string[];
  /** The notes as data, a text for each. */
  readonly remarks: readonly DeliveryText[];
}

const DECISION = `{ at noFill arm { arm rule } isSame differences assumedValues
  slots { slotId winner { lineItemId name creativeId bid goalBid }
    losers { lineItemId name reason sentence texts ${DELIVERY_TEXT_FIELDS} goalBid } furtherLosers }
  chances { slotId lineItemId name percent } }`;
const INSPECTION = `query Inspect($input: InspectDecisionInput!) { inspectDecision(input: $input) {
  request { pageUrl country deviceType os browser npa hasUser segmentIds keyValues { key values }
    slots { slotId adUnitId sizes mediaTypes floor keyValues { key values } } }
  bidRequest ad { lineItemId lineItemName size country deviceType price decidedAt }
  logged ${DECISION} present ${DECISION} imagined ${DECISION}
  changes { slotId lineItemId name before after } notes remarks ${DELIVERY_TEXT_FIELDS} } }`;

/** Inspects a decision. @param input as the schema's `InspectDecisionInput` */
export async function inspectDecision(scope: Scope, input: object, signal: AbortSignal): Promise<Inspection> {
  return (await askGraphql<{ inspectDecision: Inspection }>(scope, INSPECTION, { input }, signal)).inspectDecision;
}
