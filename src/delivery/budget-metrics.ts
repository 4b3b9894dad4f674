import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { BudgetLedger } from './budget-ledger.ts';

/** Registers what operators want to know about hard limits; asked at each scrape. */
export function registerBudgetMetrics(registry: Registry, ledger: BudgetLedger): void {
  const gauges: readonly [string, string, () => number][] = [
    [
      'placard_budget_leased_units',
      'Impressions and nanos of money that this worker has leased of hard limits and not used.',
      () => ledger.outstanding,
    ],
    [
      'placard_budget_store_failures',
      'Times that the hot store failed when a lease was taken or returned: limited line items waited.',
      () => ledger.failures,
    ],
  ];
  for (const [name, help, read] of gauges) {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
  }
}
