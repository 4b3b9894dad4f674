import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
const ids: Record<string, string> = {};

const ITEM = `id status type name price pricingModel budget priceOptionId sharePercent goal { kind target period } caps { spendLifetime }
  targeting { all { test { dimension values } } test { dimension values } } startsAt endsAt advertisingProductId pacing`;
const BOOK = `mutation ($input: BookProductInput!, $validateOnly: Boolean) { made: bookProduct(input: $input, validateOnly: $validateOnly) {
  lineItem { ${ITEM} } warnings { path code } userErrors { code field message } } }`;
const CHANGE = `mutation ($id: ID!, $input: ChangeBookingInput!) { made: changeBooking(id: $id, input: $input) {
  lineItem { ${ITEM} } warnings { path code } userErrors { code field } } }`;

interface Made {
  readonly lineItem: Record<string, unknown> | null;
  readonly warnings: readonly { readonly path: string; readonly code: string }[];
  readonly userErrors: readonly { readonly code: string; readonly field: string; readonly message: string }[];
}

const DAY_MS = 86_400_000;
const dayOn = (days: number): string => new Date(api.clock.nowMs + days * DAY_MS).toISOString();

async function make(type: string, input: object): Promise<string> {
  const field = `${type[0]?.toLowerCase()}${type.slice(1)}`;
  const query = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { object: ${field} { id } } }`;
  const { made } = await api.data<{ made: { object: { id: string } } }>(query, { input });
  return made.object.id;
}

async function book(input: object, as = 'admin'): Promise<Made> {
  const all = {
    campaignId: ids['campaign'],
    productId: ids['guaranteed'],
    priceOptionId: 'cpm',
    startsAt: dayOn(3),
    endsAt: dayOn(13),
    ...input,
  };
  return (await api.data<{ made: Made }>(BOOK, { input: all }, { as })).made;
}
const problemsOf = async (input: object, as?: string): Promise<string[]> =>
  (await book(input, as)).userErrors.map(({ field, code }) => `${field} ${code}`);
const change = async (id: unknown, input: object, as = 'admin'): Promise<Made> =>
  (await api.data<{ made: Made }>(CHANGE, { id, input }, { as })).made;

const of = (dimension: string, value: string) => ({ test: { dimension, values: [value] } });

beforeAll(async () => {
  api = await createTestManagement();
  ids['advertiser'] = await make('Advertiser', { name: 'Acme' });
  ids['other'] = await make('Advertiser', { name: 'Other' });
  ids['campaign'] = await make('Campaign', { name: 'C', advertiserId: ids['advertiser'] });
  ids['otherCampaign'] = await make('Campaign', { name: 'O', advertiserId: ids['other'] });
  ids['site'] = await make('Site', { code: 's', name: 'S', domain: 's.example' });
  ids['guaranteed'] = await make('AdvertisingProduct', {
    name: 'Home page',
    delivery: 'GUARANTEED',
    targeting: of('SITE', ids['site']),
    buyerDimensions: ['COUNTRY'],
    leadTimeHours: 48,
    minimumDays: 2,
    maximumDays: 60,
    minimumSpend: '100',
    offeredToBuyers: true,
    priceOptions: [
      { id: 'cpm', pricingModel: 'CPM', price: '12.5' },
      { id: 'cpc', pricingModel: 'CPC', price: '0.3', minimumSpend: '5' },
      { id: 'day', pricingModel: 'FLAT', price: '900', sharePercent: 50 },
      { id: 'acme', pricingModel: 'CPM', price: '10', advertiserIds: [ids['advertiser']] },
    ],
  });
  ids['open'] = await make('AdvertisingProduct', {
    name: 'Run of network',
    offeredToBuyers: true,
    priceOptions: [
      { id: 'floor', pricingModel: 'CPM', floor: '2' },
      { id: 'view', pricingModel: 'CPCV', price: '0.02' },
    ],
  });
});
afterAll(() => api.close());

test('a budget becomes a goal by the price, and limits what the line item spends', async () => {
  const { lineItem, userErrors } = await book({ budget: '1000' });
  expect(userErrors).toEqual([]);
  expect(lineItem).toMatchObject({
    status: 'DRAFT',
    type: 'STANDARD',
    name: 'Home page',
    price: '12.5',
    pricingModel: 'CPM',
    budget: '1000',
    priceOptionId: 'cpm',
    goal: { kind: 'IMPRESSIONS', target: 80_000, period: 'LIFETIME' },
    caps: { spendLifetime: '1000' },
    targeting: { test: { dimension: 'SITE', values: [ids['site']] } },
    advertisingProductId: ids['guaranteed'],
  });
});

test('a quantity has its price, and added targeting narrows the inventory', async () => {
  const targeting = of('COUNTRY', 'PL');
  const { lineItem } = await book({ quantity: 333, priceOptionId: 'cpc', targeting });
  expect(lineItem).toMatchObject({
    budget: '99.9',
    goal: { kind: 'CLICKS', target: 333 },
    targeting: { all: [of('SITE', ids['site'] ?? ''), targeting] },
  });
});

test('a price by the day is a share of voice for the days of the flight', async () => {
  const at = (day: string): string => `2099-05-${day}T22:00:00Z`;
  // Midnight in Warsaw, the time zone of the network.
  const { lineItem } = await book({ priceOptionId: 'day', startsAt: at('01'), endsAt: at('08') });
  expect(lineItem).toMatchObject({ type: 'SPONSORSHIP', sharePercent: 50, budget: '6300', goal: null, price: '900' });
  expect(await problemsOf({ priceOptionId: 'day', startsAt: at('01'), endsAt: at('08'), budget: '900' })).toEqual([
    'input.budget OUT_OF_RANGE',
  ]);
  expect(await problemsOf({ priceOptionId: 'day', quantity: 7 })).toEqual(['input.quantity NOT_ALLOWED']);
});

test('a booking over a floor needs a bid that reaches it, and competes by price', async () => {
  const open = { productId: ids['open'], priceOptionId: 'floor', budget: '50' };
  expect((await book({ ...open, bid: '2' })).lineItem).toMatchObject({
    type: 'PRICE',
    price: '2',
    goal: null,
    targeting: null,
    caps: { spendLifetime: '50' },
  });
  expect(await problemsOf({ ...open, bid: '1.99' })).toEqual(['input.bid BELOW_FLOOR']);
  expect(await problemsOf(open)).toEqual(['input.bid REQUIRED']);
  expect((await book({ ...open, priceOptionId: 'view' })).lineItem).toMatchObject({
    pricingModel: 'CPCV',
    type: 'PRICE',
  });
});

test('the terms of the product bind a booking, each by its field', async () => {
  expect(await problemsOf({})).toEqual(['input.budget ONE_OF']);
  expect(await problemsOf({ budget: '1000', quantity: 5 })).toEqual(['input.budget ONE_OF']);
  expect(await problemsOf({ budget: '99' })).toEqual(['input.budget OUT_OF_RANGE']);
  expect(await problemsOf({ budget: '1000', bid: '20' })).toEqual(['input.bid NOT_ALLOWED']);
  expect(await problemsOf({ budget: '1000', startsAt: dayOn(1) })).toEqual(['input.startsAt OUT_OF_RANGE']);
  expect(await problemsOf({ budget: '1000', endsAt: dayOn(4) })).toEqual(['input.endsAt OUT_OF_RANGE']);
  expect(await problemsOf({ budget: '1000', endsAt: dayOn(64) })).toEqual(['input.endsAt OUT_OF_RANGE']);
  expect(await problemsOf({ budget: '1000', endsAt: dayOn(2) })).toEqual(['input.endsAt BEFORE_START']);
  expect(await problemsOf({ budget: '1000', targeting: of('CITY', 'Lublin') })).toEqual([
    'input.targeting.test.dimension NOT_ALLOWED',
  ]);
  expect(await problemsOf({ budget: '1000', priceOptionId: 'none' })).toEqual(['input.priceOptionId UNKNOWN']);
  expect(await problemsOf({ budget: '1000', campaignId: ids['otherCampaign'], priceOptionId: 'acme' })).toEqual([
    'input.priceOptionId OTHER_ADVERTISER',
  ]);
  expect(await problemsOf({ budget: '1000', productId: '99', campaignId: '98' })).toEqual([
    'input.productId UNKNOWN',
    'input.campaignId UNKNOWN',
  ]);
});

test('a booking that is only validated leaves nothing', async () => {
  const count = '{ lineItems { totalCount } }';
  const before = await api.data(count);
  const input = {
    campaignId: ids['campaign'],
    productId: ids['guaranteed'],
    priceOptionId: 'cpm',
    budget: '1000',
    startsAt: dayOn(3),
    endsAt: dayOn(13),
  };
  expect((await api.data<{ made: Made }>(BOOK, { input, validateOnly: true })).made.lineItem).toBeNull();
  expect(await api.data(count)).toEqual(before);
});

test('a change keeps what it does not name, and is checked against the terms again', async () => {
  const { lineItem } = await book({ budget: '1000', targeting: of('COUNTRY', 'PL') });
  const id = lineItem?.['id'];
  const more = await change(id, { budget: '2000', endsAt: dayOn(23) });
  expect(more.lineItem).toMatchObject({
    budget: '2000',
    goal: { target: 160_000 },
    caps: { spendLifetime: '2000' },
    targeting: lineItem?.['targeting'],
  });
  expect((await change(id, { priceOptionId: 'acme' })).lineItem).toMatchObject({
    price: '10',
    budget: '2000',
    goal: { target: 200_000 },
  });
  expect((await change(id, { budget: '1' })).userErrors).toEqual([{ code: 'OUT_OF_RANGE', field: 'input.budget' }]);
  const plain = await make('LineItem', { campaignId: ids['campaign'], name: 'L', type: 'HOUSE' });
  expect((await change(plain, { budget: '1000' })).userErrors).toEqual([{ code: 'NOT_ALLOWED', field: 'id' }]);
});

test('a line item outside of the terms of its product gets warnings, and one within them none', async () => {
  const { lineItem, warnings } = await book({ budget: '1000' });
  expect(warnings).toEqual([]);
  const query = `mutation ($id: ID!, $input: UpdateLineItemInput!) { updateLineItem(id: $id, input: $input) { warnings { path code } } }`;
  const warned = async (input: object): Promise<string[]> => {
    const { updateLineItem: changed } = await api.data<{ updateLineItem: Made }>(query, {
      id: lineItem?.['id'],
      input,
    });
    return changed.warnings.map(({ path, code }) => `${path} ${code}`);
  };
  expect(await warned({ name: 'Renamed' })).toEqual([]);
  expect(await warned({ price: '12' })).toEqual(['input.price other_terms']);
  expect(await warned({ targeting: null })).toEqual(['input.targeting other_terms']);
  expect(await warned({ type: 'PRICE', goal: null })).toEqual(['input.type other_terms']);
  expect(await warned({ endsAt: dayOn(4) })).toEqual(['input.endsAt other_terms']);
  expect(await warned({ name: 'Renamed again' })).toEqual([]);
});

test("a buyer books for its advertiser up to the key's spend limit", async () => {
  // The key may book 10000 for advertiser 1.
  expect(ids['advertiser']).toBe('1');
  const flight = { startsAt: '2099-05-01T00:00:00Z', endsAt: '2099-05-11T00:00:00Z' };
  const { lineItem } = await book({ budget: '6000', ...flight }, 'buyer');
  expect(lineItem).toMatchObject({ status: 'DRAFT', budget: '6000' });
  const refused = await book({ budget: '4000.01' }, 'buyer');
  expect(refused.userErrors).toMatchObject([{ code: 'SPEND_LIMIT', field: 'input.budget' }]);
  expect(refused.userErrors[0]?.message).toContain('4000 is left');
  expect((await change(lineItem?.['id'], { budget: '10000' }, 'buyer')).userErrors).toEqual([]);
  expect((await change(lineItem?.['id'], { budget: '10001' }, 'buyer')).userErrors).toMatchObject([
    { code: 'SPEND_LIMIT' },
  ]);
  await api.data('mutation ($id: ID!) { archiveLineItem(id: $id) { lineItem { id } } }', { id: lineItem?.['id'] });
  expect((await book({ budget: '10000' }, 'buyer')).userErrors).toEqual([]);
});

test('a buyer books for no other advertiser, and starts no guaranteed booking', async () => {
  expect(await problemsOf({ budget: '100', campaignId: ids['otherCampaign'] }, 'buyer')).toEqual([
    'input.campaignId UNKNOWN',
  ]);
  const open = { productId: ids['open'], priceOptionId: 'floor', bid: '3' };
  await api.database.db.updateTable('line_items').set({ buyer_key_id: null }).execute();
  const promised = (await book({ budget: '100' }, 'buyer')).lineItem?.['id'];
  const plain = (await book({ ...open, budget: '5' }, 'buyer')).lineItem?.['id'];
  const query = `mutation ($id: ID!) { updateLineItem(id: $id, input: {status: ACTIVE}) { lineItem { status } userErrors { code field } } }`;
  expect(await api.data(query, { id: promised }, { as: 'buyer' })).toMatchObject({
    updateLineItem: { userErrors: [{ code: 'NOT_ALLOWED', field: 'input.status' }] },
  });
  expect(await api.data(query, { id: plain }, { as: 'buyer' })).toMatchObject({
    updateLineItem: { lineItem: { status: 'ACTIVE' } },
  });
  await api.data(query, { id: promised });
  expect((await change(promised, { budget: '200' }, 'buyer')).userErrors).toEqual([
    { code: 'NOT_ALLOWED', field: 'id' },
  ]);
});

test('a buyer stops a guaranteed booking only with the notice of its product', async () => {
  await api.database.db.updateTable('line_items').set({ buyer_key_id: null }).execute();
  const campaign = await make('Campaign', { name: 'Bound', advertiserId: ids['advertiser'], status: 'ACTIVE' });
  const item = (await book({ campaignId: campaign, budget: '100', startsAt: dayOn(10), endsAt: dayOn(20) }, 'buyer'))
    .lineItem?.['id'];
  const update = async (type: string, id: unknown, input: object, as = 'buyer'): Promise<string[]> => {
    const query = `mutation ($id: ID!, $input: Update${type}Input!) { made: update${type}(id: $id, input: $input) { userErrors { code field } } }`;
    const { made } = await api.data<{ made: Made }>(query, { id, input }, { as });
    return made.userErrors.map(({ field, code }) => `${field} ${code}`);
  };
  const setNotice = (days: number) =>
    update('AdvertisingProduct', ids['guaranteed'], { cancellationNoticeDays: days }, 'admin');
  // A draft binds nobody.
  await setNotice(14);
  expect(await update('Campaign', campaign, { endsAt: dayOn(30) })).toEqual([]);
  expect(await update('LineItem', item, { status: 'ACTIVE' }, 'admin')).toEqual([]);
  expect(await update('LineItem', item, { status: 'PAUSED' })).toEqual(['input.status NOT_ALLOWED']);
  expect(
    await update('Campaign', campaign, {
      status: 'PAUSED',
      startsAt: dayOn(12),
      endsAt: dayOn(12),
      caps: { impressionsLifetime: 1 },
    }),
  ).toEqual(['status', 'startsAt', 'endsAt', 'caps'].map((name) => `input.${name} NOT_ALLOWED`));
  // What stops nothing is free, and a longer flight is.
  expect(await update('Campaign', campaign, { name: 'Bound still', endsAt: dayOn(40) })).toEqual([]);
  expect(await update('Campaign', campaign, { endsAt: null })).toEqual([]);
  // A product that is offered no more binds as before; a member of the network is not bound.
  await update('AdvertisingProduct', ids['guaranteed'], { offeredToBuyers: false }, 'admin');
  expect(await update('Campaign', campaign, { endsAt: dayOn(12) })).toEqual(['input.endsAt NOT_ALLOWED']);
  await update('AdvertisingProduct', ids['guaranteed'], { offeredToBuyers: true }, 'admin');
  await setNotice(5);
  expect(await update('LineItem', item, { status: 'PAUSED' })).toEqual([]);
  expect(await update('LineItem', item, { status: 'ACTIVE' })).toEqual([]);
  await setNotice(14);
  expect(await update('LineItem', item, { status: 'PAUSED' }, 'admin')).toEqual([]);
  await setNotice(0);
});

test('a forecast of a product reads its terms, and only the snapshot is missing', async () => {
  const query = 'query ($input: ProductForecastInput!) { productForecast(input: $input) { possible likelyLow } }';
  const ask = async (more: object, as = 'admin') => {
    const input = {
      productId: ids['guaranteed'],
      priceOptionId: 'cpm',
      startsAt: dayOn(3),
      endsAt: dayOn(13),
      ...more,
    };
    return (await api.ask(query, { variables: { input }, as })).body.errors?.[0]?.extensions;
  };
  expect(await ask({})).toMatchObject({ code: 'unavailable' });
  expect(await ask({ budget: '1000', targeting: of('COUNTRY', 'PL') }, 'buyer')).toMatchObject({ code: 'unavailable' });
  expect(await ask({ productId: ids['open'], priceOptionId: 'floor' })).toMatchObject({
    fields: [{ path: 'input.bid', code: 'required' }],
  });
  expect(await ask({ productId: ids['open'], priceOptionId: 'view' })).toMatchObject({
    fields: [{ path: 'input.cpm', code: 'required' }],
  });
  expect(await ask({ targeting: of('CITY', 'Lublin') })).toMatchObject({
    fields: [{ path: 'input.targeting.test.dimension', code: 'not_allowed' }],
  });
  expect(await ask({}, 'stranger')).toMatchObject({ fields: [{ path: 'input.productId', code: 'unknown' }] });
});

test('a buyer reads what a forecast says of the booking, and nothing of its competitors', async () => {
  const input = { productId: ids['guaranteed'], priceOptionId: 'cpm', startsAt: dayOn(3), endsAt: dayOn(13) };
  for (const field of ['displaced { name }', 'displacedRevenue', 'displacedRevenueMoney { amount }', 'notes']) {
    const query = `query ($input: ProductForecastInput!) { productForecast(input: $input) { ${field} } }`;
    const { body } = await api.ask(query, { variables: { input }, as: 'buyer' });
    expect([field, body.errors?.[0]?.extensions.code]).toEqual([field, 'insufficient_permissions']);
  }
});

test('an amount beyond the bound of money is refused at the field that leads to it', async () => {
  expect(await problemsOf({ quantity: 9_007_199_254_740_991 })).toEqual(['input.quantity OUT_OF_RANGE']);
  const dear = await make('AdvertisingProduct', {
    name: 'Dear',
    delivery: 'GUARANTEED',
    priceOptions: [{ id: 'day', pricingModel: 'FLAT', price: '1000000000', sharePercent: 100 }],
  });
  const flight = { startsAt: dayOn(3), endsAt: '9998-01-01T00:00:00Z' };
  expect(await problemsOf({ productId: dear, priceOptionId: 'day', ...flight })).toEqual(['input.endsAt OUT_OF_RANGE']);
});
