import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSchema, parse, validate } from 'graphql';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadBulkCampaigns, loadBulkCatalog } from './bulk-rows.ts';

const SCOPE = { networkId: '1000', environment: 'production' } as const;
const TOTAL = 230;
const schema = buildSchema(
  readFileSync(fileURLToPath(new URL('../../../../contract/schema.graphql', import.meta.url)), 'utf8'),
);
let sent: { readonly query: string; readonly variables: { first: number; after: string | null; filter: object } }[];

beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', (_path: string, { body }: { readonly body: string }) => {
    const request = JSON.parse(body) as (typeof sent)[number];
    sent.push(request);
    const { first, after } = request.variables;
    const end = Math.min(TOTAL, Number(after ?? 0) + first);
    const nodes = Array.from({ length: end - Number(after ?? 0) }, (_, at) => ({
      id: String(Number(after ?? 0) + at),
    }));
    const page = { nodes, pageInfo: { hasNextPage: end < TOTAL, endCursor: String(end) }, totalCount: TOTAL };
    return Promise.resolve(new Response(JSON.stringify({ data: { campaigns: page, list: page } })));
  });
});
afterEach(() => vi.unstubAllGlobals());

test('all campaigns that match are read, page after page, by the filter of the table', async () => {
  const counts: number[] = [];
  const onProgress = (count: number): void => void counts.push(count);
  const rows = await loadBulkCampaigns(SCOPE, { search: 'spring', campaignIds: ['7'] }, { max: 10_000, onProgress });
  expect(rows).toHaveLength(TOTAL);
  expect(counts).toEqual([100, 200, 230]);
  expect(sent.map(({ variables }) => variables.filter)).toEqual(Array(3).fill({ search: 'spring', ids: ['7'] }));
});

test('a change of many reads no more rows than it may change', async () => {
  expect(await loadBulkCatalog(SCOPE, { kind: 'sites', filter: {} }, { max: 150 })).toHaveLength(150);
  expect(sent.map(({ variables }) => variables.first)).toEqual([100, 50]);
});

test('the documents that read rows for a change are valid in the schema', async () => {
  await loadBulkCampaigns(SCOPE, {}, { max: 1 });
  await loadBulkCatalog(SCOPE, { kind: 'creatives', filter: {} }, { max: 1 });
  expect(sent).toHaveLength(2);
  expect(sent.flatMap(({ query }) => validate(schema, parse(query)).map(({ message }) => message))).toEqual([]);
});
