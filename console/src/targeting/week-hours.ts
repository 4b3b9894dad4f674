import type { DayPart } from '../api/bookings/line-item-settings.ts';

/** Whether each hour of a week is chosen: 168, Monday 0:00 first. */
export type WeekHours = readonly boolean[];

export const DAYS = 7;
export const HOURS = 24;
const HOUR_MINUTES = 60;

/** All hours, which is what no day-parts mean. */
export const ALL_HOURS: WeekHours = Array.from({ length: DAYS * HOURS }, () => true);

/** Day-parts of some hours: days with the same hours together. Empty for all hours. */
export function toDayParts(hours: WeekHours): DayPart[] {
  if (hours.every((isChosen) => isChosen)) return [];
  const daysBySpan = new Map<string, number[]>();
  for (let day = 0; day < DAYS; day += 1)
    for (const [start, end] of spansOf(hours.slice(day * HOURS, (day + 1) * HOURS))) {
      const span = `${start}-${end}`;
      daysBySpan.set(span, [...(daysBySpan.get(span) ?? []), day + 1]);
    }
  return [...daysBySpan].map(([span, days]) => {
    const [start = 0, end = 0] = span.split('-').map(Number);
    return { days, startMinute: start * HOUR_MINUTES, endMinute: end * HOUR_MINUTES };
  });
}

function spansOf(hours: WeekHours): (readonly [number, number])[] {
  const spans: [number, number][] = [];
  for (const [hour, isChosen] of hours.entries()) {
    const last = spans.at(-1);
    if (!isChosen) continue;
    if (last?.[1] === hour) last[1] = hour + 1;
    else spans.push([hour, hour + 1]);
  }
  return spans;
}

/** The hours of day-parts; null when one begins or ends within an hour, which a grid of hours cannot show. */
export function toWeekHours(parts: readonly DayPart[]): WeekHours | null {
  if (parts.length === 0) return ALL_HOURS;
  const hours = ALL_HOURS.map(() => false);
  for (const { days, startMinute, endMinute } of parts) {
    if (startMinute % HOUR_MINUTES !== 0 || endMinute % HOUR_MINUTES !== 0) return null;
    for (const day of days)
      hours.fill(true, (day - 1) * HOURS + startMinute / HOUR_MINUTES, (day - 1) * HOURS + endMinute / HOUR_MINUTES);
  }
  return hours;
}

/** Sets a rectangle of hours. */
export function paint(hours: WeekHours, from: Cell, to: Cell, value: boolean): WeekHours {
  const [firstDay, lastDay] = [Math.min(from.day, to.day), Math.max(from.day, to.day)];
  const [first, last] = [Math.min(from.hour, to.hour), Math.max(from.hour, to.hour)];
  return hours.map((isChosen, at) => {
    const day = Math.floor(at / HOURS);
    const hour = at % HOURS;
    return day >= firstDay && day <= lastDay && hour >= first && hour <= last ? value : isChosen;
  });
}

/** One hour of a week. */
export interface Cell {
  readonly day: number;
  readonly hour: number;
}
