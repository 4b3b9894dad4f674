import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { upsertAll } from '../kernel/upsert.ts';
import { CAMPAIGN } from '../resources/campaign/campaign.ts';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

interface Row {
  readonly code: string | null;
  readonly campaign: { readonly id: string; readonly name: string; readonly version: number } | null;
  readonly problems: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

interface Outcome {
  readonly changedCount: number;
  readonly failedCount: number;
  readonly results: readonly Row[];
}

const upsertCampaigns = `mutation ($inputs: [UpsertCampaignInput!]!, $mode: BulkMode, $trial: Boolean) {
  out: upsertCampaigns(inputs: $inputs, mode: $mode, validateOnly: $trial) {
    changedCount failedCount results { code campaign { id name version } problems { path code message } } } }`;

let api: TestManagement;
beforeAll(async () => {
  api = await createTestManagement();
  await advertisers([{ externalId: 'acme', name: 'Acme' }]);
});
afterAll(() => api.close());

async function advertisers(inputs: readonly object[], as = 'admin'): Promise<void> {
  await api.data(
    'mutation ($inputs: [UpsertAdvertiserInput!]!) { upsertAdvertisers(inputs: $inputs) { changedCount } }',
    { inputs },
    { as },
  );
}

async function upsert(inputs: readonly object[], more: object = {}, as = 'admin'): Promise<Outcome> {
  const { out } = await api.data<{ out: Outcome }>(upsertCampaigns, { inputs, ...more }, { as });
  return out;
}

async function campaignsOf(externalId: string, as = 'admin') {
  const { campaigns } = await api.data<{ campaigns: { nodes: { id: string; name: string; status: string }[] } }>(
    'query ($ids: [String!]) { campaigns(filter: {externalIds: $ids}) { nodes { id name status } } }',
    { ids: [externalId] },
    { as },
  );
  return campaigns.nodes;
}

/** How many connections of this database wait for an advisory lock. */
async function waitingCalls(): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`SELECT count(*) FROM pg_locks
    WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(api.database.owner);
  return Number(rows[0]?.count);
}

/** Every wrong field of an outcome, as `path code`. */
const problemsOf = ({ results }: Outcome): string[] =>
  results.flatMap(({ problems }) => problems.map(({ path, code }) => `${path} ${code}`));

describe('an upsert', () => {
  test('a new external id creates, a known one changes the given fields, and the same again changes nothing', async () => {
    const row = { externalId: 'c1', advertiserExternalId: 'acme', name: 'First' };
    const made = await upsert([row]);
    expect(made).toMatchObject({ changedCount: 1, results: [{ code: null, campaign: { name: 'First', version: 1 } }] });
    const id = made.results[0]?.campaign?.id;
    const changed = await upsert([{ externalId: ' c1 ', status: 'PAUSED' }]);
    expect(changed.results[0]).toMatchObject({ campaign: { id, name: 'First', version: 2 } });
    expect((await upsert([row])).results[0]).toMatchObject({ campaign: { id, version: 2 } });
    expect(await campaignsOf('c1')).toEqual([{ id, name: 'First', status: 'PAUSED' }]);
  });

  test('calls at the same time with one new external id create one object', async () => {
    const row = (name: string) => ({ externalId: 'race', advertiserExternalId: 'acme', name });
    let others: Promise<Outcome>[] = [];
    await api.database.db.transaction().execute(async (transaction) => {
      const context = { ...api.contextFor('admin'), transaction };
      const first = await upsertAll(context, CAMPAIGN, { allOrNothing: true, trial: false, rows: [row('First')] });
      expect(first.changedCount).toBe(1);
      others = [1, 2, 3].map((index) => upsert([row(`Other ${index}`)]));
      // All of them have begun, and none sees the object of the first.
      await expect.poll(waitingCalls, { timeout: 20_000, interval: 20 }).toBe(3);
    });
    const outcomes = await Promise.all(others);
    expect(outcomes.map(({ failedCount }) => failedCount)).toEqual([0, 0, 0]);
    const [found, ...more] = await campaignsOf('race');
    expect(more).toEqual([]);
    for (const { results } of outcomes) expect(results[0]?.campaign?.id).toBe(found?.id);
  });

  test('a row without a field that a new object requires gets a problem that names it', async () => {
    expect(problemsOf(await upsert([{ externalId: 'bare' }]))).toEqual([
      'inputs.0.advertiserId required',
      'inputs.0.name required',
    ]);
  });

  test('one wrong row under ALL_OR_NOTHING undoes all, and the problems of every row are reported', async () => {
    const outcome = await upsert([
      { externalId: 'all1', advertiserExternalId: 'acme', name: 'A' },
      { externalId: 'c1', name: 'Renamed' },
      { externalId: 'all2', advertiserExternalId: 'nobody', name: '' },
      { externalId: 'all1', advertiserExternalId: 'acme', name: 'Again' },
    ]);
    expect(outcome).toMatchObject({ changedCount: 0, failedCount: 2 });
    expect(problemsOf(outcome)).toEqual([
      'inputs.2.advertiserExternalId unknown',
      'inputs.2.name empty',
      'inputs.3.externalId duplicate',
    ]);
    expect(await campaignsOf('all1')).toEqual([]);
    expect(await campaignsOf('c1')).toMatchObject([{ name: 'First' }]);
  });

  test('the valid rows change under ROW_BY_ROW, and none does with validateOnly', async () => {
    const rows = [{ externalId: 'row1', advertiserExternalId: 'acme', name: 'R' }, { externalId: 'row2' }];
    expect(await upsert(rows, { trial: true, mode: 'ROW_BY_ROW' })).toMatchObject({ changedCount: 0, failedCount: 1 });
    expect(await campaignsOf('row1')).toEqual([]);
    expect(await upsert(rows, { mode: 'ROW_BY_ROW' })).toMatchObject({ changedCount: 1, failedCount: 1 });
    expect(await campaignsOf('row1')).toHaveLength(1);
  });

  test('a stale version is a conflict, and a version of an object that does not exist is refused', async () => {
    const outcome = await upsert([
      { externalId: 'c1', version: 1, name: 'Stale' },
      { externalId: 'never', version: 1, advertiserExternalId: 'acme', name: 'N' },
    ]);
    expect(outcome.results.map(({ code }) => code)).toEqual(['conflict', 'validation_failed']);
    expect(problemsOf(outcome)).toEqual(['inputs.1.version unknown']);
    expect(await campaignsOf('c1')).toMatchObject([{ name: 'First' }]);
  });

  test('an external id and an id of different objects are a problem, and so is another parent', async () => {
    await advertisers([{ externalId: 'other', name: 'Other' }]);
    const outcome = await upsert([
      { externalId: 'both', advertiserExternalId: 'acme', advertiserId: '999', name: 'B' },
      { externalId: 'c1', advertiserExternalId: 'other' },
    ]);
    expect(problemsOf(outcome)).toEqual([
      'inputs.0.advertiserExternalId one_of',
      'inputs.1.advertiserId cannot_change',
    ]);
  });

  test('an external id or id of another network or environment is unknown, and its object stays as it is', async () => {
    for (const as of ['stranger', 'staging']) {
      const outcome = await upsert([{ externalId: 'c1', advertiserExternalId: 'acme', name: 'Stolen' }], {}, as);
      expect(problemsOf(outcome)).toEqual(['inputs.0.advertiserExternalId unknown']);
      await advertisers([{ externalId: `own ${as}`, name: 'Own' }], as);
      const made = await upsert([{ externalId: 'c1', advertiserExternalId: `own ${as}`, name: 'Mine' }], {}, as);
      expect(made).toMatchObject({ changedCount: 1, results: [{ campaign: { version: 1 } }] });
    }
    expect(await campaignsOf('c1')).toMatchObject([{ name: 'First' }]);
  });
});

describe('several objects with one external id', () => {
  const make = async (name: string): Promise<string> => {
    const { createAdvertiser } = await api.data<{ createAdvertiser: { advertiser: { id: string } } }>(
      'mutation ($name: String!) { createAdvertiser(input: {name: $name, externalId: "twin"}) { advertiser { id } } }',
      { name },
    );
    return createAdvertiser.advertiser.id;
  };
  const ids: string[] = [];
  const mutation =
    'mutation ($name: String) { out: upsertAdvertisers(inputs: [{externalId: "twin", name: $name}]) { results { advertiser { id } problems { path code message } } } }';
  const archive = (id: string) =>
    api.data('mutation ($id: ID!) { archiveAdvertiser(id: $id) { advertiser { id } } }', { id });
  beforeEach(async () => {
    while (ids.length < 2) ids.push(await make(`Twin ${ids.length}`));
  });

  test('two in use are ambiguous, and the problem names both', async () => {
    const { out } = await api.data<{ out: Outcome }>(mutation, { name: 'X' });
    expect(problemsOf(out)).toEqual(['inputs.0.externalId ambiguous']);
    for (const id of ids) expect(out.results[0]?.problems[0]?.message).toContain(id);
  });

  test('one in use comes before a newer one that is archived', async () => {
    await archive(ids[1] ?? '');
    expect(await api.data(mutation, { name: 'X' })).toMatchObject({
      out: { results: [{ advertiser: { id: ids[0] } }] },
    });
  });

  test('an archived one changes only together with its status', async () => {
    await archive(ids[0] ?? '');
    const { out } = await api.data<{ out: Outcome }>(mutation, { name: 'Y' });
    expect(problemsOf(out)).toEqual(['inputs.0.status archived']);
  });
});

describe('references inside a batch', () => {
  test('a companion names its master of an earlier row by external id', async () => {
    await upsert([{ externalId: 'tree', advertiserExternalId: 'acme', name: 'T' }]);
    await api.data(
      'mutation { upsertLineItems(inputs: [{externalId: "li", campaignExternalId: "tree", name: "L", type: HOUSE}]) { changedCount } }',
    );
    const banner = (externalId: string, more: object = {}) => ({
      externalId,
      lineItemExternalId: 'li',
      name: externalId,
      width: 300,
      height: 250,
      clickUrl: 'https://n.example',
      content: { html: { html: '<b>n</b>' } },
      ...more,
    });
    const data = await api.data(
      'mutation ($inputs: [UpsertCreativeInput!]!) { upsertCreatives(inputs: $inputs) { changedCount results { problems { path code } creative { masterCreative { externalId } } } } }',
      { inputs: [banner('master'), banner('companion', { masterCreativeExternalId: 'master' })] },
    );
    expect(data).toEqual({
      upsertCreatives: {
        changedCount: 2,
        results: [
          { problems: [], creative: { masterCreative: null } },
          { problems: [], creative: { masterCreative: { externalId: 'master' } } },
        ],
      },
    });
  });
});

describe('the statements of an upsert', () => {
  const batch = (size: number, more: object = {}) =>
    Array.from({ length: size }, (_, index) => ({
      externalId: `batch ${size} ${index}`,
      advertiserExternalId: 'acme',
      name: `Batch ${index}`,
      ...more,
    }));
  const countStatements = async (size: number, more: object): Promise<number> => {
    api.statements.log.length = 0;
    expect(await upsert(batch(size, more))).toMatchObject({ failedCount: 0 });
    return new Set(api.statements.log).size;
  };

  test.each([
    ['creates', {}],
    ['changes', { status: 'PAUSED' }],
    ['finds unchanged', { status: 'PAUSED' }],
  ])('500 rows that an upsert %s cost as many statements as two rows', async (_name, more) => {
    const few = await countStatements(2, more);
    expect(few).toBeLessThan(14);
    expect(await countStatements(500, more)).toBeLessThanOrEqual(few);
  });

  test('501 rows are refused', async () => {
    const { body } = await api.ask(upsertCampaigns, { variables: { inputs: batch(501) } });
    expect(body.errors?.[0]?.extensions.code).toBe('invalid_request');
  });
});

describe('an object that an upsert writes', () => {
  const LINE_ITEM = {
    name: 'Zażółć "gęślą" \\ jaźń',
    type: 'STANDARD',
    status: 'ACTIVE',
    level: 3,
    goal: { kind: 'IMPRESSIONS', amount: 100000, period: 'LIFETIME' },
    representativePercent: 12.75,
    price: '12.345678',
    caps: { impressionsPerDay: 5, spendLifetime: '1000.5' },
    frequencyCaps: [{ count: 3, window: 'DAY', every: 2 }],
    pauseAfterGoal: true,
    startsAt: '2026-11-20T10:00:00.123Z',
    endsAt: '2030-01-01T00:00:00+02:00',
    timezone: 'Europe/Warsaw',
    targeting: { any: [{ test: { dimension: 'KEY_VALUE', key: 'k', values: ['a"b', '{c}'] } }] },
    exclusionLabels: ['x, y', '"z"', '{}'],
  };
  const CREATIVE = {
    name: 'Banner',
    width: 300,
    height: 250,
    clickUrl: 'https://n.example',
    content: { html: { html: '<b>n</b>' } },
    attributes: [1, 5],
    language: 'pl',
    weight: 7,
  };

  async function storedRow(table: string, name: string): Promise<Record<string, unknown>> {
    const { rows } = await sql<Record<string, unknown>>`
      SELECT * FROM ${sql.table(table)} WHERE workspace_id = 1 AND external_id = ${name}`.execute(api.database.owner);
    const { id, external_id: _own, created_at: _created, updated_at: _updated, ...row } = rows[0] ?? {};
    const { rows: log } = await sql<{ action: string; details: { before: unknown; after: Record<string, unknown> } }>`
      SELECT action, details FROM audit_log WHERE object_id = ${String(id)} AND object_kind = ${table === 'creatives' ? 'creative' : 'lineItem'}
      ORDER BY sequence`.execute(api.database.owner);
    const entries = log.map(({ action, details: { before, after } }) => ({
      action,
      before,
      after: { ...after, externalId: null },
    }));
    return { ...row, entries };
  }

  test.each([
    ['LineItem', 'line_items', 'campaignId', LINE_ITEM, { price: '1', targeting: null, exclusionLabels: ['n'] }],
    ['Creative', 'creatives', 'lineItemId', CREATIVE, { weight: 9, attributes: [], startsAt: '2027-01-01T00:00:00Z' }],
  ])('%s is stored and logged like one that create and update write', async (type, table, parent, fields, change) => {
    const one = type === 'LineItem' ? 'lineItem' : 'creative';
    await upsert([{ externalId: 'same', advertiserExternalId: 'acme', name: 'Same' }]);
    await api.data(
      'mutation { upsertLineItems(inputs: [{externalId: "same", campaignExternalId: "same", name: "L", type: HOUSE}]) { changedCount } }',
    );
    const reference = parent.replace('Id', 'ExternalId');
    const parents = await sql<{ id: bigint }>`
      SELECT id FROM ${sql.table(type === 'LineItem' ? 'campaigns' : 'line_items')} WHERE external_id = 'same'`.execute(
      api.database.owner,
    );
    const input = { ...fields, [parent]: String(parents.rows[0]?.id), externalId: 'by create' };
    const { made } = await api.data<{ made: Record<string, { id: string }> }>(
      `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { ${one} { id } } }`,
      { input },
    );
    await api.data(
      `mutation ($id: ID!, $input: Update${type}Input!) { update${type}(id: $id, input: $input) { ${one} { id } } }`,
      { id: made[one]?.id, input: change },
    );
    const mutation = `mutation ($inputs: [Upsert${type}Input!]!) {
      out: upsert${type}s(inputs: $inputs) { failedCount results { code problems { path code } ${one} { createdAt updatedAt version } } } }`;
    const row = { ...fields, [reference]: 'same', externalId: 'by upsert' };
    const { out } = await api.data<{ out: Outcome }>(mutation, { inputs: [row, { ...row, externalId: 'beside' }] });
    expect(out).toMatchObject({ failedCount: 0, results: [{ [one]: { version: 1 } }, { [one]: { version: 1 } }] });
    expect(await api.data(mutation, { inputs: [{ ...change, externalId: 'by upsert' }] })).toMatchObject({
      out: { failedCount: 0, results: [{ [one]: { version: 2 } }] },
    });
    expect(await storedRow(table, 'by upsert')).toEqual(await storedRow(table, 'by create'));
  });

  test('a row that the database refuses fails alone under ROW_BY_ROW', async () => {
    const name = `${'a'.repeat(64)}.png`;
    await sql`INSERT INTO assets (workspace_id, name, size_bytes, uploaded_at, deleted_at)
      VALUES (1, ${name}, 1, now(), now())`.execute(api.database.owner);
    const banner = (externalId: string, more: object = {}) => ({
      ...CREATIVE,
      externalId,
      lineItemExternalId: 'same',
      ...more,
    });
    const { out } = await api.data<{ out: Outcome }>(
      `mutation ($inputs: [UpsertCreativeInput!]!) { out: upsertCreatives(inputs: $inputs, mode: ROW_BY_ROW) { changedCount results { code } } }`,
      {
        inputs: [
          banner('r1'),
          banner('r2', { content: { image: { imageUrl: `/assets/${name}`, alt: 'n' } } }),
          banner('r3'),
        ],
      },
    );
    expect(out).toMatchObject({
      changedCount: 2,
      results: [{ code: null }, { code: 'validation_failed' }, { code: null }],
    });
  });
});

test('a read-only key cannot upsert', async () => {
  const { body } = await api.ask(upsertCampaigns, { variables: { inputs: [{ externalId: 'x' }] }, as: 'reader' });
  expect(body.errors?.[0]?.extensions.code).toBe('insufficient_permissions');
});
