/** How often a report is sent. */
export const RHYTHMS = ['daily', 'weekly', 'monthly'] as const;
export type Rhythm = (typeof RHYTHMS)[number];

/** The days of each report, as the Reports API reads them when the schedule runs. */
export const PERIODS = ['yesterday', 'last 7 days', 'last 30 days', 'last week', 'last month'] as const;
export type Period = (typeof PERIODS)[number];

/** The rule of a schedule. @param hour 0…23 */
export function cronOf(rhythm: Rhythm, hour: number): string {
  const days = { daily: '* * *', weekly: '* * 1', monthly: '1 * *' };
  return `0 ${hour} ${days[rhythm]}`;
}

/** Such as `06:00`. */
export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** Addresses between commas, semicolons or spaces. */
export function readAddresses(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((one) => one !== ''))];
}

interface WithTimes {
  readonly timeDimensions: readonly object[];
}

/** A query whose days are those before each run: its own dates would stay what they are. */
export function withPeriod<T extends WithTimes>(query: T, period: Period): T {
  return { ...query, timeDimensions: query.timeDimensions.map((one) => ({ ...one, dateRange: period })) };
}
