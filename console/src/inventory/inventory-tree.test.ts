import { expect, test } from 'vitest';
import type { CatalogRows } from '../api/bookings/catalog.ts';
import { buildRows, keyInTree, ratesOf, type TreeInput } from './inventory-tree.ts';

const site = (id: string, units: number) =>
  ({ id, name: `Site ${id}`, adUnits: { totalCount: units } }) as CatalogRows['sites'];
const unit = (id: string, areaId: string | null) =>
  ({
    id,
    name: `Unit ${id}`,
    area: areaId === null ? null : { id: areaId, name: 'Sport' },
  }) as CatalogRows['adUnits'];
const figures = (requests: number) => ({
  requests,
  served: requests / 2,
  impressions: requests / 4,
  revenue: requests,
});

const input = (open: readonly string[]): TreeInput => ({
  sites: [site('1', 3), site('2', 0)],
  below: new Map([
    [
      '1',
      {
        areas: [
          { id: '5', name: 'Sport', siteId: '1' },
          { id: '6', name: 'Unused', siteId: '1' },
        ],
        adUnits: [unit('10', '5'), unit('11', '5'), unit('12', null)],
        isCut: false,
      },
    ],
  ]),
  figures: new Map([
    ['1/10', figures(100)],
    ['1/11', figures(40)],
    ['1/12', figures(8)],
    ['1/0', figures(4)],
  ]),
  open: new Set(open),
});

test('a site sums all of its requests, an area those of its ad units', () => {
  const rows = buildRows(input(['site 1', 'area 5']));
  expect(rows.map(({ key, level, figures: { requests } }) => [key, level, requests])).toEqual([
    ['site 1', 1, 152],
    ['area 5', 2, 140],
    ['adUnit 10', 3, 100],
    ['adUnit 11', 3, 40],
    ['adUnit 12', 2, 8],
    ['site 2', 1, 0],
  ]);
  expect(rows.map(({ position, siblings }) => `${position}/${siblings}`)).toEqual([
    '1/2',
    '1/2',
    '1/2',
    '2/2',
    '2/2',
    '2/2',
  ]);
});

test('a closed row hides what is below, and a site without ad units cannot be opened', () => {
  expect(buildRows(input(['area 5'])).map(({ key, isOpen }) => [key, isOpen])).toEqual([
    ['site 1', false],
    ['site 2', null],
  ]);
});

test('rates divide by what they are of', () => {
  expect(ratesOf({ requests: 200, served: 100, impressions: 50, revenue: 1 })).toEqual({
    fillPercent: 50,
    price: 20,
    ecpm: 5,
  });
  expect(ratesOf({ requests: 0, served: 0, impressions: 0, revenue: 0 })).toEqual({
    fillPercent: null,
    price: null,
    ecpm: null,
  });
});

test.each([
  ['ArrowRight', 0, ['site 1'], { focus: 1 }],
  ['ArrowRight', 0, [], { toggle: 'site 1' }],
  ['ArrowRight', 1, [], null],
  ['ArrowLeft', 1, ['site 1'], { focus: 0 }],
  ['ArrowLeft', 0, ['site 1'], { toggle: 'site 1' }],
  ['ArrowLeft', 0, [], null],
  ['ArrowDown', 1, [], { focus: 1 }],
  ['ArrowUp', 1, [], { focus: 0 }],
  ['End', 0, ['site 1'], { focus: 3 }],
  ['x', 0, [], null],
])('%s in row %d of a tree with %j open gives %j', (key, at, open, expected) => {
  expect(keyInTree(buildRows(input(open)), at, key)).toEqual(expected);
});
