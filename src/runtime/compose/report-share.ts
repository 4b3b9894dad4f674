import { Gauge, type Registry } from 'prom-client';
import { ReportShare } from '../../domain/reporting/report-share.ts';
import type { ReadinessCheck } from '../../http/shared/health.ts';
import type { ChildContext } from '../supervisor/part.ts';

/** The share of their full speed at which reports of this process run, by what the delivery workers of the machine measure. */
export function watchReportShare({
  watchWorkerLoads,
  log,
}: Pick<ChildContext, 'watchWorkerLoads' | 'log'>): ReportShare {
  const share = new ReportShare(Date.now);
  watchWorkerLoads((workerIndex, load) => share.record(workerIndex, load));
  share.watch((after, before) => {
    if (before === 1) log.event('reports.yielding', { ...share.worst });
    if (after === 1) log.event('reports.full_speed');
  });
  return share;
}

/** Shows the share, and how late the worst delivery worker is, with a registry's other metrics. */
export function registerShareMetrics(registry: Registry, share: ReportShare): void {
  const registers = [registry];
  new Gauge({
    name: 'placard_reports_share',
    help: 'Share of their full speed at which reports and exports run; below 1 they yield to delivery workers.',
    registers,
    collect() {
      this.set(share.value);
    },
  });
  new Gauge({
    name: 'placard_worker_cpu_wait_share',
    help: 'Part of the CPU time it needed that the latest delivery worker of this machine waited for.',
    registers,
    collect() {
      this.set(share.worst?.waitShare ?? 0);
    },
  });
  new Gauge({
    name: 'placard_worker_loop_lag_seconds',
    help: '99th percentile of the event loop lag of the latest delivery worker of this machine, in its last half second.',
    registers,
    collect() {
      this.set((share.worst?.lagMs ?? 0) / 1_000);
    },
  });
}

/** The core stays in service while its reports are slow. */
export function shareReadiness(share: ReportShare): ReadinessCheck {
  const name = 'report speed';
  const { value } = share;
  if (value === 1) return { name, ok: true };
  return { name, ok: true, detail: `reports run at ${Math.round(value * 100)} % and yield to delivery workers` };
}
