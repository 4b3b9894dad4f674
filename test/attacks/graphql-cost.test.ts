import { describe, expect, test } from 'vitest';
import { graphql, server } from '../conformance/support/server.ts';

/** Lists inside lists, each behind a fragment, which a count of direct selections misses. */
const NESTED_BY_FRAGMENTS = `{ advertisers(first: 100) { ...A } }
fragment A on AdvertiserConnection { nodes { campaigns(first: 100) { ...B } } }
fragment B on CampaignConnection { nodes { lineItems(first: 100) { ...C } } }
fragment C on LineItemConnection { nodes { creatives(first: 100) { ...D } } }
fragment D on CreativeConnection { nodes { id name lineItem { id name campaign { id name advertiser { id name } } } } }`;

const NESTED_BY_DEFAULTS = `query ($n: Int = 100) {
  advertisers(first: $n) { nodes { campaigns(first: $n) { nodes { lineItems(first: $n) { nodes { id } } } } } }
}`;

const NESTED_BY_INLINE_FRAGMENTS = `{ advertisers(first: 100) { ... { nodes { ... on Advertiser {
  campaigns(first: 100) { ... @include(if: true) { nodes { lineItems(first: 100) { ... { edges { node { id } } } } } } }
} } } } }`;

/** Within the two nested lists that the rules of GraphQL allow, each member returned under 24 names. */
const ALIASED_INTROSPECTION = `{ __schema { types { fields { type { ...F ofType { ...F } } args { type { ofType { name } } } } } } }
fragment F on __Type { fields { ${Array.from({ length: 24 }, (_, index) => `a${index}: description`).join(' ')} } }`;

describe('a read-only key cannot make the core read more than the stated cost', () => {
  test.each([
    ['lists behind fragments', NESTED_BY_FRAGMENTS, 'cost'],
    ['page sizes from defaults of variables', NESTED_BY_DEFAULTS, 'cost'],
    ['lists behind inline fragments and directives', NESTED_BY_INLINE_FRAGMENTS, 'cost'],
    ['an introspection that multiplies', ALIASED_INTROSPECTION, 'introspection'],
    ['one field 1,000 times', `{ campaigns { nodes { ${'id '.repeat(1_000)}} } }`, 'repeated fields'],
    [
      'fields that are merged across their parents',
      `{ campaigns { ${`nodes { ${'id '.repeat(12)} } `.repeat(12)} } }`,
      'repeated fields',
    ],
  ])('the GraphQL endpoint returns 400 with the name of the limit for %s', async (_name, query, limitName) => {
    const response = await graphql(query, { key: server.demo.keys.readOnly });
    expect([response.status, response.json()]).toMatchObject([
      400,
      { error: 'query_too_complex', errors: [{ extensions: { limitName } }] },
    ]);
  });

  test('a variable counts with its value, and an omitted one with its default', async () => {
    const requested = async (variables: unknown): Promise<number> =>
      (await graphql('query ($n: Int = 10) { campaigns(first: $n) { nodes { id } } }', { variables })).json<{
        extensions: { cost: { requested: number } };
      }>().extensions.cost.requested;
    expect(await requested({})).toBe(await requested({ n: 10 }));
    expect(await requested({ n: 100 })).toBeGreaterThan(5 * (await requested({ n: 10 })));
  });

  test('a field that @skip or @include leaves out costs nothing', async () => {
    const response = await graphql(`query ($yes: Boolean = true) {
      me { actor } advertisers(first: 100) @skip(if: $yes) { nodes { campaigns(first: 100) { nodes { lineItems(first: 100) { nodes { id } } } } } }
    }`);
    expect([response.status, response.json()]).toMatchObject([200, { data: { me: {} } }]);
  });
});
