import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSchema, parse, validate } from 'graphql';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CSV } from './csv-columns.ts';
import { CSV_KINDS } from './csv-kinds.ts';
import {
  findAnyAdvertiser,
  loadKnown,
  loadRecords,
  storePortion,
  validatePortion,
  validateUnder,
} from './csv-objects.ts';

const SCOPE = { networkId: '1000', environment: 'production' } as const;
const schema = buildSchema(
  readFileSync(fileURLToPath(new URL('../../../../contract/schema.graphql', import.meta.url)), 'utf8'),
);
let documents: string[] = [];

beforeEach(() => {
  documents = [];
  const page = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
  const data = { list: page, table: page, done: { results: [], userErrors: [], warnings: [] } };
  vi.stubGlobal('fetch', (_path: string, { body }: { readonly body: string }) => {
    documents.push((JSON.parse(body) as { query: string }).query);
    return Promise.resolve(new Response(JSON.stringify({ data })));
  });
});
afterEach(() => vi.unstubAllGlobals());

test.each(CSV_KINDS)('every document that is sent for files of %s is valid in the schema', async (kind) => {
  await loadRecords(SCOPE, { kind, tab: null, filter: {} }, { max: 100 });
  const some = ['1'];
  const wanted = { ids: some, keys: some, parentIds: some, parentKeys: some, parentNames: some, advertiserNames: some };
  await loadKnown(SCOPE, kind, wanted, () => undefined);
  const verbs = CSV[kind].hasUpsert ? (['create', 'update', 'upsert'] as const) : (['create', 'update'] as const);
  for (const verb of verbs) {
    await validatePortion(SCOPE, { kind, verb, rows: [] });
    await storePortion(SCOPE, { kind, verb, rows: [] }, 'key');
  }
  await validateUnder(SCOPE, {}, []);
  await findAnyAdvertiser(SCOPE);
  expect(documents.length).toBeGreaterThan(8);
  expect(documents.flatMap((text) => validate(schema, parse(text)).map(({ message }) => message))).toEqual([]);
});
