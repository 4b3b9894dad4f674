import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApprovalWorld, createApprovalWorld } from './fixtures/approval-world.ts';

let world: ApprovalWorld;
let campaignId = '';

beforeAll(async () => {
  world = await createApprovalWorld();
});
afterAll(() => world.api.close());
beforeEach(async () => {
  await world.api.database.db.deleteFrom('line_items').execute();
  campaignId = await world.createCampaign({ endsAt: '2026-12-21T00:00:00Z' });
});

/** A draft whose approval was asked for, each a second after the last one. */
async function ask(more: object = {}): Promise<string> {
  world.api.clock.nowMs += 1_000;
  const { id } = await world.book(campaignId, more);
  await world.request(id);
  return id;
}

test('bookings that wait for approval are listed newest first', async () => {
  const ids = [await ask(), await ask(), await ask()];
  expect(await world.listWaiting()).toEqual(ids.toReversed());
});

test.each<readonly [string, (id: string) => Promise<unknown>]>([
  ['is approved', (id) => world.approve(id)],
  ['is archived', (id) => world.update(id, { status: 'ARCHIVED' })],
  ['is no longer guaranteed', (id) => world.update(id, { type: 'PRICE', goal: null })],
  ['has other terms now', (id) => world.update(id, { price: '11' })],
  ['has another flight by its campaign now', () => world.updateCampaign(campaignId, { endsAt: null })],
])('a request is not listed once its line item %s', async (_name, change) => {
  const id = await ask();
  expect(await world.listWaiting()).toEqual([id]);
  await change(id);
  expect(await world.listWaiting()).toEqual([]);
});

test('requests of one editor hide no others: pages lead through all of them', async () => {
  const first = await ask();
  const { db } = world.api.database;
  await sql`INSERT INTO line_items (workspace_id, campaign_id, name, type, goal, price_micros)
    SELECT workspace_id, campaign_id, name || n, type, goal, price_micros FROM line_items, generate_series(1, 1100) n
    WHERE id = ${first}::bigint`.execute(db);
  // All of them have the terms of the first one.
  await sql`INSERT INTO booking_approvals (workspace_id, line_item_id, requested_terms, requested_by, requested_at)
    SELECT 1, line_items.id, requested_terms, requested_by, requested_at FROM booking_approvals, line_items
    WHERE line_items.id <> ${first}::bigint`.execute(db);
  const newest = await ask();
  expect((await world.listWaiting({ first: 2 }))[0]).toBe(newest);
  const seen: string[] = [];
  for (
    let page = await world.listWaiting();
    page.length > 0;
    page = await world.listWaiting({ after: page.at(-1) ?? '' })
  )
    seen.push(...page);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(1_102);
  expect(seen).toContain(first);
});

test('a booking that one admin lets go live while approvalRequired is off waits for another member once it is on', async () => {
  const { id } = await world.book(campaignId, {}, 'ann');
  await world.setRequired(false, 'ann');
  await world.update(id, { status: 'ACTIVE' }, 'ann');
  expect(await world.listWaiting()).toEqual([]);
  await world.setRequired(true, 'ann');
  expect(await world.read(id)).toMatchObject({ status: 'ACTIVE', approval: { state: 'MISSING' } });
  expect(await world.listWaiting()).toEqual([id]);
  await world.approve(id, 'ann');
  expect(await world.listWaiting()).toEqual([id]);
  await world.approve(id, 'ben');
  expect(await world.listWaiting()).toEqual([]);
});

test('a page has 1 to 200 line items, behind a line item of the network', async () => {
  await expect(world.listWaiting({ first: 0 })).rejects.toThrow('first must be 1 to 200');
  await expect(world.listWaiting({ first: 201 })).rejects.toThrow('first must be 1 to 200');
  await expect(world.listWaiting({ after: 'x' })).rejects.toThrow('after is the id of a line item');
});
