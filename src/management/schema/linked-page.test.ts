import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';
import { readPage } from '../kernel/pages.ts';
import { resourceOfType } from '../kernel/resource.ts';
import { COMMON_SORTS } from '../kernel/sort-keys.ts';

let api: TestManagement;
beforeAll(async () => {
  api = await createTestManagement();
  const { db } = api.database;
  await sql`INSERT INTO advertisers (workspace_id, id, name) SELECT 1, 100 + i, 'A' || i FROM generate_series(1, 3) i`.execute(
    db,
  );
  await sql`INSERT INTO campaigns (workspace_id, id, advertiser_id, name) SELECT 1, 100 + i, 101 + i % 3, 'C' || i FROM generate_series(1, 7) i`.execute(
    db,
  );
  await sql`INSERT INTO line_items (workspace_id, id, campaign_id, name, type, status, ends_at)
    SELECT 1, 100 + i, 101 + (i * 5) % 7, 'L' || (i * 37) % 40, 'HOUSE', 'ACTIVE', CASE WHEN i % 3 = 0 THEN now() + i * interval '1 day' END
    FROM generate_series(1, 40) i`.execute(db);
});
afterAll(() => api.close());

interface Page {
  readonly lineItems: { readonly nodes: readonly unknown[]; readonly pageInfo: unknown };
}

test.each([
  ['first: 25', ''],
  ['last: 7', ''],
  ['first: 9, sort: {field: NAME, direction: DESC}', ''],
  ['last: 9, sort: {field: NAME, direction: DESC}', ''],
  ['first: 30, orderBy: {field: ENDS_AT}', ''],
  ['last: 30, orderBy: {field: ENDS_AT, direction: DESC}', ''],
  ['first: 5, filter: {search: "L1"}', ''],
  ['first: 25', 'advertiser { id name status createdAt }'],
  ['first: 25', 'advertiserId notes'],
])(
  'a page (%s) shows the same objects in the same order, whether its campaigns are joined to it or not; %s',
  async (args, more) => {
    const ask = (directive: string) =>
      api.data<Page>(
        `{ lineItems(${args}) { pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        nodes { id name campaign ${directive} { id name status version updatedAt ${more} } } } }`,
      );
    api.statements.log.length = 0;
    const joined = await ask('');
    // An order by name asks for the language of the network first.
    const sent = api.statements.log.filter((statement) => !statement.includes('pg_collation')).length;
    // A link that a directive may skip is not joined.
    const separate = await ask('@include(if: true)');
    expect(joined).toEqual(separate);
    expect(joined.lineItems.nodes.length).toBeGreaterThan(4);
    expect(joined.lineItems.nodes[0]).toMatchObject({ campaign: { id: expect.any(String), name: expect.any(String) } });
    // What may be long is not repeated for each row of the page; the objects of a joined one are read once more.
    expect(sent).toBe(more === '' ? 1 : 2);
  },
);

test('the rows of joined objects count against the budget of the request', async () => {
  const context = api.contextFor('admin');
  const campaign = {
    column: 'campaign_id',
    resource: resourceOfType('Campaign'),
    selection: { columns: ['id', 'name'], links: [] },
  };
  const selection = { columns: ['id', 'campaign_id'], links: [campaign] };
  const request = { conditions: [], search: null, where: null, sort: COMMON_SORTS.ID, descending: false, selection };
  await readPage(context, resourceOfType('LineItem'), request, { first: 20 });
  expect(context.budget.rows).toBe(21 + 7);
});
