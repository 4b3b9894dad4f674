import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';
import { createEngine } from '../schema/engine.ts';
import { managementSchema, RESOURCES } from '../schema/schema.ts';
import { type ExportedObject, exportConfiguration } from './export-configuration.ts';
import { importConfiguration } from './import-configuration.ts';

let api: TestManagement;
const engine = createEngine(managementSchema());

async function exportOf(caller: string): Promise<ExportedObject[]> {
  return Array.fromAsync(exportConfiguration(api.contextFor(caller), RESOURCES));
}

function importInto(caller: string, lines: readonly string[], dryRun = false) {
  return importConfiguration(api.contextFor(caller), { engine, resources: RESOURCES, lines, dryRun });
}

const toLines = (objects: readonly ExportedObject[]): string[] => objects.map((object) => JSON.stringify(object));

/** An export with ids numbered by position, so that two workspaces can be compared. */
function withoutIds(objects: readonly ExportedObject[]): unknown {
  const positions = new Map(objects.map((object, index) => [`${object.type}/${object.id}`, `#${index}`]));
  const parents: Record<string, string> = {
    advertiserId: 'Advertiser',
    campaignId: 'Campaign',
    lineItemId: 'LineItem',
    siteId: 'Site',
    areaId: 'Area',
    dealId: 'Deal',
    adUnitId: 'AdUnit',
    activityId: 'Activity',
  };
  return objects.map((object) => ({
    type: object.type,
    input: JSON.parse(JSON.stringify(object.input), (key, value: unknown) => {
      if (parents[key] !== undefined) return positions.get(`${parents[key]}/${String(value)}`);
      if (/^(?:offeredA|a)dvertiserIds$/.test(key) && Array.isArray(value))
        return value.map((id) => positions.get(`Advertiser/${String(id)}`));
      return key === 'values' && Array.isArray(value)
        ? value.map(
            (id) => positions.get(`AdUnit/${String(id)}`) ?? positions.get(`Segment/${String(id)}`) ?? (id as string),
          )
        : value;
    }) as unknown,
  }));
}

beforeAll(async () => {
  api = await createTestManagement();
  const make = async (type: string, input: unknown): Promise<string> => {
    const field = `${type[0]?.toLowerCase()}${type.slice(1)}`;
    const data = await api.data<Record<string, Record<string, { id: string }>>>(
      `mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${field} { id } } }`,
      { input },
    );
    return data[`create${type}`]?.[field]?.id ?? '';
  };
  // So that ids of the two workspaces differ.
  await api.data(
    'mutation { createAdvertiser(input: {name: "Elsewhere"}) { validatedOnly } createSegment(input: {name: "Elsewhere"}) { validatedOnly } createActivity(input: {actgid: "e", name: "E"}) { validatedOnly } createSite(input: {code: "e", name: "E", domain: "e.example"}) { validatedOnly } }',
    undefined,
    { as: 'stranger' },
  );
  const advertiserId = await make('Advertiser', {
    name: 'Acme',
    credit: '12.345678',
    frequencyCaps: [{ count: 3, window: 'DAY', event: 'CLICKS' }],
  });
  const siteId = await make('Site', { code: 'n', name: 'N', domain: 'n.example' });
  const areaId = await make('Area', { siteId, code: 'a', name: 'A' });
  const adUnitId = await make('AdUnit', {
    siteId,
    areaId,
    name: 'n/top',
    mediaTypes: ['BANNER', 'NATIVE'],
    sizes: [{ width: 300, height: 250 }],
  });
  const dealId = await make('Deal', { code: 'D', name: 'D', seats: ['s'] });
  await make('Floor', {
    name: 'F',
    floor: '0.75',
    priority: 3,
    siteId,
    areaId,
    adUnitId,
    dealId,
    sizes: [{ width: 300, height: 250 }],
    mediaTypes: ['BANNER'],
    countries: ['PL'],
  });
  const activityId = await make('Activity', { actgid: 'buy', name: 'Buy', advertiserId });
  const segmentId = await make('Segment', {
    name: 'Buyers',
    rule: { any: [{ activity: { activityId, event: 'order' } }, { keyValue: { key: 'mood', values: ['glad'] } }] },
  });
  await make('KeyValue', { key: 'mood', name: 'Mood', values: ['sad', 'glad'], reportable: true });
  await make('AdvertisingProduct', {
    name: 'P',
    targeting: { all: [{ test: { dimension: 'AD_UNIT', values: [adUnitId] } }] },
    offeredToBuyers: true,
    offeredAdvertiserIds: [advertiserId],
    priceOptions: [{ id: 'cpm', pricingModel: 'CPM', price: '1.5', advertiserIds: [advertiserId] }],
    measurement: { countedBy: 'PUBLISHER' },
  });
  const campaignId = await make('Campaign', {
    advertiserId,
    name: 'C',
    status: 'ACTIVE',
    startsAt: '2026-11-01T00:00:00Z',
    caps: { spendPerDay: '0.5', clicksLifetime: 7 },
  });
  const lineItemId = await make('LineItem', {
    campaignId,
    dealId,
    name: 'L',
    type: 'PRICE',
    price: '1.25',
    goal: { kind: 'CLICKS', amount: 9 },
    countedActivities: [{ activityId, events: ['order'] }],
    dayParts: [{ days: [1], startMinute: 0, endMinute: 60 }],
    targeting: {
      any: [
        { test: { dimension: 'AD_UNIT', operator: 'IS_NOT', values: [adUnitId] } },
        { test: { dimension: 'SEGMENT', values: [segmentId] } },
        { not: { all: [{ test: { dimension: 'KEY_VALUE', operator: 'BEGINS_WITH', key: 'mood', values: ['s'] } }] } },
      ],
    },
  });
  await make('Creative', {
    lineItemId,
    name: 'V',
    clickUrl: 'https://a.example',
    trackers: { clickUrls: ['https://t.example'] },
    content: {
      video: {
        title: 'T',
        durationMs: 1000,
        mediaFiles: [{ url: 'https://a.example/v.mp4', mimeType: 'video/mp4', width: 1, height: 1 }],
      },
    },
  });
  await make('Creative', {
    lineItemId,
    name: 'N',
    clickUrl: 'https://a.example',
    content: {
      native: {
        title: 't',
        body: 'b',
        callToAction: 'c',
        sponsoredBy: 's',
        imageUrl: '/assets/' + 'a'.repeat(64) + '.png',
        imageWidth: 2,
        imageHeight: 2,
      },
    },
  });
  const archived = await make('Campaign', { advertiserId, name: 'Old' });
  await make('LineItem', { campaignId: archived, name: 'Orphan', type: 'HOUSE' });
  await api.data('mutation ($id: ID!) { archiveCampaign(id: $id) { validatedOnly } }', { id: archived });
});
afterAll(() => api.close());

describe('moving the configuration of one environment into another', () => {
  test('a dry run creates nothing and reports what it would create', async () => {
    const outcome = await importInto('staging', toLines(await exportOf('admin')), true);
    expect(outcome).toMatchObject({
      applied: false,
      problems: [],
      created: { Advertiser: 1, Campaign: 1, LineItem: 1, Creative: 2 },
    });
    expect(await exportOf('staging')).toEqual([]);
  });

  test('one wrong line undoes the import, and every problem is reported with its line', async () => {
    const lines = toLines(await exportOf('admin'));
    const outcome = await importInto('staging', [
      ...lines,
      'no json',
      '{"type":"Site","id":"1","input":{"code":"x y","name":""}}',
      '{"type":"Area","id":"1","input":{"siteId":"77","code":"c","name":"n"}}',
    ]);
    expect(outcome.applied).toBe(false);
    expect(outcome.problems.map((problem) => `${problem.line - lines.length} ${problem.path} ${problem.code}`)).toEqual(
      ['1  malformed', '2  invalid_request', '3 input.siteId unknown'],
    );
    expect(await exportOf('staging')).toEqual([]);
  });

  test('an export that is imported and exported again is equal except for its ids, and archived objects are left out', async () => {
    const before = await exportOf('admin');
    const outcome = await importInto('staging', toLines(before));
    expect(outcome).toMatchObject({ applied: true, problems: [] });
    const after = await exportOf('staging');
    expect(withoutIds(after)).toEqual(withoutIds(before));
    expect(after.map((object) => object.id)).not.toEqual(before.map((object) => object.id));
    expect(before.map((object) => object.input['name'])).not.toContain('Orphan');
    expect(await api.data('{ auditLog(filter: {action: "lineItem.create"}) { totalCount } }')).toEqual({
      auditLog: { totalCount: 3 },
    });
  });

  test('an id of another network is unknown in every reference, and nothing is created', async () => {
    const [elsewhere] = await exportOf('stranger');
    const id = elsewhere?.id ?? '';
    const line = (type: string, input: object) => JSON.stringify({ type, id: 'x', input });
    const before = await exportOf('admin');
    const targeting = (dimension: string) => ({ test: { dimension, operator: 'IS_ANY_OF', values: [id] } });
    const outcome = await importInto('admin', [
      line('Campaign', { advertiserId: id, name: 'theirs' }),
      line('Activity', { advertiserId: id, actgid: 'theirs', name: 'theirs' }),
      line('Area', { siteId: id, code: 'theirs', name: 'theirs' }),
      line('LineItem', { campaignId: id, name: 'theirs', type: 'HOUSE', targeting: targeting('SEGMENT') }),
      line('Segment', { name: 'theirs', rule: { any: [{ activity: { activityId: id } }] } }),
      line('LineItem', { campaignId: id, name: 'theirs', type: 'HOUSE', countedActivities: [{ activityId: id }] }),
    ]);
    expect(outcome).toMatchObject({ applied: false });
    expect(new Set(outcome.problems.map((problem) => problem.line))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
    expect(await exportOf('admin')).toEqual(before);
  });

  test('a malicious line is reported as a problem of that line and does not break the import', async () => {
    const outcome = await importInto('admin', [
      '{"type":"Segment","id":"1","input":{"name":"a","rule":{"any":[null]}}}',
      '{"type":"Segment","id":"2","input":{"name":"a","rule":{"any":[7,"x",[]]}}}',
      '{"type":"Segment","id":"3","input":{"name":"a","rule":{"any":[{"activity":{"activityId":{"toString":1}}}]}}}',
      '{"type":"Segment","id":"4","input":{"name":"a","rule":7}}',
      '{"type":"Campaign","id":"5","input":{"name":"a","advertiserId":{"toString":1,"valueOf":2}}}',
      '{"type":"LineItem","id":"6","input":{"name":"a","campaignId":"1","targeting":{"test":{"dimension":"SITE","values":[{"toString":1}]}}}}',
      '{"type":"LineItem","id":"7","input":{"name":"a","campaignId":"1","targeting":{"test":7}}}',
      '{"type":"__proto__","id":"8","input":{}}',
      '{"type":"Site","id":"9","input":{"__proto__":{"code":"x"},"constructor":1,"name":"n"}}',
      '{"type":"LineItem","id":"b","input":{"name":"a","campaignId":"1","countedActivities":[null,7,{"activityId":[]}]}}',
      'null',
      '[]',
      `{"type":"LineItem","id":"a","input":{"targeting":${'{"not":'.repeat(5_000)}1${'}'.repeat(5_000)}}}`,
    ]);
    expect(outcome.applied).toBe(false);
    expect(new Set(outcome.problems.map((problem) => problem.line))).toEqual(
      new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]),
    );
  });

  test('a read-only caller cannot import', async () => {
    const outcome = await importInto('reader', toLines(await exportOf('admin')));
    expect(outcome.problems[0]).toMatchObject({ line: 1, code: 'insufficient_permissions' });
  });
});
