import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
const lower = (type: string): string => type.charAt(0).toLowerCase() + type.slice(1);

async function create(type: string, input: Record<string, unknown>, as = 'admin'): Promise<string> {
  const result = await api.data<Record<string, Record<string, { id: string }>>>(
    `mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${lower(type)} { id } } }`,
    { input },
    { as },
  );
  return result[`create${type}`]?.[lower(type)]?.id ?? '';
}

async function book(as: string, name: string): Promise<void> {
  const siteId = await create('Site', { name, code: name, domain: `${name}.example` }, as);
  await create('AdUnit', { siteId, name: `${name}-top` }, as);
  const advertiserId = await create('Advertiser', { name }, as);
  const campaignId = await create('Campaign', { name, advertiserId }, as);
  for (const externalId of [`${name}-1`, `${name}-2`]) {
    const lineItemId = await create('LineItem', { name: externalId, campaignId, type: 'HOUSE', externalId }, as);
    const banner = { width: 300, height: 250, clickUrl: 'https://a.example/', content: { html: { html: '<b>a</b>' } } };
    await create('Creative', { name: externalId, lineItemId, externalId: `${externalId}-banner`, ...banner }, as);
  }
}

beforeAll(async () => {
  api = await createTestManagement();
  api.clock.nowMs = Date.parse('2026-11-25T10:20:00Z');
  await book('admin', 'own');
  await book('stranger', 'other');
});
afterAll(() => api.close());

const IMPORT = `mutation ($source: String!, $inputs: [HistoryHourInput!]!, $validateOnly: Boolean) {
  importHistory(source: $source, inputs: $inputs, validateOnly: $validateOnly) { added unchanged differing tooOld firstHour validatedOnly } }`;

function importRows(inputs: readonly Record<string, unknown>[], more: Record<string, unknown> = {}, as = 'admin') {
  return api.ask(IMPORT, { variables: { source: 'revive', inputs, ...more }, as });
}

async function imported(inputs: readonly Record<string, unknown>[], more: Record<string, unknown> = {}) {
  const { body } = await importRows(inputs, more);
  if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
  return body.data?.['importHistory'];
}

const listed = (as = 'admin') =>
  api.data(
    '{ importedHistory { source firstHour lastHour rows waitingRows requests impressions clicks conversions revenue } }',
    {},
    { as },
  );

const row = (more: Record<string, unknown> = {}) => ({
  hour: '2026-11-24T08:00:00Z',
  lineItemExternalId: 'own-1',
  creativeExternalId: 'own-1-banner',
  adUnitName: 'own-top',
  impressions: 1_000,
  clicks: 3,
  conversions: 1,
  revenue: '2.5',
  ...more,
});

test('hours of history are added once, also when a caller repeats them, and other figures of an hour do not replace the first', async () => {
  const rows = [row(), row({ hour: '2026-11-24T09:00:00Z', requests: 1_500 })];
  const firstHour = expect.any(String);
  const result = { added: 2, unchanged: 0, differing: [], tooOld: [], firstHour };
  expect(await imported(rows, { validateOnly: true })).toEqual({ ...result, validatedOnly: true });
  expect(await listed()).toEqual({ importedHistory: [] });
  expect(await imported(rows)).toEqual({ ...result, validatedOnly: false });
  expect(await imported(rows)).toMatchObject({ added: 0, unchanged: 2 });
  const changed = [row({ clicks: 4 }), row({ lineItemExternalId: 'own-2', creativeExternalId: null }), rows[1] ?? {}];
  expect(await imported(changed)).toMatchObject({ added: 1, unchanged: 1, differing: [0] });
  expect(await listed()).toEqual({
    importedHistory: [
      {
        source: 'revive',
        firstHour: '2026-11-24T08:00:00.000Z',
        lastHour: '2026-11-24T09:00:00.000Z',
        rows: 3,
        waitingRows: 3,
        requests: 3_500,
        impressions: 3_000,
        clicks: 9,
        conversions: 3,
        revenue: '7.5',
      },
    ],
  });
});

test('hours of history that the retention would delete are named and left out before anything is counted', async () => {
  const old = [row({ hour: '2021-11-20T08:00:00Z' }), row({ hour: '2026-09-01T08:00:00Z' })];
  expect(await imported(old, { validateOnly: true })).toMatchObject({ added: 1, tooOld: [0] });
  await api.data('mutation { updateNetwork(input: {retentionDays: 30}) { id } }');
  const result = await imported(old);
  expect(result).toMatchObject({ added: 0, tooOld: [0, 1], firstHour: '2026-10-26T00:00:00.000Z' });
});

test('an import of history names the field of each row that is wrong, and stores nothing', async () => {
  const cases: readonly [Record<string, unknown>, string, string][] = [
    [{ hour: '2026-11-24T08:30:00Z' }, 'hour', 'not_multiple_of'],
    [{ hour: '2026-11-25T10:00:00Z' }, 'hour', 'in_future'],
    [{ lineItemExternalId: 'nobody' }, 'lineItemExternalId', 'unknown'],
    [{ creativeExternalId: 'own-2-banner' }, 'creativeExternalId', 'other_line_item'],
    [{ adUnitName: 'nowhere' }, 'adUnitName', 'unknown'],
    [{ impressions: -1 }, 'impressions', 'out_of_range'],
    [{ revenue: 'much' }, 'revenue', 'not_money'],
    [{ revenue: '-1' }, 'revenue', 'out_of_range'],
    [{ lineItemExternalId: null, creativeExternalId: null }, 'lineItemExternalId', 'required'],
  ];
  const before = await listed();
  for (const [more, field, code] of cases) {
    const { body } = await importRows([row({ hour: '2026-11-23T00:00:00Z' }), row(more)]);
    const fields = body.errors?.[0]?.extensions['fields'];
    expect([field, fields]).toEqual([
      field,
      expect.arrayContaining([expect.objectContaining({ path: `inputs.1.${field}`, code })]),
    ]);
  }
  const twice = await importRows([row(), row()]);
  expect(twice.body.errors?.[0]?.extensions['fields']).toMatchObject([{ path: 'inputs.1', code: 'duplicate' }]);
  const many = await importRows(Array.from({ length: 1_001 }, () => row()));
  expect(many.body.errors?.[0]?.extensions.code).toBe('invalid_request');
  const nameless = await importRows([row()], { source: '' });
  expect(nameless.body.errors?.[0]?.extensions['fields']).toMatchObject([{ path: 'source' }]);
  expect(await listed()).toEqual(before);
});

test('an import of history sees the objects of its own environment alone, and needs the right to write', async () => {
  const foreign = await importRows([
    row({ lineItemExternalId: 'other-1', creativeExternalId: null, adUnitName: 'other-top' }),
  ]);
  expect(foreign.body.errors?.[0]?.extensions['fields']).toMatchObject([{ code: 'unknown' }, { code: 'unknown' }]);
  expect(await listed('stranger')).toEqual({ importedHistory: [] });
  const refused = await importRows([row()], {}, 'reader');
  expect(refused.body.errors?.[0]?.extensions.code).toBe('insufficient_permissions');
});
