import { expect, test } from 'vitest';
import type { AgentBooking, BookedPackage } from '../api/bookings/agents/agent-requests.ts';
import { planApproval, productIdsOf, readAsked, readTold } from './read-request.ts';

const item = (id: string, more: Partial<BookedPackage> = {}): BookedPackage => ({
  id,
  externalId: null,
  name: `Item ${id}`,
  status: 'DRAFT',
  version: 3,
  startsAt: null,
  endsAt: null,
  timezone: null,
  price: '5',
  pricingModel: 'CPM',
  budget: '500',
  goal: null,
  advertisingProduct: null,
  ...more,
});

const bookingOf = (nodes: readonly BookedPackage[]): AgentBooking => ({
  id: '9',
  name: 'Buy',
  status: 'DRAFT',
  version: 2,
  lineItems: { nodes },
});

test.each([null, 'text', 7, [], { packages: 'x', brand: [], creatives: [null, 1], start_time: 3 }])(
  'arguments of any form are read without an error: %j',
  (request) => {
    expect(readAsked(request)).toMatchObject({ brand: null, startsAt: null, packages: [], creatives: [] });
  },
);

test('packages are read with their products, budgets and pauses', () => {
  const { packages } = readAsked({
    packages: [{ product_id: '4', budget: 500, paused: true }, { package_id: '8', budget: '5' }, { budget: 1e300 }],
  });
  expect(packages).toEqual([
    { productId: '4', packageId: null, budget: 500, isPaused: true },
    { productId: null, packageId: '8', budget: null, isPaused: false },
    { productId: null, packageId: null, budget: null, isPaused: false },
  ]);
});

test('only ids of products are looked up, each once', () => {
  const packages = ['4', '4', '12', 'x', '12345678901234567890'].map((id) => ({ product_id: id }));
  expect(productIdsOf({ packages })).toEqual(['4', '12']);
});

test('an agent that was rejected was told the reason, and others the message, the code or the buy', () => {
  const told = (state: 'REJECTED' | 'FAILED' | 'COMPLETED', response: unknown) =>
    readTold({ state, response, reason: 'Sold out.' });
  expect(told('REJECTED', { message: 'It waits.' })).toEqual({ text: 'Sold out.', buyId: null });
  expect(told('FAILED', { code: 'BUDGET_EXCEEDED', message: 'Too much.' })).toEqual({ text: 'Too much.', buyId: null });
  expect(told('FAILED', { code: 'SERVICE_UNAVAILABLE' })).toEqual({ text: 'SERVICE_UNAVAILABLE', buyId: null });
  expect(told('COMPLETED', { media_buy_id: '9', message: {} })).toEqual({ text: null, buyId: '9' });
});

test('an approval makes drafts live in the version that was shown, and leaves other line items as they are', () => {
  const plan = planApproval('7', {}, bookingOf([item('1'), item('2', { status: 'ARCHIVED' }), item('3')]));
  expect(plan).toEqual({
    campaign: { id: '9', version: 2, isPaused: false },
    items: [
      { id: '1', version: 3, isPaused: false },
      { id: '3', version: 3, isPaused: false },
    ],
  });
});

test('a package that the agent wants to begin paused is paused, by its number', () => {
  const request = { paused: true, packages: [{}, { paused: true }] };
  const nodes = [item('1', { externalId: 'adcp-7-p1' }), item('2', { externalId: 'adcp-7-p0' }), item('3')];
  const { campaign, items } = planApproval('7', request, bookingOf(nodes));
  expect(campaign.isPaused).toBe(true);
  expect(items.map(({ isPaused }) => isPaused)).toEqual([true, false, false]);
});
