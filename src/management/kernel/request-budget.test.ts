import { describe, expect, test } from 'vitest';
import { createTestManagement } from '../fixtures/test-management.ts';
import { QUERY_LIMITS } from './query-limits.ts';
import { RequestBudget } from './request-budget.ts';

const limitOf = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return (error as { details: { limitName: string } }).details.limitName;
  }
  return null;
};
const rowsOf = (count: number): unknown[] => Array.from({ length: count }, () => ({}));

describe('The budget of a request', () => {
  test('the budget names the first exceeded limit and stays exceeded', () => {
    const budget = new RequestBudget();
    expect(limitOf(() => budget.countRows(rowsOf(QUERY_LIMITS.rowsMax)))).toBe(null);
    expect(limitOf(() => budget.countRows([{}]))).toBe('rows');
    expect(limitOf(() => budget.countRows([{ html: 'x'.repeat(QUERY_LIMITS.rowCharactersMax + 1) }]))).toBe('rows');
    expect(limitOf(() => budget.checkTime())).toBe('rows');
    expect(budget.exceeded?.code).toBe('query_too_complex');
  });

  test('the budget counts the text inside JSON columns', () => {
    const budget = new RequestBudget();
    const half = 'x'.repeat(QUERY_LIMITS.rowCharactersMax / 2);
    expect(limitOf(() => budget.countRows([{ content: { html: [half] } }, { name: `${half}.` }]))).toBe(
      'row characters',
    );
  });

  test('the budget ends when its time is used up', () => {
    const clock = { nowMs: 0 };
    const budget = new RequestBudget(() => clock.nowMs);
    clock.nowMs = QUERY_LIMITS.millisecondsMax;
    expect(limitOf(() => budget.checkTime())).toBe(null);
    clock.nowMs += 1;
    expect(limitOf(() => budget.checkTime())).toBe('milliseconds');
  });

  test('a mutation may read more rows than a query', () => {
    const budget = new RequestBudget();
    budget.beginMutation();
    expect(limitOf(() => budget.countRows(rowsOf(QUERY_LIMITS.rowsMax + 1)))).toBe(null);
  });

  test('the reads of a mutation are bounded in rows and in their text', () => {
    const [ofRows, ofText] = [new RequestBudget(), new RequestBudget()];
    for (const budget of [ofRows, ofText]) budget.beginMutation();
    expect(limitOf(() => ofRows.countRows(rowsOf(QUERY_LIMITS.mutationRowsMax)))).toBe(null);
    expect(limitOf(() => ofRows.countRows(rowsOf(1)))).toBe('rows');
    const text = 'x'.repeat(QUERY_LIMITS.rowCharactersMax / 2);
    expect(limitOf(() => ofText.countRows([{ html: text }, { html: text }]))).toBe(null);
    expect(limitOf(() => ofText.countRows([{ html: 'x' }]))).toBe('row characters');
  });

  test('the budget runs two reads at a time, and the next when one has ended', async () => {
    const budget = new RequestBudget();
    const ends: (() => void)[] = [];
    let begun = 0;
    const reads = Array.from({ length: 5 }, () =>
      budget.read(() => {
        begun += 1;
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    for (let ended = 0; ended < 5; ended += 1) {
      while (ends.length <= ended) await Promise.resolve();
      expect(begun - ended).toBeLessThanOrEqual(2);
      ends[ended]?.();
    }
    await Promise.all(reads);
    expect(begun).toBe(5);
  });

  test('the engine returns 400 for the whole query when it reads more rows than the limit', async () => {
    const api = await createTestManagement();
    try {
      const management = api.contextFor('reader');
      management.budget.countRows(rowsOf(QUERY_LIMITS.rowsMax));
      const { createEngine } = await import('../schema/engine.ts');
      const { managementSchema } = await import('../schema/schema.ts');
      const response = await createEngine(managementSchema()).run({
        management,
        body: { query: '{ me { actor } network(id: 1000) { name } }' },
        idempotencyKey: null,
      });
      const body = JSON.parse(response.body) as object;
      expect([response.status, body]).toMatchObject([
        400,
        { error: 'query_too_complex', errors: [{ extensions: { limitName: 'rows' } }] },
      ]);
      expect(body).not.toHaveProperty('data');
    } finally {
      await api.close();
    }
  });
});
