import { sampleSnapshot } from '../worlds/sample-workspace.ts';
import type { Goal } from '../../src/domain/booking/line-item.ts';
import { planTarget } from '../../src/domain/pacing/pacing-plan.ts';
import { Timeline } from '../../src/domain/pacing/pacing-timeline.ts';
import type { LineItemOutcome, SimulationInput, SimulationOutcome } from './simulation.ts';

const HOUR_MS = 3_600_000;
const HOURS_PER_DAY = 24;

/** The delivery of a line item by hour: the total up to then, and the total of its plan (null without a lifetime goal). */
export interface Verdict {
  readonly id: string;
  readonly name: string;
  readonly goal: Goal | null;
  readonly delivered: readonly number[];
  readonly expected: readonly number[] | null;
  readonly total: number;
  /** Largest distance from the plan after the first day, as a share of the goal. */
  readonly deviation: number | null;
  readonly impressions: number;
  /** Lowest and highest full day, for daily goals. */
  readonly days: readonly number[];
}

/** Compares each line item with its own plan. */
export function findFaults(input: SimulationInput, outcome: SimulationOutcome): Verdict[] {
  return sampleSnapshot(input.network).lineItems.map((lineItem) => {
    const counted = seriesOf(outcome.lineItems.get(lineItem.id), lineItem.goal);
    const delivered = accumulate(counted);
    const expected = lineItem.goal?.period === 'LIFETIME' && lineItem.pacing !== 'ASAP' ? planned() : null;
    return {
      id: lineItem.id,
      name: lineItem.name,
      goal: lineItem.goal,
      delivered,
      expected,
      total: delivered.at(-1) ?? 0,
      deviation: expected === null ? null : largestDeviation(delivered, expected, lineItem.goal?.amount ?? 1),
      impressions: (outcome.lineItems.get(lineItem.id)?.impressions ?? []).reduce((sum, count) => sum + count, 0),
      days: byDay(counted),
    };

    function planned(): number[] {
      const { startsAtMs, endsAtMs, goal, pacing, timezone, dayParts } = lineItem;
      const timeline = new Timeline(
        outcome.ownCurves.get(lineItem.id) ?? outcome.curve,
        { timezone, dayParts },
        input.startMs + (input.days * HOURS_PER_DAY * HOUR_MS) / 2,
      );
      const span = { startMs: startsAtMs ?? input.startMs, endMs: endsAtMs ?? 0 };
      const plan = { pacing, span, amount: goal?.amount ?? 0, base: 0, timeline };
      return counted.map((_count, hour) => planTarget(plan, input.startMs + (hour + 1) * HOUR_MS));
    }
  });
}

function seriesOf(outcome: LineItemOutcome | undefined, goal: Goal | null): readonly number[] {
  if (outcome === undefined) return [];
  if (goal?.kind === 'VIEWABLE_IMPRESSIONS') return outcome.viewables;
  return goal?.kind === 'CLICKS' ? outcome.clicks : outcome.impressions;
}

function accumulate(counts: readonly number[]): number[] {
  let sum = 0;
  return counts.map((count) => (sum += count));
}

function largestDeviation(delivered: readonly number[], expected: readonly number[], goal: number): number {
  let largest = 0;
  for (const [hour, plan] of expected.entries()) {
    if (hour >= HOURS_PER_DAY) largest = Math.max(largest, Math.abs((delivered[hour] ?? 0) - plan) / goal);
  }
  return largest;
}

function byDay(counts: readonly number[]): number[] {
  const days = Math.floor(counts.length / HOURS_PER_DAY);
  return Array.from({ length: days }, (_none, day) =>
    counts.slice(day * HOURS_PER_DAY, (day + 1) * HOURS_PER_DAY).reduce((sum, count) => sum + count, 0),
  );
}
