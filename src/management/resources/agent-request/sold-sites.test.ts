import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';
import { readSoldSites } from './sold-sites.sql.ts';

let api: TestManagement;

beforeAll(async () => {
  api = await createTestManagement();
});
afterAll(() => api.close());

const make = (mutation: string, as?: string) =>
  api.data(`mutation { ${mutation} }`, {}, as === undefined ? {} : { as });
const sold = (networkId: string) => readSoldSites(api.database.db, networkId);

test('the sites of a network are listed once it offers a product, without those of staging and of others', async () => {
  await make('createSite(input: { code: "m", name: "Magazine", domain: "magazine.example" }) { validatedOnly }');
  await make(
    'createSite(input: { code: "s", name: "Staging", domain: "staging.example" }) { validatedOnly }',
    'staging',
  );
  await make('createAdvertisingProduct(input: { name: "Own" }) { validatedOnly }');
  expect(await sold('1000')).toEqual([]);
  await make('createAdvertisingProduct(input: { name: "Offered", offeredToBuyers: true }) { validatedOnly }');
  expect(await sold('1000')).toEqual([{ name: 'Magazine', domain: 'magazine.example' }]);
  expect(await sold('2000')).toEqual([]);
  expect(await sold('999999')).toEqual([]);
});
