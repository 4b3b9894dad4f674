import { expect, test } from 'vitest';
import type { Targeting } from '../../domain/targeting/targeting.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import { sampleSnapshot } from '../../../test/worlds/sample-workspace.ts';
import { PacingInventories } from './pacing-inventory.ts';
import type { SitedInventory } from './pacing-inventory.ts';

const is = (dimension: 'site' | 'area' | 'adUnit' | 'country', ...values: string[]): Targeting => ({
  dimension,
  operator: 'is',
  values,
});

test.each<[string, Targeting | null, SitedInventory | null]>([
  ['nothing', null, null],
  ['a country', is('country', 'PL'), null],
  ['sites', is('site', '2', '1'), { kind: 'site', ids: ['1', '2'], siteIds: ['1', '2'] }],
  ['ad units', is('adUnit', '11', '12', '21'), { kind: 'adUnit', ids: ['11', '12', '21'], siteIds: ['1', '2'] }],
  ['areas', is('area', '5'), { kind: 'area', ids: ['5'], siteIds: ['2'] }],
  [
    'a site and one of its ad units: the ad unit says more',
    { all: [is('site', '1', '2'), is('adUnit', '21')] },
    { kind: 'adUnit', ids: ['21'], siteIds: ['2'] },
  ],
  [
    'one of two sites',
    { any: [is('site', '1'), is('site', '2')] },
    { kind: 'site', ids: ['1', '2'], siteIds: ['1', '2'] },
  ],
  ['anything but a site', { not: is('site', '1') }, null],
])('a line item gets the inventory of its targeting: %s', (_title, targeting, expected) => {
  const snapshot = sampleSnapshot({
    sites: [{ id: '1' }, { id: '2' }],
    areas: [{ id: '5', siteId: '2' }],
    adUnits: [
      { id: '11', siteId: '1' },
      { id: '12', siteId: '1' },
      { id: '21', siteId: '2' },
    ],
    lineItems: [{ targeting }],
  });
  const [lineItem] = compileWorkspace(snapshot, 0, () => {}).lineItems;
  const inventories = new PacingInventories();
  expect(lineItem === undefined ? 'not compiled' : inventories.of(lineItem, snapshot)).toEqual(expected);
});
