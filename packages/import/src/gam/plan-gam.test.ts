import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { importGam } from '../import-gam.ts';
import { sumHours } from '../write-report.ts';
import { countryCode } from './gam-targeting.ts';
import { pointed } from './read-objects.ts';

const FOLDER = fileURLToPath(new URL('../../fixtures/gam', import.meta.url));
const options = {
  sites: ['news.example', 'sport=sport.example'],
  timezone: 'Europe/Berlin',
  dateOrder: 'YMD',
  images: null,
  api: null,
};
const { plan } = await importGam({ folder: FOLDER, ...options });
const itemOf = (id: number) => plan.lineItems.find(({ key }) => key === `gam-line-item-${id}`);
const remarksOf = (kind: string, object: string): string[] =>
  plan.remarks.filter((one) => one.kind === kind && one.object.startsWith(object)).map(({ text }) => text);

/** Imports files that are written for one test. */
async function importFiles(files: Readonly<Record<string, string | Uint8Array>>, more: Partial<typeof options> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'placard-gam-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return (await importGam({ folder, ...options, ...more })).plan;
}

test('ad units have the names that tags of pages give them, on the sites that were named', () => {
  expect(plan.adUnits.map(({ key, input }) => [key, input['site'], input['sizes'], input['mediaTypes']])).toEqual([
    ['news', 'gam', [{ width: 970, height: 250 }], ['BANNER']],
    [
      'news/top',
      'gam',
      [
        { width: 728, height: 90 },
        { width: 970, height: 250 },
      ],
      ['BANNER'],
    ],
    ['news/side', 'gam', [{ width: 300, height: 250 }], ['BANNER']],
    ['sport', 'gam-sport', [], ['BANNER']],
    ['sport/player', 'gam-sport', [{ width: 640, height: 360 }], ['VIDEO']],
    ['sport/old', 'gam-sport', [{ width: 468, height: 60 }], ['BANNER']],
  ]);
  expect(plan.sites.map(({ input }) => input['domain'])).toEqual(['news.example', 'sport.example']);
  expect(plan.keyValues.map(({ input }) => input)).toEqual([
    { key: 'section', name: 'Section', values: ['travel'] },
    { key: 'topic', name: 'topic', values: ['war'] },
  ]);
});

test('a standard line item comes over with its terms, its flight and all of its targeting', () => {
  expect(plan.currency).toBe('PLN');
  expect(itemOf(5000)).toEqual({
    key: 'gam-line-item-5000',
    adUnits: ['news', 'news/top'],
    activities: [],
    targeting: [
      { test: { dimension: 'COUNTRY', values: ['DE', 'CZ'] } },
      { not: { test: { dimension: 'CITY', values: ['Berlin'] } } },
      { test: { dimension: 'DEVICE_TYPE', values: ['desktop', 'tablet'] } },
      {
        all: [
          {
            any: [
              { test: { dimension: 'KEY_VALUE', key: 'section', operator: 'IS', values: ['travel'] } },
              { test: { dimension: 'KEY_VALUE', key: 'section', operator: 'BEGINS_WITH', values: ['week'] } },
            ],
          },
          { not: { test: { dimension: 'KEY_VALUE', key: 'topic', operator: 'IS', values: ['war'] } } },
        ],
      },
    ],
    input: {
      name: 'Ferries top',
      campaignExternalId: 'gam-order-4000',
      externalId: 'gam-line-item-5000',
      status: 'ACTIVE',
      type: 'STANDARD',
      level: 8,
      goal: { kind: 'IMPRESSIONS', period: 'LIFETIME', target: 1_200_000 },
      pacing: 'EVEN',
      pauseAfterGoal: true,
      pricingModel: 'CPM',
      price: '4.5',
      startsAt: '2026-09-30T22:00:00Z',
      endsAt: '2026-12-31T22:59:00Z',
      frequencyCaps: [{ count: 3, window: 'DAY', every: 1 }],
      creativeRotation: 'OPTIMISED',
      timezone: 'Europe/Berlin',
      dayParts: [{ days: [1], startMinute: 480, endMinute: 1_110 }],
    },
  });
  expect(remarksOf('left out', 'line item 5000')).toEqual(['its limit of 1 a user in 1 POD']);
});

test('each type serves as its counterpart; a line item that would serve too widely is paused', () => {
  expect(itemOf(5001)?.adUnits.toSorted()).toEqual([
    'news',
    'news/side',
    'news/top',
    'sport',
    'sport/old',
    'sport/player',
  ]);
  expect(itemOf(5001)?.input).toMatchObject({ type: 'PRICE', pricingModel: 'CPC', price: '0.25' });
  expect(itemOf(5002)?.input).toMatchObject({
    type: 'SPONSORSHIP',
    level: 4,
    sharePercent: 50,
    pricingModel: 'FLAT',
    price: '90',
    roadblock: 'ALL',
    creativeRotation: 'WEIGHTED',
  });
  expect(itemOf(5002)?.adUnits).toEqual(['news/top', 'sport/player']);
  expect(itemOf(5003)?.input).toMatchObject({ type: 'HOUSE', sharePercent: 100, status: 'ACTIVE' });
  expect(itemOf(5003)?.input).not.toHaveProperty('endsAt');
  expect(itemOf(5004)?.input['status']).toBe('PAUSED');
  expect(remarksOf('left out', 'line item 5004')).toEqual([expect.stringMatching(/audience segments.*PAUSED/)]);
  expect(itemOf(5005)).toBeUndefined();
  expect(remarksOf('left out', 'line item 5005')).toEqual(['Placard has no type AD_EXCHANGE']);
  expect(itemOf(5006)?.input).toMatchObject({
    type: 'PRICE',
    caps: { impressionsLifetime: 50_000 },
    status: 'COMPLETED',
  });
});

test('a creative comes over for each line item that shows it', () => {
  const shown = plan.creatives.map(({ key, file, input }) => [
    key,
    file?.name ?? null,
    input['content'],
    input['status'],
  ]);
  expect(shown).toMatchObject([
    ['gam-creative-6000-5000', 'harbour.png', { image: { alt: 'Ferries' } }, 'ACTIVE'],
    ['gam-creative-6001-5000', null, { html: { html: expect.stringContaining('%%CLICK_URL_UNESC%%') } }, 'ACTIVE'],
    ['gam-creative-6000-5002', 'harbour.png', { image: { alt: 'Ferries' } }, 'ACTIVE'],
    ['gam-creative-6002-5002', null, { video: { durationMs: 15_000 } }, 'PAUSED'],
    ['gam-creative-6003-5003', null, { image: { imageUrl: 'https://cdn.example/kites.png' } }, 'ACTIVE'],
  ]);
  expect(plan.creatives[0]?.input).toMatchObject({
    trackers: { impressionUrls: ['https://count.example/i?c=%%CACHEBUSTER%%'] },
    clickUrl: 'https://ferries.example/autumn',
  });
  expect(remarksOf('approximated', 'creative 6001')).toEqual(['nothing fills its macros %%PATTERN:section%%']);
  expect(remarksOf('left out', 'creative 6004')).toEqual([expect.stringMatching(/^its kind with the members id/)]);
  expect(remarksOf('left out', 'creative 6005')).toEqual(['no line item shows it (licas.json)']);
  expect(remarksOf('left out', 'creative 6003')).toEqual(['its line item stays behind']);
});

test('the rows of a report become hours with equal sums; rows of a line item that stays behind are named', () => {
  expect(sumHours(plan)).toMatchObject({ impressions: 1_567, clicks: 17, revenue: '7.2815', rows: 5 });
  expect(plan.hours[0]).toMatchObject({ hour: '2026-11-02T08:00:00Z', creativeExternalId: 'gam-creative-6000-5000' });
  expect(remarksOf('left out', 'report')).toEqual(['line 6: its line item 5005 stays behind']);
});

describe('Other forms of the files', () => {
  const REST = {
    'rest-orders.json': JSON.stringify({
      orders: [
        {
          name: 'networks/1/orders/40',
          displayName: 'Boats',
          advertiser: 'networks/1/companies/30',
          status: 'APPROVED',
        },
      ],
      nextPageToken: '',
    }),
    'rest-line-items.json': JSON.stringify({
      lineItems: [
        {
          name: 'networks/1/lineItems/50',
          order: 'networks/1/orders/40',
          displayName: 'Boats top',
          lineItemType: 'PRICE_PRIORITY',
          startTime: '2026-10-01T00:00:00Z',
          rate: { currencyCode: 'USD', units: '3', nanos: 250_000_000 },
        },
      ],
    }),
  };

  test('objects of the REST API come over; what it does not say pauses the line item', async () => {
    const read = await importFiles(REST);
    expect(read.campaigns[0]?.input).toMatchObject({ name: 'Boats', advertiserExternalId: 'gam-company-30' });
    expect(read.lineItems[0]?.input).toMatchObject({
      type: 'PRICE',
      status: 'PAUSED',
      startsAt: '2026-10-01T00:00:00Z',
    });
    expect(read.lineItems[0]?.input).not.toHaveProperty('price');
    expect(read.remarks.map(({ text }) => text)).toContain(
      'the files do not say what its rate of 3.25 USD is paid for',
    );
  });

  test('a report of the interface, as CSV below its title or as XLSX, brings objects and days', async () => {
    const heading = ['Date', 'Order', 'Order ID', 'Advertiser', 'Advertiser ID', 'Line item', 'Line item ID'];
    const columns = [
      ...heading,
      'Line item type',
      'Ad unit',
      'Ad unit ID',
      'Ad server impressions',
      'Ad server CPM and CPC revenue (€)',
    ];
    const row = ['11/2/26', 'Boats', '40', 'Sea', '30', 'Boats top', '50', 'House', 'top', '70', '2,400', '€12.50'];
    const total = ['Total', ...Array.from({ length: 9 }, () => '-'), '2,400', '€12.50'];
    const quote = (cells: readonly string[]): string => cells.map((cell) => `"${cell}"`).join(',');
    const csv = ['"My report"', '"Nov 1, 2026 - Nov 30, 2026"', '', quote(columns), quote(row), quote(total)].join(
      '\n',
    );
    const wrong = await importFiles({ 'report.csv': csv });
    expect(wrong.remarks.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('is not a date in the order YMD'),
    );

    const iso = [columns, ['2026-11-02', ...row.slice(1)]];
    const xlsx = await writeXlsx({ sheets: [{ name: 'Report', rows: iso }] });
    for (const files of [{ 'report.csv': iso.map(quote).join('\n') }, { 'report.xlsx': xlsx }]) {
      const read = await importFiles(files);
      expect(read.lineItems[0]?.input).toMatchObject({ type: 'HOUSE', status: 'PAUSED' });
      expect(read.adUnits.map(({ key }) => key)).toEqual(['top']);
      expect(sumHours(read)).toMatchObject({ rows: 24, impressions: 2_400, revenue: '12.5000' });
    }
  });

  test('files that cannot be read are refused by name', async () => {
    const refusal = (files: Record<string, string>, more = {}) =>
      importFiles(files, more).catch((error: Error) => error.message);
    expect(await refusal({ 'orders.json': '{' })).toMatch(/^orders.json is not JSON/);
    expect(await refusal({ 'things.json': '[{}]' })).toMatch(/^The name of things.json tells no kind/);
    expect(await refusal({ 'report.csv': 'a,b,c\n1,2,3' })).toMatch(/^report.csv has no column of ids/);
    expect(await refusal({})).toMatch(/has no JSON, CSV or XLSX file/);
    expect(await refusal(REST, { sites: ['https://news.example/'] })).toMatch(/is not a domain/);
    const two = REST['rest-line-items.json'].replace('"USD"', '"EUR"').replaceAll('lineItems/50', 'lineItems/51');
    expect(await refusal({ ...REST, 'more-line-items.json': two })).toBe(
      'The rates are in EUR, USD: import the line items of one currency into a network of that currency.',
    );
    const units = JSON.stringify([{ id: '1', parentId: '0', adUnitCode: 'top', name: 'Top' }]);
    expect(await refusal({ 'ad-units.json': units }, { sites: [] })).toBe(
      'Name the domain of the ad unit top: --site top=news.example.',
    );
  });
});

test('millionths become an amount without a rounding', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (micros) => {
      const text = pointed(String(micros), 6);
      expect(text).toMatch(/^(?:0|[1-9]\d*)(?:\.\d{0,5}[1-9])?$/);
      const [whole = '0', fraction = ''] = text.split('.');
      expect(BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))).toBe(micros);
    }),
  );
});

test('countries are known by their English names, and no country has two codes', () => {
  expect(['Germany', 'United States', 'Türkiye', 'Turkey', 'Czechia', 'Atlantis'].map(countryCode)).toEqual([
    'DE',
    'US',
    'TR',
    'TR',
    'CZ',
    null,
  ]);
});
