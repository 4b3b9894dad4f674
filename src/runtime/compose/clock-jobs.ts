import type { Registry } from 'prom-client';
import { AuditHeadWriter } from '../../access/audit/audit-heads.ts';
import { loadAuditKey } from '../../access/audit/audit-key.ts';
import type { ClusterGate } from '../../cluster/cluster-gate.ts';
import { JobLeases, type LeasedJob } from '../../cluster/job-leases.ts';
import { loadNodeId } from '../../cluster/secret-files.ts';
import type { Settings } from '../../config/settings.ts';
import { readMetOpportunities } from '../../delivery/pacing/line-item-curves.ts';
import { CurveJob } from '../../delivery/pacing/pacing-curve-job.ts';
import { readConversionAges } from '../../reports/rollups/conversion-ages.olap.ts';
import { readContextOutcomes } from '../../events/shipping/context-outcomes.olap.ts';
import { ForecastRecordJob } from '../../delivery/insight/forecast-records/forecast-record-job.ts';
import { ContextModelJob } from '../../delivery/contexts/context-job.ts';
import { AllocationPlanJob } from '../../delivery/plan/plan-job.ts';
import type { EventExport } from '../../events/export/event-export.ts';
import { ExportJob } from '../../events/export/export-job.ts';
import { AnalyticsMarkJob } from '../../events/marks/mark-job.ts';
import { RetentionJob } from '../../events/retention/retention-job.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { MailOutbox } from '../../mail/mail-sender.ts';
import { BulkJobRunner } from '../../management/bulk-jobs/bulk-job-runner.ts';
import { WebhookRunner } from '../../management/changes/webhook-runner.ts';
import type { ManagementStores } from '../../management/kernel/context.ts';
import { GoalStatusJob } from '../../management/resources/delivery-progress/goal-status-job.ts';
import { StandingsJob } from '../../management/resources/delivery-progress/standings-job.ts';
import { SegmentSizeJob } from '../../management/resources/segment/segment-size-job.ts';
import { GoalCompletion } from '../../management/resources/line-item/goal-completion.ts';
import { AssetCollector } from '../../management/resources/upload/asset-collector.ts';
import type { LegacyReports } from '../../reports/legacy-reports.ts';
import { readNetworkHours, readRequestHours } from '../../reports/rollups/traffic-history.olap.ts';
import type { AssetStore } from '../../storage/assets.ts';
import type { ChildContext } from '../supervisor/part.ts';
import type { LeasedJobName } from './job-table.ts';
import { quotaLimits } from './storage-limits.ts';
import type { Stores } from './stores.ts';
import type { Tracing } from './tracing.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** For one message to a webhook. */
const WEBHOOK_TIMEOUT_MS = 10_000;

/** The jobs on a clock of a core or of a process of `--role jobs`. */
export interface ClockJobs {
  /** Computes the traffic curves now, for example after history has come in. @throws what the stores throw */
  workOutCurves(): Promise<void>;
  /** The export of events while this process does it; null: there is none, or another process does. */
  exporting(): ExportJob | null;
  stop(): Promise<void>;
}

/** Dependencies of the jobs, beside the stores. */
export interface ClockJobDeps {
  readonly part: 'core' | 'jobs';
  readonly gate: ClusterGate;
  readonly assets: AssetStore;
  readonly exports: EventExport | null;
  readonly legacyReports: LegacyReports;
  readonly outbox: MailOutbox | null;
  /** Null: no mail is sent. */
  readonly mail: MailQueue | null;
  readonly registry: Registry;
  /** Null: nothing is traced. */
  readonly tracing: Tracing | null;
}

/** Starts what `JOB_TABLE` lists for a core or a jobs process: each leased job begins when this process gets its lease. */
export function startClockJobs({ settings, log }: ChildContext, stores: Stores, deps: ClockJobDeps): ClockJobs {
  const { dataDir } = settings;
  const { exports, assets, registry, legacyReports, outbox, part, gate, tracing } = deps;
  const common = { sql: stores.sql.db, nowMs: Date.now, log };
  const curves = new CurveJob({
    ...common,
    readRequestHours: (workspaceId, during) => readRequestHours(stores.olap, workspaceId, during),
    readMet: (workspaceId, nowMs) => readMetOpportunities(stores.olap, workspaceId, nowMs),
  });
  const plans = new AllocationPlanJob({
    ...common,
    hot: stores.hot,
    olap: stores.olap,
    registry,
  });
  const watching = stores.changes.watch({
    onChange: (batch) => plans.recordChanges(batch),
    onReconnect: () => undefined,
  });
  const exporting = exports === null ? null : new ExportJob({ exports, nowMs: Date.now, log, registry });
  const jobs: Readonly<Record<LeasedJobName, { periodMs: number | null; job: LeasedJob['job'] | null }>> = {
    'traffic-curves': { periodMs: null, job: curves },
    'allocation-plans': { periodMs: null, job: plans },
    'context-models': { periodMs: null, job: contextModels(stores, common, registry) },
    'event-export': { periodMs: null, job: exporting },
    'goal-completion': { periodMs: null, job: new GoalCompletion({ ...common, hot: stores.hot }) },
    standings: { periodMs: null, job: new StandingsJob({ ...common, hot: stores.hot }) },
    'forecast-records': { periodMs: null, job: forecastRecords(stores, common) },
    'segment-sizes': { periodMs: null, job: new SegmentSizeJob({ ...common, hot: stores.hot }) },
    'goal-status': { periodMs: null, job: new GoalStatusJob({ ...common, hot: stores.hot, mail: deps.mail }) },
    'analytics-marks': { periodMs: null, job: new AnalyticsMarkJob({ ...common, olap: stores.olap }) },
    retention: {
      periodMs: DAY_MS,
      job: new RetentionJob({
        ...common,
        olap: stores.olap,
        get exported() {
          return settings.exportRetention === 'delete' ? exports : null;
        },
      }),
    },
    'unused-files': { periodMs: DAY_MS, job: new AssetCollector({ ...common, assets }) },
    'audit-heads': { periodMs: null, job: new AuditHeadWriter(dataDir, { ...common, key: loadAuditKey(dataDir) }) },
  };
  const leases = new JobLeases({
    sql: stores.sql.db,
    nodeId: loadNodeId(dataDir),
    part,
    isOpen: () => gate.isOpen,
    leased: Object.entries(jobs).flatMap(([name, { periodMs, job }]) =>
      job === null ? [] : [{ name, periodMs, job }],
    ),
    shared: [legacyReports, ...managementJobs(settings, stores, common), ...(outbox === null ? [] : [outbox])],
    log,
    registry,
    ...(tracing === null ? {} : { recordRun: tracing.recordJob }),
  });
  leases.start();
  return {
    exporting: () => (leases.holds('event-export') ? exporting : null),
    workOutCurves: () => curves.run(),
    stop: async () => {
      await Promise.all([watching.close(), leases.stop()]);
      outbox?.close();
    },
  };
}

function forecastRecords(
  { hot, olap }: Stores,
  common: Pick<ManagementStores, 'sql' | 'nowMs' | 'log'>,
): ForecastRecordJob {
  return new ForecastRecordJob({
    ...common,
    hot,
    olap,
    readNetworkHours: (workspaceId, during) => readNetworkHours(olap, workspaceId, during),
    random: Math.random,
  });
}

function contextModels(
  { olap }: Stores,
  common: Pick<ManagementStores, 'sql' | 'nowMs' | 'log'>,
  registry: Registry,
): ContextModelJob {
  return new ContextModelJob({
    ...common,
    readOutcomes: (asked) => readContextOutcomes(olap, asked),
    readConversions: (asked) => readConversionAges(olap, asked),
    registry,
  });
}

/** Jobs of the management API, whose items are claimed one by one. */
function managementJobs(
  settings: Settings,
  { secrets, hot }: Stores,
  common: Pick<ManagementStores, 'sql' | 'nowMs' | 'log'>,
): (WebhookRunner | BulkJobRunner)[] {
  const sending = { allowedRanges: settings.webhookAllowedRanges, timeoutMs: WEBHOOK_TIMEOUT_MS };
  return [
    new WebhookRunner({ ...common, pepper: secrets.pepper, sending }),
    new BulkJobRunner({ ...common, hot, secrets, quotas: quotaLimits(settings) }),
  ];
}
