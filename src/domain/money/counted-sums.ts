import type { CounterKind } from './counter-key.ts';

/** The sums of the analytics store for one creative of one line item: of all time, or of one day of a time zone. */
export interface CountedSum {
  readonly workspaceId: number;
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly lineItemId: string;
  readonly creativeId: string;
  /** `YYYY-MM-DD`; '' = of all time. */
  readonly day: string;
  readonly counts: Readonly<Record<Exclude<CounterKind, 'ans'>, bigint>>;
}

/**
 * Reads what was counted since an instant, by day of a time zone (null: as one sum), history that was imported included.
 */
export type ReadCountedSums = (of: {
  readonly timezone: string | null;
  readonly fromMs: number;
}) => Promise<CountedSum[]>;

/** The prefix of the ids of imported events: their users never saw an ad, so that no frequency cap counts them. */
export const IMPORTED_EVENT_PREFIX = 'demo:';
