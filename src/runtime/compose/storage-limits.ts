import { Gauge, type Registry } from 'prom-client';
import type { Kysely } from 'kysely';
import type { Log } from '../../domain/log/log.ts';
import type { Settings } from '../../config/settings.ts';
import { QUOTA_NAMES, type QuotaLimits, QUOTAS } from '../../domain/tenancy/quota.ts';
import type { ReadinessCheck } from '../../http/shared/health.ts';
import { type DiskState, DiskWatch } from '../../storage/disk-watch.ts';
import { type QuotaUsage, readQuotaUsage } from '../../storage/sql/quota-usage.sql.ts';
import type { Database } from '../../storage/sql/schema.ts';

const BYTES_PER_MEGABYTE = 1_000_000;
/** The figures of all workspaces are read from PostgreSQL at most this often. */
const USAGE_KEPT_MS = 60_000;

/** The bound of each quota: from the settings as they are when it is read if they have one, else fixed. */
export function quotaLimits(settings: Settings): QuotaLimits {
  return {
    get assetBytes() {
      return settings.assetMegabytes * BYTES_PER_MEGABYTE;
    },
    reportBytes: settings.reportMegabytes * BYTES_PER_MEGABYTE,
    get segmentMembers() {
      return settings.segmentMembers;
    },
    get objects() {
      return settings.objects;
    },
    savedViews: QUOTAS.savedViews.fixed,
    schedules: QUOTAS.schedules.fixed,
    webhooks: QUOTAS.webhooks.fixed,
    bulkJobs: QUOTAS.bulkJobs.fixed,
    bulkJobBytes: QUOTAS.bulkJobBytes.fixed,
  };
}

/** Watches the disk of the data folder. */
export function startDiskWatch(settings: Settings, log: Log): DiskWatch {
  const disk = new DiskWatch({
    dir: settings.dataDir,
    get lowBytes() {
      return settings.freeDiskMegabytes * BYTES_PER_MEGABYTE;
    },
    log,
    nowMs: Date.now,
  });
  disk.start();
  return disk;
}

/** Dependencies of the storage metrics. */
export interface StorageMetricsSources {
  readonly sql: Kysely<Database>;
  readonly limits: QuotaLimits;
  readonly disk: () => DiskState;
  readonly nowMs: () => number;
}

/** Exports free disk space and the storage of networks: sums and the fullest environment, not one series for each network. */
export function registerStorageMetrics(registry: Registry, sources: StorageMetricsSources): void {
  const registers = [registry];
  const { sql, limits, disk, nowMs } = sources;
  let known: { readonly usage: Promise<QuotaUsage[]>; readonly atMs: number } | null = null;
  const readUsage = (): Promise<QuotaUsage[]> => {
    if (known === null || nowMs() - known.atMs > USAGE_KEPT_MS)
      // Metrics are served even while PostgreSQL is unavailable.
      known = { usage: readQuotaUsage(sql).catch(() => []), atMs: nowMs() };
    return known.usage;
  };
  new Gauge({
    name: 'placard_disk_free_bytes',
    help: 'Free space of the disk of the data folder.',
    registers,
    collect() {
      this.set(disk().space?.freeBytes ?? Number.NaN);
    },
  });
  new Gauge({
    name: 'placard_disk_low',
    help: '1 while uploads and reports are refused because the disk is nearly full.',
    registers,
    collect() {
      this.set(disk().isLow ? 1 : 0);
    },
  });
  new Gauge({
    name: 'placard_storage_used',
    help: 'What all network environments store, by quota, in bytes or as a count.',
    labelNames: ['quota'],
    registers,
    async collect() {
      const usage = await readUsage();
      for (const quota of QUOTA_NAMES)
        this.set(
          { quota },
          usage.reduce((sum, one) => sum + one[quota], 0),
        );
    },
  });
  new Gauge({
    name: 'placard_storage_fullest_ratio',
    help: 'Highest use of a quota by any network environment, by quota; 1 = full.',
    labelNames: ['quota'],
    registers,
    async collect() {
      const usage = await readUsage();
      for (const quota of QUOTA_NAMES)
        this.set({ quota }, Math.max(0, ...usage.map((one) => one[quota])) / limits[quota]);
    },
  });
}

/** Low disk space takes no server out of service: it shows as degraded. */
export function diskReadiness({ space, isLow }: DiskState): ReadinessCheck {
  const detail = space === null ? 'unknown' : `${Math.floor(space.freeBytes / BYTES_PER_MEGABYTE)} MB free`;
  return { name: 'disk space', ok: true, ...(isLow ? { degraded: true } : {}), detail };
}
