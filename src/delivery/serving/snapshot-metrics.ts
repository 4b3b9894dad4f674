import { Gauge, type Registry } from 'prom-client';
import { SummedHistogram } from '../../http/shared/summed-histogram.ts';
import type { SnapshotFeedStats } from '../snapshot/snapshot-feed-deps.ts';
import { observedCounter } from '../../storage/observed-counter.ts';

/** The metrics of the snapshot that decisions are made on. */
export interface SnapshotMetrics {
  readonly observeChange: (durationMs: number) => void;
  /** Gauges ask for the stats at each scrape. @throws Error when a name is taken */
  register(registry: Registry, stats: () => SnapshotFeedStats): void;
}

export function createSnapshotMetrics(nowMs: () => number): SnapshotMetrics {
  const histogram = new SummedHistogram({
    name: 'placard_snapshot_change_seconds',
    help: 'Time from the notice of a change, or from the loss of the connection, to decisions by it.',
    boundsMs: [25, 50, 100, 250, 500, 1_000, 2_000, 5_000, 15_000, 60_000],
  });
  const changes = histogram.open();
  return {
    observeChange: (durationMs) => changes.observe(durationMs),
    register: (registry, stats) => {
      histogram.register(registry);
      const registers = [registry];
      const age: Gauge = new Gauge({
        name: 'placard_snapshot_age_seconds',
        help: 'How long the snapshot may have lacked a change: one that is not read yet, or any while PostgreSQL is unavailable; 0 when it has all.',
        registers,
        collect: () => {
          const { behindSinceMs } = stats();
          age.set(behindSinceMs === null ? 0 : Math.max(0, nowMs() - behindSinceMs) / 1_000);
        },
      });
      observedCounter(registry, {
        name: 'placard_snapshot_failures_total',
        help: 'Reads and writes of the snapshot that failed.',
        read: () => stats().failures,
      });
    },
  };
}
