import type { Metric, Registry } from 'prom-client';

/** What a histogram measures. */
export interface HistogramSpec {
  readonly name: string;
  readonly help: string;
  /** Upper bounds in milliseconds, ascending; above the last there is one more. They are shown in seconds. */
  readonly boundsMs: readonly number[];
}

/** The durations of one set of labels. Observing takes some ten nanoseconds. */
export class DurationSeries {
  readonly #boundsMs: readonly number[];
  /** Of each bucket alone, the one above all bounds last. */
  readonly #counts: number[];
  #sumMs = 0;

  constructor(boundsMs: readonly number[]) {
    this.#boundsMs = boundsMs;
    this.#counts = Array.from({ length: boundsMs.length + 1 }, () => 0);
  }

  observe(durationMs: number): void {
    const bounds = this.#boundsMs;
    let bucket = 0;
    while (bucket < bounds.length && durationMs > (bounds[bucket] as number)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#sumMs += durationMs;
  }

  /** As prom-client lists the values of a histogram. */
  values(name: string, labels: Readonly<Record<string, string>>): object[] {
    let upTo = 0;
    const buckets = this.#counts.map((count, at) => {
      const bound = this.#boundsMs[at];
      upTo += count;
      const le = bound === undefined ? '+Inf' : bound / 1_000;
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: upTo };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sumMs / 1_000 },
      { metricName: `${name}_count`, labels, value: upTo },
    ];
  }
}

/**
 * A histogram of durations, summed up only when it is scraped: prom-client's own takes a microsecond an observation. Series are kept for
 * ever: labels must be few.
 */
export class SummedHistogram {
  readonly #spec: HistogramSpec;
  readonly #series: { readonly labels: Readonly<Record<string, string>>; readonly durations: DurationSeries }[] = [];

  constructor(spec: HistogramSpec) {
    this.#spec = spec;
  }

  /** Opens the series of these labels; once for each. */
  open(labels: Readonly<Record<string, string>> = {}): DurationSeries {
    const durations = new DurationSeries(this.#spec.boundsMs);
    this.#series.push({ labels, durations });
    return durations;
  }

  /** Shows it with a registry's other metrics. @throws Error when the name is taken */
  register(registry: Registry): void {
    const { name, help } = this.#spec;
    const values = (): object[] => this.#series.flatMap(({ labels, durations }) => durations.values(name, labels));
    const metric = {
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      get: () => ({ name, help, type: 'histogram', aggregator: 'sum', values: values() }),
    };
    // A registry uses only the name and `get` of a metric; the declared type is that of prom-client's own classes.
    registry.registerMetric(metric as unknown as Metric);
  }
}
