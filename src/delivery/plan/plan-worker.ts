import type { HourlyRequests, TrafficCurve } from '../../domain/pacing/traffic-curve.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import type { TrafficSample } from '../traffic/parse-sample.ts';
import { serveThread } from '../traffic/serve-thread.ts';
import type { Prepared, ThreadTask } from '../traffic/serve-thread.ts';
import { listPlanCounters, PlanMaker } from './plan-maker.ts';
import type { PlannerState } from './plan-maker.ts';
import type { PublishedPlan } from './published-plan.ts';
import type { RecentSlots } from './recent-traffic.ts';
import { SampledSupply } from './sampled-supply.ts';

const HOUR_MS = 3_600_000;

/** The small parts of a plan. */
export interface PlanJob {
  readonly curve: TrafficCurve;
  /** Mean over a week; null: as many as were sampled. */
  readonly requestsPerHour: number | null;
  /** Requests of the last hours. */
  readonly recent: readonly HourlyRequests[];
  /** Of the plan before; null: there was none. */
  readonly state: PlannerState | null;
  readonly nowMs: number;
}

/** A plan, and what the next one begins from. */
export interface PlanResult {
  readonly plan: PublishedPlan;
  readonly state: PlannerState;
}

/** Plans from a sample of the traffic; the sample is not empty. */
export function preparePlan({ snapshot, sample, job }: ThreadTask<PlanJob>): Prepared<PlanResult> {
  const { nowMs, curve } = job;
  const { workspaceId } = snapshot.workspace;
  if (sample === null || sample.entries.length === 0) throw new Error('There is no sampled traffic to plan');
  const compiled = compileWorkspace(snapshot, nowMs, () => {});
  return {
    counterKeys: listPlanCounters(compiled, workspaceId, nowMs),
    finish: (counters) => {
      const supply = new SampledSupply(compiled, { timezone: curve.timezone, fromMs: nowMs });
      for (const { opportunity, atMs } of sample.entries) supply.record(opportunity, atMs);
      const slots = slotsPerRequest(sample);
      const maker = new PlanMaker(job.state ?? undefined);
      const plan = maker.make({
        compiled,
        supply,
        curve,
        slotsPerHour: slots * (job.requestsPerHour ?? requestsPerHour(sample)),
        recent: job.recent.map((hour) => toRecentSlots(hour, slots)),
        workspaceId,
        nowMs,
        counter: (key) => counters.get(key) ?? 0,
      });
      return { plan, state: maker.state };
    },
  };
}

function slotsPerRequest({ entries }: TrafficSample): number {
  return entries.reduce((sum, { opportunity }) => sum + opportunity.slots.length, 0) / entries.length;
}

function requestsPerHour({ met, fromMs, untilMs }: TrafficSample): number {
  return met / Math.max(1, (untilMs - fromMs) / HOUR_MS);
}

function toRecentSlots({ startMs, requests }: HourlyRequests, slots: number): RecentSlots {
  return { fromMs: startMs, untilMs: startMs + HOUR_MS, slots: requests * slots };
}

serveThread<PlanJob, PlanResult>(preparePlan);
