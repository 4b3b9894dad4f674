import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { HotCircuit } from '../../storage/hot/hot-circuit.ts';

/** Registers what decisions had to do without the hot store; read at each scrape. */
export function registerCircuitMetrics(registry: Registry, circuit: HotCircuit): void {
  const open: Gauge = new Gauge({
    name: 'placard_hot_store_circuit_open',
    help: '1 while decisions go on without the hot store.',
    registers: [registry],
    collect: () => open.set(circuit.isOpen ? 1 : 0),
  });
  const late: Gauge = new Gauge({
    name: 'placard_hot_store_late_calls',
    help: 'Calls of decisions that failed or took longer than a decision may wait.',
    registers: [registry],
    collect: () => late.set(circuit.stats.late),
  });
  const skipped: Gauge = new Gauge({
    name: 'placard_hot_store_skipped_calls',
    help: 'Calls of decisions that were not made because the hot store was unavailable.',
    registers: [registry],
    collect: () => skipped.set(circuit.stats.skipped),
  });
}
