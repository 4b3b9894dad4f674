import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSchema, parse, validate } from 'graphql';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadCreative, loadFileBytes } from './creative-detail.ts';

const SCOPE = { networkId: '1000', environment: 'production' } as const;
const schema = buildSchema(
  readFileSync(fileURLToPath(new URL('../../../../../contract/schema.graphql', import.meta.url)), 'utf8'),
);
const signal = new AbortController().signal;
const LINE_ITEM = { id: '5', name: 'Spring', status: 'ACTIVE' };
let sent: string[];
let data: Record<string, unknown>;

beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', (_path: string, { body }: { readonly body: string }) => {
    sent.push((JSON.parse(body) as { query: string }).query);
    return Promise.resolve(new Response(JSON.stringify({ data })));
  });
});
afterEach(() => vi.unstubAllGlobals());

test('a creative of a library has the line items of all its associations, another one its own', async () => {
  const use = { id: '1', version: 3, lineItemId: '5' };
  const nodes = [
    { ...use, status: 'ACTIVE', lineItem: LINE_ITEM },
    { id: '2', version: 1, lineItemId: '6', status: 'ACTIVE', lineItem: null },
    { id: '3', version: 1, lineItemId: '8', status: 'ARCHIVED', lineItem: LINE_ITEM },
  ];
  const library = { id: '9', version: 4, advertiserId: '2', associations: { nodes } };
  data = { found: { ...use, content: {}, status: 'ACTIVE', lineItem: LINE_ITEM, libraryCreative: library } };
  const follower = await loadCreative(SCOPE, { kind: 'creative', id: '1' }, signal);
  expect(follower?.uses).toEqual([{ ...use, lineItem: LINE_ITEM }]);
  expect(follower?.owner).toEqual({ kind: 'libraryCreative', id: '9', version: 4, advertiserId: '2' });
  data = { found: { ...use, content: {}, status: 'ACTIVE', lineItem: LINE_ITEM, libraryCreative: null } };
  const own = await loadCreative(SCOPE, { kind: 'creative', id: '1' }, signal);
  expect(own?.uses).toEqual([{ ...use, lineItem: LINE_ITEM }]);
  expect(own?.owner).toEqual({ kind: 'creative', id: '1', version: 3, advertiserId: null });
  data = { found: { ...library, content: {} } };
  const shelved = await loadCreative(SCOPE, { kind: 'libraryCreative', id: '9' }, signal);
  expect(shelved?.uses).toEqual([{ ...use, lineItem: LINE_ITEM }]);
  expect(shelved?.owner).toEqual({ kind: 'libraryCreative', id: '9', version: 4, advertiserId: '2' });
});

test('the files of every kind of content are found', async () => {
  const filesOf = async (content: object) => {
    data = { found: { id: '1', content, lineItem: null, libraryCreative: null } };
    return (await loadCreative(SCOPE, { kind: 'creative', id: '1' }, signal))?.files;
  };
  expect(await filesOf({ imageUrl: '/assets/a.png', iconUrl: null })).toEqual(['/assets/a.png']);
  expect(await filesOf({ bundle: { zipUrl: '/assets/b.zip' } })).toEqual(['/assets/b.zip']);
  expect(await filesOf({ mediaFiles: [{ url: '/assets/c.mp4' }, { url: '/assets/d.mp4' }] })).toHaveLength(2);
  expect(await filesOf({ bundle: null })).toEqual([]);
});

test('bytes are summed, and unknown where a file is elsewhere or was never measured', async () => {
  data = { file0: { sizeBytes: 1_000 }, file1: { sizeBytes: 500 } };
  expect(await loadFileBytes(SCOPE, ['/assets/a.png', '/assets/b.png'], signal)).toBe(1_500);
  data = { file0: null };
  expect(await loadFileBytes(SCOPE, ['/assets/a.png'], signal)).toBeNull();
  expect(await loadFileBytes(SCOPE, ['https://cdn.example/a.png'], signal)).toBeNull();
  expect(sent).toHaveLength(2);
});

test('the documents of the page of a creative are valid in the schema', async () => {
  data = { found: null, file0: null };
  await loadCreative(SCOPE, { kind: 'creative', id: '1' }, signal);
  await loadCreative(SCOPE, { kind: 'libraryCreative', id: '1' }, signal);
  await loadFileBytes(SCOPE, ['/assets/a.png'], signal);
  expect(sent.flatMap((query) => validate(schema, parse(query)).map(({ message }) => message))).toEqual([]);
});
