import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import { observedCounter } from '../../storage/observed-counter.ts';
import { DEAD_LETTER_REASONS } from '../spool/dead-letters.ts';
import type { DeadLetters } from '../spool/dead-letters.ts';
import type { ShipBacklog } from '../shipping/machine-batches.ts';
import type { ShipperStats } from '../shipping/shipper-stats.ts';
import type { SpoolStats } from '../spool/spool.ts';

/** The Prometheus metrics of the event service. */
export interface EventMetrics {
  /** @param quantity of such events, default 1 */
  countRecorded(kind: string, invalidReason: string, quantity?: number): void;
  countForged(kind: string): void;
  countHotFailure(): void;
  countLostRequests(quantity: number): void;
  countLostClicks(clicks: number): void;
}

/** The sources of the gauges when they are scraped. */
export interface EventMetricSources {
  backlog(): ShipBacklog;
  /** Activity events that could not be credited when they came: their number since the start, and when the oldest that waits was begun. */
  uncredited(): Pick<ShipBacklog, 'oldestMs'> & { readonly added: number };
  shipperStats(): ShipperStats;
  spoolStats(): SpoolStats;
  clicksWaiting(): number;
  eventsRefused(): number;
  readonly deadLetters: Pick<DeadLetters, 'counts' | 'files'>;
  nowMs(): number;
}

/** How old the oldest event is that the analytics store does not have, in milliseconds; 0 when it has all. */
export function backlogAgeMs({ oldestMs }: Pick<ShipBacklog, 'oldestMs'>, nowMs: number): number {
  return oldestMs === null ? 0 : Math.max(0, nowMs - oldestMs);
}

/** Registers the metrics of the event service. Gauges ask `sources` at each scrape. */
export function createEventMetrics(registry: Registry, sources: EventMetricSources): EventMetrics {
  // A counter with labels costs more than all else that a metric does: sums are handed over when they are read.
  const sums = new Map<string, { readonly kind: string; readonly invalid_reason: string; count: number }>();
  new Counter({
    name: 'placard_events_recorded_total',
    help: 'Events that were put on disk (repeats included), by kind and by why they are not billed.',
    labelNames: ['kind', 'invalid_reason'],
    registers: [registry],
    collect() {
      for (const { count, ...labels } of sums.values()) this.inc(labels, count);
      sums.clear();
    },
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
  const lostClicks = counter(
    registry,
    'placard_clicks_lost_total',
    'Clicks that were redirected but could not be put on disk. Should be 0.',
  );
  registerGauges(registry, sources);
  return {
    countRecorded: (kind, invalidReason, quantity = 1) => {
      const key = `${kind}/${invalidReason}`;
      const sum = sums.get(key);
      if (sum === undefined) sums.set(key, { kind, invalid_reason: invalidReason, count: quantity });
      else sum.count += quantity;
    },
    countForged: (kind) => forged.inc({ kind }),
    countHotFailure: () => hotFailures.inc(),
    countLostRequests: (quantity) => lostRequests.inc(quantity),
    countLostClicks: (clicks) => lostClicks.inc(clicks),
  };
}

function registerGauges(registry: Registry, sources: EventMetricSources): void {
  const gauges: readonly [string, string, () => number][] = [
    [
      'placard_spool_backlog_segments',
      'Spool files that the analytics store does not have yet.',
      () => sources.backlog().files,
    ],
    ['placard_spool_backlog_bytes', 'Their size.', () => sources.backlog().bytes],
    [
      'placard_spool_oldest_event_age_seconds',
      'Age of the oldest event that the analytics store does not have yet; 0 when it has all.',
      () => backlogAgeMs(sources.backlog(), sources.nowMs()) / 1_000,
    ],
    [
      'placard_dead_letter_files',
      'Files of dead letters in the data folder, of all workers. Should be 0.',
      () => sources.deadLetters.files(),
    ],
    [
      'placard_events_shipped_batches_total',
      'Inserts of event rows into the analytics store, since the start.',
      () => sources.shipperStats().shippedBatches,
    ],
    ['placard_spool_queued_bytes', 'Event bytes that wait for the disk.', () => sources.spoolStats().queuedBytes],
    [
      'placard_spool_failed_appends_total',
      'Events refused because the disk did not take them, since the start.',
      () => sources.spoolStats().failedAppends,
    ],
    [
      'placard_spool_broken_segments_total',
      'Spool files given up after a disk error, since the start.',
      () => sources.spoolStats().brokenFiles,
    ],
    [
      'placard_events_shipped_rows_total',
      'Event rows shipped to the analytics store, since the start.',
      () => sources.shipperStats().shippedRows,
    ],
    [
      'placard_events_duplicate_rows_total',
      'Repeats left out before the analytics store, since the start.',
      () => sources.shipperStats().duplicateRows,
    ],
    [
      'placard_events_rejected_rows_total',
      'Event rows that became dead letters while they were counted or shipped, since the start. Should be 0.',
      () => sources.shipperStats().rejectedRows,
    ],
    [
      'placard_ship_failures_total',
      'Failed attempts to reach a store, since the start.',
      () => sources.shipperStats().failures,
    ],
  ];
  for (const [name, help, read] of [...gauges, ...waitingGauges(sources)]) {
    if (name.endsWith('_total')) observedCounter(registry, { name, help, read });
    else
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
  }
  registerDeadLetters(registry, sources.deadLetters);
}

function waitingGauges(sources: EventMetricSources): [string, string, () => number][] {
  return [
    [
      'placard_conversions_uncredited_age_seconds',
      'Age of the oldest conversion that waits to be credited; 0: none waits.',
      () => backlogAgeMs(sources.uncredited(), sources.nowMs()) / 1_000,
    ],
    [
      'placard_conversions_uncredited_total',
      'Conversions that could not be credited when they came. They are on disk, and credited later.',
      () => sources.uncredited().added,
    ],
    ['placard_clicks_waiting', 'Clicks in memory that wait for the disk.', () => sources.clicksWaiting()],
    [
      'placard_events_refused_total',
      'Events refused with 503 because too many waited for the disk, since the start.',
      () => sources.eventsRefused(),
    ],
  ];
}

function registerDeadLetters(registry: Registry, deadLetters: EventMetricSources['deadLetters']): void {
  new Counter({
    name: 'placard_dead_letters_total',
    help: 'Spool lines that became dead letters, by reason, since the start. Should be 0.',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      const counts = deadLetters.counts();
      for (const reason of Object.keys(DEAD_LETTER_REASONS))
        this.inc({ reason }, counts[reason as keyof typeof counts]);
    },
  });
}

function counter(registry: Registry, name: string, help: string): Counter {
  return new Counter({ name, help, registers: [registry] });
}
