import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { CounterKind } from '../../domain/money/counter-key.ts';
import type { BudgetLedger } from './budget-ledger.ts';
import { observedCounter } from '../../storage/observed-counter.ts';

/** The kinds of counters that have hard limits, with their label values. */
const KINDS: readonly (readonly [CounterKind, string])[] = [
  ['imp', 'impressions'],
  ['clk', 'clicks'],
  ['view', 'viewable_impressions'],
  ['conv', 'conversions'],
  ['spend', 'money_nanos'],
];

/** Registers the metrics of hard limits; they are read at each scrape. */
export function registerBudgetMetrics(registry: Registry, ledger: BudgetLedger): void {
  const leased: Gauge<'kind'> = new Gauge({
    name: 'placard_budget_leased_units',
    help: 'What this worker has leased of hard limits and not used, by kind: events (of rare ones, as many as are expected), money in nanos.',
    labelNames: ['kind'],
    registers: [registry],
    collect: () => {
      const { unusedLeases } = ledger;
      for (const [kind, label] of KINDS) leased.set({ kind: label }, unusedLeases.get(kind) ?? 0);
    },
  });
  const late: Counter = new Counter({
    name: 'placard_budget_leases_late_total',
    help: 'Responses that went on without a line item because the lease of its hard limit had not come in time.',
    registers: [registry],
    collect: () => {
      late.reset();
      late.inc(ledger.late);
    },
  });
  observedCounter(registry, {
    name: 'placard_budget_store_failures_total',
    help: 'Times that the hot store failed when a lease was taken or returned: limited line items waited.',
    read: () => ledger.failures,
  });
}
