import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSchema, parse, validate } from 'graphql';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadLineItem } from './desk-object.ts';
import { loadSettingChoices } from './line-item-settings.ts';
import { loadNames, NAMED_KINDS, nameKey } from './names.ts';

const SCOPE = { networkId: '1000', environment: 'production' } as const;
const schema = buildSchema(
  readFileSync(fileURLToPath(new URL('../../../../contract/schema.graphql', import.meta.url)), 'utf8'),
);
let sent: string[];

beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', (_path: string, { body }: { readonly body: string }) => {
    const { query } = JSON.parse(body) as { query: string };
    sent.push(query);
    const data = {
      sites: { nodes: [{ id: '4', name: 'News' }] },
      teams: { nodes: [{ id: '1', name: 'Sales' }] },
      customFields: {
        nodes: [
          { key: 'all', name: 'All', kinds: [], status: 'ACTIVE' },
          { key: 'own', name: 'Own', kinds: ['lineItem'], status: 'ACTIVE' },
          { key: 'old', name: 'Old', kinds: ['lineItem'], status: 'ARCHIVED' },
          { key: 'other', name: 'Other', kinds: ['site'], status: 'ACTIVE' },
        ],
      },
    };
    return Promise.resolve(new Response(JSON.stringify({ data })));
  });
});
afterEach(() => vi.unstubAllGlobals());

const signal = new AbortController().signal;

test('names are read of the requested kinds, and a list without ids sends no request', async () => {
  expect(await loadNames(SCOPE, { sites: [], areas: [] }, signal)).toEqual(new Map());
  expect(sent).toEqual([]);
  expect(await loadNames(SCOPE, { sites: ['4', '5'] }, signal)).toEqual(new Map([[nameKey('sites', '4'), 'News']]));
});

test('a line item has the custom fields that are active and of its kind', async () => {
  const { customFields } = await loadSettingChoices(SCOPE, 'lineItem', signal);
  expect(customFields.map(({ key }) => key)).toEqual(['all', 'own']);
});

test('the documents of the page of a line item are valid in the schema', async () => {
  await loadNames(SCOPE, Object.fromEntries(NAMED_KINDS.map((kind) => [kind, ['1']])), signal);
  await loadSettingChoices(SCOPE, 'lineItem', signal);
  await loadLineItem(SCOPE, '1', signal);
  expect(sent).toHaveLength(3);
  expect(sent.flatMap((query) => validate(schema, parse(query)).map(({ message }) => message))).toEqual([]);
});
