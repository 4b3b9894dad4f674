export const FREQUENCY_WINDOWS = ['MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'LIFETIME'] as const;
export type FrequencyWindow = (typeof FREQUENCY_WINDOWS)[number];

/** At most `count` events per user in a window of `every` units, opened by the user's first event. */
export interface FrequencyCap {
  readonly event: 'IMPRESSIONS' | 'CLICKS';
  readonly count: number;
  readonly window: FrequencyWindow;
  readonly every: number;
  /** Whose events it counts; absent = the user's. Where the household is unknown, the user's. */
  readonly per?: 'HOUSEHOLD';
}
