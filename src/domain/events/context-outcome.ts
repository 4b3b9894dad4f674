import type { CountedKind } from '../pricing/pricing-models.ts';

/** Where and when an ad is shown, as its events report it; '' = unknown. */
export interface RateContext {
  readonly siteId: string;
  readonly adUnitId: string;
  readonly deviceType: string;
  readonly country: string;
  readonly timeMs: number;
}

/** Hours of UTC of one part of the day. A time zone moves the parts, and changes nothing else. */
export const HOURS_OF_PART = 3;

/** Impressions of a creative in one context, and how many brought the event. A late event comes without its impression. */
export interface ContextOutcome {
  readonly kind: CountedKind;
  readonly lineItemId: string;
  readonly creativeId: string;
  readonly context: RateContext;
  readonly trials: number;
  readonly hits: number;
}

/** Which outcomes to read: of line items, by the events whose rates matter to each of them. */
export interface AskedOutcomes {
  readonly workspaceId: number;
  readonly events: ReadonlyMap<string, readonly CountedKind[]>;
  /** When the store received the events: after the first instant, up to the second one. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Reads the outcomes of each creative in each context. */
export type ReadContextOutcomes = (asked: AskedOutcomes) => Promise<readonly ContextOutcome[]>;
