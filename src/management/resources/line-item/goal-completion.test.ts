import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder, silentLog, type TestDatabase } from '../../../../test/support/stores.ts';
import { lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import { openLedger } from '../../../storage/ledger/ledger-store.ts';
import { GoalCompletion } from './goal-completion.ts';

const folder = createTestFolder();
let database: TestDatabase;
let hot: HotStore;
let completion: GoalCompletion;

beforeAll(async () => {
  database = await createTestDatabase();
  hot = openLedger({ dir: join(folder.dir, 'hot'), nowMs: Date.now, log: silentLog });
  completion = new GoalCompletion({ sql: database.db, hot, nowMs: Date.now, log: silentLog });
  const { db } = database;
  await db
    .insertInto('networks')
    .values({ id: 1000n, name: 'Demo', timezone: 'Europe/Warsaw', currency: 'PLN' })
    .execute();
  await db.insertInto('workspaces').values({ id: 1, network_id: 1000n, environment: 'production' }).execute();
  const none = { external_id: null };
  const advertiser = { name: 'Acme', domains: [], dsa_behalf: null, dsa_paid: null, credit_micros: null };
  await db
    .insertInto('advertisers')
    .values({ workspace_id: 1, id: 1n, ...advertiser, ...none })
    .execute();
  await db
    .insertInto('campaigns')
    .values({ workspace_id: 1, id: 1n, advertiser_id: 1n, name: 'C', status: 'ACTIVE', ...none })
    .execute();
});
afterAll(async () => {
  await hot.close();
  await database.close();
  folder.remove();
});

async function book(id: bigint, row: { goal: object; pauseAfterGoal: boolean }): Promise<void> {
  await database.db
    .insertInto('line_items')
    .values({
      workspace_id: 1,
      id,
      campaign_id: 1n,
      name: `L${id}`,
      status: 'ACTIVE',
      type: 'STANDARD',
      goal: JSON.stringify(row.goal),
      pause_after_goal: row.pauseAfterGoal,
      share_percent: null,
      timezone: null,
      external_id: null,
      targeting: null,
    })
    .execute();
}

async function deliver(id: bigint, kind: 'imp' | 'clk', count: bigint): Promise<void> {
  const key = lifetimeCounterKey({ workspaceId: 1, scope: 'li', id: String(id), kind });
  await hot.addToCounters([{ key, by: count, ttlMs: 60_000 }]);
}

async function statusesOf(ids: readonly bigint[]): Promise<Record<string, string>> {
  const rows = await database.db.selectFrom('line_items').select(['id', 'status']).where('id', 'in', ids).execute();
  return Object.fromEntries(rows.map((row) => [String(row.id), row.status]));
}

test('a line item with pauseAfterGoal is completed once at its lifetime goal, with an audit entry', async () => {
  const goal = { kind: 'IMPRESSIONS', amount: 100, period: 'LIFETIME' };
  await book(11n, { goal, pauseAfterGoal: true });
  await book(12n, { goal, pauseAfterGoal: true });
  await book(13n, { goal, pauseAfterGoal: false });
  await book(14n, { goal: { ...goal, period: 'DAY' }, pauseAfterGoal: true });
  await book(15n, { goal: { ...goal, kind: 'CLICKS' }, pauseAfterGoal: true });
  for (const id of [11n, 13n, 14n, 15n]) await deliver(id, 'imp', 100n);
  await deliver(12n, 'imp', 99n);
  expect(await completion.run()).toBe(1);
  expect(await completion.run()).toBe(0);
  expect(await statusesOf([11n, 12n, 13n, 14n, 15n])).toEqual({
    '11': 'COMPLETED',
    '12': 'ACTIVE',
    '13': 'ACTIVE',
    '14': 'ACTIVE',
    '15': 'ACTIVE',
  });
  const entries = await database.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'object_id'])
    .where('action', '=', 'lineItem.complete')
    .execute();
  expect(entries).toEqual([{ actor: 'system:pacing', action: 'lineItem.complete', object_id: '11' }]);
});

test('a raised goal is not completed before it is reached again', async () => {
  await book(21n, { goal: { kind: 'IMPRESSIONS', amount: 10, period: 'LIFETIME' }, pauseAfterGoal: true });
  await deliver(21n, 'imp', 10n);
  const raised = { kind: 'IMPRESSIONS', amount: 20, period: 'LIFETIME' };
  await database.db
    .updateTable('line_items')
    .set({ goal: JSON.stringify(raised) })
    .where('id', '=', 21n)
    .execute();
  await completion.run();
  expect(await statusesOf([21n])).toEqual({ '21': 'ACTIVE' });
  await deliver(21n, 'imp', 10n);
  await completion.run();
  expect(await statusesOf([21n])).toEqual({ '21': 'COMPLETED' });
});
