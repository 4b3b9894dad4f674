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
  readonly counts: Readonly<Record<Exclude<CounterKind, 'ans' | 'ref'>, bigint>>;
}

/**
 * Reads what was counted since an instant, by day of a time zone (null: as one sum). History that was imported is left out: delivery
 * never counted it.
 */
export type ReadCountedSums = (of: {
  readonly timezone: string | null;
  readonly fromMs: number;
}) => Promise<CountedSum[]>;

/** The prefix of the ids of imported events. */
export const IMPORTED_EVENT_PREFIX = 'demo:';
