import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openAssetStore, assetName } from '../../../storage/assets.ts';
import { createTestFolder, silentLog } from '../../../../test/support/stores.ts';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';
import { AssetCollector } from './asset-collector.ts';
import { releaseAsset, reserveAsset } from './assets.sql.ts';
import { makePng } from './fixtures/pictures.ts';

const DAY_MS = 86_400_000;
const folder = createTestFolder();
const assets = openAssetStore(folder.dir);
let api: TestManagement;
let lineItemId: string;
beforeAll(async () => {
  api = await createTestManagement();
  const made = await api.data<Record<string, Record<string, { id: string }>>>(
    'mutation { createAdvertiser(input: {name: "A"}) { advertiser { id } } }',
  );
  const campaign = await api.data<Record<string, Record<string, { id: string }>>>(
    `mutation { createCampaign(input: {name: "C", advertiserId: "${made['createAdvertiser']?.['advertiser']?.id}"}) { campaign { id } } }`,
  );
  const item = await api.data<Record<string, Record<string, { id: string }>>>(
    `mutation { createLineItem(input: {name: "L", type: HOUSE, campaignId: "${campaign['createCampaign']?.['campaign']?.id}"}) { lineItem { id } } }`,
  );
  lineItemId = item['createLineItem']?.['lineItem']?.id ?? '';
});
beforeEach(async () => {
  api.clock.nowMs = Date.parse('2026-11-20T10:00:00Z');
  await api.database.db.deleteFrom('creatives').execute();
  await api.database.db.deleteFrom('assets').execute();
});
afterAll(async () => {
  await api.close();
  folder.remove();
});

let pictures = 0;
async function upload(workspaceId = 1, bytesMax = 1_000_000): Promise<string> {
  pictures += 1;
  const bytes = makePng(2, 2, { noise: Buffer.from(`picture ${pictures}`) });
  const asset = { workspaceId, name: assetName(bytes, 'png'), sizeBytes: bytes.length };
  await reserveAsset(api.database.db, asset, { bytesMax, now: new Date(api.clock.nowMs) });
  await assets.put(bytes, 'png');
  return asset.name;
}

const createCreative = (name: string) =>
  api.ask(
    `mutation { createCreative(input: {lineItemId: "${lineItemId}", name: "x", width: 2, height: 2,
      clickUrl: "https://a.example/", content: {image: {imageUrl: "/assets/${name}", alt: ""}}}) { creative { id } } }`,
  );
const collect = () =>
  new AssetCollector({ sql: api.database.db, assets, nowMs: () => api.clock.nowMs, log: silentLog }).run();
const exists = async (name: string) => (await assets.get(name)) !== null;

describe('asset quota', () => {
  test('the quota holds for each workspace over concurrent uploads, and counts a file once', async () => {
    const bytes = Array.from({ length: 12 }, (_one, index) => `${index.toString(16).padStart(64, '0')}.png`);
    const outcomes = await Promise.allSettled(
      bytes.map((name) =>
        reserveAsset(
          api.database.db,
          { workspaceId: 1, name, sizeBytes: 100 },
          { bytesMax: 550, now: new Date(api.clock.nowMs) },
        ),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    const refused = outcomes.find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({
      reason: { code: 'quota_exceeded', details: { quota: 'assetBytes', unit: 'bytes', limit: 550, used: 500 } },
    });
    const [kept = ''] = (await api.database.db.selectFrom('assets').select('name').execute()).map(({ name }) => name);
    const again = { workspaceId: 1, name: kept, sizeBytes: 100 };
    const options = { bytesMax: 550, now: new Date(api.clock.nowMs) };
    expect(await reserveAsset(api.database.db, again, options)).toBe(false);
    expect(await reserveAsset(api.database.db, { ...again, workspaceId: 3 }, options)).toBe(true);
  });

  test('the quota is free again after a file could not be written', async () => {
    const asset = { workspaceId: 1, name: `${'a'.repeat(64)}.png`, sizeBytes: 100 };
    const options = { bytesMax: 100, now: new Date(api.clock.nowMs) };
    await reserveAsset(api.database.db, asset, options);
    await releaseAsset(api.database.db, 1, asset.name);
    expect(await reserveAsset(api.database.db, { ...asset, name: `${'b'.repeat(64)}.png` }, options)).toBe(true);
  });
});

describe('asset collector', () => {
  test('the collector deletes an unused file a week after its upload and not earlier, and frees its quota', async () => {
    const name = await upload();
    api.clock.nowMs += 7 * DAY_MS;
    expect((await collect()).files).toBe(0);
    api.clock.nowMs += 1;
    expect(await collect()).toMatchObject({ files: 1 });
    expect(await exists(name)).toBe(false);
    const { storage } = (
      await api.data<{ network: { storage: { name: string; used: number }[] } }>(
        '{ network(id: "1000") { storage { name used limit unit title } } }',
      )
    ).network;
    expect(storage.find((one) => one.name === 'assetBytes')).toMatchObject({ used: 0, limit: 1e9, unit: 'bytes' });
  });

  test('the collector retains a file that a creative of any network uses, and the file of an archived creative for 90 days', async () => {
    const name = await upload(3);
    expect(await createCreative(name)).toMatchObject({ body: { data: { createCreative: { creative: {} } } } });
    api.clock.nowMs += 400 * DAY_MS;
    expect((await collect()).files).toBe(0);
    await api.database.db
      .updateTable('creatives')
      .set({ status: 'ARCHIVED', updated_at: new Date(api.clock.nowMs) })
      .execute();
    api.clock.nowMs += 89 * DAY_MS;
    expect((await collect()).files).toBe(0);
    api.clock.nowMs += 8 * DAY_MS;
    expect((await collect()).files).toBe(1);
    expect(await exists(name)).toBe(false);
  });

  test('the collector retains a file that another workspace has just uploaded', async () => {
    const name = await upload(1);
    api.clock.nowMs += 30 * DAY_MS;
    const asset = { workspaceId: 3, name, sizeBytes: 70 };
    await reserveAsset(api.database.db, asset, { bytesMax: 1e6, now: new Date(api.clock.nowMs) });
    expect((await collect()).files).toBe(0);
    expect(await exists(name)).toBe(true);
  });

  test('the collector never deletes the file of a creative that is created at the same time', async () => {
    const names = await Promise.all(Array.from({ length: 12 }, () => upload()));
    api.clock.nowMs += 30 * DAY_MS;
    const [, ...created] = await Promise.all([collect(), ...names.map((name) => createCreative(name))]);
    for (const [index, { body }] of created.entries()) {
      const wasCreated = body.data?.['createCreative'] !== null && body.data?.['createCreative'] !== undefined;
      if (!wasCreated) expect(body.errors?.[0]?.extensions.code).toBe('validation_failed');
      else expect(await exists(names[index] ?? '')).toBe(true);
    }
  });

  test('a deleted file can be uploaded and used again', async () => {
    const name = await upload();
    api.clock.nowMs += 30 * DAY_MS;
    await collect();
    expect((await createCreative(name)).body.errors?.[0]?.extensions.code).toBe('validation_failed');
    const again = { workspaceId: 1, name, sizeBytes: 70 };
    await reserveAsset(api.database.db, again, { bytesMax: 1e6, now: new Date(api.clock.nowMs) });
    expect((await createCreative(name)).body.errors).toBeUndefined();
  });
});

test('the object quota holds over concurrent creates, bulk calls and copies, and the error names it', async () => {
  const small = await createTestManagement({ quotas: { objects: 5 } });
  try {
    const one = (name: string) => `createAdvertiser(input: {name: "${name}"}) { advertiser { id } }`;
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_one, index) => small.ask(`mutation { ${one(`p${index}`)} }`)),
    );
    const refused = responses.filter(({ body }) => body.errors !== undefined);
    expect(refused).toHaveLength(3);
    expect(refused[0]?.body.errors?.[0]?.extensions).toMatchObject({
      code: 'quota_exceeded',
      quota: 'objects',
      limit: 5,
      used: 5,
    });
    const { db } = small.database;
    expect(await db.selectFrom('advertisers').select('id').execute()).toHaveLength(5);
    expect(await db.selectFrom('audit_log').select('sequence').execute()).toHaveLength(5);
    expect((await small.ask(`mutation { ${one('more')} }`, { as: 'stranger' })).body.errors).toBeUndefined();
    const inputs = Array.from({ length: 8 }, (_one, index) => `{name: "b${index}"}`).join(', ');
    const bulk = await small.data<{ createAdvertisers: unknown }>(
      `mutation { createAdvertisers(inputs: [${inputs}], mode: ROW_BY_ROW) { changedCount failedCount } }`,
      undefined,
      { as: 'stranger' },
    );
    expect(bulk.createAdvertisers).toEqual({ changedCount: 4, failedCount: 4 });
    expect(await db.selectFrom('advertisers').select('id').execute()).toHaveLength(10);
  } finally {
    await small.close();
  }
});
