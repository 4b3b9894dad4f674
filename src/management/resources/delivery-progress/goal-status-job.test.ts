import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder, silentLog, type TestDatabase } from '../../../../test/support/stores.ts';
import { listAudit } from '../../../access/audit/audit.sql.ts';
import { lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import { openLedger } from '../../../storage/ledger/ledger-store.ts';
import { seedNetworks } from '../../fixtures/test-management.ts';
import { GoalStatusJob } from './goal-status-job.ts';
import { StandingsJob } from './standings-job.ts';
import { listServingRows, type ServingPage, type WalkPosition } from './goal-status.sql.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-11-01T00:00:00Z');
const GOAL = { kind: 'IMPRESSIONS', amount: 1_000_000, period: 'LIFETIME' };

const folder = createTestFolder();
const clock = { nowMs: START };
let database: TestDatabase;
let hot: HotStore;
let job: GoalStatusJob;

beforeAll(async () => {
  database = await createTestDatabase();
  hot = openLedger({ dir: join(folder.dir, 'hot'), nowMs: () => clock.nowMs, log: silentLog });
  job = new GoalStatusJob({ sql: database.db, hot, nowMs: () => clock.nowMs, log: silentLog });
  await seedNetworks(database);
  for (const workspaceId of [1, 3]) {
    const own = { workspace_id: workspaceId, id: 1n, external_id: null };
    await database.db
      .insertInto('advertisers')
      .values({ ...own, name: 'A', domains: [], dsa_behalf: null, dsa_paid: null, credit_micros: null })
      .execute();
    await database.db
      .insertInto('campaigns')
      .values({ ...own, advertiser_id: 1n, name: 'C', status: 'ACTIVE' })
      .execute();
  }
});
afterAll(async () => {
  await hot.close();
  await database.close();
  folder.remove();
});

async function book(workspaceId: number, id: bigint, over: object = {}): Promise<void> {
  await database.db
    .insertInto('line_items')
    .values({
      workspace_id: workspaceId,
      id,
      campaign_id: 1n,
      name: `L${id}`,
      status: 'ACTIVE',
      type: 'STANDARD',
      goal: JSON.stringify(GOAL),
      starts_at: new Date(START + DAY_MS),
      ends_at: new Date(START + 11 * DAY_MS),
      share_percent: null,
      timezone: null,
      external_id: null,
      targeting: null,
      ...over,
    })
    .execute();
}

const deliver = (workspaceId: number, id: string, impressions: number) =>
  hot.addToCounters([
    {
      key: lifetimeCounterKey({ workspaceId, scope: 'li', id, kind: 'imp' }),
      by: BigInt(impressions),
      ttlMs: 100 * DAY_MS,
    },
  ]);

async function told(networkId: string): Promise<string[]> {
  const entries = await listAudit(
    database.db,
    networkId,
    { action: 'lineItem.progress' },
    { beforeSequence: null, limit: 100 },
  );
  return entries.toReversed().map(({ objectId, details }) => {
    const { before, after } = details as Record<'before' | 'after', { goalStatus: string }>;
    return `${objectId}: ${before.goalStatus} → ${after.goalStatus}`;
  });
}

async function lookTwice(): Promise<void> {
  await job.run();
  await job.run();
}

test('a line item that starts, falls behind, is at risk, recovers and reaches its goal is told once each time', async () => {
  await book(1, 1n);
  await book(3, 1n);
  await lookTwice();
  expect(await told('1000')).toEqual([]);
  clock.nowMs = START + DAY_MS + 60_000;
  await lookTwice();
  await lookTwice();
  expect(await told('1000')).toEqual(['1: NOT_STARTED → ON_TRACK']);
  clock.nowMs = START + 4 * DAY_MS;
  await deliver(1, '1', 100_000);
  await lookTwice();
  await lookTwice();
  expect(await told('1000')).toEqual(['1: NOT_STARTED → ON_TRACK', '1: ON_TRACK → AT_RISK']);
  await deliver(1, '1', 900_000);
  await lookTwice();
  expect((await told('1000')).at(-1)).toBe('1: AT_RISK → REACHED');
  clock.nowMs = START + 12 * DAY_MS;
  await lookTwice();
  expect(await told('1000')).toHaveLength(3);
  expect(await told('2000')).toEqual(['1: NOT_STARTED → ON_TRACK', '1: ON_TRACK → AT_RISK', '1: AT_RISK → MISSED']);
});

test('a line item is not told to be late while the history of its environment is being made', async () => {
  clock.nowMs = START + 4 * DAY_MS;
  await book(1, 6n);
  const making = new GoalStatusJob({
    sql: database.db,
    hot,
    nowMs: () => clock.nowMs,
    log: silentLog,
    isHistoryMade: (workspaceId) => workspaceId === 1,
  });
  const ofIt = async () => (await told('1000')).filter((one) => one.startsWith('6:'));
  await making.run();
  await making.run();
  expect(await ofIt()).toEqual([]);
  await lookTwice();
  expect(await ofIt()).toHaveLength(1);
});

test('no money is at risk while the history of an environment is being made', async () => {
  clock.nowMs = START + 4 * DAY_MS;
  await book(1, 7n, { price_micros: 2_000_000n });
  const deps = { sql: database.db, hot, nowMs: () => clock.nowMs, log: silentLog };
  const hasLeft = async (): Promise<boolean> => {
    const row = await database.db
      .selectFrom('line_item_standings')
      .select('left_nanos')
      .where('workspace_id', '=', 1)
      .where('line_item_id', '=', 7n)
      .executeTakeFirstOrThrow();
    return Number(row.left_nanos) > 0;
  };
  await new StandingsJob({ ...deps, isHistoryMade: () => true }).run();
  expect(await hasLeft()).toBe(false);
  await new StandingsJob(deps).run();
  expect(await hasLeft()).toBe(true);
});

test('a status that is gone at the next look is not told', async () => {
  clock.nowMs = START + 4 * DAY_MS;
  await book(1, 2n);
  await deliver(1, '2', 300_000);
  await lookTwice();
  clock.nowMs = START + 6 * DAY_MS;
  await job.run();
  await deliver(1, '2', 250_000);
  await lookTwice();
  expect((await told('1000')).filter((one) => one.startsWith('2:'))).toEqual([]);
});

test('line items without a goal, paused ones and those of paused campaigns are left alone', async () => {
  clock.nowMs = START + 4 * DAY_MS;
  await book(1, 3n, { goal: null });
  await book(1, 4n, { status: 'PAUSED' });
  await book(1, 5n, { pacing: 'ASAP' });
  await lookTwice();
  expect((await told('1000')).filter((one) => /^[345]:/.test(one))).toEqual([]);
});

test('a walk over pages of any size finds each serving line item once, also behind pages of line items that do not serve', async () => {
  const own = { workspace_id: 1, id: 2n, external_id: null };
  await database.db
    .insertInto('campaigns')
    .values({ ...own, advertiser_id: 1n, name: 'Paused', status: 'PAUSED' })
    .execute();
  for (let id = 20n; id < 26n; id += 1n) await book(1, id, { campaign_id: 2n });
  await book(1, 30n);
  const walk = async (rowsMax: number): Promise<string[]> => {
    const found: string[] = [];
    for (let after: WalkPosition | null = { workspaceId: 0, lineItemId: 0n }; after !== null; ) {
      const page: ServingPage = await listServingRows(database.db, after, rowsMax);
      found.push(...page.rows.map(({ row }) => `${row.workspace_id}/${row.id}`));
      after = page.next;
    }
    return found;
  };
  const whole = await walk(1_000);
  expect(whole).toContain('1/30');
  expect(whole).not.toContain('1/20');
  for (const rowsMax of [1, 2, 3, 7]) expect(await walk(rowsMax)).toEqual(whole);
});
