import {
  AggregatorRegistry,
  Counter,
  Gauge,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';

/** Metrics as a process hands them to the supervisor. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** A process whose metrics are shown. */
export interface MeasuredProcess {
  readonly name: string;
  /** How often a process of this name was started. */
  readonly starts: number;
  readonly isReady: boolean;
  /** Null when it does not respond in time, or has no metrics. */
  readMetrics(): Promise<ProcessMetrics | null>;
}

/** The metrics of all processes as Prometheus reads them, each with the label `process`. */
export async function joinMetrics(processes: readonly MeasuredProcess[]): Promise<string> {
  const read = await Promise.all(
    processes.map(async (one) => label(one.name, (await one.readMetrics().catch(() => null)) ?? [])),
  );
  const joined = AggregatorRegistry.aggregate([...read, await stateOf(processes)] as unknown as object[]);
  return await joined.metrics();
}

function label(process: string, metrics: ProcessMetrics): ProcessMetrics {
  return metrics.map((metric) => ({
    ...metric,
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } })),
  }));
}

/** Of processes that do not respond, too. */
async function stateOf(processes: readonly MeasuredProcess[]): Promise<ProcessMetrics> {
  const registers = [new Registry()];
  const labelNames = ['process'];
  const ready = new Gauge({
    name: 'placard_process_ready',
    help: 'Whether the process serves.',
    labelNames,
    registers,
  });
  const starts = new Counter({
    name: 'placard_process_starts_total',
    help: 'Starts of the process since the supervisor began.',
    labelNames,
    registers,
  });
  for (const { name, isReady, starts: count } of processes) {
    ready.set({ process: name }, isReady ? 1 : 0);
    starts.inc({ process: name }, count);
  }
  return (await registers[0]?.getMetricsAsJSON()) ?? [];
}
