import type { Goal, GoalKind } from '../booking/line-item.ts';
import { nanosEach, type Priced } from '../money/earning.ts';
import { PRICING } from '../pricing/pricing-models.ts';
import type { GoalProjection, GoalStatus } from './goal-projection.ts';

const EVENTS = {
  IMPRESSIONS: 'impression',
  VIEWABLE_IMPRESSIONS: 'viewable',
  CLICKS: 'click',
  CONVERSIONS: 'activity',
} as const satisfies Readonly<Record<GoalKind, string>>;
const LATE: ReadonlySet<GoalStatus> = new Set(['BEHIND', 'AT_RISK', 'MISSED']);

/** How a goal comes along, in its units, and what the line item has earned so far. */
export interface GoalStanding {
  readonly goal: Goal;
  readonly delivered: number;
  readonly expected: number | null;
  readonly projection: GoalProjection | null;
  readonly status: GoalStatus | null;
  readonly spendNanos: bigint;
  /** Units of the goal since the line item began. */
  readonly deliveredInTotal: number;
  /** Days that a price for a day pays within the span of the goal; null without an end. */
  readonly days: number | null;
}

/** What a goal has at stake, in nanos. */
export interface MoneyAtRisk {
  /** The part that is missing: of the plan by now, or of the goal at its end, whichever is more; 0 while the goal is not late. */
  readonly missingNanos: bigint;
  /** All that is not delivered yet. */
  readonly leftNanos: bigint;
}

/** What the missing and the outstanding part of a goal would earn. */
export function moneyAtRisk(standing: GoalStanding, priced: Priced): MoneyAtRisk {
  const { goal, delivered, expected, projection, status } = standing;
  const left = Math.max(0, goal.amount - delivered);
  const isLate = status !== null && LATE.has(status);
  const missing = isLate
    ? Math.max(0, (expected ?? 0) - delivered, projection === null ? 0 : goal.amount - projection.projected)
    : 0;
  return {
    missingNanos: worthOf(Math.min(left, missing), standing, priced),
    leftNanos: worthOf(left, standing, priced),
  };
}

/** What units of a goal earn. Where the price pays for other events, units are worth what earlier units have earned. */
function worthOf(units: number, { goal, spendNanos, deliveredInTotal, days }: GoalStanding, priced: Priced): bigint {
  const { event } = PRICING[priced.pricingModel];
  if (event === EVENTS[goal.kind]) return BigInt(Math.round(units)) * nanosEach(priced);
  if (event === null)
    return days === null ? 0n : BigInt(Math.round((Number(nanosEach(priced)) * days * units) / goal.amount));
  return deliveredInTotal <= 0 ? 0n : BigInt(Math.round((Number(spendNanos) * units) / deliveredInTotal));
}
