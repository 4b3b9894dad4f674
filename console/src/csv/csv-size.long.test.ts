import { expect, test } from 'vitest';
import { planImport } from './csv-plan.ts';
import { CSV_ROWS_MAX, readTable } from './format/csv-text.ts';

test('a file of 10,000 rows under as many campaigns is planned without comparing each with each', () => {
  const numbers = Array.from({ length: CSV_ROWS_MAX }, (_, at) => at);
  const table = readTable(`name,type,campaign\n${numbers.map((at) => `Item ${at},HOUSE,Campaign ${at}\n`).join('')}`);
  if ('fault' in table) throw new Error(table.fault);
  let reads = 0;
  const parents = numbers.map((at) => ({
    id: String(at),
    get name() {
      reads += 1;
      return `Campaign ${at}`;
    },
    status: 'ACTIVE',
    advertiser: { name: 'Acme' },
  }));
  const plan = planImport(
    'lineItems',
    table,
    { records: [], parents, advertisers: [] },
    { timezone: 'UTC', makesMissing: false },
  );
  expect(plan.rows.every(({ action }) => action === 'make')).toBe(true);
  expect(plan.rows.at(-1)?.input).toMatchObject({ campaignId: String(CSV_ROWS_MAX - 1) });
  expect(reads).toBeLessThan(10 * CSV_ROWS_MAX);
});
