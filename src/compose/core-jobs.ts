import type { Logger } from 'pino';
import { readMetOpportunities } from '../delivery/pacing/line-item-curves.ts';
import { CurveJob } from '../delivery/pacing/pacing-curve-job.ts';
import { RetentionJob } from '../events/retention-job.ts';
import { GoalCompletion } from '../management/line-item/goal-completion.ts';
import { AssetCollector } from '../management/upload/asset-collector.ts';
import { readRequestHours } from '../reports/traffic-history.olap.ts';
import type { AssetStore } from '../storage/assets.ts';
import { HotSweeper } from '../storage/hot/hot-sweeper.ts';
import type { Stores } from './stores.ts';

/** Starts what the core does by the clock: traffic curves, finished goals, retention, unused files, and sweeping the hot store. */
export function startCoreJobs(stores: Stores, assets: AssetStore, log: Logger): { stop(): Promise<void> } {
  const common = { sql: stores.sql.db, nowMs: Date.now, log };
  const jobs = [
    new CurveJob({
      ...common,
      readRequestHours: (workspaceId, during) => readRequestHours(stores.olap, workspaceId, during),
      readMet: (workspaceId, nowMs) => readMetOpportunities(stores.olap, workspaceId, nowMs),
    }),
    new GoalCompletion({ ...common, hot: stores.hot }),
    new RetentionJob({ ...common, olap: stores.olap }),
    new AssetCollector({ ...common, assets }),
    new HotSweeper({ ...common, hot: stores.hot }),
  ];
  for (const job of jobs) job.start();
  return {
    stop: async () => {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
