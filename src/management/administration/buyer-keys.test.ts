import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDirectory } from '../../access/keys/directory.sql.ts';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

let api: TestManagement;
const ids: string[] = [];

const KEY = 'id scope permission modules advertiserIds spendLimit';
const CREATE = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey { ${KEY} } userErrors { code field } } }`;

interface Made {
  readonly apiKey: { readonly id: string } | null;
  readonly userErrors: readonly { readonly code: string; readonly field: string }[];
}

async function create(input: object, as = 'admin'): Promise<Made> {
  const headers = { 'x-placard-version': '2026-11-29' };
  const all = { name: 'Agent', permission: 'READ_WRITE', scope: 'BUYER', ...input };
  const data = await api.data<{ createApiKey: Made }>(CREATE, { input: all }, { as, headers });
  return data.createApiKey;
}
const problemsOf = async (input: object): Promise<string[]> =>
  (await create(input)).userErrors.map(({ field, code }) => `${field} ${code}`);

beforeAll(async () => {
  api = await createTestManagement();
  for (const name of ['Acme', 'Other'])
    ids.push(
      (
        await api.data<{ createAdvertiser: { advertiser: { id: string } } }>(
          'mutation ($name: String!) { createAdvertiser(input: {name: $name}) { advertiser { id } } }',
          { name },
        )
      ).createAdvertiser.advertiser.id,
    );
});
afterAll(() => api.close());

test("a buyer's key is bound to its advertisers, and so is the key that replaces it", async () => {
  const { apiKey } = await create({ advertiserIds: [ids[0]], spendLimit: '1000.5' });
  const bound = { scope: 'BUYER', modules: null, advertiserIds: [ids[0]], spendLimit: '1000.5' };
  expect(apiKey).toMatchObject(bound);
  const { rotateApiKey: rotated } = await api.data<{ rotateApiKey: Made }>(
    `mutation ($id: ID!) { rotateApiKey(id: $id, oldExpiresAt: "2999-01-01T00:00:00Z") { apiKey { ${KEY} } } }`,
    { id: apiKey?.id },
    { headers: { 'x-placard-version': '2026-11-29' } },
  );
  expect(rotated.apiKey).toMatchObject(bound);
  const { keys } = await readDirectory(api.database.db);
  const buyer = { advertiserIds: [ids[0]], spendLimitMicros: '1000500000' };
  expect(keys.map((key) => key.buyer)).toEqual([buyer, buyer]);
});

test("a buyer's key names one to a hundred advertisers of the network, and never administers", async () => {
  expect(await problemsOf({})).toEqual(['advertiserIds OUT_OF_RANGE']);
  expect(await problemsOf({ advertiserIds: [ids[0], '99'] })).toEqual(['advertiserIds.1 UNKNOWN']);
  expect(await problemsOf({ advertiserIds: [ids[0]], permission: 'ADMIN' })).toEqual(['permission NOT_ALLOWED']);
  expect(await problemsOf({ advertiserIds: [ids[0]], modules: ['DELIVERY'] })).toEqual(['modules NOT_ALLOWED']);
  expect(await problemsOf({ advertiserIds: [ids[0]], spendLimit: '-1' })).toEqual(['input.spendLimit NEGATIVE']);
  expect(await problemsOf({ scope: 'NETWORK', advertiserIds: [ids[0]] })).toEqual(['input.advertiserIds NOT_ALLOWED']);
  expect((await create({ advertiserIds: [ids[0]] }, 'stranger')).userErrors).toEqual([
    { code: 'UNKNOWN', field: 'advertiserIds.0' },
  ]);
});

test('a buyer makes no key, whatever it names', async () => {
  const { body } = await api.ask(CREATE, { variables: { input: { name: 'K', permission: 'ADMIN' } }, as: 'buyer' });
  expect(body.errors?.[0]?.extensions.code).toBe('insufficient_permissions');
});
