import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { ImportPlan } from '../plan/import-plan.ts';
import { sumHours } from '../write-report.ts';
import { readDump } from './read-dump.ts';
import { readLimitations } from './limitations.ts';
import { capsOf } from './plan-campaigns.ts';
import { planRevive } from './plan-revive.ts';
import { collectRevive } from './revive-data.ts';

const DUMP = fileURLToPath(new URL('../../fixtures/revive.sql', import.meta.url));
let plan: ImportPlan;
beforeAll(async () => {
  plan = planRevive(await collectRevive(readDump(DUMP, 'rv_')));
});

interface Html {
  readonly html: { readonly html: string };
}

const htmlOf = (key: string): string => {
  const content = creative(key)?.input['content'];
  return (content as Html | undefined)?.html.html ?? '';
};

const lineItem = (key: string) => plan.lineItems.find((one) => one.key === key);
const creative = (key: string) => plan.creatives.find((one) => one.key === key);

test('each kind of campaign becomes the tier that serves as it did', () => {
  const shown = (key: string) => {
    const { type, level, goal, sharePercent, pacing } = lineItem(key)?.input ?? {};
    return { type, level, goal, sharePercent, pacing };
  };
  const none = { level: undefined, goal: undefined, sharePercent: undefined, pacing: undefined };
  const views = { kind: 'IMPRESSIONS', period: 'LIFETIME' };
  expect(shown('revive-campaign-1')).toEqual({
    ...none,
    type: 'STANDARD',
    level: 4,
    goal: { ...views, target: 25_000 },
    pacing: 'EVEN',
  });
  expect(shown('revive-campaign-1-2')).toMatchObject({ goal: { ...views, target: 75_000 } });
  expect(shown('revive-campaign-2')).toEqual({ ...none, type: 'SPONSORSHIP', sharePercent: 100 });
  expect(shown('revive-campaign-3')).toEqual({ ...none, type: 'HOUSE', sharePercent: 2 });
  expect(shown('revive-campaign-4')).toEqual({ ...none, type: 'PRICE' });
  expect(shown('revive-campaign-5')).toMatchObject({
    type: 'STANDARD',
    level: 8,
    goal: { kind: 'IMPRESSIONS', period: 'DAY', target: 5_000 },
  });
  expect(shown('revive-campaign-6')).toMatchObject({
    type: 'STANDARD',
    goal: { ...views, target: 9_000 },
    pacing: 'ASAP',
  });
});

test('a line item that Placard cannot limit as Revive did is paused, and a remark names the limitation', () => {
  expect(lineItem('revive-campaign-4-2')?.input['status']).toBe('PAUSED');
  const remarks = plan.remarks.filter(({ kind, text }) => kind === 'left out' && text.includes('PAUSED'));
  expect(remarks.map(({ text }) => text.split(':').slice(0, 2).join(':'))).toContain('Client:Ip == "10.0.*.*"');
});

test('banners keep their files, texts, macros and sizes, and those that cannot come over are named', () => {
  expect(creative('revive-banner-1')?.file?.bytes?.length).toBeGreaterThan(100);
  expect(creative('revive-banner-2')?.file).toEqual({ name: 'harbour.png', bytes: null });
  expect(htmlOf('revive-banner-3')).toBe(
    '<a href="${CLICK_URL}https://kite.example/"><img src="https://cdn.example/k.png?${CACHEBUSTER}"></a>',
  );
  expect(creative('revive-banner-3')?.input).toMatchObject({ width: 728, height: 90 });
  expect(htmlOf('revive-banner-4')).toBe(
    '<a href="${CLICK_URL}" target="_blank" title="Kites">Fly &lt;now&gt; &amp; &quot;save&quot;</a>',
  );
  expect(creative('revive-banner-6')).toBeUndefined();
  expect(plan.remarks.find(({ object }) => object.startsWith('banner 6'))?.kind).toBe('left out');
});

test('the hours of a plan sum up to those of the dump, and hours of deleted banners are named', () => {
  expect(sumHours(plan)).toMatchObject({
    rows: 91,
    impressions: 26_670,
    clicks: 240,
    conversions: 5,
    revenue: '120.0150',
  });
  expect(plan.remarks.find(({ object }) => object === 'statistics')?.text).toContain('75 impressions');
  const joined = plan.hours.find(
    ({ hour, creativeExternalId }) => hour === '2026-11-24T08:00:00Z' && creativeExternalId === 'revive-banner-1',
  );
  expect(joined?.impressions).toBe(1_015);
});

const acl = (type: string, comparison: string, data: string, logical = 'and', executionorder = '0') => ({
  type: `deliveryLimitations:${type}`,
  comparison,
  data,
  logical,
  executionorder,
});

test('limitations become targeting; "and" binds closer than "or", and rule sets are opened', () => {
  const channels = new Map([['1', [acl('Geo:City', '=~', 'PL|Gdynia,Sopot')]]]);
  const rows = [
    acl('Geo:Country', '=~', 'pl,SE'),
    acl('Time:Hour', '=~', '8,9@Europe/Warsaw', 'and', '1'),
    acl('Site:Channel', '!~', '1', 'or', '2'),
  ];
  expect(readLimitations(rows, channels)).toEqual({
    targeting: {
      any: [
        {
          all: [
            { test: { dimension: 'COUNTRY', values: ['PL', 'SE'] } },
            { test: { dimension: 'DAY_PART', values: ['1-7 08:00-09:00', '1-7 09:00-10:00'] } },
          ],
        },
        {
          not: {
            all: [
              { test: { dimension: 'COUNTRY', values: ['PL'] } },
              { test: { dimension: 'CITY', values: ['Gdynia', 'Sopot'] } },
            ],
          },
        },
      ],
    },
    problems: [],
    approximations: [],
    timezones: ['Europe/Warsaw'],
  });
});

test.each([
  ['Site:Pageurl', '=~', '/sport', { test: { dimension: 'PAGE_URL', operator: 'CONTAINS', values: ['/sport'] } }],
  [
    'Site:Variable',
    '!=',
    'section|news',
    { not: { test: { dimension: 'KEY_VALUE', key: 'section', operator: 'IS', values: ['news'] } } },
  ],
  [
    'Geo:Subdivision1',
    '!~',
    'PL|MZ',
    {
      all: [
        { test: { dimension: 'COUNTRY', values: ['PL'] } },
        { not: { test: { dimension: 'REGION', values: ['MZ'] } } },
      ],
    },
  ],
  ['Time:Day', '=~', '0@UTC', { test: { dimension: 'DAY_PART', values: ['7 00:00-24:00'] } }],
  ['Client:BrowserVersion', 'gt', 'Chrome|90', { test: { dimension: 'BROWSER', values: ['Chrome'] } }],
  [
    'Site:Hostnamelist',
    '=~',
    'a.example\nb.example',
    { test: { dimension: 'DOMAIN', values: ['a.example', 'b.example'] } },
  ],
])('the limitation %s %s "%s" is read', (type, comparison, data, targeting) => {
  expect(readLimitations([acl(type, comparison, data)], new Map())).toMatchObject({ targeting, problems: [] });
});

test.each([
  ['Client:Ip', '==', '10.0.0.1'],
  ['Site:Pageurl', '=x', '.*'],
  ['Site:Variable', 'gt', 'age|18'],
  ['Geo:Latlong', '==', '1,2,3,4'],
  ['Site:Channel', '=~', '9'],
  ['Geo:Country', '=~', ''],
])('the limitation %s %s "%s" is refused by name', (type, comparison, data) => {
  const { targeting, problems } = readLimitations([acl(type, comparison, data)], new Map());
  expect([targeting, problems.length, problems[0]?.startsWith(type)]).toEqual([null, 1, true]);
});

test.each([
  [{ capping: '3' }, [{ count: 3, window: 'LIFETIME' }]],
  [{ capping: '3', block: '7200' }, [{ count: 3, window: 'HOUR', every: 2 }]],
  [{ block: '60' }, [{ count: 1, window: 'MINUTE', every: 1 }]],
  [{ session_capping: '2' }, [{ count: 2, window: 'MINUTE', every: 30 }]],
])('limits of a user %j become frequency caps', (row, caps) => {
  expect(capsOf(row, () => undefined)).toEqual(caps);
});
