/** The prefix of the ids of events that `importHistory` brought in. Their users never saw an ad here, so that no frequency cap counts them. */
export const HISTORY_EVENT_PREFIX = 'history:';
/** Rows of one call. */
export const HISTORY_ROWS_MAX = 1_000;
/** Rows of a workspace in all. */
export const HISTORY_WORKSPACE_ROWS_MAX = 10_000_000;
/** Older hours are left out. */
export const HISTORY_DAYS_MAX = 1_830;
/** Each count of a row. */
export const HISTORY_COUNT_MAX = 1_000_000_000;
/** Revenue of a row, in units of the currency. */
export const HISTORY_REVENUE_MAX = 1_000_000_000n;
export const HISTORY_SOURCE_LENGTH_MAX = 50;

const DAY_MS = 86_400_000;

/**
 * The first hour that an import takes: events before it would be deleted at the next run of the retention, which deletes whole UTC days.
 * @param retentionDays null: events are kept for ever
 */
export function firstImportedMs(nowMs: number, retentionDays: number | null): number {
  const days = Math.min(HISTORY_DAYS_MAX, retentionDays ?? HISTORY_DAYS_MAX);
  return (Math.floor(nowMs / DAY_MS) - days) * DAY_MS;
}

/** What was delivered in one hour; ids are 0n where there is none. */
export interface ImportedHour {
  readonly hourMs: number;
  readonly lineItemId: bigint;
  readonly creativeId: bigint;
  readonly adUnitId: bigint;
  readonly requests: bigint;
  readonly impressions: bigint;
  readonly clicks: bigint;
  readonly conversions: bigint;
  readonly revenueNanos: bigint;
}
