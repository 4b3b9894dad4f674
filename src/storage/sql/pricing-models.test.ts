import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/stores.ts';
import { PRICING_MODELS } from '../../domain/pricing/pricing-models.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('the CHECK of the database allows exactly the pricing models of the table', async () => {
  const { rows } = await sql<{ definition: string }>`
    SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE conname = 'line_items_pricing_model_check'`.execute(database.db);
  const allowed = [...(rows[0]?.definition ?? '').matchAll(/'([A-Z]+)'/g)].map(([, model]) => model);
  expect(new Set(allowed)).toEqual(new Set(PRICING_MODELS));
});
