import type { ActivityEntry } from '../api/account/activity-feed.ts';
import { dateIn } from '../reports/calendar.ts';

/** What happened on one day. */
export interface ActivityDay {
  /** In the network's time zone: `2026-11-27`. */
  readonly date: string;
  readonly entries: readonly ActivityEntry[];
}

/** Entries by the day of a time zone, in their order. */
export function groupByDay(entries: readonly ActivityEntry[], timezone: string): ActivityDay[] {
  const days = Map.groupBy(entries, ({ at }) => dateIn(timezone, Date.parse(at)));
  return [...days].map(([date, own]) => ({ date, entries: own }));
}
