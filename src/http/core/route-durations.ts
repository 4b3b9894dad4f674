import type { Registry } from 'prom-client';
import { type DurationSeries, SummedHistogram } from '../shared/summed-histogram.ts';

/** The histogram of request durations by route and status. Routes and statuses are few. */
export class RouteDurations {
  readonly #histogram: SummedHistogram;
  readonly #byRoute = new Map<string, Map<number, DurationSeries>>();

  constructor(name: 'placard_delivery_request_seconds' | 'placard_core_request_seconds') {
    const help = 'Time from request to response, by route and status.';
    const slow = name === 'placard_core_request_seconds' ? [5_000, 15_000] : [];
    this.#histogram = new SummedHistogram({
      name,
      help,
      boundsMs: [0.5, 1, 2, 5, 10, 25, 50, 100, 250, 1_000, ...slow],
    });
  }

  /** Observes one response. */
  observe(route: string, status: number, durationMs: number): void {
    const series = this.#byRoute.get(route)?.get(status) ?? this.#open(route, status);
    series.observe(durationMs);
  }

  /** Shows it with a registry's other metrics. @throws Error when the name is taken */
  register(registry: Registry): void {
    this.#histogram.register(registry);
  }

  #open(route: string, status: number): DurationSeries {
    let byStatus = this.#byRoute.get(route);
    if (byStatus === undefined) this.#byRoute.set(route, (byStatus = new Map()));
    const made = this.#histogram.open({ route, status: String(status) });
    byStatus.set(status, made);
    return made;
  }
}
