import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importCsv } from '../import-csv.ts';
import { sumHours } from '../write-report.ts';
import { FIELDS, type Mapping, readMapping } from './mapping.ts';
import { planCsv } from './plan-csv.ts';
import { CellError, Cells } from './read-cells.ts';
import { TEMPLATES, type TemplateName, writeTemplate } from './templates.ts';

const MAPPING = fileURLToPath(new URL('../../fixtures/csv/mapping.json', import.meta.url));
const { plan } = await importCsv({ mapping: MAPPING, images: null, api: null });
const inputOf = (kind: 'lineItems' | 'creatives' | 'campaigns', key: string) =>
  plan[kind].find((one) => one.key === `harbour-${key}`)?.input;
const remarksOf = (kind: string): string[] =>
  plan.remarks.filter((one) => one.kind === kind).map(({ object, text }) => `${object}: ${text}`);

test('each readable row comes over with its parents, and its terms as the API takes them', () => {
  expect(plan.sites.map(({ input }) => input['domain'])).toEqual(['harbour.example', 'tides.example']);
  expect(plan.adUnits.map(({ key, input }) => [key, input['sizes']])).toEqual([
    [
      'harbour/top',
      [
        { width: 728, height: 90 },
        { width: 970, height: 250 },
      ],
    ],
    ['harbour/side', [{ width: 300, height: 250 }]],
    ['tides/top', [{ width: 728, height: 90 }]],
  ]);
  expect(plan.advertisers[0]?.input['notes']).toBe('Ms "Sea" Green; ferry@example.com');
  expect(plan.lineItems.map(({ key, adUnits }) => [key, adUnits])).toEqual([
    ['harbour-line-item-500', ['harbour/top', 'tides/top']],
    ['harbour-line-item-501', ['harbour/side']],
    ['harbour-line-item-600', []],
  ]);
  expect(inputOf('lineItems', 'line-item-500')).toEqual({
    name: 'Ferries top',
    campaignExternalId: 'harbour-campaign-50',
    externalId: 'harbour-line-item-500',
    status: 'ACTIVE',
    timezone: 'Europe/Berlin',
    type: 'STANDARD',
    price: '4.50',
    pricingModel: 'CPM',
    goal: { kind: 'IMPRESSIONS', period: 'LIFETIME', target: 1_200_000 },
    pacing: 'EVEN',
    startsAt: '2026-09-30T22:00:00Z',
    endsAt: '2026-12-31T23:00:00Z',
  });
  expect(plan.lineItems[0]?.targeting).toEqual([{ test: { dimension: 'COUNTRY', values: ['DE', 'AT'] } }]);
  expect(inputOf('creatives', 'creative-9001')).toMatchObject({
    status: 'ACTIVE',
    width: 728,
    height: 90,
    weight: 100,
  });
  expect(plan.creatives.map(({ file }) => file?.name ?? null)).toEqual(['harbour.png', null]);
});

test('a row that cannot be read stays behind by name, and a line item without an ad unit is paused', () => {
  expect(remarksOf('left out')).toEqual([
    'lineItems 601 "Kites lost": it is STANDARD, and has no goal',
    'lineItems 602 "Kites odd price": its price "4,50 EUR" is not an amount',
    expect.stringMatching(/^lineItems 603 "Kites odd kind": its type "barter" is not in words\.type/),
    'creatives 9003 "No target": its clickUrl is empty',
    'history, 1 rows: line 6: its line item 999 stays behind',
  ]);
  expect(inputOf('lineItems', 'line-item-600')).toMatchObject({ status: 'PAUSED', type: 'HOUSE' });
  expect(remarksOf('approximated')).toContainEqual(expect.stringMatching(/^lineItems 600 .* is PAUSED/));
});

test('days are divided over their hours of the time zone, with the same sums, and rows of one hour are one', () => {
  expect(sumHours(plan)).toMatchObject({ impressions: 2_043, clicks: 12, revenue: '9.7045' });
  const dayOf = (from: string, to: string) => plan.hours.filter(({ hour }) => hour >= from && hour < to);
  expect(dayOf('2026-10-23T22:00:00Z', '2026-10-24T22:00:00Z')).toHaveLength(24);
  // The clock goes back that night.
  const long = dayOf('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z');
  expect(long).toHaveLength(25);
  expect(long.reduce((sum, { impressions }) => sum + impressions, 0)).toBe(1_001);
  expect(plan.hours.at(-1)).toEqual({
    hour: '2026-10-26T12:00:00Z',
    lineItemExternalId: 'harbour-line-item-501',
    creativeExternalId: 'harbour-creative-9002',
    adUnitName: 'harbour/side',
    requests: 42,
    impressions: 42,
    clicks: 2,
    conversions: 0,
    revenue: '0.7000',
  });
});

test('the sums of any days are those of their rows', () => {
  const row = fc.record({
    day: fc.integer({ min: 1, max: 28 }),
    impressions: fc.nat(100_000),
    revenue: fc.nat(10_000_000),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 10 }), (rows) => {
      const mapping = mappingOf({ timezone: 'America/Santiago' });
      const history = rows.map((one, at) => ({
        line: at + 2,
        cells: new Map([
          ['time', `2026-04-${String(one.day).padStart(2, '0')}`],
          ['adUnit', 'top'],
          ['impressions', String(one.impressions)],
          ['revenue', (one.revenue / 10_000).toFixed(4)],
        ]),
      }));
      const cells = new Map([
        ['id', '1'],
        ['name', 'top'],
        ['site', '1'],
      ]);
      const { hours } = planCsv(mapping, { adUnits: [{ line: 2, cells }], history });
      const sum = (of: (one: (typeof rows)[number]) => number): number => rows.reduce((all, one) => all + of(one), 0);
      const sums = sumHours({ hours });
      expect([sums.impressions, sums.revenue]).toEqual([
        sum(({ impressions }) => impressions),
        (sum(({ revenue }) => revenue) / 10_000).toFixed(4),
      ]);
    }),
  );
});

function mappingOf(more: Partial<Mapping> = {}): Mapping {
  return { ...readMapping('{"source":"test","files":{}}'), ...more };
}

describe('cells', () => {
  const cellsOf = (text: string, more: Partial<Mapping> = {}): Cells =>
    new Cells(
      {
        line: 2,
        cells: new Map([
          ['field', text],
          ['status', text],
        ]),
      },
      mappingOf(more),
    );

  test.each([
    ['1,234.50', {}, '1234.50'],
    ['1.234,50', { decimalComma: true }, '1234.50'],
    ['1 234', {}, '1234'],
    ['12,34', {}, null],
    ['1,5', {}, null],
    ['-1', {}, null],
    ['1e3', {}, null],
    ['$4', {}, null],
    ['', {}, null],
  ] as const)('the amount "%s" is read exactly or not at all', (text, more, amount) => {
    const read = () => cellsOf(text, more).amount('field');
    if (amount === null) expect(read).toThrow(CellError);
    else expect(read()).toBe(amount);
  });

  test.each([
    ['2026-11-05', {}, '2026-11-05T00:00:00Z'],
    ['05/11/2026', { dateOrder: 'DMY' }, '2026-11-05T00:00:00Z'],
    ['11/05/2026 7:30', { dateOrder: 'MDY' }, '2026-11-05T07:30:00Z'],
    ['2026-11-05T07:30:00+02:00', {}, '2026-11-05T05:30:00Z'],
    ['2026-11-05T07:30:00Z', { timezone: 'Asia/Tokyo' }, '2026-11-05T07:30:00Z'],
    ['31/11/2026', { dateOrder: 'DMY' }, null],
    ['13/13/2026', { dateOrder: 'MDY' }, null],
    ['05/11/26', { dateOrder: 'DMY' }, null],
    ['tomorrow', {}, null],
  ] as const)('the time "%s" is read in the order of the mapping or not at all', (text, more, instant) => {
    const read = () => cellsOf(text, more).time('field')?.at.toInstant().toString();
    if (instant === null) expect(read).toThrow(CellError);
    else expect(read()).toBe(instant);
  });

  test('a word is one of Placard or of the mapping, never a member of an object', () => {
    expect(cellsOf('active').word('status')).toBe('ACTIVE');
    expect(cellsOf('an', { words: { status: { an: 'PAUSED' } } }).word('status')).toBe('PAUSED');
    for (const text of ['constructor', '__proto__', 'toString', 'archived'])
      expect(() => cellsOf(text).word('status'), text).toThrow(CellError);
  });
});

describe('mappings', () => {
  test('the page for users lists each field of each file, and which must be there', () => {
    const page = readFileSync(new URL('../../../../docs/moving-with-csv.md', import.meta.url), 'utf8');
    for (const [kind, fields] of Object.entries(FIELDS)) {
      const [, cell = ''] = new RegExp(`^\\| \`${kind}\` \\| (.*) \\|$`, 'm').exec(page) ?? [];
      const listed = cell.replaceAll(/ ?\([^()]*\)/g, '').split(', ');
      const expected = Object.entries(fields).map(([field, row]) => ('required' in row ? `**${field}**` : field));
      expect([kind, ...listed]).toEqual([kind, ...expected]);
    }
  });

  test.each(Object.keys(TEMPLATES) as TemplateName[])('the template %s is a mapping', (name) => {
    expect(readMapping(writeTemplate(name)).source).toBe(name);
  });

  test.each([
    ['{', 'not JSON'],
    ['{"source":"A b","files":{}}', 'mapping source: '],
    ['{"source":"a","files":{"orders":{"path":"x"}}}', 'mapping files'],
    ['{"source":"a","files":{"sites":{"path":"x","columns":{"id":"a","name":"b"}}}}', '"domain" is missing'],
    [
      '{"source":"a","files":{"sites":{"path":"x","columns":{"id":"a","name":"b","domain":"c","colour":"d"}}}}',
      'columns.colour: there is no such field',
    ],
    ['{"source":"a","words":{"status":{"on":"RUNNING"}},"files":{}}', 'words.status.on: "RUNNING" is not one of'],
    ['{"source":"a","timezone":"Mars","files":{}}', 'mapping timezone: '],
  ])('%s is refused by the path of its mistake', (json, message) => {
    expect(() => readMapping(json)).toThrow(message);
  });
});
