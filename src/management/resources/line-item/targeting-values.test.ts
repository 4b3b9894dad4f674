import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
let campaignId: string;

beforeAll(async () => {
  api = await createTestManagement();
  const made = await api.data<{ createAdvertiser: { advertiser: { id: string } } }>(
    'mutation { createAdvertiser(input: {name: "Acme"}) { advertiser { id } } createKeyValue(input: {key: "genre", name: "Genre"}) { keyValue { id } } }',
  );
  const booked = await api.data<{ createCampaign: { campaign: { id: string } } }>(
    'mutation ($id: ID!) { createCampaign(input: {name: "Spring", advertiserId: $id}) { campaign { id } } }',
    { id: made.createAdvertiser.advertiser.id },
  );
  campaignId = booked.createCampaign.campaign.id;
}, 120_000);

afterAll(() => api.close());

interface Findings {
  readonly userErrors: readonly { code: string; field: string; message: string }[];
  readonly warnings: readonly { code: string; path: string; message: string }[];
}

async function book(test: Record<string, unknown>): Promise<Findings> {
  const input = { name: 'A', type: 'HOUSE', campaignId, targeting: { all: [{ test }] } };
  const { createLineItem } = await api.data<{ createLineItem: Findings }>(
    `mutation ($input: CreateLineItemInput!) { createLineItem(input: $input) {
      lineItem { id } userErrors { code field message } warnings { code path message } } }`,
    { input },
  );
  return createLineItem;
}

describe('values of targeting', () => {
  test('a device type that no request has is refused, with the one that was probably meant', async () => {
    const { userErrors } = await book({ dimension: 'DEVICE_TYPE', values: ['mobile', 'smartphone'] });
    expect(userErrors).toEqual([
      {
        code: 'UNKNOWN_VALUE',
        field: 'input.targeting.all.0.test.values.1',
        message: 'No request has "smartphone". Did you mean "mobile"? Give one of desktop, mobile, tablet, tv, other.',
      },
    ]);
  });

  test.each([
    [{ dimension: 'OS', values: ['windoze'] }, 'Requests seldom have "windoze". Did you mean "Windows"?'],
    [{ dimension: 'BROWSER', values: ['Edge'] }, 'Requests seldom have "Edge". Did you mean "Microsoft Edge"?'],
    [{ dimension: 'LANGUAGE', values: ['polish'] }, 'No request has "polish": give an ISO 639 code such as "pl".'],
  ])('a value that requests seldom have is warned of: %j', async (given, message) => {
    const { userErrors, warnings } = await book(given);
    expect(userErrors).toEqual([]);
    expect(warnings).toEqual([{ code: 'unknown_value', path: 'input.targeting.all.0.test.values.0', message }]);
  });

  test('a key that the network has not described is warned of, with the nearest one that it has', async () => {
    const { userErrors, warnings } = await book({ dimension: 'KEY_VALUE', key: 'gener', values: ['rock'] });
    expect(userErrors).toEqual([]);
    expect(warnings).toEqual([
      {
        code: 'undefined_key',
        path: 'input.targeting.all.0.test.key',
        message: 'The network has not described the key "gener"; did you mean "genre"?',
      },
    ]);
  });

  test.each([
    { dimension: 'OS', values: ['WINDOWS', 'ios'] },
    { dimension: 'OS', operator: 'BEGINS_WITH', values: ['Win'] },
    { dimension: 'DEVICE_TYPE', operator: 'CONTAINS', values: ['desk'] },
    { dimension: 'BROWSER', values: ['safari'] },
    { dimension: 'KEY_VALUE', key: 'genre', values: ['anything at all'] },
    { dimension: 'PAGE_URL', operator: 'CONTAINS', values: ['/any/path?x=1'] },
    { dimension: 'KEYWORD', values: ['free text'] },
    { dimension: 'CITY', values: ['Łódź'] },
    { dimension: 'DOMAIN', values: ['news.example'] },
  ])('a usual value is neither refused nor warned of: %j', async (given) => {
    expect(await book(given)).toMatchObject({ userErrors: [], warnings: [] });
  });

  test('a change of another field does not warn of the stored targeting again', async () => {
    const input = {
      name: 'B',
      type: 'HOUSE',
      campaignId,
      targeting: { test: { dimension: 'OS', values: ['windoze'] } },
    };
    const { createLineItem } = await api.data<{ createLineItem: { lineItem: { id: string } } }>(
      'mutation ($input: CreateLineItemInput!) { createLineItem(input: $input) { lineItem { id } } }',
      { input },
    );
    expect(
      await api.data('mutation ($id: ID!) { updateLineItem(id: $id, input: {name: "C"}) { warnings { code } } }', {
        id: createLineItem.lineItem.id,
      }),
    ).toEqual({ updateLineItem: { warnings: [] } });
  });
});
