import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayCounterKey, lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

const counters = new Map<string, bigint>();
let counterReads = 0;
const hot = {
  readCounters: async (keys: readonly string[]) => {
    counterReads += 1;
    return keys.map((key) => counters.get(key) ?? 0n);
  },
};

let api: TestManagement;
let advertiserId: string;
beforeAll(async () => {
  api = await createTestManagement({ hot });
  advertiserId = await makeAdvertiser('Base');
});
afterAll(() => api.close());

async function makeAdvertiser(name: string): Promise<string> {
  const data = await api.data<{ createAdvertiser: { advertiser: { id: string } } }>(
    'mutation ($name: String!) { createAdvertiser(input: {name: $name}) { advertiser { id } } }',
    { name },
  );
  return data.createAdvertiser.advertiser.id;
}

async function makeMany(field: string, type: string, inputs: unknown[]): Promise<string[]> {
  const one = `${type[0]?.toLowerCase()}${type.slice(1)}`;
  const data = await api.data<Record<string, { results: Record<string, { id: string }>[] }>>(
    `mutation ($inputs: [Create${type}Input!]!) { ${field}(inputs: $inputs) { results { ${one} { id } } } }`,
    { inputs },
  );
  return data[field]?.results.map((result) => result[one]?.id ?? '') ?? [];
}

const campaignsNamed = async (search: string): Promise<number> => {
  const data = await api.data<{ campaigns: { totalCount: number } }>(
    'query ($search: String!) { campaigns(filter: {search: $search}) { totalCount } }',
    { search },
  );
  return data.campaigns.totalCount;
};

describe('an idempotency key', () => {
  const mutation =
    'mutation ($name: String!, $id: ID!) { createCampaign(input: {name: $name, advertiserId: $id}) { campaign { id name } } }';
  const send = (key: string, name: string) =>
    api.ask(mutation, { variables: { name, id: advertiserId }, headers: { 'idempotency-key': key } });

  test('a repeated key gets the first response again, and creates once', async () => {
    const first = await send('k1', 'Once');
    const second = await send('k1', 'Once');
    expect(first.body.data).toMatchObject({ createCampaign: { campaign: { name: 'Once' } } });
    expect(second.body.data).toEqual(first.body.data);
    expect(second.body.extensions).toMatchObject({ idempotency: { replayed: true } });
    expect(await campaignsNamed('Once')).toBe(1);
  });

  test('a key with other arguments is a conflict with status 409', async () => {
    await send('k2', 'Mine');
    const other = await send('k2', 'Other');
    expect([other.status, other.body.error]).toEqual([409, 'idempotency_conflict']);
    expect(await campaignsNamed('Other')).toBe(0);
  });

  test('a key that is sent many times together creates once, and requests during its run get a conflict', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => send('k3', 'Racing')));
    expect(responses.map((response) => response.status).filter((status) => status !== 200 && status !== 409)).toEqual(
      [],
    );
    expect(await campaignsNamed('Racing')).toBe(1);
  });

  test('a key is forgotten after 24 hours', async () => {
    await send('k4', 'Daily');
    api.clock.nowMs += 24 * 3_600_000 + 1;
    await send('k4', 'Daily');
    expect(await campaignsNamed('Daily')).toBe(2);
  });

  test('the key of a failed request stays free, and the whole request is undone', async () => {
    const both = `mutation ($id: ID!) { good: createCampaign(input: {name: "Half", advertiserId: $id}) { campaign { id } } bad: createCampaign(input: {name: "", advertiserId: $id}) { campaign { id } } }`;
    const failed = await api.ask(both, { variables: { id: advertiserId }, headers: { 'idempotency-key': 'k5' } });
    expect(failed.body.data).toBeNull();
    expect(await campaignsNamed('Half')).toBe(0);
    expect((await send('k5', 'Whole')).status).toBe(200);
  });

  test('a key belongs to one environment and is unknown in the other', async () => {
    await send('k6', 'Live');
    const response = await api.ask('mutation { createAdvertiser(input: {name: "S"}) { advertiser { id } } }', {
      as: 'staging',
      path: '/staging/graphql',
      headers: { 'idempotency-key': 'k6' },
    });
    expect(response.status).toBe(200);
  });

  test('a request with a key writes the audit entries of its changes', async () => {
    const response = await send('k7', 'Audited');
    const { id } = (response.body.data as unknown as { createCampaign: { campaign: { id: string } } }).createCampaign
      .campaign;
    const rows = await api.database.db
      .selectFrom('audit_log')
      .select('action')
      .where('object_kind', '=', 'campaign')
      .where('object_id', '=', id)
      .execute();
    expect(rows).toEqual([{ action: 'campaign.create' }]);
  });
});

describe('bulk', () => {
  const mutation = `mutation ($inputs: [CreateCampaignInput!]!, $mode: BulkMode, $trial: Boolean) {
    createCampaigns(inputs: $inputs, mode: $mode, validateOnly: $trial) { changedCount failedCount results { index code campaign { name } problems { path code } } } }`;
  const inputs = () => [
    { name: 'Bulk A', advertiserId },
    { name: '', advertiserId },
    { name: 'Bulk C', advertiserId: '999999' },
  ];

  test('one failure under ALL_OR_NOTHING undoes all rows, and every problem is reported', async () => {
    const data = await api.data(mutation, { inputs: inputs() });
    expect(data).toEqual({
      createCampaigns: {
        changedCount: 0,
        failedCount: 2,
        results: [
          { index: 0, code: null, campaign: null, problems: [] },
          { index: 1, code: 'validation_failed', campaign: null, problems: [{ path: 'inputs.1.name', code: 'empty' }] },
          {
            index: 2,
            code: 'validation_failed',
            campaign: null,
            problems: [{ path: 'inputs.2.advertiserId', code: 'unknown' }],
          },
        ],
      },
    });
    expect(await campaignsNamed('Bulk')).toBe(0);
  });

  test('the valid rows change under ROW_BY_ROW', async () => {
    const data = await api.data(mutation, { inputs: inputs(), mode: 'ROW_BY_ROW' });
    expect(data).toMatchObject({
      createCampaigns: {
        changedCount: 1,
        failedCount: 2,
        results: [{ campaign: { name: 'Bulk A' } }, { campaign: null }, { campaign: null }],
      },
    });
    expect(await campaignsNamed('Bulk')).toBe(1);
  });

  test('validateOnly changes no row', async () => {
    const data = await api.data(mutation, { inputs: [{ name: 'Bulk trial', advertiserId }], trial: true });
    expect(data).toMatchObject({ createCampaigns: { changedCount: 0, failedCount: 0 } });
    expect(await campaignsNamed('Bulk trial')).toBe(0);
  });

  test('500 a call with 500 rows creates, pauses and archives them, and one with 501 is refused', async () => {
    const ids = await makeMany(
      'createCampaigns',
      'Campaign',
      Array.from({ length: 500 }, (_, index) => ({ name: `Mass ${index}`, advertiserId, status: 'ACTIVE' })),
    );
    const paused = await api.data(
      'mutation ($updates: [UpdateCampaignEntry!]!) { updateCampaigns(updates: $updates) { changedCount } }',
      {
        updates: ids.map((id) => ({ id, version: 1, input: { status: 'PAUSED' } })),
      },
    );
    expect(paused).toEqual({ updateCampaigns: { changedCount: 500 } });
    const archived = await api.data('mutation ($ids: [ID!]!) { archiveCampaigns(ids: $ids) { changedCount } }', {
      ids,
    });
    expect(archived).toEqual({ archiveCampaigns: { changedCount: 500 } });
    const refused = await api.ask('mutation ($ids: [ID!]!) { archiveCampaigns(ids: $ids) { changedCount } }', {
      variables: { ids: [...ids, '1'] },
    });
    expect(refused.body.errors?.[0]?.extensions.code).toBe('invalid_request');
  });
});

describe('lists', () => {
  const names = Array.from({ length: 23 }, (_, index) => `Site ${String.fromCharCode(65 + ((index * 7) % 23))}`);
  beforeAll(async () => {
    await makeMany(
      'createSites',
      'Site',
      names.map((name, index) => ({ name, code: `s${index}`, domain: 'x.example' })),
    );
  });

  test.each([
    ['by name, forwards', '{ field: NAME }', 'first', 'after', 'endCursor', [...names].sort()],
    [
      'by name, descending',
      '{ field: NAME, direction: DESC }',
      'first',
      'after',
      'endCursor',
      [...names].sort().reverse(),
    ],
    ['by creation, forwards', '{ field: CREATED_AT }', 'first', 'after', 'endCursor', names],
    ['by id, from the end', '{ field: ID }', 'last', 'before', 'startCursor', names],
  ])(
    'a list %s has every object once, in order, with any page size',
    async (_name, sort, size, cursorArgument, cursorField, expected) => {
      const seen: string[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < 10; page += 1) {
        const data: { sites: { nodes: { name: string }[]; pageInfo: Record<string, string & boolean> } } =
          await api.data(
            `query ($cursor: String) { sites(${size}: 5, ${cursorArgument}: $cursor, sort: ${sort}) { nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
            { cursor },
          );
        const pageNames = data.sites.nodes.map((node) => node.name);
        if (size === 'last') seen.unshift(...pageNames);
        else seen.push(...pageNames);
        cursor = data.sites.pageInfo[cursorField] ?? null;
        if (!data.sites.pageInfo[size === 'last' ? 'hasPreviousPage' : 'hasNextPage']) break;
      }
      expect(seen).toEqual(expected);
    },
  );

  test.each([
    ['first over 100', '(first: 101)'],
    ['first of 0', '(first: 0)'],
    ['both ends', '(first: 1, last: 1)'],
    ['a cursor of nothing', '(after: "garbage")'],
    ['a cursor of another order', `(after: "${Buffer.from('["NAME","A","1"]').toString('base64url')}")`],
    [
      'a cursor with SQL in it',
      `(sort: {field: CREATED_AT}, after: "${Buffer.from('["CREATED_AT","now(); --","1"]').toString('base64url')}")`,
    ],
  ])('%s is refused', async (_name, args) => {
    const response = await api.ask(`{ sites${args} { nodes { id } } }`);
    expect(response.body.errors?.[0]?.extensions.code).toBe('invalid_request');
  });

  test('search finds parts of names in any case, codes and the exact id, and treats % literally', async () => {
    const find = async (search: string): Promise<string[]> => {
      const data = await api.data<{ sites: { nodes: { name: string }[] } }>(
        'query ($search: String!) { sites(filter: {search: $search}) { nodes { name } } }',
        { search },
      );
      return data.sites.nodes.map((node) => node.name);
    };
    expect(await find('SITE c')).toEqual(['Site C']);
    expect(await find('s22')).toHaveLength(1);
    expect(await find('%')).toEqual([]);
  });
});

describe('reading without N+1', () => {
  let statements = 0;
  beforeAll(async () => {
    const campaigns = await makeMany(
      'createCampaigns',
      'Campaign',
      Array.from({ length: 20 }, (_, index) => ({ name: `Tree ${index}`, advertiserId })),
    );
    const lineItems = await makeMany(
      'createLineItems',
      'LineItem',
      campaigns.flatMap((campaignId) => [1, 2, 3].map((number) => ({ campaignId, name: `L${number}`, type: 'HOUSE' }))),
    );
    await makeMany(
      'createCreatives',
      'Creative',
      lineItems.map((lineItemId) => ({
        lineItemId,
        name: 'C',
        width: 1,
        height: 1,
        clickUrl: 'https://a.example',
        content: { html: { html: '<b>x</b>' } },
      })),
    );
  });
  beforeEach(() => {
    statements = 0;
    counterReads = 0;
  });

  async function countStatements(query: string): Promise<number> {
    const { log } = api.statements;
    log.length = 0;
    await api.data(query);
    statements = log.length;
    return statements;
  }

  test.each([
    ['a flat list', '{ campaigns(filter: {search: "Tree"}) { nodes { id name } } }', 1],
    ['a list with its total', '{ campaigns(filter: {search: "Tree"}) { totalCount nodes { id } } }', 2],
    ['children of 20 parents', '{ campaigns(filter: {search: "Tree"}) { nodes { lineItems { nodes { id } } } } }', 2],
    [
      'children, their totals and grandchildren',
      '{ campaigns(filter: {search: "Tree"}) { nodes { lineItems { totalCount nodes { creatives { nodes { id } } } } } } }',
      4,
    ],
    ['parents of 60 children', '{ lineItems(first: 60) { nodes { campaign { name advertiser { name } } } } }', 2],
  ])('%s takes %#: a fixed number of statements', async (_name, query, expected) => {
    expect(await countStatements(query)).toBe(expected);
  });

  test('the delivery of a whole page needs one read of counters', async () => {
    const before = await countStatements(
      '{ lineItems(first: 50) { nodes { delivery { lifetime { impressions } today { spend } } } } }',
    );
    expect([before, counterReads]).toEqual([2, 1]);
  });
});

describe('delivery so far', () => {
  test('progress of line items that target a part of the traffic is expected at the hours of that part', async () => {
    const [campaignId] = await makeMany('createCampaigns', 'Campaign', [{ name: 'Narrow', advertiserId }]);
    const now = api.clock.nowMs;
    const narrow = {
      campaignId,
      type: 'STANDARD',
      goal: { kind: 'IMPRESSIONS', amount: 1_000 },
      startsAt: new Date(now - 84 * 3_600_000).toISOString(),
      endsAt: new Date(now + 84 * 3_600_000).toISOString(),
      targeting: { test: { dimension: 'COUNTRY', values: ['US'] } },
    };
    const ids = await makeMany('createLineItems', 'LineItem', [
      { ...narrow, name: 'Learnt' },
      { ...narrow, name: 'Not yet' },
    ]);
    const startedHour = Math.floor((now - 84 * 3_600_000) / 3_600_000);
    // Three times as much in the first half of the flight as in the second; the epoch began on a Thursday.
    const ofWeek = (hour: number) => (hour + 72) % 168;
    const weights = Array.from({ length: 168 }, () => 0.5);
    for (let hour = startedHour; hour < startedHour + 84; hour += 1) weights[ofWeek(hour)] = 1.5;
    const curve = { workspace_id: 1, requests_per_hour: 1, timezone: 'UTC', weights, computed_at: new Date(now) };
    await api.database.db
      .insertInto('traffic_curves')
      .values({ ...curve, place: 'lineItem', place_id: BigInt(ids[0] ?? 0) })
      .execute();
    const expected: number[] = [];
    for (const id of ids) {
      const query = 'query ($id: ID!) { lineItem(id: $id) { delivery { progress { expected } } } }';
      const data = await api.data<{ lineItem: { delivery: { progress: { expected: number } } } }>(query, { id });
      expected.push(data.lineItem.delivery.progress.expected);
    }
    expect(Math.abs((expected[0] ?? 0) - 750)).toBeLessThan(8);
    expect(expected[1]).toBe(500);
  });

  test('delivery shows counters, spend and progress against an even spread', async () => {
    const [campaignId] = await makeMany('createCampaigns', 'Campaign', [{ name: 'Delivering', advertiserId }]);
    const now = api.clock.nowMs;
    const [id] = await makeMany('createLineItems', 'LineItem', [
      {
        campaignId,
        name: 'D',
        type: 'STANDARD',
        goal: { kind: 'IMPRESSIONS', amount: 1_000 },
        startsAt: new Date(now - 86_400_000).toISOString(),
        endsAt: new Date(now + 86_400_000).toISOString(),
      },
    ]);
    const subject = { workspaceId: 1, scope: 'li', id: String(id) } as const;
    counters.set(lifetimeCounterKey({ ...subject, kind: 'imp' }), 250n);
    counters.set(lifetimeCounterKey({ ...subject, kind: 'spend' }), 12_500_000n);
    counters.set(dayCounterKey({ ...subject, kind: 'imp' }, '2026-11-21'), 30n);
    const data = await api.data(
      'query ($id: ID!) { lineItem(id: $id) { delivery { lifetime { impressions spend } today { impressions } progress { goal delivered expected percent pacingPercent } } } }',
      { id },
    );
    expect(data).toEqual({
      lineItem: {
        delivery: {
          lifetime: { impressions: 250, spend: '0.0125' },
          today: { impressions: 30 },
          progress: { goal: 1_000, delivered: 250, expected: 500, percent: 25, pacingPercent: 50 },
        },
      },
    });
    const drawn = await api.data<{ lineItem: { delivery: { progress: { course: { points: object[] } } } } }>(
      'query ($id: ID!) { lineItem(id: $id) { delivery { progress { course { step isLeast points { startsAt planned projected { projected low high } } } } } } }',
      { id },
    );
    const { course } = drawn.lineItem.delivery.progress;
    expect(course).toMatchObject({ step: 'HOUR', isLeast: false, points: { length: 49 } });
    expect(course.points[0]).toMatchObject({ startsAt: new Date(now - 86_400_000).toISOString(), projected: null });
    expect(course.points[24]).toMatchObject({ planned: 500, projected: { projected: 250, low: 250, high: 250 } });
    expect(course.points[48]).toMatchObject({ planned: 1_000 });
  });

  test('a money cap below the spend is refused', async () => {
    const [campaignId] = await makeMany('createCampaigns', 'Campaign', [{ name: 'Spent', advertiserId }]);
    const [id] = await makeMany('createLineItems', 'LineItem', [
      { campaignId, name: 'S', type: 'HOUSE', caps: { spendLifetime: '10' } },
    ]);
    counters.set(lifetimeCounterKey({ workspaceId: 1, scope: 'li', id: String(id), kind: 'spend' }), 5_000_000_000n);
    const response = await api.ask(
      'mutation ($id: ID!) { updateLineItem(id: $id, input: {caps: {spendLifetime: "4.99"}}) { validatedOnly } }',
      { variables: { id } },
    );
    expect(response.body.errors?.[0]?.extensions['fields']).toMatchObject([
      { path: 'input.caps.spendLifetime', code: 'below_spent' },
    ]);
  });
});

describe('copying a campaign', () => {
  test('a copy has the line items and creatives, moves flights, leaves out archived ones, and starts as DRAFT', async () => {
    const [id] = await makeMany('createCampaigns', 'Campaign', [
      {
        name: 'Original',
        advertiserId,
        status: 'ACTIVE',
        startsAt: '2026-11-01T00:00:00Z',
        endsAt: '2026-11-30T00:00:00Z',
      },
    ]);
    const [kept, dropped] = await makeMany('createLineItems', 'LineItem', [
      {
        campaignId: id,
        name: 'Kept',
        type: 'HOUSE',
        status: 'ACTIVE',
        startsAt: '2026-11-10T00:00:00Z',
        targeting: { test: { dimension: 'COUNTRY', values: ['PL'] } },
      },
      { campaignId: id, name: 'Dropped', type: 'HOUSE' },
    ]);
    await api.data('mutation ($id: ID!) { archiveLineItem(id: $id) { validatedOnly } }', { id: dropped });
    await makeMany('createCreatives', 'Creative', [
      {
        lineItemId: kept,
        name: 'Pic',
        clickUrl: 'https://a.example',
        width: 1,
        height: 1,
        content: { image: { imageUrl: 'https://a.example/i.png', alt: '' } },
      },
    ]);
    const copied = await api.data(
      `mutation ($id: ID!) { copyCampaign(id: $id, startsAt: "2026-12-01T00:00:00Z") { lineItemCount creativeCount campaign { name status startsAt endsAt lineItems { nodes { name status startsAt targeting { test { values } } creatives { nodes { name } } } } } } }`,
      { id },
    );
    expect(copied).toEqual({
      copyCampaign: {
        lineItemCount: 1,
        creativeCount: 1,
        campaign: {
          name: 'Original (copy)',
          status: 'DRAFT',
          startsAt: '2026-12-01T00:00:00.000Z',
          endsAt: '2026-12-30T00:00:00.000Z',
          lineItems: {
            nodes: [
              {
                name: 'Kept',
                status: 'DRAFT',
                startsAt: '2026-12-10T00:00:00.000Z',
                targeting: { test: { values: ['PL'] } },
                creatives: { nodes: [{ name: 'Pic' }] },
              },
            ],
          },
        },
      },
    });
  });

  test('shiftDays moves the flight by days, also of a campaign without a start, and excludes startsAt', async () => {
    const [id] = await makeMany('createCampaigns', 'Campaign', [
      { name: 'Open', advertiserId, endsAt: '2026-11-30T00:00:00Z' },
    ]);
    const copied = await api.data(
      'mutation ($id: ID!) { copyCampaign(id: $id, shiftDays: 30) { copy { startsAt endsAt } } }',
      { id },
    );
    expect(copied).toEqual({ copyCampaign: { copy: { startsAt: null, endsAt: '2026-12-30T00:00:00.000Z' } } });
    const [autumn] = await makeMany('createCampaigns', 'Campaign', [
      { name: 'Autumn', advertiserId, startsAt: '2026-10-19T22:00:00Z', endsAt: '2026-10-23T22:00:00Z' },
    ]);
    const later = await api.data(
      'mutation ($id: ID!) { copyCampaign(id: $id, startsAt: "2026-11-02T23:00:00Z") { copy { startsAt endsAt } } }',
      { id: autumn },
    );
    // Both at midnight in Warsaw.
    const flight = { startsAt: '2026-11-02T23:00:00.000Z', endsAt: '2026-11-06T23:00:00.000Z' };
    expect(later).toEqual({ copyCampaign: { copy: flight } });
    for (const shift of ['shiftDays: 1, startsAt: "2026-12-01T00:00:00Z"', 'shiftDays: 3651']) {
      const query = `mutation ($id: ID!) { copyCampaign(id: $id, ${shift}) { copy { id } userErrors { field } } }`;
      expect([shift, await api.data(query, { id })]).toEqual([
        shift,
        { copyCampaign: { copy: null, userErrors: [{ field: 'shiftDays' }] } },
      ]);
    }
  });

  test('validateOnly reports what a copy would have and what is wrong with it, and stores nothing', async () => {
    const [id] = await makeMany('createCampaigns', 'Campaign', [
      { name: 'Tried', advertiserId, startsAt: '2026-11-01T00:00:00Z' },
    ]);
    await makeMany('createLineItems', 'LineItem', [{ name: 'Inside', campaignId: id, type: 'HOUSE' }]);
    const logged = () => api.data('{ auditLog(first: 1) { totalCount } }');
    const before = await logged();
    const tried = (more: string) =>
      api.data(
        `mutation ($id: ID!) { copyCampaign(id: $id, validateOnly: true, ${more}) { copy { id } lineItemCount userErrors { field code } } }`,
        { id },
      );
    expect(await tried('shiftDays: 30')).toEqual({ copyCampaign: { copy: null, lineItemCount: 1, userErrors: [] } });
    expect(await tried('startsAt: "2020-01-01T00:00:00Z", name: ""')).toMatchObject({
      copyCampaign: { copy: null, lineItemCount: 0, userErrors: [{ field: 'name' }] },
    });
    expect(
      await api.data(
        'mutation ($id: ID!) { copyCampaign(id: $id, validateOnly: true) { campaign { id name } lineItemCount } }',
        { id },
      ),
    ).toEqual({ copyCampaign: { campaign: { id, name: 'Tried' }, lineItemCount: 1 } });
    expect(
      await api.data('{ campaigns(filter: {search: "Tried"}) { nodes { name lineItems { totalCount } } } }'),
    ).toEqual({ campaigns: { nodes: [{ name: 'Tried', lineItems: { totalCount: 1 } }] } });
    expect(await logged()).toEqual(before);
  });

  test('the campaign of another network is not found', async () => {
    const [id] = await makeMany('createCampaigns', 'Campaign', [{ name: 'Ours', advertiserId }]);
    const response = await api.ask('mutation ($id: ID!) { copyCampaign(id: $id) { lineItemCount } }', {
      variables: { id },
      as: 'stranger',
    });
    expect(response.body.errors?.[0]?.extensions.code).toBe('not_found');
  });
});

const SHOWN_ONCE: readonly (readonly [name: string, mutation: string])[] = [
  [
    'a new schedule',
    'mutation { createReportSchedule(input: {name: "S", cron: "0 6 * * 1", webhookUrl: "https://93.184.215.14/", query: {measures: ["campaign_overview.impressions"], timeDimensions: [{dimension: "campaign_overview.time", dateRange: "last 7 days"}]}}) { shown: webhookSecret } }',
  ],
  [
    'a changed schedule',
    'mutation { out: updateReportSchedule(id: "1", input: {rotateSecret: true}) { ...shown } } fragment shown on ReportSchedulePayload { webhookSecret }',
  ],
  [
    'a new webhook',
    'mutation { createWebhook(input: {name: "W", url: "https://93.184.215.14/", types: ["*"]}) { secret } }',
  ],
  ['a changed webhook', 'mutation { out: updateWebhook(id: "1", input: {rotateSecret: true}) { secret } }'],
];

test.each(SHOWN_ONCE)('the secret of %s is not stored under an idempotency key', async (_name, mutation) => {
  const { body } = await api.ask(mutation, { headers: { 'idempotency-key': `once ${_name}`.replaceAll(' ', '-') } });
  expect(body.errors?.[0]).toMatchObject({
    message: expect.stringContaining('shows a secret once'),
    extensions: { code: 'invalid_request' },
  });
  const stored = await api.database.db
    .selectFrom('idempotent_answers' as never)
    .selectAll()
    .execute();
  expect(JSON.stringify(stored)).not.toContain('whsec_');
});

test('a schedule is created once under an idempotency key when its secret is not asked for', async () => {
  const mutation = SHOWN_ONCE[0]?.[1].replace('shown: webhookSecret', 'schedule { id }') ?? '';
  const ask = () => api.data(mutation, undefined, { headers: { 'idempotency-key': 'plain-schedule' } });
  expect(await ask()).toEqual(await ask());
});
