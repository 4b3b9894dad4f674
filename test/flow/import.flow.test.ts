import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../conformance/support/eventually.ts';
import { type Client, createClient } from '../support/http-client.ts';
import { type LeanPlacard, startLeanPlacard } from '../support/lean-placard.ts';
import { runPlacard } from '../support/placard-process.ts';

const DUMP = fileURLToPath(new URL('../../packages/import/fixtures/revive.sql', import.meta.url));
const MAPPING = fileURLToPath(new URL('../../packages/import/fixtures/csv/mapping.json', import.meta.url));
/** What the hourly statistics of the dump sum up to, without a banner that was deleted. */
const SUMS = { impressions: 26_670, clicks: 240, conversions: 5, revenue: '120.015' };
const HOURS = 91;
/** A picture of 728 × 90 pixels. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAtgAAABaCAIAAAANVraoAAABWklEQVR42u3WQQkAAAgEwYtiNKMZ1RgiDEyCfW2qBwDgRCQAAIwIAGBEAACMCABgRAAAjAgAYEQAAIwIAGBEAACMCABgRAAAjAgAYEQAAIwIAGBEAACMCABgRAAAIwIAYEQAACMCAGBEAAAjAgBgRAAAIwIAYEQAACMCAGBEAAAjAgBgRAAAIwIAYEQAACMCAGBEAAAjAgAYEQAAIwIAGBEAACMCABgRAAAjAgAYEQAAIwIAGBEAACMCABgRAAAjAgAYEQAAIwIAGBEAwIgAABgRAMCIAAAYEQDAiAAAGBEAwIgAABgRAMCIAAAYEQDAiAAAGBEAwIgAABgRAMCIAAAYEQDAiAAARgQAwIgAAEYEAMCIAABGBADAiAAARgQAwIgAAEYEAMCIAABGBADAiAAARgQAwIgAAEYEADAiAABGBAAwIgAARgQAMCIAAEYEADAiAABGBAD4bQHP2P7SOqROMQAAAABJRU5ErkJggg==';

let server: LeanPlacard;
let client: Client;
let files: { readonly ca: string; readonly key: string; readonly images: string };
beforeAll(async () => {
  server = await startLeanPlacard({ PLACARD_DEMO: 'true' });
  client = createClient(server.ca);
  const images = join(server.dataDir, 'pictures');
  files = { ca: join(server.dataDir, 'own-ca.pem'), key: join(server.dataDir, 'own-key'), images };
  mkdirSync(images);
  writeFileSync(join(images, 'harbour.png'), Buffer.from(PICTURE, 'base64'));
  writeFileSync(files.ca, server.ca);
  writeFileSync(files.key, server.demo.keys.admin);
}, 300_000);
afterAll(async () => {
  client.close();
  await server.remove();
});

interface Result {
  readonly history: typeof SUMS & { readonly rows: number };
  readonly remarks: readonly { readonly kind: string; readonly object: string }[];
  readonly applied: {
    readonly kinds: readonly {
      readonly kind: string;
      readonly created: number;
      readonly existing: number;
      readonly failed: unknown[];
    }[];
    readonly hours: Readonly<Record<string, number>>;
  } | null;
}

async function runImport(from: readonly string[], ...more: string[]): Promise<Result> {
  const ran = await runPlacard(['import', ...from, '--json', ...more], { NODE_EXTRA_CA_CERTS: files.ca });
  if (ran.out === '') throw new Error(ran.err);
  return JSON.parse(ran.out) as Result;
}

const REVIVE = ['revive', DUMP];
const CSV = ['csv', MAPPING];
const GAM = [
  'gam',
  fileURLToPath(new URL('../../packages/import/fixtures/gam', import.meta.url)),
  '--site',
  'news.example',
  '--site',
  'sport=sport.example',
];
const apply = (from: readonly string[]) =>
  runImport(from, '--apply', '--url', server.coreUrl, '--key-file', files.key, '--images', files.images);

async function ask<T>(query: string): Promise<T> {
  const headers = { authorization: `Bearer ${server.demo.keys.admin}` };
  const response = await client.send(`${server.coreUrl}/graphql`, { headers, json: { query } });
  return response.json<{ data: T }>().data;
}

test('bookings and history of Revive come over with equal sums, once, and a trial changes nothing', async () => {
  const trial = await runImport(REVIVE);
  expect(trial.applied).toBeNull();
  expect(trial.history).toMatchObject({ ...SUMS, revenue: '120.0150', rows: HOURS });
  expect(await ask('{ importedHistory { source } }')).toEqual({ importedHistory: [] });

  const { applied } = await apply(REVIVE);
  const created = { sites: 2, adUnits: 3, advertisers: 2, activities: 1, campaigns: 6, lineItems: 9, creatives: 8 };
  expect(applied?.kinds.flatMap(({ failed }) => failed)).toEqual([]);
  expect(Object.fromEntries(applied?.kinds.map((one) => [one.kind, one.created]) ?? [])).toMatchObject(created);
  expect(applied?.hours).toEqual({ added: HOURS, unchanged: 0, differing: 0, tooOld: 0, skipped: 0 });

  const again = await apply(REVIVE);
  expect(again.applied?.kinds.reduce((sum, { created: fresh }) => sum + fresh, 0)).toBe(0);
  expect(again.applied?.hours).toEqual({ added: 0, unchanged: HOURS, differing: 0, tooOld: 0, skipped: 0 });

  const booked = { ...SUMS, waitingRows: 0 };
  const history = '{ importedHistory { impressions clicks conversions revenue waitingRows } }';
  const listed = await eventually(
    () => ask<{ importedHistory: { waitingRows: number }[] }>(history),
    ({ importedHistory }) => importedHistory.every(({ waitingRows }) => waitingRows === 0),
  );
  expect(listed).toEqual({ importedHistory: [booked] });
});

test('line items that came from Revive stand where they stood there, in the zones and for the users that they had', async () => {
  const query = `{ lineItems(first: 20, where: {externalId: {contains: "revive-campaign"}}) { nodes {
    externalId type status level sharePercent delivery { lifetime { impressions } } } } }`;
  interface Item {
    readonly externalId: string;
    readonly type: string;
    readonly status: string;
    readonly delivery: { readonly lifetime: { readonly impressions: number } };
  }
  const { lineItems } = await ask<{ lineItems: { nodes: Item[] } }>(query);
  const found = new Map(lineItems.nodes.map((one) => [one.externalId, one]));
  const shown = (key: string) => {
    const one = found.get(key);
    return [one?.type, one?.status, one?.delivery.lifetime.impressions];
  };
  expect(shown('revive-campaign-1')).toEqual(['STANDARD', 'ACTIVE', 15_015]);
  expect(shown('revive-campaign-1-2')).toEqual(['STANDARD', 'ACTIVE', 6_000]);
  expect(shown('revive-campaign-2')).toEqual(['SPONSORSHIP', 'ACTIVE', 3_750]);
  expect(shown('revive-campaign-3')).toEqual(['HOUSE', 'ACTIVE', 1_350]);
  expect(shown('revive-campaign-4-2')).toEqual(['PRICE', 'PAUSED', 0]);
  expect(shown('revive-campaign-5')).toEqual(['STANDARD', 'PAUSED', 0]);
});

test('rows of CSV files become bookings and history with equal sums, once, and a trial changes nothing', async () => {
  const trial = await runImport(CSV);
  expect([trial.applied, trial.history]).toMatchObject([null, { impressions: 2_043, clicks: 12, revenue: '9.7045' }]);
  const { applied } = await apply(CSV);
  expect(applied?.kinds.flatMap(({ failed }) => failed)).toEqual([]);
  const created = { sites: 2, adUnits: 3, advertisers: 2, activities: 0, campaigns: 2, lineItems: 3, creatives: 2 };
  expect(Object.fromEntries(applied?.kinds.map((one) => [one.kind, one.created]) ?? [])).toMatchObject(created);
  expect(applied?.hours).toEqual({ added: trial.history.rows, unchanged: 0, differing: 0, tooOld: 0, skipped: 0 });
  const again = await apply(CSV);
  expect(again.applied?.kinds.reduce((sum, one) => sum + one.created, 0)).toBe(0);
  expect(again.applied?.hours).toMatchObject({ added: 0, unchanged: trial.history.rows });
  const query =
    '{ lineItems(first: 5, where: {externalId: {eq: "harbour-line-item-500"}}) { nodes { status level goal { target } price startsAt } } }';
  const { lineItems } = await ask<{ lineItems: { nodes: object[] } }>(query);
  expect(lineItems.nodes).toEqual([
    expect.objectContaining({
      status: 'ACTIVE',
      goal: { target: 1_200_000 },
      price: expect.stringMatching(/^4\.50*$/),
    }),
  ]);
});

test('files of Google Ad Manager become bookings and history with equal sums, once', async () => {
  const { applied, history } = await apply(GAM);
  expect(applied?.kinds.flatMap(({ failed }) => failed)).toEqual([]);
  const created = { sites: 2, adUnits: 6, keyValues: 2, advertisers: 2, activities: 0, campaigns: 2 };
  expect(Object.fromEntries(applied?.kinds.map((one) => [one.kind, one.created]) ?? [])).toEqual({
    ...created,
    lineItems: 6,
    creatives: 5,
  });
  expect([applied?.hours, history]).toMatchObject([
    { added: 5, skipped: 0 },
    { impressions: 1_567, revenue: '7.2815' },
  ]);
  const again = await apply(GAM);
  expect(again.applied?.kinds.reduce((sum, one) => sum + one.created, 0)).toBe(0);
  expect(again.applied?.hours).toMatchObject({ added: 0, unchanged: 5 });
  const query = `{ lineItems(first: 9, where: {externalId: {contains: "gam-line-item"}}) { nodes {
    externalId type status price pricingModel } } }`;
  const { lineItems } = await ask<{ lineItems: { nodes: { externalId: string }[] } }>(query);
  const found = new Map(lineItems.nodes.map((one) => [one.externalId, one]));
  expect(found.get('gam-line-item-5000')).toMatchObject({ type: 'STANDARD', status: 'ACTIVE', pricingModel: 'CPM' });
  expect(found.get('gam-line-item-5004')).toMatchObject({ type: 'STANDARD', status: 'PAUSED' });
});
