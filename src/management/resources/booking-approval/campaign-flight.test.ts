import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { termsOf } from './booking-terms.ts';
import { type ApprovalWorld, createApprovalWorld, problemOf } from './fixtures/approval-world.ts';

const FLIGHT = { startsAt: '2026-11-21T00:00:00Z', endsAt: '2026-12-21T00:00:00Z' };
const NEXT_YEAR = { endsAt: '2027-12-21T00:00:00Z' };
let world: ApprovalWorld;

beforeAll(async () => {
  world = await createApprovalWorld();
});
afterAll(() => world.api.close());

const stateOf = async (id: string) => (await world.read(id)).approval.state;

test('a longer flight of a campaign is refused while it gives live bookings more time than was approved', async () => {
  const campaignId = await world.createCampaign(FLIGHT);
  const { id } = await world.bookLive(campaignId);
  const start = { startsAt: '2026-11-01T00:00:00Z' };
  expect(problemOf(await world.updateCampaign(campaignId, NEXT_YEAR))).toBe('input.endsAt approval_required');
  expect(problemOf(await world.updateCampaign(campaignId, start))).toBe('input.startsAt approval_required');
  await world.update(id, { status: 'PAUSED' });
  expect(problemOf(await world.updateCampaign(campaignId, NEXT_YEAR))).toBeUndefined();
  expect(problemOf(await world.update(id, { status: 'ACTIVE' }))).toBe('input.status approval_required');
  await world.approve(id);
  expect(problemOf(await world.update(id, { status: 'ACTIVE' }))).toBeUndefined();
});

test('dates of its own keep a booking live and approved whatever its campaign does', async () => {
  const campaignId = await world.createCampaign(FLIGHT);
  const { id } = await world.bookLive(campaignId, FLIGHT);
  expect(problemOf(await world.updateCampaign(campaignId, NEXT_YEAR))).toBeUndefined();
  expect(await stateOf(id)).toBe('APPROVED');
});

test('a booking that gets the dates of its campaign as its own stays approved, and the campaign can go on', async () => {
  const campaignId = await world.createCampaign(FLIGHT);
  const { id } = await world.bookLive(campaignId);
  expect(problemOf(await world.update(id, FLIGHT))).toBeUndefined();
  expect(problemOf(await world.updateCampaign(campaignId, NEXT_YEAR))).toBeUndefined();
  expect(await stateOf(id)).toBe('APPROVED');
});

test('a shorter flight of a campaign keeps its bookings live and approved, and cannot become longer again unseen', async () => {
  const campaignId = await world.createCampaign(FLIGHT);
  const { id } = await world.bookLive(campaignId);
  expect(problemOf(await world.updateCampaign(campaignId, { endsAt: '2026-12-01T00:00:00Z' }))).toBeUndefined();
  expect(await world.read(id)).toMatchObject({ status: 'ACTIVE', approval: { state: 'APPROVED' } });
  expect(problemOf(await world.updateCampaign(campaignId, FLIGHT))).toBe('input.endsAt approval_required');
});

test('campaigns change freely where the network asks for no approval', async () => {
  const campaignId = await world.createCampaign(FLIGHT);
  await world.bookLive(campaignId);
  await world.setRequired(false);
  expect(problemOf(await world.updateCampaign(campaignId, NEXT_YEAR))).toBeUndefined();
  await world.setRequired(true);
});

test('approvals of the earlier form of the terms stand for line items with dates of their own', () => {
  const row = {
    campaign_id: 7n,
    type: 'STANDARD',
    goal: { kind: 'IMPRESSIONS', amount: 1_000, period: 'DAY' },
    share_percent: null,
    pricing_model: 'CPM',
    price_micros: 10_000_000n,
    starts_at: new Date(FLIGHT.startsAt),
    ends_at: new Date(FLIGHT.endsAt),
  };
  const dates = [row.starts_at.toISOString(), row.ends_at.toISOString()];
  const earlier = ['7', 'STANDARD', 'IMPRESSIONS 1000 DAY', '', 'CPM', '10000000', ...dates];
  const digest = createHash('sha256').update(JSON.stringify(earlier)).digest('hex');
  expect(termsOf(row, { starts_at: null, ends_at: new Date('2027-01-01T00:00:00Z') })).toBe(digest);
});
