import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { HotCircuit } from '../../storage/hot/hot-circuit.ts';
import { observedCounter } from '../../storage/observed-counter.ts';

/** Registers what decisions had to do without the hot store; read at each scrape. */
export function registerCircuitMetrics(registry: Registry, circuit: HotCircuit): void {
  const open: Gauge = new Gauge({
    name: 'placard_hot_store_circuit_open',
    help: '1 while decisions go on without the hot store.',
    registers: [registry],
    collect: () => open.set(circuit.isOpen ? 1 : 0),
  });
  observedCounter(registry, {
    name: 'placard_hot_store_late_calls_total',
    help: 'Calls of decisions that failed or took longer than a decision may wait.',
    read: () => circuit.stats.late,
  });
  observedCounter(registry, {
    name: 'placard_hot_store_skipped_calls_total',
    help: 'Calls of decisions that were not made because the hot store was unavailable.',
    read: () => circuit.stats.skipped,
  });
}
