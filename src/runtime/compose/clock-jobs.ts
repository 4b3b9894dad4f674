import type { Registry } from 'prom-client';
import { runBackupCommand } from '../../backup/own-program.ts';
import { ScheduledBackup } from '../../backup/scheduled-backup.ts';
import { AuditHeadWriter } from '../../access/audit/audit-heads.ts';
import { loadAuditKey } from '../../access/audit/audit-key.ts';
import { NetworkDeletionJob } from '../../access/networks/network-deletion-job.ts';
import type { ClusterGate } from '../../cluster/cluster-gate.ts';
import { JobLeases, type LeasedJob, type SharedJob } from '../../cluster/job-leases.ts';
import { loadNodeId } from '../../cluster/secret-files.ts';
import { childNodeArguments } from '../../config/child-environment.ts';
import type { Settings } from '../../config/settings.ts';
import { demoHistoryOf } from '../../demo/demo-progress.ts';
import { readMetOpportunities } from '../../delivery/pacing/line-item-curves.ts';
import { CurveJob } from '../../delivery/pacing/pacing-curve-job.ts';
import { readConversionAges } from '../../reports/rollups/conversion-ages.olap.ts';
import { readContextOutcomes } from '../../events/shipping/context-outcomes.olap.ts';
import { ForecastRecordJob } from '../../delivery/insight/forecast-records/forecast-record-job.ts';
import { ContextModelJob } from '../../delivery/contexts/context-job.ts';
import { AllocationPlanJob } from '../../delivery/plan/plan-job.ts';
import type { EventExport } from '../../events/export/event-export.ts';
import type { HistoryJob } from '../../events/history/history-job.ts';
import { ExportJob } from '../../events/export/export-job.ts';
import { AnalyticsMarkJob } from '../../events/marks/mark-job.ts';
import { RetentionJob } from '../../events/retention/retention-job.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { MailOutbox } from '../../mail/mail-sender.ts';
import { BulkJobRunner } from '../../management/bulk-jobs/bulk-job-runner.ts';
import { AgentNoticeRunner } from '../../management/changes/agent-notice-runner.ts';
import { WebhookRunner } from '../../management/changes/webhook-runner.ts';
import type { ManagementStores } from '../../management/kernel/context.ts';
import { GoalStatusJob } from '../../management/resources/delivery-progress/goal-status-job.ts';
import { StandingsJob } from '../../management/resources/delivery-progress/standings-job.ts';
import { SegmentSizeJob } from '../../management/resources/segment/segment-size-job.ts';
import { GoalCompletion } from '../../management/resources/line-item/goal-completion.ts';
import { AssetCollector } from '../../management/resources/upload/asset-collector.ts';
import type { LegacyReports } from '../../reports/legacy-reports.ts';
import { CountCheckJob } from '../../reports/rollups/count-check-job.ts';
import { readNetworkHours, readRequestHours } from '../../reports/rollups/traffic-history.olap.ts';
import type { AssetStore } from '../../storage/assets.ts';
import type { ChildContext } from '../supervisor/part.ts';
import { openHistoryJob } from './history/history-job.ts';
import { type JobName, type LeasedJobName, waitsWhenRestored } from './job-table.ts';
import { openProbeClient } from './probe/probe-client.ts';
import { ProbeJob } from './probe/probe-job.ts';
import { registerBackupMetric } from './store-metrics.ts';
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
  /** Whether jobs that tell others of the installation wait, since a restore. */
  isPaused(): boolean;
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

/** A job that is null has nothing to do here. */
type JobsByName = Readonly<Record<LeasedJobName, { periodMs: number | null; job: LeasedJob['job'] | null }>>;

function leasedJobs(jobs: JobsByName): LeasedJob[] {
  return (Object.keys(jobs) as LeasedJobName[]).flatMap((name) => {
    const { periodMs, job } = jobs[name];
    return job === null ? [] : [{ name, periodMs, job, waitsWhenRestored: waitsWhenRestored(name) }];
  });
}

function shared(name: JobName, job: SharedJob['job']): SharedJob {
  return { job, waitsWhenRestored: waitsWhenRestored(name) };
}

/** Starts what `JOB_TABLE` lists for a core or a jobs process: each leased job begins when this process gets its lease. */
export function startClockJobs(context: ChildContext, stores: Stores, deps: ClockJobDeps): ClockJobs {
  const { settings, log } = context;
  const { exports, registry, legacyReports, outbox, part, gate, tracing } = deps;
  const common = { sql: stores.sql.db, nowMs: Date.now, log };
  const measured = { ...common, hot: stores.hot, isHistoryMade: demoHistoryOf(settings.dataDir) };
  const curves = trafficCurves(stores, common);
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
  const jobs: JobsByName = {
    'traffic-curves': { periodMs: null, job: curves },
    'allocation-plans': { periodMs: null, job: plans },
    'context-models': { periodMs: null, job: contextModels(stores, common, registry) },
    'event-export': { periodMs: null, job: exporting },
    'goal-completion': { periodMs: null, job: new GoalCompletion({ ...common, hot: stores.hot }) },
    'imported-history': { periodMs: null, job: importedHistory(stores, common, curves) },
    standings: { periodMs: null, job: new StandingsJob(measured) },
    'forecast-records': { periodMs: null, job: forecastRecords(stores, common) },
    'segment-sizes': { periodMs: null, job: new SegmentSizeJob({ ...common, hot: stores.hot }) },
    'goal-status': { periodMs: null, job: new GoalStatusJob({ ...measured, mail: deps.mail }) },
    'analytics-marks': { periodMs: null, job: new AnalyticsMarkJob({ ...common, olap: stores.olap }) },
    'count-checks': { periodMs: DAY_MS, job: new CountCheckJob({ ...common, olap: stores.olap, registry }) },
    retention: { periodMs: DAY_MS, job: retention(stores, common, { settings, exports }) },
    'network-deletions': { periodMs: null, job: networkDeletions(stores, common, { settings, deps }) },
    'unused-files': { periodMs: DAY_MS, job: new AssetCollector({ ...common, assets: deps.assets }) },
    backups: { periodMs: DAY_MS, job: scheduledBackup(settings, common, registry) },
    'audit-heads': { periodMs: null, job: auditHeads(settings, common) },
    probe: { periodMs: null, job: probe(context, stores, registry) },
  };
  const leases = new JobLeases({
    sql: stores.sql.db,
    nodeId: loadNodeId(settings.dataDir),
    part,
    isOpen: () => gate.isOpen,
    leased: leasedJobs(jobs),
    shared: [
      shared('report-schedules', legacyReports),
      ...managementJobs(settings, stores, common),
      ...(outbox === null ? [] : [shared('mail-outbox', outbox)]),
    ],
    log,
    registry,
    ...(tracing === null ? {} : { recordRun: tracing.recordJob }),
  });
  leases.start();
  return {
    exporting: () => (leases.holds('event-export') ? exporting : null),
    isPaused: () => leases.isPaused,
    workOutCurves: () => curves.run(),
    stop: async () => {
      await Promise.all([watching.close(), leases.stop()]);
      outbox?.close();
    },
  };
}

/** The exports whose files go with their events; null: they stay. */
function deletedExports({ exportRetention }: Settings, exports: EventExport | null): EventExport | null {
  return exportRetention === 'delete' ? exports : null;
}

function retention(
  { olap }: Stores,
  common: Pick<ManagementStores, 'sql' | 'nowMs' | 'log'>,
  { settings, exports }: { readonly settings: Settings; readonly exports: EventExport | null },
): RetentionJob {
  return new RetentionJob({
    ...common,
    olap,
    get exported() {
      return deletedExports(settings, exports);
    },
  });
}

function networkDeletions(
  { olap, hot }: Stores,
  common: Pick<ManagementStores, 'sql' | 'nowMs' | 'log'>,
  { settings, deps }: { readonly settings: Settings; readonly deps: ClockJobDeps },
): NetworkDeletionJob {
  const { assets, exports } = deps;
  return new NetworkDeletionJob({
    ...common,
    olap,
    hot,
    assets,
    get exported() {
      return deletedExports(settings, exports);
    },
  });
}

/** Null: this installation does not try itself. */
function probe(
  { settings, endpoints, log }: ChildContext,
  { sql, secrets }: Stores,
  registry: Registry,
): ProbeJob | null {
  if (settings.probe !== 'true') return null;
  return new ProbeJob({
    sql: sql.db,
    secrets,
    send: openProbeClient(settings.dataDir),
    coreUrl: endpoints.corePublicUrl,
    deliveryUrl: endpoints.deliveryPublicUrl,
    registry,
    nowMs: Date.now,
    log,
  });
}

function trafficCurves({ olap }: Stores, common: Pick<ManagementStores, 'sql' | 'nowMs' | 'log'>): CurveJob {
  return new CurveJob({
    ...common,
    readRequestHours: (workspaceId, during) => readRequestHours(olap, workspaceId, during),
    readMet: (workspaceId, nowMs) => readMetOpportunities(olap, workspaceId, nowMs),
  });
}

function auditHeads({ dataDir }: Settings, common: Pick<ManagementStores, 'sql' | 'nowMs' | 'log'>): AuditHeadWriter {
  return new AuditHeadWriter(dataDir, { ...common, key: loadAuditKey(dataDir) });
}

/** Null: no daily backup is set. */
function scheduledBackup(
  { backupTo, backupKeep }: Settings,
  { sql, nowMs, log }: Pick<ManagementStores, 'sql' | 'nowMs' | 'log'>,
  registry: Registry,
): ScheduledBackup | null {
  const [, program] = process.argv;
  if (backupTo === null || program === undefined) return null;
  registerBackupMetric(registry, sql);
  const command = [...childNodeArguments('core'), program];
  const write = (location: string, signal: AbortSignal): Promise<void> => runBackupCommand(command, location, signal);
  return new ScheduledBackup({ location: backupTo, keep: backupKeep, write, nowMs, log });
}

function importedHistory(
  { sql, olap, hot }: Stores,
  { nowMs, log }: Pick<ManagementStores, 'nowMs' | 'log'>,
  curves: CurveJob,
): HistoryJob {
  return openHistoryJob({ sql: sql.db, olap, hot }, { follow: () => curves.run(), nowMs, log });
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
): SharedJob[] {
  const sending = { allowedRanges: settings.webhookAllowedRanges, timeoutMs: WEBHOOK_TIMEOUT_MS };
  return [
    shared('webhooks', new WebhookRunner({ ...common, pepper: secrets.pepper, sending })),
    shared('agent-notices', new AgentNoticeRunner({ ...common, pepper: secrets.pepper, sending })),
    shared('bulk-jobs', new BulkJobRunner({ ...common, hot, secrets, quotas: quotaLimits(settings) })),
  ];
}
