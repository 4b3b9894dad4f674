import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import type { TrafficSample } from '../traffic/parse-sample.ts';
import { serveThread } from '../traffic/serve-thread.ts';
import type { Prepared, ThreadTask } from '../traffic/serve-thread.ts';
import { listPlanCounters, makePlan } from './plan-maker.ts';
import type { PublishedPlan } from './published-plan.ts';

const HOUR_MS = 3_600_000;

/** The small parts of a plan. */
export interface PlanJob {
  /** Mean over a week; null: as many as were sampled. */
  readonly requestsPerHour: number | null;
  /** The plan before; null: there was none. */
  readonly before: PublishedPlan | null;
  readonly nowMs: number;
}

/** Plans from a sample of the traffic; the sample is not empty. */
export function preparePlan({ snapshot, sample, job }: ThreadTask<PlanJob>): Prepared<PublishedPlan> {
  const { nowMs, before } = job;
  if (sample === null || sample.entries.length === 0) throw new Error('There is no sampled traffic to plan');
  const compiled = compileWorkspace(snapshot, nowMs, () => {});
  return {
    counterKeys: listPlanCounters(compiled, nowMs),
    finish: (counters) =>
      makePlan({
        compiled,
        sample: sample.entries,
        requestsPerHour: job.requestsPerHour ?? requestsPerHour(sample),
        nowMs,
        counter: (key) => counters.get(key) ?? 0,
        before,
      }),
  };
}

function requestsPerHour({ met, fromMs, untilMs }: TrafficSample): number {
  return met / Math.max(1, (untilMs - fromMs) / HOUR_MS);
}

serveThread<PlanJob, PublishedPlan>(preparePlan);
