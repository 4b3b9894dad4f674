import { planSpan } from '../../src/domain/pacing/pacing-plan.ts';
import { DAYS_BEFORE, measureProgress } from '../../src/management/resources/delivery-progress/goal-progress.ts';
import type { GoalProgress } from '../../src/management/resources/delivery-progress/goal-progress.ts';
import type { PlayedGoal } from './projection-worlds.ts';
import { DAY_MS, HOUR_MS, STARTS_MS } from './world.ts';

const TIMEZONE = 'Europe/Warsaw';
/** A goal is looked at so often between these shares of its flight. */
const LOOKS = 9;
const [FROM, TO] = [0.25, 0.75];
const REACHED = 0.97;
const MISSED = 0.9;

/** A part of a number of cases. */
export class Part {
  of = 0;
  count = 0;

  add(holds: boolean): void {
    this.of += 1;
    if (holds) this.count += 1;
  }

  get share(): number {
    return this.of === 0 ? 0 : this.count / this.of;
  }

  get text(): string {
    return `${this.count} of ${this.of} (${(100 * this.share).toFixed(1)} %)`;
  }
}

/** The status and the projection of goals, against their outcome. */
export class CheckedGoals {
  goals = 0;
  /** Looks at goals that are reached, and say that these are at risk. */
  readonly falseAlarms = new Part();
  /** Goals that are missed by a tenth, and at risk at the last look. */
  readonly called = new Part();
  /** Looks whose interval has what was delivered. */
  readonly held = new Part();

  add(goal: PlayedGoal): void {
    const { startsAtMs = 0, endsAtMs = 0, goal: booked } = goal.lineItem;
    const amount = booked?.amount ?? 0;
    if (startsAtMs === null || endsAtMs === null || amount === 0) return;
    this.goals += 1;
    const delivered = Math.min(amount, deliveredBetween(goal, startsAtMs, endsAtMs));
    let isAtRisk = false;
    for (let look = 0; look < LOOKS; look += 1) {
      const share = FROM + ((TO - FROM) * look) / (LOOKS - 1);
      const nowMs = startsAtMs + Math.round((share * (endsAtMs - startsAtMs)) / HOUR_MS) * HOUR_MS;
      const progress = progressAt(goal, nowMs);
      isAtRisk = progress?.status === 'AT_RISK';
      if (delivered >= REACHED * amount) this.falseAlarms.add(isAtRisk);
      const { low = 0, high = amount } = progress?.projection ?? {};
      this.held.add(delivered >= Math.floor(low) && delivered <= Math.ceil(high));
    }
    if (delivered < MISSED * amount) this.called.add(isAtRisk);
  }
}

/** The progress of a goal as the management API measures it. */
function progressAt(played: PlayedGoal, nowMs: number): GoalProgress | null {
  const { lineItem, curve, plans } = played;
  const { goal = null, level = 8, startsAtMs = null, endsAtMs = null } = lineItem;
  if (goal === null || startsAtMs === null || endsAtMs === null) return null;
  const span = planSpan({ startsAtMs, endsAtMs, booked: { timezone: TIMEZONE } }, goal, nowMs);
  const todayMs = nowMs - ((nowMs - STARTS_MS) % DAY_MS);
  const figures = (fromMs: number, toMs: number) => ({
    impressions: deliveredBetween(played, Math.max(fromMs, span?.startMs ?? 0), toMs),
    viewableImpressions: 0,
    clicks: 0,
    conversions: 0,
    videoCompletes: 0,
    spendNanos: 0n,
  });
  const row = {
    workspace_id: 1,
    id: BigInt(lineItem.id),
    version: 1,
    created_at: new Date(startsAtMs),
    updated_at: new Date(0),
    updated_by: '',
    starts_at: new Date(startsAtMs),
    ends_at: new Date(endsAtMs),
    pacing: lineItem.pacing ?? 'EVEN',
    day_parts: lineItem.dayParts ?? [],
    goal,
    level,
  };
  return measureProgress(row, {
    isHistoryLoading: false,
    lifetime: figures(startsAtMs, nowMs),
    today: figures(todayMs, nowMs),
    daysBefore: Array.from(
      { length: DAYS_BEFORE },
      (_none, back) => figures(todayMs - (back + 1) * DAY_MS, todayMs - back * DAY_MS).impressions,
    ),
    freeTraffic: plans.findLast(({ atMs }) => atMs <= nowMs)?.freeTraffic ?? null,
    timezone: TIMEZONE,
    curve,
    campaign: null,
    nowMs,
  });
}

/** Both instants are whole hours. */
function deliveredBetween({ impressions }: PlayedGoal, fromMs: number, toMs: number): number {
  const [from, to] = [fromMs, toMs].map((atMs) => Math.round((atMs - STARTS_MS) / HOUR_MS));
  return impressions.slice(from, Math.max(from ?? 0, to ?? 0)).reduce((sum, count) => sum + count, 0);
}
