import { WEEKDAY_CURVE } from './traffic-curve.ts';

/** A segment of the demo. Days are counted from 1970-01-01. */
export interface DemoSegment {
  readonly name: string;
  readonly description: string;
  readonly membershipDays: number;
  /** What makes members: a key-value of a request, or an event of the demo's activity. Null: uploads alone. */
  readonly rule: { readonly key: string; readonly values: readonly string[] } | { readonly event: string } | null;
  /** Uploaded members now. */
  readonly uploaded: number;
  /** What each upload added, on a Sunday evening. */
  readonly addedWeekly: number;
  /** Users of an average day whom the rule sees for the first time in its days. */
  readonly usersPerDay: number;
}

export const DEMO_SEGMENTS: readonly DemoSegment[] = [
  {
    name: 'Newsletter subscribers',
    description: 'Uploaded from the mailing list each Sunday',
    membershipDays: 365,
    rule: null,
    uploaded: 48_210,
    addedWeekly: 415,
    usersPerDay: 0,
  },
  {
    name: 'Football fans',
    description: 'Users with a page about football or the league within a month',
    membershipDays: 30,
    rule: { key: 'topic', values: ['football', 'league'] },
    uploaded: 0,
    addedWeekly: 0,
    usersPerDay: 640,
  },
  {
    name: 'Travel planners',
    description: 'Users with a page about travel within two weeks',
    membershipDays: 14,
    rule: { key: 'topic', values: ['travel'] },
    uploaded: 0,
    addedWeekly: 0,
    usersPerDay: 310,
  },
  {
    name: 'Buyers',
    description: 'Users who bought something within 60 days, and those of the shops',
    membershipDays: 60,
    rule: { event: 'purchased' },
    uploaded: 1_930,
    addedWeekly: 24,
    usersPerDay: 41,
  },
];

const WEEK_DAYS = 7;
/** How far the users of a day move over the months, as a share. */
const SWAY = 0.22;
const SWAY_DAYS = 21;

/** Users whom the rule of a segment saw on a day and had not seen in its days before. */
export function usersOfDay({ usersPerDay, membershipDays }: DemoSegment, day: number): number {
  // 1970-01-05 was a Monday.
  const weekday = WEEKDAY_CURVE[(day + 3) % WEEK_DAYS] ?? 1;
  return Math.round(usersPerDay * weekday * (1 + SWAY * Math.sin(day / SWAY_DAYS + membershipDays)));
}

/** The size at the beginning of a day: uploads up to then, and the users of the days before. @param today the present day */
export function sizeAtStart(segment: DemoSegment, day: number, today: number): number {
  const { uploaded, addedWeekly, membershipDays } = segment;
  let size = uploaded - addedWeekly * (sundaysBefore(today) - sundaysBefore(day));
  for (let back = 1; back < membershipDays; back += 1) size += usersOfDay(segment, day - back);
  return size;
}

/** 1970-01-04 was the first Sunday. */
function sundaysBefore(day: number): number {
  return Math.floor((day + 3) / WEEK_DAYS);
}
