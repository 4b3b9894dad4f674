import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/stores.ts';
import { OPTIMISATION_GOAL_NAMES } from '../../domain/booking/optimisation-goal.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('the CHECK of the database allows exactly the optimisation goals of the table', async () => {
  const { rows } = await sql<{ definition: string }>`
    SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE conname = 'line_items_optimisation_goal_check'`.execute(database.db);
  const allowed = [...(rows[0]?.definition ?? '').matchAll(/'([A-Z_]+)'/g)].map(([, goal]) => goal);
  expect(new Set(allowed)).toEqual(new Set(OPTIMISATION_GOAL_NAMES));
});
