import { instantOf, wallTimeOf } from '../format/wall-time.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MORNING = '08:00';
const DAYS_OF_WEEK = 7;
const MONDAY = 1;

/** Until when a line item can be snoozed with one click. */
export const SNOOZE_CHOICES = ['hours', 'tomorrow', 'monday', 'fortnight'] as const;
export type SnoozeChoice = (typeof SNOOZE_CHOICES)[number];

/** The instant of a choice: in four hours, or in the morning of a day of the network. */
export function snoozeUntil(choice: SnoozeChoice, nowMs: number, timezone: string): string {
  if (choice === 'hours') return new Date(nowMs + 4 * HOUR_MS).toISOString();
  const today = wallTimeOf(nowMs, timezone).slice(0, 10);
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  const days =
    choice === 'tomorrow'
      ? 1
      : choice === 'fortnight'
        ? 2 * DAYS_OF_WEEK
        : ((MONDAY - weekday + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK) + 1;
  const day = new Date(Date.parse(`${today}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
  return new Date(instantOf(`${day}T${MORNING}`, timezone) ?? nowMs + days * DAY_MS).toISOString();
}
