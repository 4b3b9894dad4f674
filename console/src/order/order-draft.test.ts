import { describe, expect, test } from 'vitest';
import type { Order } from '../api/bookings/orders/order.ts';
import { changesOfOrder, draftOfOrder } from './order-draft.ts';

const ZONE = 'Europe/Warsaw';
const CAPS = {
  impressionsPerDay: null,
  impressionsLifetime: 5_000,
  clicksPerDay: null,
  clicksLifetime: null,
  spendPerDay: null,
  spendLifetime: '1500.000000',
};
const ORDER = {
  id: '7',
  name: 'Spring',
  version: 3,
  advertiser: { id: '2', name: 'Alder' },
  startsAt: '2026-03-01T23:00:30.000Z',
  endsAt: null,
  caps: CAPS,
  labels: ['coffee'],
  orderNumber: 'PO-1',
  owner: 'ann@example.com',
  salesperson: null,
  teamId: null,
  contacts: ['Lee', 'Kim'],
  notes: '',
  externalId: null,
  customFields: { region: 'North' },
} as unknown as Order;
const draft = draftOfOrder(ORDER, ZONE);

describe('the changes of an order', () => {
  test('a draft that nobody has touched changes nothing, also where the order has seconds', () => {
    expect(changesOfOrder(draft, ORDER, ZONE)).toEqual({ input: {}, undo: {}, faults: [] });
  });

  test('fields that differ are sent, and undone with what they were', () => {
    const typed = { ...draft, orderNumber: ' PO-2 ', contacts: 'Lee\n\n Bo ', endsAt: '2026-04-01T00:00' };
    expect(changesOfOrder(typed, ORDER, ZONE)).toEqual({
      input: { orderNumber: 'PO-2', contacts: ['Lee', 'Bo'], endsAt: '2026-03-31T22:00:00.000Z' },
      undo: { orderNumber: 'PO-1', contacts: ['Lee', 'Kim'], endsAt: null },
      faults: [],
    });
  });

  test('a new budget leaves the other limits as they are', () => {
    expect(changesOfOrder({ ...draft, budget: '2000' }, ORDER, ZONE).input).toEqual({
      caps: { ...CAPS, spendLifetime: '2000' },
    });
    expect(changesOfOrder({ ...draft, budget: '' }, ORDER, ZONE).input).toEqual({
      caps: { ...CAPS, spendLifetime: null },
    });
  });

  test('texts that cannot be read are named', () => {
    const typed = { ...draft, budget: 'many', startsAt: '2026-02-30T00:00' };
    expect(changesOfOrder(typed, ORDER, ZONE).faults.toSorted()).toEqual(['budget', 'startsAt']);
  });
});

test('a new order sends its advertiser, its name and what is set, with the member who makes it as owner', () => {
  const fresh = { ...draftOfOrder(null, ZONE, 'ann@example.com'), name: 'Summer', advertiserId: '2', budget: '10' };
  expect(changesOfOrder(fresh, null, ZONE).input).toEqual({
    advertiserId: '2',
    name: 'Summer',
    owner: 'ann@example.com',
    caps: { spendLifetime: '10' },
  });
});
