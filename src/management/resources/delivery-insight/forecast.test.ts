import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
let dealId: string;
beforeAll(async () => {
  api = await createTestManagement();
  const made = await api.data<{ createDeal: { deal: { id: string } } }>(
    'mutation { createDeal(input: { code: "d-1", name: "Deal", floor: "1.00" }) { deal { id } } }',
  );
  dealId = made.createDeal.deal.id;
});
afterAll(() => api.close());

const forecast = async (more: object, as = 'admin') => {
  const variables = {
    input: {
      type: 'STANDARD',
      price: '1.00',
      startsAt: '2026-12-01T00:00:00Z',
      endsAt: '2026-12-02T00:00:00Z',
      ...more,
    },
  };
  const query = 'query ($input: ForecastInput!) { forecast(input: $input) { possible } }';
  const { body } = await api.ask(query, { variables, as });
  return body.errors?.[0]?.extensions;
};

test('the error names unknown deals and line items, also those of other networks', async () => {
  expect(await forecast({ dealId, lineItemId: '987654' })).toMatchObject({
    code: 'validation_failed',
    fields: [{ path: 'lineItemId', code: 'unknown' }],
  });
  expect(await forecast({ dealId: 'x', lineItemId: '0' })).toMatchObject({
    fields: [{ path: 'dealId' }, { path: 'lineItemId' }],
  });
  expect(await forecast({ dealId }, 'stranger')).toMatchObject({ fields: [{ path: 'dealId' }] });
});

test('known deals and line items are accepted, and only the snapshot is missing', async () => {
  expect(await forecast({ dealId })).toMatchObject({ code: 'unavailable' });
});
