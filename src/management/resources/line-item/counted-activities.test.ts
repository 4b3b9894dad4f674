import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
let campaignId: string;
let buy: string;
let visit: string;
let theirs: string;
let foreign: string;

async function make(type: string, input: object, as: 'admin' | 'stranger' = 'admin'): Promise<string> {
  const field = `${type[0]?.toLowerCase()}${type.slice(1)}`;
  const query = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { ${field} { id } } }`;
  const { made } = await api.data<{ made: Record<string, { id: string }> }>(query, { input }, { as });
  return made[field]?.id ?? '';
}

interface Saved {
  readonly lineItem: { id: string; name: string; countedActivities: object[] };
  readonly warnings: { path: string; code: string }[];
}

const RESULT = '{ lineItem { id name countedActivities { activityId events } } warnings { path code } }';
const create = (countedActivities: readonly object[]) =>
  api.ask(`mutation ($input: CreateLineItemInput!) { saved: createLineItem(input: $input) ${RESULT} }`, {
    variables: { input: { campaignId, name: 'L', type: 'PRICE', price: '10', pricingModel: 'CPA', countedActivities } },
  });
const update = async (id: string, input: object): Promise<Saved> => {
  const text = `mutation ($id: ID!, $input: UpdateLineItemInput!) { saved: updateLineItem(id: $id, input: $input) ${RESULT} }`;
  return (await api.data<{ saved: Saved }>(text, { id, input })).saved;
};
const savedOf = ({ body }: Awaited<ReturnType<typeof create>>): Saved =>
  (body.data as unknown as { saved: Saved }).saved;
const problemsOf = ({ body }: Awaited<ReturnType<typeof create>>): string[] =>
  ((body.errors?.[0]?.extensions['fields'] ?? []) as { path: string; code: string }[]).map(
    ({ path, code }) => `${path} ${code}`,
  );

beforeAll(async () => {
  api = await createTestManagement();
  const advertiserId = await make('Advertiser', { name: 'Acme' });
  campaignId = await make('Campaign', { advertiserId, name: 'Orders' });
  buy = await make('Activity', { actgid: 'buy', name: 'Buy', advertiserId });
  visit = await make('Activity', { actgid: 'visit', name: 'Visit' });
  const other = await make('Advertiser', { name: 'Other' });
  theirs = await make('Activity', { actgid: 'theirs', name: 'Theirs', advertiserId: other });
  foreign = await make('Activity', { actgid: 'buy', name: 'Buy' }, 'stranger');
});
afterAll(() => api.close());

test('a line item names activities with their events, and an update replaces the list', async () => {
  const { lineItem } = savedOf(
    await create([{ activityId: buy, events: ['paid', 'paid', 'shipped'] }, { activityId: visit }]),
  );
  expect(lineItem.countedActivities).toEqual([
    { activityId: buy, events: ['paid', 'shipped'] },
    { activityId: visit, events: [] },
  ]);
  expect((await update(lineItem.id, { name: 'M' })).lineItem.countedActivities).toHaveLength(2);
  expect((await update(lineItem.id, { countedActivities: [] })).lineItem.countedActivities).toEqual([]);
});

test('a line item that names no activity has an empty list', async () => {
  expect(savedOf(await create([])).lineItem.countedActivities).toEqual([]);
});

test('a line item may name activities of its network and advertiser alone', async () => {
  const named = [foreign, theirs, '999', 'x', buy, buy].map((activityId) => ({ activityId }));
  expect(problemsOf(await create(named.slice(0, 3)))).toEqual([
    'input.countedActivities.0.activityId unknown',
    'input.countedActivities.1.activityId other_advertiser',
    'input.countedActivities.2.activityId unknown',
  ]);
  expect(problemsOf(await create(named.slice(3)))).toEqual([
    'input.countedActivities.0.activityId unknown',
    'input.countedActivities.2.activityId repeated',
  ]);
});

test('the names of events and the lengths of the lists are bounded', async () => {
  const many = Array.from({ length: 51 }, (_none, index) => ({ activityId: String(index + 1) }));
  expect(problemsOf(await create(many))).toContain('input.countedActivities too_many');
  const events = ['', 'e'.repeat(65), ...Array.from({ length: 19 }, (_none, index) => `e${index}`)];
  expect(problemsOf(await create([{ activityId: buy, events }]))).toEqual([
    'input.countedActivities.0.events too_many',
    'input.countedActivities.0.events.0 out_of_range',
    'input.countedActivities.0.events.1 out_of_range',
  ]);
});

test('an archived activity is refused, and one that was archived later leaves the rest changeable, with a warning', async () => {
  const { lineItem } = savedOf(await create([{ activityId: visit }]));
  await api.data('mutation ($id: ID!) { archiveActivity(id: $id) { activity { id } } }', { id: visit });
  expect(problemsOf(await create([{ activityId: visit }]))).toEqual(['input.countedActivities.0.activityId archived']);
  const renamed = await update(lineItem.id, { name: 'N' });
  expect(renamed.lineItem.name).toBe('N');
  expect(renamed.warnings).toEqual([{ path: 'input.countedActivities.0.activityId', code: 'archived' }]);
});
