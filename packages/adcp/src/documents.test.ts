import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { ASSOCIATE, DISSOCIATE, LIBRARY, SET_STATUS } from './buying/assign-creatives.ts';
import { BOOK, CREATE as CREATE_CAMPAIGN, FIND, SET_CAMPAIGN, SET_ITEM } from './buying/book.ts';
import { documentOf } from './buying/change-buy.ts';
import { ITEMS } from './buying/new-packages.ts';
import { CAMPAIGN, CAMPAIGNS } from './buying/media-buys.ts';
import { PUBLIC_TOOLS } from './public-tools.ts';
import { ADVERTISER, ADVERTISERS } from './selling/accounts.ts';
import { BEGIN, DISCARD, END, MANY, ONE } from './selling/agent-requests.ts';
import { FORECAST } from './selling/forecasts.ts';
import { GUIDANCE } from './selling/price-guidance.ts';
import { PORTFOLIO, PRODUCTS } from './selling/products.ts';
import { SELLER_TOOLS } from './seller-tools.ts';
import { CHANGE, CREATE } from './tools/sync-creatives.ts';

const root = new URL('../../../', import.meta.url);
const schema = buildSchema(readFileSync(new URL('contract/schema.graphql', root), 'utf8'));

const change = documentOf({
  id: '1',
  version: 1,
  campaign: { status: 'PAUSED' },
  items: [
    { id: '2', version: 1, booking: { budget: '10' }, status: 'ACTIVE' },
    { id: '3', version: 1, booking: {}, status: null },
  ],
});

test('every document of the seller fits the schema', () => {
  const documents = [
    ADVERTISERS,
    ADVERTISER,
    PRODUCTS,
    PORTFOLIO,
    FORECAST,
    GUIDANCE,
    CAMPAIGN,
    CAMPAIGNS,
    ITEMS,
    LIBRARY,
    ASSOCIATE,
    DISSOCIATE,
    SET_STATUS,
    FIND,
    CREATE_CAMPAIGN,
    BOOK,
    SET_CAMPAIGN,
    SET_ITEM,
    CREATE,
    CHANGE,
    BEGIN,
    END,
    DISCARD,
    ONE,
    MANY,
    change.query,
  ];
  const problems = documents.flatMap((text) => validate(schema, parse(text)).map(({ message }) => message));
  expect(problems).toEqual([]);
});

test('a change names each line item that changes, and no other', () => {
  expect(change.variables).toMatchObject({ id: '1', i0: '2', j0: '2', w0: null });
  expect(change.query).not.toContain('b1');
});

test('docs/selling-to-agents.md lists every tool', () => {
  const page = readFileSync(new URL('docs/selling-to-agents.md', root), 'utf8');
  const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(listed).toEqual(SELLER_TOOLS.map(({ name }) => name));
});

test('the tools without a key are among the tools', () => {
  const names = SELLER_TOOLS.map(({ name }) => name);
  expect([...PUBLIC_TOOLS].filter((name) => !names.includes(name))).toEqual([]);
});
