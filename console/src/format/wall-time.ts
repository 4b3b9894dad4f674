import { dateFormat } from './intl-formats.ts';

/** A date and time of day as a field holds it: `2026-11-24T09:30`. */
const WALL = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(:\d\d)?$/;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** What clocks of a time zone show at an instant. */
export function wallTimeOf(instantMs: number, timezone: string): string {
  const parts = new Map(
    dateFormat('en-CA', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
      .formatToParts(instantMs)
      .map(({ type, value }) => [String(type), value]),
  );
  const part = (name: string): string => parts.get(name) ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/**
 * The instant at which clocks of a time zone show a time; null for a text that is none. Of two such instants, when clocks go back, the first; of a time
 * that clocks leave out, the instant at which they pass over it.
 */
export function instantOf(wall: string, timezone: string): number | null {
  const match = WALL.exec(wall);
  if (match === null) return null;
  const [year, month, day, hour, minute] = match.slice(1, 6).map(Number) as [number, number, number, number, number];
  const asUtcMs = Date.UTC(year, month - 1, day, hour, minute);
  if (wallTimeOf(asUtcMs, 'UTC') !== wall.slice(0, 16)) return null;
  const offsets = [asUtcMs - DAY_MS, asUtcMs + DAY_MS].map((atMs) => offsetAt(atMs, timezone));
  const found = offsets
    .map((offsetMs) => asUtcMs - offsetMs)
    .filter((atMs) => wallTimeOf(atMs, timezone) === wall.slice(0, 16))
    .toSorted((one, other) => one - other);
  const [first] = found;
  if (first !== undefined) return first;
  // Clocks leave it out: with the offset of before, the instant is after the change.
  return asUtcMs - (offsets[0] as number);
}

/** How far clocks of a time zone are ahead of UTC at an instant. */
function offsetAt(atMs: number, timezone: string): number {
  const wall = WALL.exec(wallTimeOf(atMs, timezone));
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = (wall ?? []).slice(1, 6).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
}

/** An instant moved by days of the clock: midnight stays midnight when the clocks change. */
export function addClockDays(iso: string, days: number, timezone: string): string {
  const atMs = Date.parse(iso);
  const [date = '', time = ''] = wallTimeOf(atMs, timezone).split('T');
  const moved = new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
  const movedMs = instantOf(`${moved}T${time}`, timezone) ?? atMs + days * DAY_MS;
  return new Date(movedMs + (atMs % MINUTE_MS)).toISOString();
}

/** Midnight at the begin of a day of a time zone, some days after today. */
export function midnightAfter(nowMs: number, days: number, timezone: string): string {
  const [date = ''] = wallTimeOf(nowMs, timezone).split('T');
  const day = new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
  return `${day}T00:00`;
}
