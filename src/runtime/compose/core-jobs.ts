import type { Registry } from 'prom-client';
import type { Log } from '../../domain/log/log.ts';
import { readMetOpportunities } from '../../delivery/pacing/line-item-curves.ts';
import { CurveJob } from '../../delivery/pacing/pacing-curve-job.ts';
import type { EventExport } from '../../events/export/event-export.ts';
import { ExportJob } from '../../events/export/export-job.ts';
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
  /** The export of events; null where there is none. */
  readonly exporting: ExportJob | null;
  stop(): Promise<void>;
}

/** Where files of networks and of the export are. */
export interface JobFiles {
  readonly assets: AssetStore;
  readonly exports: EventExport | null;
  /** Whether exported files go with the events that they hold. */
  readonly deletesExported: boolean;
}

/** Starts the periodic jobs of the core: traffic curves, finished goals, the export, retention, unused files, and sweeping the hot store. */
export function startCoreJobs(
  stores: Stores,
  { assets, exports, deletesExported }: JobFiles,
  { log, registry }: { readonly log: Log; readonly registry: Registry },
): CoreJobs {
  const common = { sql: stores.sql.db, nowMs: Date.now, log };
  const curves = new CurveJob({
    ...common,
    readRequestHours: (workspaceId, during) => readRequestHours(stores.olap, workspaceId, during),
    readMet: (workspaceId, nowMs) => readMetOpportunities(stores.olap, workspaceId, nowMs),
  });
  const exporting = exports === null ? null : new ExportJob({ exports, nowMs: Date.now, log, registry });
  const jobs = [
    curves,
    ...(exporting === null ? [] : [exporting]),
    new GoalCompletion({ ...common, hot: stores.hot }),
    new RetentionJob({ ...common, olap: stores.olap, exported: deletesExported ? exports : null }),
    new AssetCollector({ ...common, assets }),
    new HotSweeper({ ...common, hot: stores.hot }),
  ];
  for (const job of jobs) job.start();
  return {
    exporting,
    workOutCurves: () => curves.run(),
    stop: async () => {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
