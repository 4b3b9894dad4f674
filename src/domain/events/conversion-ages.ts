/** The impressions of a line item, and the conversions that are credited to them, by age and delay. */
export interface ConversionAges {
  readonly lineItemId: string;
  readonly advertiserId: string;
  /** Impressions by their age now. */
  readonly shown: readonly { readonly ageMs: number; readonly count: number }[];
  /** Conversions by the time between the ad and the conversion. */
  readonly converted: readonly { readonly delayMs: number; readonly count: number }[];
}

/** Whose conversions to read: those of ads that were shown since an instant. */
export interface AskedConversions {
  readonly workspaceId: number;
  readonly lineItemIds: readonly string[];
  readonly sinceMs: number;
  readonly nowMs: number;
}

/** Reads when ads convert. */
export type ReadConversionAges = (asked: AskedConversions) => Promise<readonly ConversionAges[]>;
