import type { LineItemSettings } from '../../api/bookings/line-item-settings.ts';
import { toTargetingInput } from '../../api/bookings/targeting.ts';

const DAY_MS = 86_400_000;
/** The forecast of a line item without an end. */
const OPEN_DAYS = 30;
/** The server forecasts no longer flight. */
const FORECAST_DAYS_MAX = 365;

/** The forecast input of a line item from now on; null where its flight is over. @param delivered units of its goal so far */
export function forecastOf(
  settings: LineItemSettings,
  { id, delivered, nowMs }: { readonly id: string; readonly delivered: number; readonly nowMs: number },
): object | null {
  const startMs = Math.max(nowMs, settings.startsAt === null ? nowMs : Date.parse(settings.startsAt));
  const endMs = settings.endsAt === null ? startMs + OPEN_DAYS * DAY_MS : Date.parse(settings.endsAt);
  if (endMs <= startMs) return null;
  const { type, price, level, dayParts, frequencyCaps, caps, pacing, serveWithoutUser, timezone } = settings;
  const { goal, sharePercent, dealId, targeting } = settings;
  return {
    lineItemId: id,
    type,
    price,
    level,
    dayParts,
    frequencyCaps,
    caps,
    pacing,
    serveWithoutUser,
    timezone,
    startsAt: new Date(startMs).toISOString(),
    endsAt: new Date(Math.min(endMs, startMs + FORECAST_DAYS_MAX * DAY_MS)).toISOString(),
    targeting: targeting === null ? null : toTargetingInput(targeting),
    ...(goal === null ? {} : { goal: remainingGoal(goal, delivered) }),
    ...(sharePercent === null ? {} : { sharePercent }),
    ...(dealId === null ? {} : { dealId }),
  };
}

/** The missing units of a goal over the flight; a daily goal stays as it is. */
function remainingGoal(goal: NonNullable<LineItemSettings['goal']>, delivered: number): object {
  return goal.period === 'DAY' ? goal : { ...goal, amount: Math.max(1, goal.amount - delivered) };
}
