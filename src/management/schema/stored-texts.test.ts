import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

let api: TestManagement;
beforeAll(async () => {
  api = await createTestManagement();
});
afterAll(() => api.close());

const CREATE = 'mutation ($input: CreateKeyValueInput!) { createKeyValue(input: $input) { validatedOnly } }';
const SCHEDULE = `mutation ($query: JSON!) {
  createReportSchedule(input: { name: "x", query: $query, period: DAY }) { schedule { id } } }`;
const SITES = 'query ($filter: SiteFilter) { sites(filter: $filter) { nodes { id } } }';

test.each([
  ['a variable', CREATE, { input: { key: 'a', name: 'A', values: ['x', '\0'] } }, 'input.values.1'],
  ['half a character', CREATE, { input: { key: 'a', name: '\ud800 lone' } }, 'input.name'],
  ['a filter', SITES, { filter: { search: 'x\ud800' } }, 'filter.search'],
  ['free JSON', SCHEDULE, { query: { filters: [{ values: ['\0'] }] } }, 'query.filters.0.values.0'],
  ['a name in free JSON', SCHEDULE, { query: { '\0': 1 } }, 'query'],
  ['a literal', 'mutation { createSite(input: { name: "\\u0000" }) { validatedOnly } }', {}, 'input.name'],
])('%s that cannot be stored is refused with its name', async (_what, query, variables, path) => {
  const { status, body } = await api.ask(query, { variables });
  expect([status, body.errors?.[0]?.extensions]).toMatchObject([
    400,
    { code: 'invalid_request', fields: [{ path, code: 'malformed' }] },
  ]);
});

test('at most the limit of keys become reportable, also under concurrent creation', async () => {
  const made = await Promise.all(
    Array.from({ length: 24 }, (_one, at) =>
      api.ask(CREATE, { variables: { input: { key: `many_${at}`, name: 'Many', reportable: true } } }),
    ),
  );
  expect(made.filter(({ body }) => body.errors === undefined)).toHaveLength(10);
  expect(made.find(({ body }) => body.errors !== undefined)?.body.errors?.[0]?.extensions['fields']).toMatchObject([
    { path: 'input.reportable', code: 'too_many' },
  ]);
});
