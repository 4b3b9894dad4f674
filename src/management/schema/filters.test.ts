import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readWhere } from '../kernel/where.ts';
import { ACTIVITY } from '../resources/activity/activity.ts';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

let api: TestManagement;
const ids: Record<string, string> = {};

async function make(type: string, singular: string, input: Record<string, unknown>, as = 'admin'): Promise<string> {
  const data = await api.data<Record<string, Record<string, { id: string }>>>(
    `mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${singular} { id } } }`,
    { input },
    { as },
  );
  return data[`create${type}`]?.[singular]?.id ?? '';
}

const lineItem = (name: string, more: Record<string, unknown>, as = 'admin') =>
  make('LineItem', 'lineItem', { name, type: 'HOUSE', ...more }, as);

beforeAll(async () => {
  api = await createTestManagement();
  for (const as of ['admin', 'stranger']) {
    const advertiserId = await make('Advertiser', 'advertiser', { name: `Acme of ${as}`, credit: '10.00' }, as);
    const campaignId = await make('Campaign', 'campaign', { name: `Spring of ${as}`, advertiserId }, as);
    ids[`advertiser ${as}`] = advertiserId;
    ids[`campaign ${as}`] = campaignId;
    await lineItem('Alpha 100%', { campaignId, price: '2.50', endsAt: '2026-12-01T00:00:00Z', status: 'ACTIVE' }, as);
    const beta = await lineItem('beta', { campaignId, price: '10.00', labels: ['sport'], level: 3 }, as);
    await lineItem('Gamma', { campaignId, price: '0', endsAt: '2027-01-01T00:00:00Z', labels: ['news', 'sport'] }, as);
    await make(
      'Creative',
      'creative',
      {
        name: 'Banner',
        lineItemId: beta,
        width: 300,
        height: 250,
        clickUrl: 'https://acme.example',
        content: { html: { html: '<b>x</b>' } },
        reviewState: 'APPROVED',
        status: 'ACTIVE',
      },
      as,
    );
  }
}, 120_000);

afterAll(() => api.close());

async function names(where: unknown, more = ''): Promise<string[]> {
  const { lineItems } = await api.data<{ lineItems: { totalCount: number; nodes: { name: string }[] } }>(
    `query ($where: LineItemWhere) { lineItems(where: $where ${more}) { totalCount nodes { name } } }`,
    { where },
  );
  expect(lineItems.totalCount).toBe(lineItems.nodes.length);
  return lineItems.nodes.map(({ name }) => name);
}

describe('filters by any field', () => {
  test.each<[string, unknown, string[]]>([
    ['equal', { name: { eq: 'beta' } }, ['beta']],
    ['one of', { name: { in: ['beta', 'Gamma', 'x'] } }, ['beta', 'Gamma']],
    ['containing, with wildcards as plain text', { name: { contains: '0%' } }, ['Alpha 100%']],
    ['containing, in any case', { name: { contains: 'MM' } }, ['Gamma']],
    ['money at least', { price: { gte: '2.5' } }, ['Alpha 100%', 'beta']],
    ['money in a range', { price: { gte: '2.5', lt: '10' } }, ['Alpha 100%']],
    ['an instant before', { endsAt: { lt: '2026-12-31T00:00:00Z' } }, ['Alpha 100%']],
    ['empty', { endsAt: { eq: null } }, ['beta']],
    ['not empty', { endsAt: { not: { eq: null } } }, ['Alpha 100%', 'Gamma']],
    ['not before, empty ones included', { endsAt: { not: { lt: '2026-12-31T00:00:00Z' } } }, ['beta', 'Gamma']],
    ['an enumeration', { status: { eq: 'ACTIVE' } }, ['Alpha 100%']],
    ['not in an enumeration', { status: { not: { in: ['ACTIVE'] } } }, ['beta', 'Gamma']],
    ['a whole number', { level: { lt: 8 } }, ['beta']],
    ['a value of a list', { labels: { has: 'news' } }, ['Gamma']],
    ['any value of a list', { labels: { hasAny: ['news', 'sport'] } }, ['beta', 'Gamma']],
    ['one of several', { or: [{ name: { eq: 'beta' } }, { price: { eq: '0' } }] }, ['beta', 'Gamma']],
    ['none of several', { not: { or: [{ name: { eq: 'beta' } }, { price: { eq: '0' } }] } }, ['Alpha 100%']],
    ['a field of the parent', { campaign: { name: { contains: 'spring' } } }, ['Alpha 100%', 'beta', 'Gamma']],
    ['a field of the parent of the parent', { campaign: { advertiser: { credit: { lt: '5' } } } }, []],
    ['a field of a child', { creatives: { some: { width: { eq: 300 } } } }, ['beta']],
    ['no child', { creatives: { none: {} } }, ['Alpha 100%', 'Gamma']],
    ['nothing', {}, ['Alpha 100%', 'beta', 'Gamma']],
  ])('a list shows the objects whose field is %s', async (_name, where, expected) => {
    expect(await names(where)).toEqual(expected);
  });

  test('a filter by another network finds nothing, also through relations', async () => {
    for (const id of [ids['campaign stranger'], ids['advertiser stranger']]) {
      expect(await names({ campaignId: { eq: id } })).toEqual([]);
      expect(await names({ campaign: { id: { eq: id } } })).toEqual([]);
      expect(await names({ campaign: { advertiserId: { eq: id } } })).toEqual([]);
    }
  });

  test('a key of one module does not filter by objects of another module', () => {
    const given = { advertiser: { credit: { gte: '1' } } };
    const context = api.contextFor('delivery');
    const audience = { ...context, caller: { ...context.caller, modules: ['AUDIENCE'] as const } };
    expect(readWhere(context, ACTIVITY, given)).toMatchObject({ kind: 'all' });
    expect(() => readWhere(audience, ACTIVITY, given)).toThrow('Key lacks permission for the operation');
  });

  test.each<[string, unknown]>([
    ['too many comparisons', { or: Array.from({ length: 101 }, () => ({ name: { eq: 'x' } })) }],
    ['too many values', { name: { in: Array.from({ length: 501 }, (_, index) => String(index)) } }],
    ['an amount that is none', { price: { gte: 'dear' } }],
    ['a long text', { name: { contains: 'x'.repeat(501) } }],
    [
      'too many relations',
      { campaign: { lineItems: { some: { campaign: { lineItems: { some: { name: { eq: 'x' } } } } } } } },
    ],
  ])('a filter with %s is refused with the path of the mistake', async (_name, where) => {
    const { body } = await api.ask('query ($where: LineItemWhere) { lineItems(where: $where) { totalCount } }', {
      variables: { where },
    });
    expect(body.errors?.[0]?.extensions.code).toBe('invalid_request');
    expect(body.errors?.[0]?.message).toMatch(/^where\./);
  });

  test('children are filtered and counted by the same filter', async () => {
    const { campaign } = await api.data<{ campaign: unknown }>(
      `query ($id: ID!) { campaign(id: $id) {
        cheap: lineItems(where: {price: {lt: "5"}}) { totalCount nodes { name } }
        dear: lineItems(where: {price: {gte: "5"}}) { totalCount nodes { name } } } }`,
      { id: ids['campaign admin'] },
    );
    expect(campaign).toEqual({
      cheap: { totalCount: 2, nodes: [{ name: 'Alpha 100%' }, { name: 'Gamma' }] },
      dear: { totalCount: 1, nodes: [{ name: 'beta' }] },
    });
  });

  test.each<[string, string[]]>([
    ['hasApprovedCreative: true', ['beta']],
    ['hasApprovedCreative: false', ['Alpha 100%', 'Gamma']],
    ['endsBefore: "2026-12-31T00:00:00Z"', ['Alpha 100%']],
    ['health: [BEHIND]', ['Gamma']],
  ])('the desk finds line items by %s', async (filter, expected) => {
    await api.database.db
      .insertInto('line_item_goal_status')
      .columns(['workspace_id', 'line_item_id', 'found', 'told'])
      .expression((eb) =>
        eb
          .selectFrom('line_items')
          .select((row) => ['workspace_id', 'id', row.val('BEHIND').as('found'), row.val('ON_TRACK').as('told')])
          .where('name', '=', 'Gamma'),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    expect(await names({}, `, filter: {${filter}}`)).toEqual(expected);
  });

  test('the desk finds line items by advertiser', async () => {
    expect(await names({}, `, filter: {advertiserIds: ["${ids['advertiser admin']}"]}`)).toHaveLength(3);
    expect(await names({}, `, filter: {advertiserIds: ["${ids['advertiser stranger']}", "x"]}`)).toEqual([]);
  });
});

describe('orders by any field', () => {
  test.each<[string, string[]]>([
    ['PRICE', ['Gamma', 'Alpha 100%', 'beta']],
    ['ENDS_AT', ['Alpha 100%', 'Gamma', 'beta']],
    ['LEVEL', ['beta', 'Alpha 100%', 'Gamma']],
    ['STATUS', ['Alpha 100%', 'beta', 'Gamma']],
    ['SHARE_PERCENT', ['Alpha 100%', 'beta', 'Gamma']],
    ['EXTERNAL_ID', ['Alpha 100%', 'beta', 'Gamma']],
    ['SERVE_WITHOUT_USER', ['Alpha 100%', 'beta', 'Gamma']],
  ])('a list by %s comes page by page, forwards and backwards, and in reverse', async (field, expected) => {
    const page = async (direction: string, cursor: string): Promise<{ name: string; cursor: string } | null> => {
      const { lineItems } = await api.data<{
        lineItems: { edges: { cursor: string; node: { name: string } }[] };
      }>(
        `{ lineItems(orderBy: {field: ${field}, direction: ${direction}}, ${cursor}) { edges { cursor node { name } } } }`,
      );
      const [edge] = lineItems.edges;
      return edge === undefined ? null : { name: edge.node.name, cursor: edge.cursor };
    };
    const walk = async (direction: string, first: (cursor: string | null) => string): Promise<string[]> => {
      const found: string[] = [];
      let cursor: string | null = null;
      for (
        let next = await page(direction, first(cursor));
        next !== null;
        next = await page(direction, first(cursor))
      ) {
        found.push(next.name);
        cursor = next.cursor;
      }
      return found;
    };
    const forwards = (cursor: string | null) => (cursor === null ? 'first: 1' : `first: 1, after: "${cursor}"`);
    const backwards = (cursor: string | null) => (cursor === null ? 'last: 1' : `last: 1, before: "${cursor}"`);
    expect(await walk('ASC', forwards)).toEqual(expected);
    expect(await walk('ASC', backwards)).toEqual(expected.toReversed());
    expect(await walk('DESC', forwards)).toEqual(expected.toReversed());
  });

  test.each(['price', 'endsAt', 'ID', 'serveWithoutUser', 'sharePercent'])(
    'a hostile cursor of %s is refused',
    async (name) => {
      const field = name === 'ID' ? 'ID' : name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
      for (const value of ['x', "1'; DROP TABLE line_items", '9'.repeat(30), '']) {
        const cursor = Buffer.from(JSON.stringify([name, value, '1'])).toString('base64url');
        const { body } = await api.ask(`{ lineItems(orderBy: {field: ${field}}, after: "${cursor}") { totalCount } }`);
        expect(body.errors?.[0]?.extensions.code).toBe('invalid_request');
      }
    },
  );
});
