import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { silentLog } from '../../../test/support/stores.ts';
import type { CapCheck } from '../../domain/money/limit.ts';
import type { Hold } from '../../domain/pricing/pricing-models.ts';
import { MemoryHotStore } from '../../../test/simulation/memory-hot-store.ts';
import { BudgetLedger } from './budget-ledger.ts';
import { registerBudgetMetrics } from './budget-metrics.ts';

const subjectOf = (kind: 'imp' | 'spend' | 'clk') => ({ workspaceId: 1, scope: 'li', id: '7', kind }) as const;
const limit = (kind: 'imp' | 'spend' | 'clk', amount: number): CapCheck => ({
  reason: kind === 'spend' ? 'budget.line_item' : 'capped.line_item',
  subject: subjectOf(kind),
  timezone: null,
  limit: amount,
});

test('metrics report leases by kind, each in its own units: impressions, clicks and money are not added up', async () => {
  const nowMs = Date.parse('2026-11-20T10:00:00Z');
  const hot = new MemoryHotStore(() => nowMs).asHotStore();
  const ledger = new BudgetLedger({ hot, nowMs: () => nowMs, log: silentLog });
  const registry = new Registry();
  registerBudgetMetrics(registry, ledger);
  const one = (kind: 'imp' | 'spend' | 'clk', amount: number, hold: Hold = 'firm') =>
    ({ subject: subjectOf(kind), hold, amount, bookedBy: kind === 'clk' ? 'click' : 'impression' }) as const;
  const reservations = [one('imp', 1), one('spend', 1_000), one('clk', 1_000, 'expected')];
  const checks = [limit('imp', 100_000), limit('spend', 10_000_000), limit('clk', 100)];
  expect(await ledger.reserve([{ reservations, checks }], nowMs)).toBe(true);
  const text = await registry.metrics();
  for (const line of [
    '{kind="impressions"} 499',
    '{kind="clicks"} 0.499',
    '{kind="money_nanos"} 49000',
    '{kind="conversions"} 0',
  ])
    expect(text).toContain(`placard_budget_leased_units${line}\n`);
});
