import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordAudit } from '../../access/audit/audit.sql.ts';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

interface Change {
  readonly sequence: string;
  readonly type: string;
  readonly objectKind: string;
  readonly objectId: string;
  readonly environment: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

interface Page {
  readonly nodes: readonly Change[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

let api: TestManagement;
beforeAll(async () => {
  api = await createTestManagement();
});
afterAll(() => api.close());

const PAGE = `query ($first: Int, $after: String, $kinds: [String!]) {
  changes(first: $first, after: $after, kinds: $kinds) {
    nodes { sequence type objectKind objectId environment actor before after }
    pageInfo { hasNextPage endCursor }
  }
}`;

async function readPage(variables: Record<string, unknown> = {}, as = 'admin'): Promise<Page> {
  return (await api.data<{ changes: Page }>(PAGE, variables, { as })).changes;
}

async function readAfter(cursor: string, first = 100, as = 'admin'): Promise<Change[]> {
  const found: Change[] = [];
  for (let after = cursor; ; ) {
    const page = await readPage({ first, after }, as);
    found.push(...page.nodes);
    if (!page.pageInfo.hasNextPage) return found;
    after = page.pageInfo.endCursor;
  }
}

const now = async (as = 'admin'): Promise<string> => (await readPage({ after: 'now' }, as)).pageInfo.endCursor;

async function createAdvertiser(name: string, as = 'admin'): Promise<string> {
  const made = await api.data<{ createAdvertiser: { advertiser: { id: string } } }>(
    'mutation ($name: String!) { createAdvertiser(input: {name: $name}) { advertiser { id } } }',
    { name },
    { as },
  );
  return made.createAdvertiser.advertiser.id;
}

const rename = (id: string, name: string, as = 'admin') =>
  api.data(
    'mutation ($id: ID!, $name: String!) { updateAdvertiser(id: $id, input: {name: $name}) { advertiser { id } } }',
    { id, name },
    { as },
  );

async function createLineItem(advertiserId: string): Promise<string> {
  const campaign = await api.data<{ createCampaign: { campaign: { id: string } } }>(
    'mutation ($id: ID!) { createCampaign(input: {advertiserId: $id, name: "C"}) { campaign { id } } }',
    { id: advertiserId },
  );
  const made = await api.data<{ createLineItem: { lineItem: { id: string } } }>(
    `mutation ($id: ID!) { createLineItem(input: {campaignId: $id, name: "L", type: PRICE, pricingModel: CPM, price: "2.50",
      frequencyCaps: [{count: 3, window: DAY}], targeting: {test: {dimension: COUNTRY, values: ["PL"]}}}) { lineItem { id } } }`,
    { id: campaign.createCampaign.campaign.id },
  );
  return made.createLineItem.lineItem.id;
}

describe('the feed of changes', () => {
  test('the sum of all changes gives the objects as they are', async () => {
    const start = await now();
    const advertiserId = await createAdvertiser('A');
    const lineItemId = await createLineItem(advertiserId);
    await api.data(
      'mutation ($id: ID!) { updateLineItem(id: $id, input: {name: "L2", pricingModel: CPC, price: "0.30"}) { lineItem { id } } }',
      { id: lineItemId },
    );
    await api.data('mutation ($id: ID!) { archiveAdvertiser(id: $id) { advertiser { id } } }', { id: advertiserId });
    const changes = await readAfter(start, 2);
    expect(changes.map(({ type, before }) => [type, before === null])).toEqual([
      ['advertiser.create', true],
      ['campaign.create', true],
      ['lineItem.create', true],
      ['lineItem.update', false],
      ['advertiser.archive', false],
    ]);
    const objects = new Map<string, Record<string, unknown>>();
    for (const { objectKind, objectId, after } of changes) {
      objects.set(`${objectKind} ${objectId}`, { ...objects.get(`${objectKind} ${objectId}`), ...after });
    }
    expect(objects.get(`advertiser ${advertiserId}`)).toMatchObject({ name: 'A', status: 'ARCHIVED' });
    expect(objects.get(`lineItem ${lineItemId}`)).toMatchObject({
      name: 'L2',
      type: 'PRICE',
      pricingModel: 'CPC',
      price: '0.3',
      frequencyCaps: [{ count: 3, window: 'DAY' }],
      targeting: { test: { dimension: 'COUNTRY', values: ['PL'] } },
    });
    expect(changes[3]).toMatchObject({ before: { name: 'L' }, after: { name: 'L2' } });
  });

  test('a poll beside concurrent writers leaves out nothing, repeats nothing and keeps the order', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, (_one, at) => createAdvertiser(`W${at}`)));
    let cursor = await now();
    let isWriting = true;
    const writing = Promise.all(
      ids.map(async (id) => {
        for (let step = 1; step <= 10; step += 1) await rename(id, `step ${step}`);
      }),
    ).finally(() => {
      isWriting = false;
    });
    const seen: Change[] = [];
    for (;;) {
      const isLast = !isWriting;
      const page = await readPage({ first: 7, after: cursor });
      seen.push(...page.nodes);
      cursor = page.pageInfo.endCursor;
      if (isLast && !page.pageInfo.hasNextPage) break;
    }
    await writing;
    for (const id of ids) {
      const names = seen.filter(({ objectId }) => objectId === id).map(({ after }) => after?.['name']);
      expect(names).toEqual(Array.from({ length: 10 }, (_one, at) => `step ${at + 1}`));
    }
    expect(seen).toHaveLength(60);
  });

  test('each environment and network has its own', async () => {
    const [start, staging, stranger] = [await now(), await now('staging'), await now('stranger')];
    await createAdvertiser('Theirs', 'staging');
    await createAdvertiser('Foreign', 'stranger');
    expect(await readAfter(start)).toEqual([]);
    expect(
      (await readAfter(staging, 100, 'staging')).map(({ environment, after }) => [environment, after?.['name']]),
    ).toEqual([['STAGING', 'Theirs']]);
    expect((await readAfter(stranger, 100, 'stranger')).map(({ after }) => after?.['name'])).toEqual(['Foreign']);
  });

  test('settings, keys and members of the network are not in it', async () => {
    const start = await now();
    await api.data('mutation { createApiKey(input: {name: "K", permission: READ_ONLY}) { value } }');
    await api.data('mutation { updateNetwork(input: {name: "Other"}) { id } }');
    expect(await readAfter(start)).toEqual([]);
  });

  test('a key of one module reads the changes of the objects that it may read', async () => {
    const start = await now();
    await createAdvertiser('Mine');
    await api.data('mutation { createSite(input: {name: "S", code: "s", domain: "s.example"}) { site { id } } }');
    await api.data('mutation { createActivity(input: {name: "Order", actgid: "order"}) { activity { id } } }');
    expect((await readAfter(start)).map(({ objectKind }) => objectKind)).toEqual(['advertiser', 'site', 'activity']);
    expect((await readAfter(start, 100, 'delivery')).map(({ objectKind }) => objectKind)).toEqual([
      'advertiser',
      'site',
    ]);
    const response = await api.ask(PAGE, { variables: { kinds: ['activity'] }, as: 'delivery' });
    expect(response.body.errors?.[0]?.extensions.code).toBe('insufficient_permissions');
    expect((await readPage({ after: start, kinds: ['site'] })).nodes.map(({ type }) => type)).toEqual(['site.create']);
  });

  test('many entries of others end a page early, and the next page goes on behind them', async () => {
    const start = await now();
    const by = { actor: 'key:1', remoteAddress: '', networkId: '1000', workspaceId: 2 };
    const entry = { by, action: 'advertiser.update', objectKind: 'advertiser', objectId: '1' };
    for (let batch = 0; batch < 11; batch += 1) {
      await api.database.db.transaction().execute((trx) =>
        recordAudit(
          trx,
          Array.from({ length: 1_000 }, () => entry),
        ),
      );
    }
    await createAdvertiser('Behind');
    const page = await readPage({ after: start });
    expect([page.nodes.length, page.pageInfo.hasNextPage]).toEqual([0, true]);
    expect(page.pageInfo.endCursor).toBe(String(Number(start) + 10_000));
    const next = await readPage({ after: page.pageInfo.endCursor });
    expect(next.nodes.map(({ after }) => after?.['name'])).toEqual(['Behind']);
    expect(next.pageInfo.hasNextPage).toBe(false);
  });

  test.each([
    ['a cursor that is none', { after: 'x' }],
    ['a cursor beyond the newest change', { after: '99999999' }],
    ['an unknown kind', { kinds: ['user'] }],
    ['an empty page', { first: 0 }],
    ['a page of 101', { first: 101 }],
  ])('%s is refused', async (_title, variables) => {
    const response = await api.ask(PAGE, { variables });
    expect([response.status, response.body.errors?.[0]?.extensions.code]).toEqual([200, 'invalid_request']);
  });
});
