import fc from 'fast-check';
import {
  buildSchema,
  getIntrospectionQuery,
  getOperationAST,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  isInputObjectType,
  isObjectType,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DRAW_SEED } from '../../../test/support/draw-seed.ts';
import { randomDocuments } from '../fixtures/random-documents.ts';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';
import { CHARACTERS_OF_A_POINT, priceOf } from './field-costs.ts';
import { costOf, countCost } from './query-cost.ts';
import { measureQuery, parseBounded, QUERY_LIMITS } from '../kernel/query-limits.ts';
import { managementSchema } from './schema.ts';

/** Random documents that are asked; `.ci/run` asks for more. */
const RUNS = Number(process.env['COST_DOCUMENTS'] ?? 80);

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

/** Lists inside a list of a campaign, and a small list of an advertiser that has their name. */
const DEAR = 'x: lineItems(first: 100) { nodes { id creatives(first: 100) { nodes { id } } } }';
const CHEAP = 'x: campaigns(first: 1) { nodes { id } }';

test.each(['apiKeys', 'headerCredentials', 'users'])(
  'a page of %s costs its rows, and more than a connection may have where it is larger',
  (list) => {
    const [few, many] = [10, 1_000].map((first) => cost(`{ ${list}(first: ${first}) { id } }`)) as [number, number];
    expect(many - few).toBeGreaterThanOrEqual(990);
    expect(cost(`{ ${list} { id } }`)).toBeGreaterThan(few + 190 - 10);
  },
);

test('a field whose text may be long costs as much as its length, at each of its positions', () => {
  const schema = managementSchema();
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const given = types.flatMap((type) => {
    if (isInputObjectType(type)) return Object.values(type.getFields());
    return isObjectType(type) ? Object.values(type.getFields()).flatMap(({ args }) => args) : [];
  });
  const longest = new Map<string, number>();
  for (const { name, description } of given) {
    const characters = Number(/(?:at most |1…)(\d+) characters/.exec(description ?? '')?.[1] ?? 0);
    if (characters > CHARACTERS_OF_A_POINT) longest.set(name, characters);
  }
  expect([...longest.keys()].toSorted()).toEqual(['body', 'html']);
  const cheap = types.flatMap((type) =>
    // The body of a native ad is a short text.
    isObjectType(type) && type.name !== 'NativeContent'
      ? Object.values(type.getFields())
          .filter(({ name, type: of }) => longest.has(name) && String(of).startsWith('String'))
          .filter(({ name }) => (priceOf(type.name, name) ?? 0) * CHARACTERS_OF_A_POINT < (longest.get(name) ?? 0))
          .map(({ name }) => `${type.name}.${name}`)
      : [],
  );
  expect(cheap).toEqual([]);
  const page = (content: string) => cost(`{ creatives(first: 100) { nodes { id content { ${content} } } } }`);
  expect(page('... on HtmlContent { html }') - page('... on HtmlContent { __typename }')).toBe(9_900);
});

describe('The cost of a level that may be of several types', () => {
  const alone = cost(`{ node(id: "1") { ... on Campaign { ${DEAR} } } }`);

  test.each([
    ['after another type', `... on Advertiser { ${CHEAP} } ... on Campaign { ${DEAR} }`],
    ['before another type', `... on Campaign { ${DEAR} } ... on Advertiser { ${CHEAP} }`],
    ['under an interface', `... on Versioned { ... on Advertiser { ${CHEAP} } ... on Campaign { ${DEAR} } }`],
    [
      'under a type that no object has besides',
      `... on Advertiser { ${CHEAP} ... on Node { ... on Campaign { y: ${DEAR.slice(3)} } } } ... on Campaign { ${DEAR} }`,
    ],
    [
      'in named fragments',
      '...A ...B',
      `fragment A on Advertiser { ${CHEAP} } fragment B on Node { ...C } fragment C on Campaign { ${DEAR} }`,
    ],
  ])('it is that of the dearest type %s', (_name, selections, fragments = '') => {
    expect(alone).toBeGreaterThan(30_000);
    expect(cost(`{ node(id: "1") { ${selections} } } ${fragments}`)).toBe(alone);
  });

  test('members of a union count as the dearest one', () => {
    const of = (content: string) => cost(`{ creative(id: 1) { content { ${content} } } }`);
    const video = '... on VideoContent { x: mediaFiles { url } }';
    expect(of(`... on HtmlContent { x: bundle { __typename } } ${video}`)).toBe(of(video));
  });

  test('a price that is paid once counts for the list with the most objects, in any order', () => {
    const [one, many] = ['a: lineItem(id: 1) { ...D }', 'b: lineItems(first: 100) { nodes { ...D } }'];
    const fragment = 'fragment D on LineItem { delivery { today { clicks } } }';
    const both = cost(`{ ${one} ${many} } ${fragment}`);
    expect(both).toBe(cost(`{ ${many} ${one} } ${fragment}`));
    expect(both).toBeGreaterThan(cost(`{ ${many} } ${fragment}`));
  });

  test('a literal tree of objects costs as much as the same tree in a variable', () => {
    const save = (input: string) =>
      `mutation ($input: SaveCampaignInput!) { saveCampaign(input: ${input}) { userErrors { message } } }`;
    const lineItems = Array.from({ length: 50 }, () => ({ name: 'x' }));
    expect(cost(save('{ lineItems: [{ name: "x" }, { name: "x" }] }'))).toBe(
      cost(save('$input'), { input: { lineItems: lineItems.slice(0, 2) } }),
    );
    expect(cost(save('$input'), { input: { lineItems } })).toBeGreaterThan(50 * 50);
  });
});

describe('Fragments on many types', () => {
  const schema = managementSchema();
  const types = schema.getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType);

  /** Lists of a type under common names, with lists of `depth` levels below, by the numbers of a draw. */
  const selectionsOf = (type: GraphQLObjectType, draw: readonly number[], depth = 2): string => {
    const lists = Object.values(type.getFields()).filter((field) => String(field.type).endsWith('Connection!'));
    const parts = draw.map((number, index) => {
      const list = lists[number % Math.max(1, lists.length)];
      if (list === undefined || depth === 0) return '';
      const child = schema.getType(String(list.type).replace('Connection!', '')) as GraphQLObjectType;
      const below = selectionsOf(child, draw.slice(index + 1), depth - 1);
      return `x${index}: ${list.name}(first: ${1 + (number % 100)}) { nodes { ${below} } }`;
    });
    return `id ${parts.join(' ')}`;
  };
  const points = (query: string) => {
    const document = parse(query);
    expect(validate(schema, document).map(String)).toEqual([]);
    const operation = getOperationAST(document) as OperationDefinitionNode;
    return countCost(schema, { document, operation, given: {} });
  };
  const WRAPPERS = [
    (fragment: string) => fragment,
    (fragment: string) => `... on Node { ${fragment} }`,
    (fragment: string) => `... on Versioned { version ${fragment} }`,
    (fragment: string) => `... { id ... on Node { ${fragment} } }`,
  ];

  test('together they cost at least what those of any one type cost', () => {
    const draws = fc.array(
      fc.record({
        type: fc.constantFrom(...types.filter((type) => type.getInterfaces().some(({ name }) => name === 'Versioned'))),
        wrapper: fc.nat({ max: WRAPPERS.length - 1 }),
        draw: fc.array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 3 }),
      }),
      { minLength: 2, maxLength: 8 },
    );
    fc.assert(
      fc.property(draws, (drawn) => {
        const byType = [...new Map(drawn.map((one) => [one.type, one])).values()];
        const fragments = byType.map(({ type, wrapper, draw }) =>
          WRAPPERS[wrapper]?.(`... on ${type.name} { ${selectionsOf(type, draw)} }`),
        );
        const together = points(`{ node(id: "1") { ${fragments.join(' ')} } }`).cost;
        for (const fragment of fragments)
          expect(together).toBeGreaterThanOrEqual(points(`{ node(id: "1") { ${fragment} } }`).cost);
      }),
      { numRuns: 60 },
    );
  });

  /** 20 root fields run one fragment: a part on each type, and parts that run on all types, `times` each of six fields. */
  const hostile = (times: number): string => {
    const parts = types.map(({ name }) => `... on ${name} { id }`);
    const fields = ['createdAt', 'databaseId', 'updatedAt', 'updatedBy', 'version', '__typename'];
    const outside = fields.map((field) => `... on Versioned { ${field} } `.repeat(times));
    const roots = Array.from({ length: 20 }, (_none, index) => `n${index}: node(id: "1") { ...All }`);
    return `{ ${roots.join(' ')} } fragment All on Node { ${[...parts, ...outside].join(' ')} }`;
  };

  test('the largest document is priced in at most a step for each selection and type', () => {
    const times = 35;
    const largest = hostile(times);
    expect(measureQuery(parseBounded(largest)).rootFields).toBe(20);
    expect(() => measureQuery(parseBounded(hostile(times + 3)))).toThrow(/fields/);
    const { cost: priced, steps } = points(largest);
    expect(priced).toBe(20 * (3 + 1 + 6));
    expect(steps).toBeLessThan(20 * (2 + 2 * types.length + 2 * 6 * times) * types.length);
  });

  test('levels of several types inside each other do not multiply', () => {
    const DEPTH = 30;
    const nested = buildSchema(`type Query { thing: Thing } interface Thing { thing: Thing }
      ${Array.from({ length: 20 }, (_none, index) => `type T${index} implements Thing { thing: Thing }`).join(' ')}`);
    const document = parse(`{ ${'thing { '.repeat(DEPTH)} __typename ${'} '.repeat(DEPTH)} }`);
    const operation = getOperationAST(document) as OperationDefinitionNode;
    expect(countCost(nested, { document, operation, given: {} }).steps).toBeLessThan(DEPTH * 20 * 3);
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
      { numRuns: RUNS, seed: DRAW_SEED },
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
