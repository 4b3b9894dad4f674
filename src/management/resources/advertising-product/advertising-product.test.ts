import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
const ids: Record<string, string> = {};

const FIELDS = `name delivery channels targeting { test { dimension operator values } } formats { format sizes { width height }
  durationMinMs durationMaxMs } buyerDimensions priceOptions { id pricingModel price floor sharePercent minimumSpend advertiserIds
  priceMoney { amount currencyCode } } minimumSpend minimumDays maximumDays leadTimeHours cancellationNoticeDays
  measurement { countedBy vendor viewabilityVendor terms } creativePolicy { coBranding landingPage templatesAvailable
  provenanceRequired terms } offeredToBuyers offeredAdvertiserIds`;
const CREATE = `mutation ($input: CreateAdvertisingProductInput!) { createAdvertisingProduct(input: $input) {
  advertisingProduct { id ${FIELDS} } warnings { path code } userErrors { code field } } }`;
const UPDATE = `mutation ($id: ID!, $input: UpdateAdvertisingProductInput!) { updateAdvertisingProduct(id: $id, input: $input) {
  advertisingProduct { ${FIELDS} } warnings { path code } userErrors { code field } } }`;

interface Result {
  readonly advertisingProduct: Record<string, unknown> | null;
  readonly warnings: readonly { readonly path: string; readonly code: string }[];
  readonly userErrors: readonly { readonly code: string; readonly field: string }[];
}

const create = async (input: object, as?: string): Promise<Result> => {
  const options = as === undefined ? undefined : { as };
  return (await api.data<{ createAdvertisingProduct: Result }>(CREATE, { input }, options)).createAdvertisingProduct;
};
/** Field and code of each problem of a product that is otherwise valid. */
const problemsOf = async (input: object): Promise<string[]> =>
  (await create({ name: 'P', ...input })).userErrors.map(({ field, code }) => `${field.slice(6)} ${code}`);

const CPM = { id: 'cpm', pricingModel: 'CPM', price: '12.5' };
const test1 = (dimension: string, value: string) => ({ test: { dimension, operator: 'IS', values: [value] } });

async function make(type: string, input: object, as?: string): Promise<string> {
  const field = `${type[0]?.toLowerCase()}${type.slice(1)}`;
  const query = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { ${field} { id } } }`;
  const options = as === undefined ? undefined : { as };
  const { made } = await api.data<{ made: Record<string, { id: string }> }>(query, { input }, options);
  return made[field]?.id ?? '';
}

beforeAll(async () => {
  api = await createTestManagement();
  ids['acme'] = await make('Advertiser', { name: 'Acme' });
  ids['other'] = await make('Advertiser', { name: 'Other' });
  ids['site'] = await make('Site', { code: 's', name: 'S', domain: 's.example' });
  // The stranger's ids are its own: these are ones that network 1000 lacks.
  for (let made = 0; made < 5; made += 1) ids['theirs'] = await make('Advertiser', { name: `T${made}` }, 'stranger');
});
afterAll(() => api.close());

test('a product gives back all that it was made with', async () => {
  const input = {
    name: 'Sports video',
    delivery: 'GUARANTEED',
    channels: ['ONLINE_VIDEO'],
    targeting: test1('SITE', ids['site'] ?? ''),
    formats: [{ format: 'VIDEO', sizes: [], durationMinMs: 6_000, durationMaxMs: 30_000 }],
    buyerDimensions: ['COUNTRY', 'DEVICE_TYPE'],
    priceOptions: [
      { ...CPM, minimumSpend: '500', advertiserIds: [] },
      { id: 'acme-cpc', pricingModel: 'CPC', price: '0.02', advertiserIds: [ids['acme']] },
      { id: 'day', pricingModel: 'FLAT', price: '900', sharePercent: 50, advertiserIds: [] },
    ],
    minimumSpend: '250.5',
    minimumDays: 3,
    maximumDays: 90,
    leadTimeHours: 24,
    cancellationNoticeDays: 14,
    measurement: { countedBy: 'THIRD_PARTY', vendor: 'Meter', viewabilityVendor: 'Eyes', terms: 'Ten per cent apart.' },
    creativePolicy: {
      coBranding: 'NONE',
      landingPage: 'ANY',
      templatesAvailable: true,
      provenanceRequired: true,
      terms: 'No sound at the start.',
    },
    offeredToBuyers: true,
    offeredAdvertiserIds: [ids['acme']],
  };
  const made = await create(input);
  expect(made.userErrors).toEqual([]);
  expect(made.advertisingProduct).toMatchObject(input);
  expect(made.advertisingProduct).toMatchObject({
    priceOptions: [{ floor: null, priceMoney: { amount: '12.5', currencyCode: 'PLN' } }, {}, {}],
  });
  expect(made.warnings).toEqual([]);
});

test('a product that says only its name promises nothing, has no price and is not offered', async () => {
  expect((await create({ name: 'Bare' })).advertisingProduct).toMatchObject({
    delivery: 'NON_GUARANTEED',
    targeting: null,
    priceOptions: [],
    minimumSpend: null,
    measurement: null,
    offeredToBuyers: false,
  });
});

test('a guaranteed product needs fixed prices', async () => {
  expect(await problemsOf({ delivery: 'GUARANTEED' })).toEqual(['priceOptions REQUIRED']);
  const floor = { id: 'b', pricingModel: 'CPM', floor: '1' };
  expect(await problemsOf({ delivery: 'GUARANTEED', priceOptions: [CPM, floor] })).toEqual([
    'priceOptions.1.price REQUIRED',
  ]);
  expect(await problemsOf({ priceOptions: [CPM, floor] })).toEqual([]);
});

test('a price option has either a price above zero or a floor, and an id of its own', async () => {
  const withOption = (option: object, ...more: object[]) =>
    problemsOf({ priceOptions: [{ id: 'a', pricingModel: 'CPM', ...option }, ...more] });
  expect(await withOption({})).toEqual(['priceOptions.0.price ONE_OF']);
  expect(await withOption({ price: '1', floor: '2' })).toEqual(['priceOptions.0.price ONE_OF']);
  expect(await withOption({ price: '0' })).toEqual(['priceOptions.0.price OUT_OF_RANGE']);
  expect(await withOption({ price: '-1' })).toEqual(['priceOptions.0.price NEGATIVE']);
  expect(await withOption({ price: 'dear' })).toEqual(['priceOptions.0.price NOT_MONEY']);
  expect(await withOption({ price: '1', minimumSpend: '0' })).toEqual(['priceOptions.0.minimumSpend OUT_OF_RANGE']);
  expect(await withOption({ price: '1' }, { ...CPM, id: 'a' })).toEqual(['priceOptions.1.id REPEATED']);
  expect(await withOption({ price: '1', id: 'No Spaces' })).toEqual(['priceOptions.0.id MALFORMED']);
  expect(await withOption({ price: '1', sharePercent: 5 })).toEqual(['priceOptions.0.sharePercent NOT_ALLOWED']);
});

test('a guaranteed product promises only what a goal counts', async () => {
  const priceOptions = [{ id: 'v', pricingModel: 'CPCV', price: '0.02' }];
  expect(await problemsOf({ priceOptions, delivery: 'GUARANTEED' })).toEqual([
    'priceOptions.0.pricingModel NOT_ALLOWED',
  ]);
  expect(await problemsOf({ priceOptions })).toEqual([]);
});

test('a price by the day is for guaranteed products and says its share of voice', async () => {
  const day = { id: 'day', pricingModel: 'FLAT', price: '900' };
  const share = { ...day, sharePercent: 100 };
  expect(await problemsOf({ priceOptions: [share] })).toEqual(['priceOptions.0.pricingModel NOT_ALLOWED']);
  expect(await problemsOf({ delivery: 'GUARANTEED', priceOptions: [day] })).toEqual([
    'priceOptions.0.sharePercent REQUIRED',
  ]);
  expect(await problemsOf({ delivery: 'GUARANTEED', priceOptions: [share] })).toEqual([]);
});

test('an unknown pricing model is refused', async () => {
  const { body } = await api.ask(CREATE, {
    variables: { input: { name: 'P', priceOptions: [{ ...CPM, pricingModel: 'CPX' }] } },
  });
  expect(JSON.stringify(body.errors)).toContain('CPX');
});

test('a pricing model needs a format that earns it', async () => {
  const priceOptions = [{ id: 'v', pricingModel: 'CPCV', price: '0.02' }];
  expect(await problemsOf({ priceOptions, formats: [{ format: 'IMAGE' }] })).toEqual([
    'priceOptions.0.pricingModel NOT_ALLOWED',
  ]);
  expect(await problemsOf({ priceOptions, formats: [{ format: 'IMAGE' }, { format: 'VIDEO' }] })).toEqual([]);
});

test('sizes are of sized formats and durations of played ones', async () => {
  const sizes = [{ width: 300, height: 250 }];
  expect(await problemsOf({ formats: [{ format: 'VIDEO', sizes }] })).toEqual(['formats.0.sizes NOT_ALLOWED']);
  expect(await problemsOf({ formats: [{ format: 'IMAGE', durationMaxMs: 5 }] })).toEqual([
    'formats.0.durationMaxMs NOT_ALLOWED',
  ]);
  expect(await problemsOf({ formats: [{ format: 'VIDEO', durationMinMs: 6, durationMaxMs: 5 }] })).toEqual([
    'formats.0.durationMaxMs OUT_OF_RANGE',
  ]);
  expect(await problemsOf({ formats: [{ format: 'IMAGE', sizes }, { format: 'IMAGE' }] })).toEqual([
    'formats.1.format REPEATED',
  ]);
});

test('the longest flight is not below the shortest, and only a third party is named as the one that counts', async () => {
  expect(await problemsOf({ minimumDays: 5, maximumDays: 4 })).toEqual(['maximumDays OUT_OF_RANGE']);
  expect(await problemsOf({ measurement: { countedBy: 'THIRD_PARTY' } })).toEqual(['measurement.vendor REQUIRED']);
  expect(await problemsOf({ measurement: { countedBy: 'PUBLISHER', vendor: 'Meter' } })).toEqual([
    'measurement.vendor NOT_ALLOWED',
  ]);
});

test('a product names no site and no advertiser of another network', async () => {
  expect(await problemsOf({ targeting: test1('SITE', '99') })).toEqual(['targeting UNKNOWN']);
  expect(await problemsOf({ offeredAdvertiserIds: [ids['theirs']] })).toEqual(['offeredAdvertiserIds.0 UNKNOWN']);
  expect(await problemsOf({ priceOptions: [{ ...CPM, advertiserIds: [ids['acme'], ids['theirs']] }] })).toEqual([
    'priceOptions.0.advertiserIds.1 UNKNOWN',
  ]);
});

test('an archived advertiser stays in a product that names it already, with a warning', async () => {
  const made = await create({ name: 'P', offeredAdvertiserIds: [ids['other']] });
  await api.data('mutation ($id: ID!) { archiveAdvertiser(id: $id) { advertiser { id } } }', { id: ids['other'] });
  expect(await problemsOf({ offeredAdvertiserIds: [ids['other']] })).toEqual(['offeredAdvertiserIds.0 ARCHIVED']);
  const { updateAdvertisingProduct: changed } = await api.data<{ updateAdvertisingProduct: Result }>(UPDATE, {
    id: made.advertisingProduct?.['id'],
    input: { description: 'New' },
  });
  expect(changed.userErrors).toEqual([]);
  expect(changed.warnings).toEqual([{ path: 'input.offeredAdvertiserIds.0', code: 'archived' }]);
});

test('a product that is offered to buyers without a price gets a warning', async () => {
  const { warnings } = await create({ name: 'P', offeredToBuyers: true });
  expect(warnings).toEqual([{ path: 'input.offeredToBuyers', code: 'no_effect' }]);
});
