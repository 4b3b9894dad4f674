import type { Metric, Registry } from 'prom-client';

const NAME = 'placard_delivery_request_seconds';
const HELP = 'Time from request to response, by route and status.';
/** Upper bounds in milliseconds; above the last there is one more. */
const BOUNDS_MS: readonly number[] = [0.5, 1, 2, 5, 10, 25, 50, 100, 250, 1_000];

interface Series {
  readonly route: string;
  readonly status: number;
  /** Requests of each bucket alone, the one above all bounds last. */
  readonly counts: number[];
  sumMs: number;
}

/**
 * The histogram of request durations, summed up only when it is asked for: prom-client's own takes a microsecond a request. Routes
 * and statuses are few, so series are kept for ever.
 */
export class RouteDurations {
  readonly #byRoute = new Map<string, Map<number, Series>>();

  /** Observes one response. */
  observe(route: string, status: number, durationMs: number): void {
    const series = this.#byRoute.get(route)?.get(status) ?? this.#open(route, status);
    let bucket = 0;
    while (bucket < BOUNDS_MS.length && durationMs > (BOUNDS_MS[bucket] as number)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] as number) + 1;
    series.sumMs += durationMs;
  }

  /** Shows it with a registry's other metrics. @throws Error when the name is taken */
  register(registry: Registry): void {
    const metric = {
      name: NAME,
      help: HELP,
      type: 'histogram',
      aggregator: 'sum',
      get: () => ({ name: NAME, help: HELP, type: 'histogram', aggregator: 'sum', values: this.#values() }),
    };
    // A registry uses only the name and `get` of a metric; the declared type is that of prom-client's own classes.
    registry.registerMetric(metric as unknown as Metric);
  }

  #open(route: string, status: number): Series {
    let byStatus = this.#byRoute.get(route);
    if (byStatus === undefined) this.#byRoute.set(route, (byStatus = new Map()));
    const made = { route, status, counts: Array.from({ length: BOUNDS_MS.length + 1 }, () => 0), sumMs: 0 };
    byStatus.set(status, made);
    return made;
  }

  #values(): object[] {
    const all = [...this.#byRoute.values()].flatMap((byStatus) => [...byStatus.values()]);
    return all.flatMap(({ route, status, counts, sumMs }) => {
      const labels = { route, status: String(status) };
      let upTo = 0;
      const buckets = counts.map((count, at) => {
        const bound = BOUNDS_MS[at];
        upTo += count;
        return {
          metricName: `${NAME}_bucket`,
          labels: { ...labels, le: bound === undefined ? '+Inf' : bound / 1_000 },
          value: upTo,
        };
      });
      return [
        ...buckets,
        { metricName: `${NAME}_sum`, labels, value: sumMs / 1_000 },
        { metricName: `${NAME}_count`, labels, value: upTo },
      ];
    });
  }
}
