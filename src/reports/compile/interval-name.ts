import type { GranularityDefinition } from '../model/cube.ts';
import { readIsoDate } from '../query/local-time.ts';

const SECONDS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 };
const NAME = /^(\d{1,8})_(second|minute|hour|day|week)s?(?:_from_(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2}))?$/;
/** Longest interval, seconds: a year with its leap day. */
export const INTERVAL_SECONDS_MAX = 366 * 86_400;

/**
 * The interval that a name of a granularity writes, such as `15_minutes` or `7_days_from_20260105T000000`. Buckets are counted from that time,
 * or from 1970-01-01, on the clocks of the query. Null: the name writes no interval, or one of none or too many seconds.
 */
export function readIntervalName(name: string): GranularityDefinition | null {
  const [, count, unit = '', ...origin] = NAME.exec(name) ?? [];
  const seconds = Number(count ?? 0) * (SECONDS[unit] ?? 0);
  if (seconds < 1 || seconds > INTERVAL_SECONDS_MAX) return null;
  const [year = '1970', month = '01', day = '01', hour = '00', minute = '00', second = '00'] = origin;
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  // The coarsest unit lets a roll-up of hours or days serve the query.
  const coarsest = (['day', 'hour', 'minute'] as const).find((one) => seconds % (SECONDS[one] ?? 0) === 0) ?? 'second';
  const interval = `${seconds / (SECONDS[coarsest] ?? 1)} ${coarsest}`;
  return readIsoDate(written) === null ? null : { interval, origin: written };
}
