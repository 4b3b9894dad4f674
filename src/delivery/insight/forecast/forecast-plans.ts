import type { FreeTraffic } from '../../../domain/pacing/free-timeline.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import { makePlan } from '../../plan/plan-maker.ts';
import { PlanTable } from '../../plan/published-plan.ts';
import type { TrafficSample } from '../../traffic/parse-sample.ts';

const HOUR_MS = 3_600_000;

/** What a forecast expects beside the bookings. */
export interface PlannedSpan {
  readonly fromMs: number;
  /** The expected volume, as a share of that of the sample. */
  readonly share: number;
  /** The counters at that time. */
  readonly counter: (key: string) => number;
}

/** What other goals leave to each goal of a world, as the plan of delivery tells it. */
export function planWorld(
  compiled: CompiledWorkspace,
  sample: TrafficSample,
  { fromMs, share, counter }: PlannedSpan,
): (lineItemId: string) => FreeTraffic | null {
  const hours = Math.max(1, (sample.untilMs - sample.fromMs) / HOUR_MS);
  const requestsPerHour = (share * sample.met) / hours;
  const plan = makePlan({ compiled, sample: sample.entries, requestsPerHour, nowMs: fromMs, counter, before: null });
  const table = new PlanTable(plan);
  return (lineItemId) => table.find(lineItemId);
}
