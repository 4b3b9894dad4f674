import fc from 'fast-check';
import { getIntrospectionQuery, getOperationAST, parse } from 'graphql';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomDocuments } from '../fixtures/random-documents.ts';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';
import { costOf } from './query-cost.ts';
import { QUERY_LIMITS } from '../kernel/query-limits.ts';
import { managementSchema } from './schema.ts';

/** Random documents that are asked; `.ci/run` asks for more. */
const RUNS = Number(process.env['COST_DOCUMENTS'] ?? 80);
/** `COST_SEED` repeats a run. */
const SEED = Number(process.env['COST_SEED'] ?? Date.now() % 2 ** 31);

const cost = (query: string, variables: Readonly<Record<string, unknown>> = {}): number => {
  const document = parse(query);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('The document has no operation.');
  return costOf(managementSchema(), document, operation, variables);
};

describe('The cost of a document', () => {
  const direct = cost('{ campaigns(first: 40) { nodes { id lineItems(first: 10) { nodes { id } } } } }');

  test.each([
    [
      'behind a fragment',
      '{ campaigns(first: 40) { ...A } } fragment A on CampaignConnection { nodes { ...B } } fragment B on Campaign { id lineItems(first: 10) { nodes { id } } }',
      {},
    ],
    [
      'behind inline fragments',
      '{ campaigns(first: 40) { ... { nodes { ... on Campaign { id lineItems(first: 10) { ... { nodes { id } } } } } } } }',
      {},
    ],
    [
      'with a fragment that is spread twice',
      '{ campaigns(first: 40) { nodes { ...B ...B } } } fragment B on Campaign { id lineItems(first: 10) { nodes { id } } }',
      {},
    ],
    [
      'with a variable that is given',
      'query ($n: Int) { campaigns(first: $n) { nodes { id lineItems(first: 10) { nodes { id } } } } }',
      { n: 40 },
    ],
    [
      "with a variable's default",
      'query ($n: Int = 40) { campaigns(first: $n) { nodes { id lineItems(first: 10) { nodes { id } } } } }',
      {},
    ],
    ['from the end', '{ campaigns(last: 40) { nodes { id lineItems(first: 10) { nodes { id } } } } }', {}],
    [
      'with selections that @skip and @include leave out',
      'query ($no: Boolean = false) { campaigns(first: 40) { nodes { id lineItems(first: 10) { nodes { id } } creative: advertiser @include(if: $no) { id } } } lineItems @skip(if: true) { nodes { id } } }',
      {},
    ],
  ])('the cost is the same %s', (_name, query, variables) => {
    expect(cost(query, variables)).toBe(direct);
  });

  test('the cost counts each alias, and a page size of null as the default', () => {
    expect(cost('{ a: campaigns { nodes { id } } b: campaigns { nodes { id } } }')).toBe(
      2 * cost('{ campaigns(first: 25) { nodes { id } } }'),
    );
    expect(cost('query ($n: Int = 100) { campaigns(first: $n) { nodes { id } } }', { n: null })).toBe(
      cost('{ campaigns { nodes { id } } }'),
    );
  });

  test('the cost grows with the rows of a bulk mutation', () => {
    const bulk = 'mutation ($ids: [ID!]!) { archiveCampaigns(ids: $ids) { results { campaign { id } } } }';
    const ids = Array.from({ length: 500 }, (_, index) => index + 1);
    expect(cost(bulk, { ids })).toBe(500 * cost(bulk, { ids: [1] }));
  });

  test('the cost counts the fields that introspection returns for members of a union', () => {
    const of = (list: string) =>
      cost(`{ __type(name: "CreativeContent") { ${list} { fields { type { ofType { fields { name } } } } } } }`);
    expect(of('possibleTypes')).toBeGreaterThan(of('interfaces') + 20);
  });

  test("the limit allows the tools' introspection query", () => {
    const tools = getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true, specifiedByUrl: true });
    expect(cost(tools)).toBeLessThan(QUERY_LIMITS.introspectionMax * 0.8);
  });
});

describe('Rows that a query reads', () => {
  let api: TestManagement;
  beforeAll(async () => {
    api = await createTestManagement();
    await seed(api);
  });
  afterAll(() => api.close());

  test(`a query never reads more rows than its cost, for ${RUNS} random documents`, async () => {
    let accepted = 0;
    let rows = 0;
    await fc.assert(
      fc.asyncProperty(randomDocuments(managementSchema()), async ({ query, variables }) => {
        api.statements.rows = 0;
        const response = await api.ask(query, { variables });
        if (response.body.error === 'query_too_complex') return;
        if (response.body.errors !== undefined) throw new Error(JSON.stringify(response.body.errors[0]));
        const claimed = (response.body.extensions as unknown as { cost: { requested: number } }).cost.requested;
        accepted += 1;
        rows += api.statements.rows;
        expect(api.statements.rows).toBeLessThanOrEqual(claimed);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    // The documents are of a kind that finds something out: in 15 runs of 80, they read 222 to 3,489 rows.
    expect(accepted).toBeGreaterThan(RUNS / 4);
    expect(rows).toBeGreaterThan(RUNS / 2);
  });
});

/** 20 advertisers with 20 campaigns each, and so on: more of everything than the smaller pages hold. */
async function seed({ database: { db } }: TestManagement): Promise<void> {
  const statements = [
    sql`INSERT INTO advertisers (workspace_id, id, name) SELECT 1, i, 'a' || i FROM generate_series(1, 20) AS i`,
    sql`INSERT INTO campaigns (workspace_id, id, advertiser_id, name) SELECT 1, i, 1 + i % 20, 'c' || i FROM generate_series(1, 400) AS i`,
    sql`INSERT INTO advertising_products (workspace_id, id, name) SELECT 1, i, 'p' || i FROM generate_series(1, 3) AS i`,
    sql`INSERT INTO line_items (workspace_id, id, campaign_id, advertising_product_id, name, type)
      SELECT 1, i, 1 + i % 40, 1 + i % 3, 'l' || i, 'HOUSE' FROM generate_series(1, 1200) AS i`,
    sql`INSERT INTO sites (workspace_id, id, code, domain, name) SELECT 1, i, 's' || i, 's' || i || '.example', 's' || i FROM generate_series(1, 5) AS i`,
    sql`INSERT INTO areas (workspace_id, id, site_id, code, name) SELECT 1, i, 1 + i % 5, 'r' || i, 'r' || i FROM generate_series(1, 150) AS i`,
    sql`INSERT INTO ad_units (workspace_id, id, site_id, area_id, name) SELECT 1, i, 1 + i % 5, i, 'u' || i FROM generate_series(1, 150) AS i`,
  ];
  for (const statement of statements) await statement.execute(db);
}
