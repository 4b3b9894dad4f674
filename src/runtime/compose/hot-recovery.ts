import { join } from 'node:path';
import { Gauge, type Registry } from 'prom-client';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import { HotRecovery } from '../../events/recovery/hot-recovery.ts';
import { openSpoolEpochs } from '../../events/recovery/spool-epochs.ts';
import { makeFolder } from '../../events/spool/spool-files.ts';
import type { ReadinessCheck } from '../../http/shared/health.ts';
import { readCountedSums } from '../../reports/rollups/counted-sums.olap.ts';
import { recoverableShardsOf } from '../../storage/hot/redis-hot-store.ts';
import { openRedisSpoolCopies } from '../../storage/copies/redis-spool-copies.ts';
import type { SpoolCopies } from '../../storage/copies/spool-copies.ts';
import type { ChildContext } from '../supervisor/part.ts';
import type { Stores } from './stores.ts';

/** The recovery of a hot store that machines share; null: it is this machine's own. */
export function openHotRecovery(
  { settings, workerIndex, log }: ChildContext,
  stores: Stores,
  { catalog, registry }: { readonly catalog: Catalog; readonly registry: Registry },
): HotRecovery | null {
  const shards = recoverableShardsOf(stores.hot);
  if (shards === null) return null;
  const recovery = new HotRecovery({
    shards,
    hot: stores.hot,
    sql: stores.sql.db,
    olap: stores.olap,
    readSums: readCountedSums(stores.olap),
    catalog,
    dataDir: settings.dataDir,
    workerIndex,
    nowMs: Date.now,
    log,
  });
  registerRecoveryMetrics(registry, recovery);
  return recovery;
}

/** Where events are besides this machine before they are acknowledged; undefined: nowhere. */
export function openEventCopies({ settings, endpoints, log }: ChildContext): SpoolCopies | undefined {
  const { eventCopies, dataDir } = settings;
  if (eventCopies === 0 || endpoints.redisUrl === null) return undefined;
  const spoolDir = join(dataDir, 'spool');
  makeFolder(spoolDir);
  const machine = openSpoolEpochs(spoolDir).machineId;
  return openRedisSpoolCopies({ url: endpoints.redisUrl, log, machine, replicas: eventCopies - 1 });
}

/** Ads go on without the counters: no reason to take the worker out of service. */
export function recoveryReadiness(recovery: HotRecovery | null): ReadinessCheck[] {
  if (recovery === null) return [];
  const { lost, shards, sinceMs } = recovery.state;
  if (lost === 0) return [{ name: 'hot_store_counters', ok: true }];
  const seconds = Math.round((Date.now() - (sinceMs ?? Date.now())) / 1_000);
  const detail = `${lost} of ${shards} shards of the hot store have lost their counters, which are being rebuilt for ${seconds} s; budgets wait`;
  return [{ name: 'hot_store_counters', ok: true, degraded: true, detail }];
}

function registerRecoveryMetrics(registry: Registry, recovery: HotRecovery): void {
  const lost: Gauge = new Gauge({
    name: 'placard_hot_store_lost_shards',
    help: 'Shards of the hot store whose counters are lost and not rebuilt yet.',
    registers: [registry],
    collect: () => lost.set(recovery.state.lost),
  });
  const seconds: Gauge = new Gauge({
    name: 'placard_hot_store_rebuild_seconds',
    help: 'How long the present rebuild of lost shards has taken, or the last one that this worker saw took.',
    registers: [registry],
    collect: () => {
      const { sinceMs, lastMs } = recovery.state;
      seconds.set((sinceMs === null ? (lastMs ?? 0) : Date.now() - sinceMs) / 1_000);
    },
  });
}
