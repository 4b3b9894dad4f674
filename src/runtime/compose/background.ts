import type { Registry } from 'prom-client';
import { makePasswordLink } from '../../access/users/password-reset.sql.ts';
import type { Settings } from '../../config/settings.ts';
import { EventExport } from '../../events/export/event-export.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import { createLegacyReports, type LegacyReports } from '../../reports/legacy-reports.ts';
import type { AssetStore } from '../../storage/assets.ts';
import type { DiskWatch } from '../../storage/disk-watch.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { ClusterGate } from '../../cluster/cluster-gate.ts';
import type { ChildContext } from '../supervisor/part.ts';
import { bucketOf, openAssets } from './assets.ts';
import { type ClockJobs, startClockJobs } from './clock-jobs.ts';
import { openExportTarget } from './event-export.ts';
import { openMailOutbox } from './mail.ts';
import { quotaLimits } from './storage-limits.ts';
import type { Stores } from './stores.ts';
import type { Tracing } from './tracing.ts';

/** Free space that an exported file may need, beyond what uploads leave. */
const EXPORT_FILE_BYTES = 100_000_000;

/** Dependencies of background work. */
export interface BackgroundDeps {
  readonly part: 'core' | 'jobs';
  readonly gate: ClusterGate;
  /** Null: no mail is sent. */
  readonly mail: MailQueue | null;
  readonly disk: DiskWatch;
  /** For statements that nobody waits for. */
  readonly olap: Olap;
  /** Up to when all events are in the analytics store, epoch milliseconds; null: not known. */
  readonly completeUntil: () => Promise<number | null>;
  readonly registry: Registry;
  /** Null: nothing is traced. */
  readonly tracing: Tracing | null;
}

/** What cores and jobs processes do beside requests. */
export interface Background {
  readonly assets: AssetStore;
  readonly legacyReports: LegacyReports;
  readonly jobs: ClockJobs;
}

/** Starts the jobs on a clock, and what they need. */
export function startBackground(context: ChildContext, stores: Stores, deps: BackgroundDeps): Background {
  const { settings, endpoints, log } = context;
  const { part, gate, registry, tracing } = deps;
  const { pepper } = stores.secrets;
  const publicUrl = endpoints.corePublicUrl;
  const assets = openAssets(settings, stores.sql.db);
  void assets.share(log);
  const legacyReports = openLegacyReports(context, stores, deps);
  const outbox = openMailOutbox({
    settings,
    sql: stores.sql.db,
    pepper,
    log,
    registry,
    makePasswordLink: (db, email, now) => makePasswordLink({ sql: db, pepper, publicUrl }, email, now),
    readReport: (file) => legacyReports.readForMail(file),
  });
  const exports = openExports(settings, stores, deps);
  const jobs = startClockJobs(context, stores, {
    part,
    gate,
    assets,
    exports,
    legacyReports,
    outbox,
    mail: deps.mail,
    registry,
    tracing,
  });
  return { assets, legacyReports, jobs };
}

function openExports(settings: Settings, { sql }: Stores, { olap, disk, completeUntil }: BackgroundDeps) {
  const target = openExportTarget(settings, 'events');
  const requireSpace = (): Promise<void> => disk.requireSpace(EXPORT_FILE_BYTES);
  return target === null ? null : new EventExport({ sql: sql.db, olap, target, completeUntil, requireSpace });
}

function openLegacyReports(
  { settings, endpoints, log }: ChildContext,
  stores: Stores,
  { disk, mail, olap }: BackgroundDeps,
): LegacyReports {
  return createLegacyReports({
    sql: stores.sql.db,
    olap,
    dataDir: settings.dataDir,
    bucket: bucketOf(settings),
    isShared: settings.postgresUrl !== null,
    bytesMax: quotaLimits(settings).reportBytes,
    requireSpace: (bytes) => disk.requireSpace(bytes),
    publicUrl: endpoints.corePublicUrl,
    pepper: stores.secrets.pepper,
    webhooks: { allowedRanges: settings.webhookAllowedRanges },
    mail,
    log,
    nowMs: Date.now,
  });
}
