import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../../test/support/stores.ts';
import { segmentDay, segmentDayKey } from '../../../domain/targeting/segment-membership.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import { openLedger } from '../../../storage/ledger/ledger-store.ts';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';
import { SegmentSizeJob } from './segment-size-job.ts';
import { recordSizes } from './segment-sizes.sql.ts';

const DAY_MS = 86_400_000;
/** Half an hour after midnight in Warsaw; in UTC it is the day before. */
const START = Date.parse('2026-11-20T23:30:00Z');
const RULE = { any: [{ kind: 'keyValue', key: 'section', values: ['football'] }] };

const folder = createTestFolder();
let hot: HotStore;
let api: TestManagement;
let job: SegmentSizeJob;

beforeAll(async () => {
  hot = openLedger({ dir: join(folder.dir, 'hot'), nowMs: () => api.clock.nowMs, log: silentLog });
  api = await createTestManagement({ hot });
  job = new SegmentSizeJob({ sql: api.database.db, hot, nowMs: () => api.clock.nowMs, log: silentLog });
});
afterAll(async () => {
  await api.close();
  await hot.close();
  folder.remove();
});
beforeEach(async () => {
  api.clock.nowMs = START;
  await api.database.db.deleteFrom('segments').execute();
});

async function make(workspaceId: number, id: bigint, over: object = {}): Promise<void> {
  await api.database.db
    .insertInto('segments')
    .values({ workspace_id: workspaceId, id, name: `S${id}`, ...over })
    .execute();
}

/** Users whom the rule of a segment saw so many days ago. */
const match = (workspaceId: number, id: bigint, daysAgo: number, users: number) =>
  hot.addToCounters([
    {
      key: segmentDayKey(workspaceId, { id: String(id), generation: 1 }, segmentDay(START) - daysAgo),
      by: BigInt(users),
      ttlMs: 400 * DAY_MS,
    },
  ]);

const stored = () =>
  api.database.db
    .selectFrom('segment_sizes')
    .select(['workspace_id', 'segment_id', 'day', 'size'])
    .orderBy('workspace_id')
    .orderBy('segment_id')
    .orderBy('day')
    .execute();

const historyOf = async (id: bigint, days?: number, as = 'reader') =>
  (
    await api.data<{ segment: { sizeHistory: { day: string; size: number }[] } | null }>(
      'query ($id: ID!, $days: Int) { segment(id: $id) { sizeHistory(days: $days) { day size } } }',
      { id: String(id), ...(days === undefined ? {} : { days }) },
      { as },
    )
  ).segment?.sizeHistory ?? null;

describe('the sizes of segments', () => {
  test('a run records uploaded members and those of the rule, under the day of the network’s time zone', async () => {
    await make(1, 1n, { member_count: 40n });
    await make(1, 2n, { member_count: 5n, membership_days: 7, rule: JSON.stringify(RULE) });
    await make(3, 3n, { member_count: 9n });
    await match(1, 2n, 0, 10);
    await match(1, 2n, 6, 20);
    await match(1, 2n, 7, 1_000);
    expect(await job.run()).toBe(3);
    expect(await stored()).toEqual([
      { workspace_id: 1, segment_id: 1n, day: '2026-11-21', size: 40n },
      { workspace_id: 1, segment_id: 2n, day: '2026-11-21', size: 35n },
      { workspace_id: 3, segment_id: 3n, day: '2026-11-20', size: 9n },
    ]);
  });

  test('more runs of a day change nothing, and those of the next day add to it', async () => {
    await make(1, 1n, { member_count: 40n });
    await Promise.all([job.run(), job.run()]);
    await api.database.db.updateTable('segments').set({ member_count: 50n }).execute();
    expect(await job.run()).toBe(0);
    api.clock.nowMs += DAY_MS;
    expect(await job.run()).toBe(1);
    expect((await stored()).map(({ day, size }) => [day, size])).toEqual([
      ['2026-11-21', 40n],
      ['2026-11-22', 50n],
    ]);
  });

  test('a segment with a size of the day is not measured again, and of two runs at once the first size stays', async () => {
    await make(1, 1n, { member_count: 40n, rule: JSON.stringify(RULE) });
    let keysRead = 0;
    const counting = {
      readCounters: (keys: readonly string[]) => {
        keysRead += keys.length;
        return hot.readCounters(keys);
      },
    };
    const counted = new SegmentSizeJob({ sql: api.database.db, hot: counting, nowMs: () => START, log: silentLog });
    await counted.run();
    await counted.run();
    expect(keysRead).toBe(30);
    expect(await recordSizes(api.database.db, 1, [{ segmentId: 1n, day: '2026-11-21', size: 77n }])).toBe(0);
    expect((await stored()).map(({ size }) => size)).toEqual([40n]);
  });

  test('all segments are measured, however many there are, and archived ones are not', async () => {
    for (let id = 1n; id <= 60n; id += 1n) await make(1, id, { status: id === 30n ? 'ARCHIVED' : 'ACTIVE' });
    expect(await job.run()).toBe(59);
  });

  test('a size is deleted after 400 days', async () => {
    await make(1, 1n, { member_count: 40n });
    await job.run();
    api.clock.nowMs += 399 * DAY_MS;
    await job.run();
    expect((await stored()).map(({ day }) => day)).toEqual(['2026-11-21', '2027-12-25']);
    api.clock.nowMs += DAY_MS;
    await job.run();
    expect((await stored()).map(({ day }) => day)).toEqual(['2027-12-25', '2027-12-26']);
  });
});

describe('Segment.sizeHistory', () => {
  test('it has the sizes of the asked days, oldest first, and a day without a size is left out', async () => {
    await make(1, 1n, { member_count: 1n });
    for (const [daysLater, members] of [
      [0, 1n],
      [1, 2n],
      [3, 4n],
    ] as const) {
      api.clock.nowMs = START + daysLater * DAY_MS;
      await api.database.db.updateTable('segments').set({ member_count: members }).execute();
      await job.run();
    }
    const all = [
      { day: '2026-11-21', size: 1 },
      { day: '2026-11-22', size: 2 },
      { day: '2026-11-24', size: 4 },
    ];
    expect(await historyOf(1n)).toEqual(all);
    expect(await historyOf(1n, 3)).toEqual(all.slice(1));
    expect(await historyOf(1n, 1)).toEqual(all.slice(2));
  });

  test('segments of other networks have no sizes, and the sizes of their segments with the same id stay theirs', async () => {
    await make(1, 1n, { member_count: 11n });
    await make(3, 1n, { member_count: 33n });
    await make(3, 2n, { member_count: 34n });
    await job.run();
    expect(await historyOf(1n)).toEqual([{ day: '2026-11-21', size: 11 }]);
    expect(await historyOf(1n, 90, 'stranger')).toEqual([{ day: '2026-11-20', size: 33 }]);
    expect(await historyOf(2n)).toBeNull();
  });

  test('a page of segments takes one statement for all sizes, and costs as many points as it may return rows', async () => {
    for (let id = 1n; id <= 20n; id += 1n) await make(1, id);
    await job.run();
    const sizesOf = async (first: number, days: number | null) => {
      api.statements.log.length = 0;
      const { body } = await api.ask(
        `{ segments(first: ${first}) { nodes { sizeHistory${days === null ? '' : `(days: ${days})`} { day } } } }`,
      );
      const nodes = (body.data as unknown as { segments: { nodes: object[] } }).segments.nodes;
      expect(nodes).toHaveLength(first);
      return {
        statements: api.statements.log.length,
        cost: (body.extensions as unknown as { cost: { requested: number } }).cost.requested,
      };
    };
    const [one, many, longer] = [await sizesOf(1, 90), await sizesOf(20, 90), await sizesOf(1, 91)];
    expect(many.statements).toBe(one.statements);
    expect(longer.cost - one.cost).toBe(4);
    expect((await sizesOf(1, null)).cost).toBe(one.cost);
    expect(many.cost).toBeGreaterThan(19 * one.cost);
  });

  test.each([0, -1, 401])('%s days are refused, with the name of the argument', async (days) => {
    await make(1, 1n);
    const { body } = await api.ask(`{ segment(id: "1") { sizeHistory(days: ${days}) { day } } }`);
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'validation_failed', fields: [{ path: 'days' }] });
  });
});
