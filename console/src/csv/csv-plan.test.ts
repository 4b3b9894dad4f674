import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CSV } from './format/csv-columns.ts';
import { type CsvRecord, writeRecords } from './format/csv-export.ts';
import { CSV_KINDS, type CsvKind } from './format/csv-kinds.ts';
import { type CsvKnown, wantedOf } from './format/csv-known.ts';
import { type CsvPlan, planImport } from './csv-plan.ts';
import { reviewRows, writeRefused } from './csv-review.ts';
import { readTable } from './format/csv-text.ts';
import { CUSTOM_FIELDS, DAY_PARTS, FREQUENCY_CAPS } from './format/part-arbitraries.ts';

const options = { timezone: 'Europe/Warsaw', makesMissing: false };
const acme = { id: '3', name: 'Acme', status: 'ACTIVE', externalId: 'crm-3' };
const spring = { id: '4', name: 'Spring', status: 'ACTIVE', externalId: null, advertiser: { name: 'Acme' } };
const item: CsvRecord = {
  id: '7',
  name: 'Top',
  version: 3,
  status: 'ACTIVE',
  externalId: 'order-7',
  type: 'STANDARD',
  campaignId: '4',
  campaign: spring,
  startsAt: '2030-01-01T00:00:00.000Z',
  endsAt: null,
  price: '18.50',
  pricingModel: 'CPM',
  goal: { target: 1_000, kind: 'CLICKS', period: 'DAY' },
  targeting: { all: [{ test: { dimension: 'COUNTRY', operator: 'IS', key: null, values: ['PL'] } }] },
  labels: ['a', 'b'],
  notes: '',
  owner: null,
};
const known: CsvKnown = { records: [item], parents: [spring], advertisers: [acme] };

function planText(kind: CsvKind, text: string, over: { known?: CsvKnown; makesMissing?: boolean } = {}): CsvPlan {
  const table = readTable(text);
  if ('fault' in table) throw new Error(table.fault);
  return planImport(kind, table, over.known ?? known, { ...options, makesMissing: over.makesMissing ?? false });
}
const firstOf = (text: string, over = {}) => planText('lineItems', text, over).rows[0];

const text = fc.stringMatching(/^['"=+@;,|\\\n a-c0-9ą-]{1,12}$/u).filter((one) => one.trim() === one);
const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  text,
  decimal: fc
    .tuple(fc.nat(2_000_000), fc.nat(999_999))
    .map(([whole, part]) => `${whole}.${String(part).padStart(6, '0')}`),
  integer: fc.nat(),
  long: fc.maxSafeNat(),
  float: fc.double({ min: 0, max: 100, noNaN: true }).map((one) => Math.round(one * 100) / 100),
  flag: fc.boolean(),
  instant: fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString()),
  list: fc.array(text, { maxLength: 3 }),
  sizes: fc.array(
    fc.record({ width: fc.integer({ min: 1, max: 9_999 }), height: fc.integer({ min: 1, max: 9_999 }) }),
    {
      maxLength: 3,
    },
  ),
  frequency_caps: FREQUENCY_CAPS,
  day_parts: DAY_PARTS,
  custom_fields: CUSTOM_FIELDS,
  json: fc.array(fc.record({ id: text, price: fc.string({ minLength: 1 }) }), { maxLength: 3 }),
};

/** Any object of a kind, with all that a file has of it. */
function recordsOf(kind: CsvKind): fc.Arbitrary<CsvRecord> {
  const { columns, parent } = CSV[kind];
  const fields = columns
    .filter(({ member }) => member === undefined)
    .map(({ field, cell, choices, empty }) => {
      const list = choices === undefined ? VALUES['list'] : fc.subarray([...choices]);
      const value = cell === 'choice' ? fc.constantFrom(...(choices ?? [])) : cell === 'list' ? list : VALUES[cell];
      return [field, empty === null ? fc.option(value as fc.Arbitrary<unknown>) : value] as const;
    });
  const limit = fc.option(fc.integer({ min: 1, max: 2_147_483_647 }));
  const money = fc.option(VALUES['decimal'] as fc.Arbitrary<unknown>);
  const caps = fc.record({
    impressionsPerDay: limit,
    impressionsLifetime: limit,
    clicksPerDay: limit,
    clicksLifetime: limit,
    spendPerDay: money,
    spendLifetime: money,
  });
  const one = (dimension: string) => ({ test: { dimension, operator: 'IS', key: null, values: ['PL', 'a|b'] } });
  const embedded = {
    goal: fc.option(fc.record({ target: fc.nat(), kind: fc.constant('CLICKS'), period: fc.constant('DAY') })),
    targeting: fc.constantFrom(
      null,
      { all: [one('COUNTRY'), one('DEVICE_TYPE')] },
      { all: [one('AD_UNIT')] },
      { all: [{ not: one('COUNTRY') }] },
      { any: [one('COUNTRY'), one('AD_UNIT')] },
      { all: [{ test: { dimension: 'KEY_VALUE', operator: 'IS', key: 'x', values: ['y'] } }] },
    ),
  };
  const above = {
    id: '4',
    name: '=Spring',
    status: 'ACTIVE',
    externalId: 'e"4',
    code: 's;4',
    advertiser: { name: 'Acme' },
  };
  return fc.record({
    ...Object.fromEntries(fields),
    ...(kind === 'lineItems' ? embedded : {}),
    ...(columns.some(({ field }) => field === 'caps') ? { caps } : {}),
    ...(parent === null ? {} : { [parent.field]: fc.constant('4'), [parent.one]: fc.constant(above) }),
    id: fc.constant('7'),
    version: fc.nat({ max: 99 }).map((one) => one + 1),
  }) as unknown as fc.Arbitrary<CsvRecord>;
}

describe.each(CSV_KINDS)('files of %s', (kind) => {
  test('a file that nobody has changed changes nothing', () => {
    fc.assert(
      fc.property(recordsOf(kind), (record) => {
        const parent = record[CSV[kind].parent?.one ?? ''] as CsvKnown['parents'][number] | undefined;
        const all = { records: [record], parents: parent === undefined ? [] : [parent], advertisers: [] };
        const [row] = planText(kind, writeRecords(kind, [record]).join(''), { known: all }).rows;
        expect(row).toMatchObject({ action: 'same', problems: [], cells: [] });
      }),
      { numRuns: 60 },
    );
  });

  test('a file without ids makes objects with the same values', () => {
    fc.assert(
      fc.property(recordsOf(kind), (record) => {
        const blank = writeRecords(kind, [{ ...record, id: '', version: 1 }]).join('');
        const parent = record[CSV[kind].parent?.one ?? ''] as CsvKnown['parents'][number] | undefined;
        const all = { records: [], parents: parent === undefined ? [] : [parent], advertisers: [] };
        const [row] = planText(kind, blank, { known: all }).rows;
        expect(row).toMatchObject({ action: 'make', problems: [] });
        const made = { ...record, ...row?.input } as CsvRecord;
        expect(writeRecords(kind, [made])).toEqual(writeRecords(kind, [record]));
      }),
      { numRuns: 60 },
    );
  });
});

describe('changes of line items', () => {
  test('only cells that differ are changes, at the version of the file', () => {
    expect(firstOf('id;version;name;price;goal;labels;countries\n7;2;New;20,10;2.000;x|y;PL|DE')).toMatchObject({
      action: 'change',
      target: { id: '7', version: 2 },
      input: {
        name: 'New',
        price: '20.1',
        goal: { target: 2_000, kind: 'CLICKS', period: 'DAY' },
        labels: ['x', 'y'],
        targeting: { all: [{ test: { dimension: 'COUNTRY', operator: 'IS', values: ['PL', 'DE'] } }] },
      },
      undo: { name: 'Top', price: '18.50', goal: item['goal'], labels: ['a', 'b'] },
      cells: [
        { column: 'name', before: 'Top', after: 'New' },
        { column: 'price', before: '18.5', after: '20.1' },
        { column: 'goal', before: '1000', after: '2000' },
        { column: 'countries', before: 'PL', after: 'PL|DE' },
        { column: 'labels', before: 'a|b', after: 'x|y' },
      ],
    });
  });

  test('an empty cell empties what can be empty, and leaves the rest as it is', () => {
    expect(firstOf('id,name,price,starts_at,goal,countries\n7,,,,,')?.input).toEqual({
      startsAt: null,
      goal: null,
      targeting: null,
    });
  });

  test('a cap is set beside the other caps, and lists of caps, hours and custom fields are replaced', () => {
    const caps = { impressionsPerDay: 100, clicksPerDay: null, spendLifetime: '50' };
    const capped = { ...item, caps, frequencyCaps: [], dayParts: [], customFields: { region: 'North' } };
    const over = { known: { ...known, records: [capped] } };
    const text =
      'id,cap_clicks_per_day,cap_spend_lifetime,frequency_caps,day_parts,custom_fields\n7,9,,3 per day,sat,"score=7"';
    expect(firstOf(text, over)).toMatchObject({
      action: 'change',
      input: {
        caps: { impressionsPerDay: 100, clicksPerDay: 9, spendLifetime: null },
        frequencyCaps: [{ event: 'IMPRESSIONS', count: 3, window: 'DAY', every: 1, per: 'USER' }],
        dayParts: [{ days: [6], startMinute: 0, endMinute: 1_440 }],
        customFields: { score: 7 },
      },
      undo: { caps, frequencyCaps: [], dayParts: [], customFields: { region: 'North' } },
    });
    expect(firstOf('id,custom_fields\n7,', over)?.input).toEqual({ customFields: {} });
    const wrong = firstOf('id,frequency_caps,day_parts,custom_fields\n7,3 a day,mon 22:00-02:00,North', over);
    expect(wrong?.problems).toMatchObject([
      { column: 'day_parts', message: expect.stringContaining('mon-fri 08:00-18:00') },
      { column: 'frequency_caps', message: expect.stringContaining('3 per day') },
      { column: 'custom_fields', message: expect.stringContaining('region=North') },
    ]);
    expect(firstOf('name,type,campaign,cap_clicks_per_day\nSide,HOUSE,Spring,9')?.input).toMatchObject({
      caps: { clicksPerDay: 9 },
    });
  });

  test('an object is found by its external id, so that a repeated import changes nothing', () => {
    expect(firstOf('external_id,name,campaign\norder-7,Top,Spring')).toMatchObject({ action: 'same' });
    const archived = { ...known, records: [{ ...item, status: 'ARCHIVED' }] };
    expect(firstOf('external_id,name\norder-7,Top', { known: archived })?.problems).toMatchObject([
      { column: 'external_id' },
    ]);
    const restored = firstOf('external_id,status\norder-7,active', { known: archived });
    expect(restored).toMatchObject({ action: 'change', input: { status: 'ACTIVE' } });
  });

  test('another campaign is refused, and so is other targeting than columns can say', () => {
    const other = { ...spring, id: '9', name: 'Autumn' };
    const both = { ...known, parents: [spring, other] };
    expect(firstOf('id,campaign\n7,Autumn', { known: both })?.problems).toMatchObject([{ column: 'campaign' }]);
    const complex = {
      ...item,
      targeting: { not: { test: { dimension: 'COUNTRY', operator: 'IS', key: null, values: ['PL'] } } },
    };
    const row = firstOf('id,countries\n7,DE', { known: { ...known, records: [complex] } });
    expect(row).toMatchObject({ action: 'refused', problems: [{ column: 'countries' }] });
  });
});

describe('new line items', () => {
  test.each([
    ['campaign_id', '4'],
    ['campaign', 'Spring'],
  ])('a new line item finds its campaign by %s', (column, value) => {
    expect(firstOf(`name,type,${column}\nSide,HOUSE,${value}`)).toMatchObject({
      action: 'make',
      target: null,
      input: { name: 'Side', type: 'HOUSE', campaignId: '4' },
    });
  });

  test('a row without a campaign, under an unknown one, or under one of several with the name is refused', () => {
    expect(firstOf('name,type\nSide,HOUSE')?.problems).toMatchObject([{ column: 'campaign' }]);
    expect(firstOf('name,type,campaign_id\nSide,HOUSE,99')?.problems).toMatchObject([{ column: 'campaign_id' }]);
    expect(firstOf('name,type,campaign,advertiser\nSide,HOUSE,Spring,Other')?.problems).toMatchObject([
      { column: 'campaign' },
    ]);
    const twin = { ...spring, id: '5', advertiser: { name: 'Other' } };
    const twins = { ...known, parents: [spring, twin] };
    expect(firstOf('name,type,campaign\nSide,HOUSE,Spring', { known: twins })?.problems).toMatchObject([
      { column: 'campaign' },
    ]);
    expect(firstOf('name,type,campaign,advertiser\nSide,HOUSE,Spring,Other', { known: twins })?.input).toMatchObject({
      campaignId: '5',
    });
  });

  test('missing campaigns and advertisers are made once when a person chooses that', () => {
    const plan = planText(
      'lineItems',
      'name,type,campaign,advertiser\nOne,HOUSE,New,Acme\nTwo,HOUSE,New,Acme\nThree,HOUSE,Fresh,Nobody',
      {
        makesMissing: true,
      },
    );
    expect(plan.missing).toMatchObject([
      { kind: 'campaigns', name: 'New', advertiser: { id: '3' } },
      { kind: 'advertisers', name: 'Nobody' },
      { kind: 'campaigns', name: 'Fresh', advertiser: { missing: plan.missing[1]?.key } },
    ]);
    expect(plan.rows.map(({ parent }) => parent)).toEqual([
      plan.missing[0]?.key,
      plan.missing[0]?.key,
      plan.missing[2]?.key,
    ]);
    expect(
      planText('lineItems', 'name,type,campaign\nOne,HOUSE,New', { makesMissing: true }).rows[0]?.problems,
    ).toMatchObject([{ column: 'advertiser' }]);
  });

  test('a row is refused for a repeated external id, a cell that cannot be read, and more cells than the heading', () => {
    const rows = planText(
      'lineItems',
      'name,campaign,external_id,price,type\nA,Spring,x,1,HOUSE\nB,Spring,x,1,HOUSE\nC,Spring,,cheap,HOUSE\nD,Spring,,1,HOUSE,2',
    ).rows;
    expect(rows.map(({ action }) => action)).toEqual(['make', 'refused', 'refused', 'refused']);
    expect(rows.map(({ problems }) => problems[0]?.column)).toEqual([undefined, 'external_id', 'price', null]);
  });
});

test('a row with an unknown id is refused for that alone', () => {
  expect(firstOf('id,name,price\n99,Other,cheap')).toMatchObject({
    action: 'refused',
    name: 'Other',
    problems: [{ column: 'id' }],
  });
});

test('the names in a file are looked up once each, with lines that an interrupted import has made', () => {
  const table = readTable('id,external_id,campaign,advertiser\n7,,Spring,Acme\n7,x,Spring,\nbad,x,,');
  if ('fault' in table) throw new Error(table.fault);
  expect(wantedOf('lineItems', table, new Map([[4, '12']]))).toEqual({
    ids: ['7', '12'],
    keys: ['x'],
    parentIds: [],
    parentKeys: [],
    parentNames: ['Spring'],
    advertiserNames: ['Acme'],
  });
  const made = planImport(
    'lineItems',
    table,
    { ...known, records: [{ ...item, id: '12' }] },
    { ...options, made: new Map([[4, '12']]) },
  );
  expect(made.rows[2]?.target).toMatchObject({ id: '12' });
});

test('refused rows become a file with their reasons, which is read again without that column', () => {
  const table = readTable('name;campaign;price;type\nA;Spring;cheap;HOUSE\nB;Spring;1;HOUSE');
  if ('fault' in table) throw new Error(table.fault);
  const plan = planImport('lineItems', table, known, options);
  const rows = reviewRows(plan, new Map([[3, { problems: [{ column: 'type', message: 'Give it.' }], warnings: [] }]]));
  expect(rows.map(({ action }) => action)).toEqual(['refused', 'refused']);
  const again = readTable(writeRefused(table, rows).join(''));
  if ('fault' in again) throw new Error(again.fault);
  expect(again.separator).toBe(';');
  expect(again.rows.map(({ cells }) => cells.slice(0, 4))).toEqual([
    ['A', 'Spring', 'cheap', 'HOUSE'],
    ['B', 'Spring', '1', 'HOUSE'],
  ]);
  expect(planImport('lineItems', again, known, options).leftOut).toEqual(['error']);
});
