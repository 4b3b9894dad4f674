import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestDatabase,
  createTestFolder,
  createTestOlapDatabase,
  silentLog,
  type TestDatabase,
  type TestOlapDatabase,
} from '../../../test/support/stores.ts';
import { storeSampledWeek } from '../../../test/worlds/sample-week.ts';
import { seedLineItem, seedNetwork } from '../../../test/worlds/seed.sql.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { DELIVERY_OLAP_MIGRATIONS } from '../insight/diagnosis/decision-reasons.olap.ts';
import { PlanFeed, PLANS_FOLDER } from './plan-feed.ts';
import { AllocationPlanJob } from './plan-job.ts';
import { listPlans, readPlans, writePlan } from './plan.sql.ts';
import { PLAN_KEPT_MS } from '../../domain/pacing/free-timeline.ts';
import type { PublishedPlan } from './published-plan.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const content = { format: 'IMAGE', imageUrl: 'https://cdn.example/1.png', alt: '' };
let nowMs = startMs;
let database: TestDatabase;
let analytics: TestOlapDatabase;
let registry: Registry;
/** What the hot store has counted. */
let counted: Record<string, number> = {};

beforeAll(async () => {
  [database, analytics] = await Promise.all([createTestDatabase(), createTestOlapDatabase()]);
  await migrateOlap({ olap: analytics.olap, migrations: DELIVERY_OLAP_MIGRATIONS, log: silentLog });
  await seedNetwork(database.db);
  await database.db.updateTable('networks').set({ timezone: 'UTC' }).execute();
  // 1,680 requests from Poland and 840 from Germany a week.
  await storeSampledWeek(analytics.olap, startMs, () => [...Array(10).fill('pl'), ...Array(5).fill('de')] as string[]);
  await seedLineItem(database.db, { id: 11n, cpm: 1n, content });
  await seedLineItem(database.db, {
    id: 12n,
    cpm: 1n,
    content,
    targeting: { dimension: 'country', operator: 'is', values: ['DE'] },
  });
});
afterAll(async () => {
  await analytics?.close();
  await database?.close();
});

/** A broad goal on a higher level than a narrow one. Together they want two thirds of all requests of a week. */
beforeEach(async () => {
  nowMs = startMs;
  counted = {};
  registry = new Registry();
  await database.db.deleteFrom('allocation_plans').execute();
  const flight = { type: 'STANDARD', starts_at: new Date(startMs), ends_at: new Date(startMs + 7 * DAY_MS) } as const;
  for (const [id, level, amount] of [
    [11n, 1, 1_260],
    [12n, 8, 420],
  ] as const) {
    const goal = JSON.stringify({ kind: 'IMPRESSIONS', amount, period: 'LIFETIME' });
    await database.db
      .updateTable('line_items')
      .set({ ...flight, goal, level, status: 'ACTIVE' })
      .where('id', '=', id)
      .execute();
  }
});

function openJob(
  olap: Pick<TestOlapDatabase['olap'], 'query' | 'stream'> = analytics.olap,
  sql: TestDatabase['db'] = database.db,
): AllocationPlanJob {
  return new AllocationPlanJob({
    sql,
    hot: { readCounters: async (keys) => keys.map((key) => BigInt(counted[key] ?? 0)) },
    olap,
    nowMs: () => nowMs,
    registry,
    log: silentLog,
  });
}

async function outcomes(): Promise<Record<string, number>> {
  const { values } = (await registry.getSingleMetric('placard_plans_total')?.get()) ?? { values: [] };
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels['outcome']), value]));
}

async function storedPlan(): Promise<PublishedPlan | undefined> {
  return (await readPlans(database.db, [1, 2]))[0]?.plan;
}

function openFeed(options: { dir?: string; writesFile?: boolean; sql?: TestDatabase['db'] } = {}): PlanFeed {
  const { dir = '/nowhere', writesFile = false, sql = database.db } = options;
  return new PlanFeed({ sql, dataDir: dir, writesFile, nowMs: () => nowMs, log: silentLog });
}

describe('the job of allocation plans', () => {
  test('a goal with more time counts on what later flights leave to it, and a goal that is done leaves all', async () => {
    const laterMs = startMs + 6 * DAY_MS;
    await database.db
      .updateTable('line_items')
      .set({ starts_at: new Date(laterMs) })
      .where('id', '=', 12n)
      .execute();
    const job = openJob();
    await job.run();
    const plan = await storedPlan();
    expect(plan).toMatchObject({ madeAtMs: startMs });
    const free = new Map(plan?.free);
    const shareAt = (atMs: number) => free.get('11')?.shares.find(({ untilMs }) => atMs < untilMs)?.share ?? Number.NaN;
    expect(shareAt(startMs + HOUR_MS)).toBe(1);
    // The narrow one claims all of a third of the traffic.
    expect(shareAt(laterMs + HOUR_MS)).toBeGreaterThan(0.6);
    expect(shareAt(laterMs + HOUR_MS)).toBeLessThan(0.8);
    counted = { 'd/1/li/12/imp/all': 420, 'd/1/li/12/ans/all': 420 };
    nowMs += 300_000;
    await job.run();
    const after = new Map((await storedPlan())?.free).get('11')?.shares ?? [];
    expect(after.at(-1)?.share).toBe(1);
    expect(await outcomes()).toEqual({ made: 2 });
    await job.stop();
  });

  test('a change of bookings is planned early, even if the list of workspaces cannot be read at first', async () => {
    let isDown = false;
    const sql = new Proxy(database.db, {
      get: (db, name) => {
        if (isDown && name === 'selectFrom') throw new Error('PostgreSQL is down');
        const member: unknown = Reflect.get(db, name, db);
        return typeof member === 'function' ? member.bind(db) : member;
      },
    });
    const job = openJob(analytics.olap, sql);
    await job.run();
    job.recordChanges([{ kind: 'lineItem', workspaceId: 1, id: '11' }]);
    isDown = true;
    nowMs += 30_000;
    await expect(job.run()).rejects.toThrow('PostgreSQL is down');
    isDown = false;
    nowMs += 10_000;
    await job.run();
    expect((await listPlans(database.db, 0))[0]?.madeAtMs).toBe(nowMs);
    await job.stop();
  });

  test('a plan is made every five minutes, and two seconds after the last change of bookings', async () => {
    const job = openJob();
    const madeAt = async (atMs: number) => {
      nowMs = startMs + atMs;
      await job.run();
      return ((await listPlans(database.db, 0))[0]?.madeAtMs ?? 0) - startMs;
    };
    const change = (kind: string, workspaceId = 1) => job.recordChanges([{ kind, workspaceId, id: '11' }]);
    expect(await madeAt(0)).toBe(0);
    expect(await madeAt(299_000)).toBe(0);
    expect(await madeAt(300_000)).toBe(300_000);
    change('lineItem');
    expect(await madeAt(301_500)).toBe(300_000);
    change('creative');
    expect(await madeAt(302_500)).toBe(300_000);
    expect(await madeAt(303_500)).toBe(303_500);
    change('adUnit');
    nowMs += 1;
    expect(await madeAt(310_000)).toBe(310_000);
    change('apiKey');
    change('lineItem', 2);
    expect(await madeAt(320_000)).toBe(310_000);
    change('network', 0);
    nowMs = startMs + 320_001;
    expect(await madeAt(323_000)).toBe(323_000);
    await job.stop();
  });

  test('steady changes delay a plan by half a minute at most', async () => {
    const job = openJob();
    await job.run();
    const made: number[] = [];
    for (let atMs = 1_000; atMs <= 35_000; atMs += 1_000) {
      nowMs = startMs + atMs;
      job.recordChanges([{ kind: 'lineItem', workspaceId: 1, id: '11' }]);
      await job.run();
      made.push(((await listPlans(database.db, 0))[0]?.madeAtMs ?? 0) - startMs);
    }
    expect(made.at(-6)).toBe(0);
    expect(made.at(-1)).toBe(31_000);
    await job.stop();
  });

  test('a workspace whose plan takes long waits four times as long, whatever changes', async () => {
    const query: TestOlapDatabase['olap']['query'] = (asked) => {
      nowMs += 10_000;
      return analytics.olap.query(asked);
    };
    const job = openJob({ query, stream: (asked) => analytics.olap.stream(asked) });
    await job.run();
    const endedMs = nowMs;
    const tookMs = endedMs - startMs;
    expect(tookMs).toBeGreaterThanOrEqual(10_000);
    const madeAt = async (atMs: number) => {
      nowMs = atMs;
      job.recordChanges([{ kind: 'lineItem', workspaceId: 1, id: '11' }]);
      nowMs += 3_000;
      await job.run();
      return (await outcomes())['made'];
    };
    expect(await madeAt(endedMs + 4 * tookMs - 10_000)).toBe(1);
    nowMs = endedMs + 4 * tookMs;
    await job.run();
    expect((await outcomes())['made']).toBe(2);
    await job.stop();
  });

  test('a failed plan leaves the last one in use, and is tried again in five minutes', async () => {
    await openJob().run();
    const broken = { query: () => Promise.reject(new Error('down')), stream: analytics.olap.stream };
    registry = new Registry();
    const job = openJob(broken as unknown as TestOlapDatabase['olap']);
    nowMs += 60_000;
    await job.run();
    nowMs += 240_000;
    await job.run();
    expect(await outcomes()).toEqual({ failed: 1 });
    nowMs += 60_000;
    await job.run();
    expect(await outcomes()).toEqual({ failed: 2 });
    expect((await storedPlan())?.madeAtMs).toBe(startMs);
    await job.stop();
  });

  test('a job that lost its lease makes plans again when it gets the lease back', async () => {
    const job = openJob();
    await job.run();
    await job.stop();
    nowMs += 300_000;
    job.start();
    await expect.poll(outcomes, { timeout: 60_000 }).toEqual({ made: 2 });
    await job.stop();
  });

  test('a workspace without an active goal is not planned', async () => {
    await database.db.updateTable('line_items').set({ status: 'PAUSED' }).execute();
    const job = openJob();
    await job.run();
    expect(await outcomes()).toEqual({});
    await job.stop();
  });
});

describe('the feed of allocation plans', () => {
  const plan: PublishedPlan = {
    madeAtMs: startMs,
    free: [['11', { shares: [{ untilMs: startMs + DAY_MS, share: 0.4 }], hours: null, tightness: 0.5 }]],
  };

  test('a process serves by the newest plan, and by none when it is a day old', async () => {
    const feed = openFeed();
    await writePlan(database.db, 1, plan);
    await feed.reload();
    expect(feed.find(1, '11', nowMs)?.shares[0]?.share).toBe(0.4);
    expect(feed.find(2, '11', nowMs)).toBeNull();
    await writePlan(database.db, 1, { ...plan, madeAtMs: startMs - 1, free: [] });
    await feed.reload();
    expect(feed.find(1, '11', nowMs)?.shares[0]?.share).toBe(0.4);
    await writePlan(database.db, 1, { ...plan, madeAtMs: startMs + 1, free: [] });
    await feed.reload();
    expect(feed.find(1, '11', nowMs)).toBeNull();
    expect(feed.find(1, '11', startMs + 1 + PLAN_KEPT_MS)).toBeNull();
  });

  test('a process begins with the plans on disk, and goes on by them while PostgreSQL is down', async () => {
    const { dir, remove } = createTestFolder();
    const down = {
      selectFrom: () => {
        throw new Error('down');
      },
    } as unknown as TestDatabase['db'];
    await writePlan(database.db, 1, plan);
    await openFeed({ dir, writesFile: true }).reload();
    const restarted = openFeed({ dir, sql: down });
    await restarted.start();
    await restarted.reload();
    expect(restarted.find(1, '11', nowMs)?.shares[0]?.share).toBe(0.4);
    await restarted.stop();
    nowMs += PLAN_KEPT_MS;
    const late = openFeed({ dir, sql: down });
    await late.start();
    expect(late.find(1, '11', startMs)).toBeNull();
    await late.stop();
    remove();
  });

  test.each([
    ['a text', 'text'],
    ['null', null],
    ['without shares', { madeAtMs: startMs }],
    [
      'with a share of null',
      { ...plan, free: [['11', { shares: [{ untilMs: startMs, share: null }], hours: null, tightness: 0.5 }]] },
    ],
    [
      'with a share of 0',
      { ...plan, free: [['11', { shares: [{ untilMs: startMs, share: 0 }], hours: null, tightness: 0.5 }]] },
    ],
    [
      'with an hour too few',
      { ...plan, free: [['11', { shares: [], hours: Array.from({ length: 23 }, () => 1), tightness: 0.5 }]] },
    ],
    ['with a share of nothing', { ...plan, free: [null] }],
    ['of an earlier form', { madeAtMs: startMs, shares: [['11', startMs, 0.4, 0, 0, 0]] }],
  ])('a stored plan that is %s is logged once, and the plans of other networks are in use', async (_name, bad) => {
    const stored = [
      { workspaceId: 1, plan: bad },
      { workspaceId: 2, plan },
    ];
    for (const one of stored)
      await database.db
        .insertInto('allocation_plans')
        .values({ workspace_id: one.workspaceId, made_at: new Date(startMs), plan: JSON.stringify(one.plan) })
        .execute();
    const logged: unknown[] = [];
    const log = {
      ...silentLog,
      event: (code: string, fields: object = {}) =>
        void logged.push([code, 'workspaceId' in fields && fields.workspaceId]),
    };
    const feed = new PlanFeed({ sql: database.db, dataDir: '/nowhere', writesFile: false, nowMs: () => nowMs, log });
    await feed.reload();
    await feed.reload();
    expect(feed.find(1, '11', nowMs)).toBeNull();
    expect(feed.find(2, '11', nowMs)?.shares[0]?.share).toBe(0.4);
    expect(logged).toEqual([['plan.not_usable', 1]]);
  });

  test('reads that fail one after the other are logged once, until one succeeds', async () => {
    const rename = (from: string, to: string) => database.owner.schema.alterTable(from).renameTo(to).execute();
    const logged: string[] = [];
    const log = { ...silentLog, event: (code: string) => void logged.push(code) };
    const feed = new PlanFeed({ sql: database.db, dataDir: '/nowhere', writesFile: false, nowMs: () => nowMs, log });
    await rename('allocation_plans', 'plans_elsewhere');
    await feed.reload();
    await feed.reload();
    expect(logged).toEqual(['plan.not_read']);
    await rename('plans_elsewhere', 'allocation_plans');
    await feed.reload();
    await rename('allocation_plans', 'plans_elsewhere');
    await feed.reload();
    expect(logged).toEqual(['plan.not_read', 'plan.not_read']);
    await rename('plans_elsewhere', 'allocation_plans');
  });

  test('a plan on disk that cannot be read does not cost the others', async () => {
    const { dir, remove } = createTestFolder();
    mkdirSync(join(dir, PLANS_FOLDER));
    const entries = [
      { workspaceId: 2, plan: { madeAtMs: 'x' } },
      { workspaceId: 1, plan },
    ];
    writeFileSync(join(dir, PLANS_FOLDER, 'plans.json'), JSON.stringify(entries));
    const feed = openFeed({ dir });
    await feed.start();
    expect(feed.find(1, '11', nowMs)?.shares[0]?.share).toBe(0.4);
    expect(feed.find(2, '11', nowMs)).toBeNull();
    await feed.stop();
    remove();
  });

  test.each(['', '{"a":1}', '[{"workspaceId":1,"plan":{"madeAtMs":"x"}}]'])(
    'a process starts without plans when the file on disk is %j',
    async (text) => {
      const { dir, remove } = createTestFolder();
      await writePlan(database.db, 1, plan);
      await openFeed({ dir, writesFile: true }).reload();
      writeFileSync(join(dir, PLANS_FOLDER, 'plans.json'), text);
      await database.db.deleteFrom('allocation_plans').execute();
      const feed = openFeed({ dir });
      await feed.start();
      expect(feed.find(1, '11', nowMs)).toBeNull();
      await feed.stop();
      remove();
    },
  );
});
