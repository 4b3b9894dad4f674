import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { buildSchema, type GraphQLField, isEnumType, isInputObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';
import { runsOf } from '../../../test/support/longer-runs.ts';

/** Objects of each kind: several pages, and few different values, so that most orders have ties. */
const OBJECTS = 11;
const RUNS = Number(process.env['PAGE_RUNS'] ?? runsOf(80));

/** An order of a list, as its arguments. */
interface ListOrder {
  readonly list: string;
  readonly order: string;
  /** Whether the list also has pages from its end. */
  readonly isTwoWay: boolean;
}

const schema = buildSchema(readFileSync('contract/schema.graphql', 'utf8'));
const lists = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(
  ({ type, args }) => String(type).endsWith('Connection!') && args.some(({ name }) => name === 'after'),
);

/** Every order by a field that the list's arguments offer, in both directions. */
function ordersOf(list: GraphQLField<unknown, unknown>): string[] {
  const byField = list.args.flatMap(({ name, type }) => {
    if (!isInputObjectType(type) || !['sort', 'orderBy'].includes(name)) return [];
    const field = type.getFields()['field']?.type;
    const named = field === undefined ? null : schema.getType(String(field).replace('!', ''));
    const values = isEnumType(named) ? named.getValues().map((value) => value.name) : [];
    return values.flatMap((value) => ['ASC', 'DESC'].map((way) => `${name}: {field: ${value}, direction: ${way}}`));
  });
  return ['', ...byField];
}

const ORDERS: readonly ListOrder[] = lists.flatMap((list) =>
  ordersOf(list).map((order) => ({
    list: list.name,
    order,
    isTwoWay: list.args.some(({ name }) => name === 'before'),
  })),
);

let api: TestManagement;
const ids = new Map<string, string>();

const CREATED: readonly (readonly [string, (at: number) => object])[] = [
  ['Advertiser', (at) => ({ name: `N${at % 3}`, ...(at % 2 === 0 ? {} : { externalId: `x${at}` }) })],
  ['AdvertisingProduct', (at) => ({ name: `N${at}` })],
  ['Deal', (at) => ({ code: `c${at}`, name: `N${at % 3}` })],
  ['Team', (at) => ({ name: `N${at}` })],
  ['CustomField', (at) => ({ key: `k${at}`, name: `N${at % 3}`, type: 'TEXT' })],
  ['Site', (at) => ({ code: `c${at}`, name: `N${at % 3}`, domain: 'n.example' })],
  ['Area', (at) => ({ siteId: ids.get('Site'), code: `c${at}`, name: `N${at % 3}` })],
  ['AdUnit', (at) => ({ siteId: ids.get('Site'), name: `unit ${at}`, sizes: [{ width: 300, height: 250 }] })],
  ['Floor', (at) => ({ name: `N${at % 3}`, floor: `${at % 2}`, siteId: ids.get('Site') })],
  ['Activity', (at) => ({ advertiserId: ids.get('Advertiser'), actgid: `a${at}`, name: `N${at % 3}` })],
  ['KeyValue', (at) => ({ key: `k${at}`, name: `N${at % 3}` })],
  ['Segment', (at) => ({ name: `N${at}` })],
  ['TargetingPreset', (at) => ({ name: `N${at}`, targeting: { test: { dimension: 'COUNTRY', values: ['PL'] } } })],
  ['Campaign', (at) => ({ advertiserId: ids.get('Advertiser'), name: `N${at % 3}` })],
  [
    'LineItem',
    (at) => ({
      campaignId: ids.get('Campaign'),
      name: `N${at % 3}`,
      type: at % 2 === 0 ? 'HOUSE' : 'PRICE',
      ...(at % 2 === 0 ? {} : { price: `${at % 4}.5`, endsAt: `2030-01-0${1 + (at % 3)}T00:00:00Z` }),
    }),
  ],
  [
    'Experiment',
    (at) => ({
      name: `N${at % 3}`,
      rule: 'NO_PRICES',
      sharePercent: 1 + at,
      startsAt: '2020-01-01T00:00:00Z',
      endsAt: `2020-02-0${1 + (at % 3)}T00:00:00Z`,
    }),
  ],
  ['LibraryCreative', (at) => ({ advertiserId: ids.get('Advertiser'), name: `N${at % 3}`, ...HTML })],
  ['Creative', (at) => ({ lineItemId: ids.get('LineItem'), name: `N${at % 3}`, ...HTML })],
];
const HTML = { width: 300, height: 250, clickUrl: 'https://n.example/', content: { html: { html: '<b>n</b>' } } };

beforeAll(async () => {
  api = await createTestManagement();
  for (const [type, inputOf] of CREATED) {
    const field = `${type[0]?.toLowerCase()}${type.slice(1)}`;
    const query = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { object: ${field} { id } } }`;
    for (let at = 0; at < OBJECTS; at += 1) {
      const { made } = await api.data<{ made: { object: { id: string } } }>(query, { input: inputOf(at) });
      ids.set(type, made.object.id);
    }
  }
});
afterAll(() => api.close());

interface Page {
  readonly edges: readonly { readonly cursor: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean };
}

/** The cursors of one page; a cursor holds its object's id. */
async function readPage({ list, order }: ListOrder, page: string): Promise<Page> {
  const args = [page, order].filter((one) => one !== '').join(', ');
  const query = `{ list: ${list}(${args}) { edges { cursor } pageInfo { hasNextPage hasPreviousPage } } }`;
  return (await api.data<{ list: Page }>(query)).list;
}

async function forwards(of: ListOrder, size: number): Promise<string[]> {
  const cursors: string[] = [];
  for (;;) {
    const after = cursors.length === 0 ? '' : `, after: "${cursors.at(-1)}"`;
    const { edges, pageInfo } = await readPage(of, `first: ${size}${after}`);
    cursors.push(...edges.map(({ cursor }) => cursor));
    if (!pageInfo.hasNextPage) return cursors;
  }
}

async function backwards(of: ListOrder, size: number): Promise<string[]> {
  let cursors: string[] = [];
  for (;;) {
    const before = cursors.length === 0 ? '' : `, before: "${cursors[0]}"`;
    const { edges, pageInfo } = await readPage(of, `last: ${size}${before}`);
    cursors = [...edges.map(({ cursor }) => cursor), ...cursors];
    if (!pageInfo.hasPreviousPage) return cursors;
  }
}

test('pages of every list, by every order and in both directions, hold each object of the list once', async () => {
  expect(new Set(ORDERS.map(({ list }) => list)).size).toBe(lists.length);
  const drawn = fc.asyncProperty(fc.constantFrom(...ORDERS), fc.integer({ min: 1, max: 10 }), async (of, size) => {
    const whole = await forwards(of, 100);
    expect(new Set(whole).size).toBe(whole.length);
    expect(await forwards(of, size)).toEqual(whole);
    if (of.isTwoWay) expect(await backwards(of, size)).toEqual(whole);
  });
  await fc.assert(drawn, { numRuns: RUNS });
});

test('pages of the table of line items, by every order, hold each line item once', async () => {
  const sorts = schema.getType('LineItemTableSort');
  for (const { name } of isEnumType(sorts) ? sorts.getValues() : [])
    for (const descending of [false, true]) {
      const read = async (first: number, offset: number): Promise<string[]> => {
        const args = `sort: ${name}, descending: ${descending}, first: ${first}, offset: ${offset}`;
        const query = `{ list: lineItemTable(${args}) { nodes { id } } }`;
        return (await api.data<{ list: { nodes: { id: string }[] } }>(query)).list.nodes.map(({ id }) => id);
      };
      const whole = await read(100, 0);
      expect(new Set(whole).size, name).toBe(OBJECTS);
      const pages: string[] = [];
      for (let offset = 0; offset < OBJECTS; offset += 3) pages.push(...(await read(3, offset)));
      expect(pages, `${name} ${descending}`).toEqual(whole);
    }
});
