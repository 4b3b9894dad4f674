import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { ShipperStats } from './shipper.ts';
import type { SpoolStats } from './spool.ts';

/** What the events room tells Prometheus. */
export interface EventMetrics {
  countRecorded(kind: string, invalidReason: string): void;
  countForged(kind: string): void;
  countHotFailure(): void;
  countLostRequests(quantity: number): void;
}

/** Where the gauges read from when they are scraped. */
export interface EventMetricSources {
  backlog(): { readonly segments: number; readonly bytes: number };
  shipperStats(): ShipperStats;
  spoolStats(): SpoolStats;
}

/** Registers the room's metrics. Gauges ask `sources` at each scrape. */
export function createEventMetrics(registry: Registry, sources: EventMetricSources): EventMetrics {
  const recorded = new Counter({
    name: 'placard_events_recorded_total',
    help: 'Events that were put on disk (repeats included), by kind and by why they are not billed.',
    labelNames: ['kind', 'invalid_reason'],
    registers: [registry],
  });
  const forged = new Counter({
    name: 'placard_event_links_refused_total',
    help: 'Links whose token was forged, cut or of another network.',
    labelNames: ['kind'],
    registers: [registry],
  });
  const hotFailures = counter(
    registry,
    'placard_event_claims_deferred_total',
    'Events on disk that will be counted by the shipper.',
  );
  const lostRequests = counter(
    registry,
    'placard_request_counts_lost_total',
    'Requests that could not be put on disk.',
  );
  registerGauges(registry, sources);
  return {
    countRecorded: (kind, invalidReason) => recorded.inc({ kind, invalid_reason: invalidReason }),
    countForged: (kind) => forged.inc({ kind }),
    countHotFailure: () => hotFailures.inc(),
    countLostRequests: (quantity) => lostRequests.inc(quantity),
  };
}

function registerGauges(registry: Registry, sources: EventMetricSources): void {
  const gauges: readonly [string, string, () => number][] = [
    [
      'placard_spool_backlog_segments',
      'Event segments that the analytics store does not have yet.',
      () => sources.backlog().segments,
    ],
    ['placard_spool_backlog_bytes', 'Their size.', () => sources.backlog().bytes],
    ['placard_spool_queued_bytes', 'Event bytes that wait for the disk.', () => sources.spoolStats().queuedBytes],
    [
      'placard_spool_failed_appends',
      'Events refused because the disk did not take them, since the start.',
      () => sources.spoolStats().failedAppends,
    ],
    [
      'placard_spool_broken_segments',
      'Segments given up after a disk error, since the start.',
      () => sources.spoolStats().brokenSegments,
    ],
    [
      'placard_events_shipped_rows',
      'Event rows taken to the analytics store, since the start.',
      () => sources.shipperStats().shippedRows,
    ],
    [
      'placard_events_duplicate_rows',
      'Repeats left out before the analytics store, since the start.',
      () => sources.shipperStats().duplicateRows,
    ],
    [
      'placard_events_rejected_rows',
      'Event rows set aside as unreadable or refused, since the start. Should be 0.',
      () => sources.shipperStats().rejectedRows,
    ],
    [
      'placard_ship_failures',
      'Tries to reach a store that failed, since the start.',
      () => sources.shipperStats().failures,
    ],
  ];
  for (const [name, help, read] of gauges) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  }
}

function counter(registry: Registry, name: string, help: string): Counter {
  return new Counter({ name, help, registers: [registry] });
}
