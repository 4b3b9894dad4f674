import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import type { Segment } from '../../domain/targeting/segment.ts';
import {
  readSegments,
  segmentDay,
  segmentDayKey,
  segmentListKey,
  segmentUserPrefixes,
} from '../../domain/targeting/segment-membership.ts';
import { openLedger } from '../ledger/ledger-store.ts';
import { SegmentMemberships } from './segment-memberships.ts';

const DAY_MS = 86_400_000;
const folder = createTestFolder();
const clock = { nowMs: Date.parse('2026-11-20T10:00:00Z') };
const startMs = clock.nowMs;
let hot: ReturnType<typeof openLedger>;
let users = 0;
let userHash = '';

beforeAll(() => {
  hot = openLedger({ dir: folder.dir, nowMs: () => clock.nowMs, log: silentLog });
});
beforeEach(() => {
  clock.nowMs = startMs;
  users += 1;
  userHash = users.toString(16).padStart(16, '0');
});
afterAll(async () => {
  await hot.close();
  folder.remove();
});

const segment: Segment = { id: '7', generation: 2, membershipDays: 10, rule: null };

async function see(times = 1, workspaceId = 1): Promise<void> {
  const memberships = new SegmentMemberships({ hot, nowMs: () => clock.nowMs, log: silentLog });
  for (let time = 0; time < times; time += 1)
    memberships.record({ workspaceId, userHash, segment, seenAtMs: clock.nowMs });
  await memberships.stop();
}

const listOf = (workspaceId = 1) => hot.readList(segmentListKey(workspaceId, userHash));
const isMember = async (generation = 2) =>
  readSegments(await listOf(), new Map([['7', generation]]), clock.nowMs).length > 0;
const counted = async (atMs: number) =>
  Number((await hot.readCounters([segmentDayKey(1, segment, segmentDay(atMs))]))[0] ?? 0n);

describe('a user who is seen to meet a rule', () => {
  test('a user who meets a rule is a member for the days of the segment, and then no more', async () => {
    await see();
    expect(await isMember()).toBe(true);
    clock.nowMs += 10 * DAY_MS - 1;
    expect(await isMember()).toBe(true);
    clock.nowMs += 1_001;
    expect(await isMember()).toBe(false);
  });

  test('a membership does not hold in another generation, nor in another workspace', async () => {
    await see();
    expect([await isMember(3), (await listOf(2)).length]).toEqual([false, 0]);
  });

  test('a membership lasts longer when the user is seen again, with few entries however often that is', async () => {
    for (let hour = 0; hour < 24 * 6; hour += 1) {
      clock.nowMs = startMs + hour * 3_600_000;
      await see(3);
    }
    expect((await listOf()).length).toBeLessThanOrEqual(7);
    clock.nowMs = startMs + 14.9 * DAY_MS;
    expect(await isMember()).toBe(true);
  });

  test('a user counts once in the days of the segment', async () => {
    const before = await counted(startMs);
    await see(2);
    clock.nowMs += 2 * DAY_MS;
    await see(2);
    expect([(await counted(startMs)) - before, await counted(clock.nowMs)]).toEqual([1, 0]);
  });
});

test("the memberships of a user are stored under the user's prefixes, and are deleted with them", async () => {
  const neighbour = `${userHash.slice(0, -1)}f`;
  await see();
  await see(1, 3);
  const memberships = new SegmentMemberships({ hot, nowMs: () => clock.nowMs, log: silentLog });
  memberships.record({ workspaceId: 1, userHash: neighbour, segment, seenAtMs: clock.nowMs });
  await memberships.stop();
  const prefixes = segmentUserPrefixes(1, userHash);
  expect(await hot.deletePrefixes(prefixes)).toEqual([1, 1, 1]);
  // Nothing that names the user is left of this workspace: a user who is seen again is counted as new.
  const before = await counted(clock.nowMs);
  await see();
  expect([await counted(clock.nowMs), await isMember()]).toEqual([before + 1, true]);
  expect(await hot.deletePrefixes(segmentUserPrefixes(1, neighbour))).toEqual([1, 1, 1]);
  expect(await hot.deletePrefixes(segmentUserPrefixes(3, userHash))).toEqual([1, 1, 1]);
});

test('sightings above the bound are left out, and the rest is written', async () => {
  const memberships = new SegmentMemberships({ hot, nowMs: () => clock.nowMs, log: silentLog });
  for (let user = 0; user < 20_003; user += 1)
    memberships.record({ workspaceId: 9, userHash: `u${user}`, segment, seenAtMs: clock.nowMs });
  await memberships.stop();
  expect(memberships.stats).toEqual({ written: 20_000, leftOut: 3, failures: 0 });
});

test('a store that fails loses sightings, and nothing else', async () => {
  const broken = {
    readListNow: () => [],
    readList: async () => [],
    applyOnceAll: () => Promise.reject(new Error('away')),
  };
  const memberships = new SegmentMemberships({ hot: broken, nowMs: () => clock.nowMs, log: silentLog });
  memberships.record({ workspaceId: 1, userHash, segment, seenAtMs: clock.nowMs });
  await memberships.stop();
  expect(memberships.stats.failures).toBe(1);
});
