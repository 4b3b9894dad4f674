import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApprovalWorld, createApprovalWorld, problemOf } from './fixtures/approval-world.ts';

let world: ApprovalWorld;
let campaignId = '';

beforeAll(async () => {
  world = await createApprovalWorld();
  campaignId = await world.createCampaign({ endsAt: '2026-12-21T00:00:00Z' });
});
afterAll(() => world.api.close());

/** Replaces all keys: each has its id, its maker, and the workspace where it works. */
async function setKeys(keys: readonly (readonly [id: number, maker: string, workspaceId?: number])[]): Promise<void> {
  const { db } = world.api.database;
  await db.deleteFrom('api_keys').execute();
  for (const [id, maker, workspaceId = 1] of keys)
    await sql`INSERT INTO api_keys (id, workspace_id, name, permission, digest, prefix, last_four, created_by)
      OVERRIDING SYSTEM VALUE VALUES (${id}::bigint, ${workspaceId}::int, 'k', 'admin', ${Buffer.from([id])}, 'p', 'last', ${maker})`.execute(
      db,
    );
}

const ANN = 'user:101 ann@example.com';
/** The caller `admin` is the key 7. */
const DEEP = Array.from({ length: 12 }, (_, at) => [7 + at, at === 11 ? ANN : `key:${8 + at} "k"`] as const);

test.each([
  ['a key that she made', [[7, ANN]], true],
  [
    'a key that a key of hers made',
    [
      [7, 'key:8 "k"'],
      [8, ANN],
    ],
    true,
  ],
  [
    'a key that a key of hers in the other environment made',
    [
      [7, 'key:8 "k"'],
      [8, ANN, 2],
    ],
    true,
  ],
  [
    'a key of another member',
    [
      [7, 'key:8 "k"'],
      [8, 'user:102 ben@example.com'],
    ],
    false,
  ],
  ['a key that the operator made', [[7, 'operator:root']], true],
  ['a key whose maker is gone', [[7, 'key:8 "k"']], true],
  [
    'a key of another network',
    [
      [7, 'key:8 "k"'],
      [8, 'user:102 ben@example.com', 3],
    ],
    true,
  ],
  [
    'keys that made each other',
    [
      [7, 'key:8 "k"'],
      [8, 'key:7 "k"'],
    ],
    true,
  ],
  ['keys made by keys without an end', DEEP, true],
] as const)('ann cannot approve what %s booked: %#', async (_name, keys, isRefused) => {
  await setKeys(keys);
  const { id } = await world.book(campaignId, {}, 'admin');
  expect(await world.mayApprove(id, 'ann')).toBe(!isRefused);
  expect(problemOf(await world.approve(id, 'ann'))).toBe(isRefused ? 'insufficient_permissions' : undefined);
});

test('who asks by a key of a key cannot approve', async () => {
  await setKeys([
    [7, 'key:8 "k"'],
    [8, ANN],
  ]);
  const { id } = await world.book(campaignId);
  await world.request(id, 'admin');
  expect([await world.mayApprove(id, 'ann'), await world.mayApprove(id, 'ben')]).toEqual([false, true]);
  expect(problemOf(await world.approve(id, 'ann'))).toBe('insufficient_permissions');
  expect(problemOf(await world.approve(id, 'ben'))).toBeUndefined();
});

test('who changed the flight that a booking has of its campaign cannot approve it, and who renamed the campaign can', async () => {
  const { id } = await world.book(campaignId);
  const own = await world.book(campaignId, { startsAt: '2026-11-21T00:00:00Z', endsAt: '2026-12-01T00:00:00Z' });
  world.api.clock.nowMs += 1_000;
  await world.updateCampaign(campaignId, { endsAt: '2027-12-21T00:00:00Z' }, 'ann');
  await world.updateCampaign(campaignId, { name: 'Winter' }, 'ben');
  expect(problemOf(await world.approve(id, 'ann'))).toBe('insufficient_permissions');
  expect(problemOf(await world.approve(id, 'ben'))).toBeUndefined();
  expect(problemOf(await world.approve(own.id, 'ann'))).toBeUndefined();
});

test('mayApprove is false for an editor, for a key, and once a booking is approved', async () => {
  const { id } = await world.book(campaignId);
  expect([await world.mayApprove(id, 'eve'), await world.mayApprove(id, 'admin')]).toEqual([false, false]);
  expect(await world.mayApprove(id, 'ben')).toBe(true);
  await world.approve(id, 'ben');
  expect(await world.mayApprove(id, 'ann')).toBe(false);
});
