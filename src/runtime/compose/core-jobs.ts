import type { Log } from '../../domain/log/log.ts';
import { readMetOpportunities } from '../../delivery/pacing/line-item-curves.ts';
import { CurveJob } from '../../delivery/pacing/pacing-curve-job.ts';
import { RetentionJob } from '../../events/retention/retention-job.ts';
import { GoalCompletion } from '../../management/resources/line-item/goal-completion.ts';
import { AssetCollector } from '../../management/resources/upload/asset-collector.ts';
import { readRequestHours } from '../../reports/rollups/traffic-history.olap.ts';
import type { AssetStore } from '../../storage/assets.ts';
import { HotSweeper } from '../../storage/hot/hot-sweeper.ts';
import type { Stores } from './stores.ts';

/** The periodic jobs of the core. */
export interface CoreJobs {
  /** Computes the traffic curves now, for example after history has come in. @throws what the stores throw */
  workOutCurves(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the periodic jobs of the core: traffic curves, finished goals, retention, unused files, and sweeping the hot store. */
export function startCoreJobs(stores: Stores, assets: AssetStore, log: Log): CoreJobs {
  const common = { sql: stores.sql.db, nowMs: Date.now, log };
  const curves = new CurveJob({
    ...common,
    readRequestHours: (workspaceId, during) => readRequestHours(stores.olap, workspaceId, during),
    readMet: (workspaceId, nowMs) => readMetOpportunities(stores.olap, workspaceId, nowMs),
  });
  const jobs = [
    curves,
    new GoalCompletion({ ...common, hot: stores.hot }),
    new RetentionJob({ ...common, olap: stores.olap }),
    new AssetCollector({ ...common, assets }),
    new HotSweeper({ ...common, hot: stores.hot }),
  ];
  for (const job of jobs) job.start();
  return {
    workOutCurves: () => curves.run(),
    stop: async () => {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
