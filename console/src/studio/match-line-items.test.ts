import { describe, expect, test } from 'vitest';
import type { StudioLineItem } from '../api/bookings/creative-files.ts';
import type { TargetingTree } from '../api/bookings/targeting.ts';
import { joinLineItems, matchLineItems, missingSizes, sizesInName, targetedAdUnits } from './match-line-items.ts';

const inUnits = (...values: string[]): TargetingTree => ({
  test: { dimension: 'AD_UNIT', operator: 'IS', key: null, values },
});
const lineItem = (id: string, more: Partial<StudioLineItem> = {}): StudioLineItem => ({
  id,
  name: `Line item ${id}`,
  status: 'ACTIVE',
  targeting: null,
  creatives: { nodes: [] },
  ...more,
});
const box = { width: 300, height: 250 };
const board = { width: 728, height: 90 };
const creative = (size: typeof box, status = 'ACTIVE') => ({ ...size, status, clickUrl: 'https://acme.example/' });
const SIZES = new Map([
  ['1', [box]],
  ['2', [board, { width: 970, height: 250 }]],
]);

describe('sizes in names', () => {
  test.each([
    ['autumn_300x250_v2.png', [box]],
    ['Autumn 728 × 90 and 300X250', [board, box]],
    ['print 5x7, 20261126', []],
    ['retina 300x250@2x', [box]],
    ['1600x900000', []],
  ])('%s', (name, sizes) => {
    expect(sizesInName(name)).toEqual(sizes);
  });
});

describe('line items for a file', () => {
  test('a line item needs no sizes of ad units that it excludes', () => {
    const tree: TargetingTree = { all: [inUnits('1'), { not: inUnits('2') }, { any: [inUnits('3')] }] };
    expect(targetedAdUnits(tree)).toEqual(['1', '3']);
  });

  test('a file suits the line items whose ad units or names have its size', () => {
    const all = [
      lineItem('a', { targeting: inUnits('1') }),
      lineItem('b', { targeting: inUnits('2') }),
      lineItem('c', { name: 'Mobile 300x250' }),
      lineItem('d', { name: 'Mobile 300x250', targeting: inUnits('2') }),
      lineItem('e'),
    ];
    expect(matchLineItems(box, all, SIZES)).toEqual(['a', 'c']);
    expect(matchLineItems(board, all, SIZES)).toEqual(['b', 'd']);
  });

  test('a size that none asks for is proposed where nothing is known and no creative is there', () => {
    const all = [
      lineItem('a', { targeting: inUnits('1') }),
      lineItem('b'),
      lineItem('c', { creatives: { nodes: [creative(box)] } }),
      lineItem('d', { status: 'COMPLETED' }),
    ];
    expect(matchLineItems({ width: 160, height: 600 }, all, SIZES)).toEqual(['b']);
  });

  test('missing sizes are those of neither present creatives nor chosen files', () => {
    const all = [
      lineItem('a', {
        targeting: inUnits('1', '2'),
        creatives: { nodes: [creative(box), creative(board, 'ARCHIVED')] },
      }),
      lineItem('b', { targeting: inUnits('1') }),
      lineItem('c'),
    ];
    const missing = missingSizes(all, SIZES, [{ size: box, lineItemIds: ['b'] }]);
    expect(missing.map((one) => [one.lineItem.id, one.sizes])).toEqual([['a', [board, { width: 970, height: 250 }]]]);
  });
});

test('a line item that was found beyond those that were read is added once', () => {
  const item = (id: string) => ({ id, name: id, status: 'ACTIVE', targeting: null, creatives: { nodes: [] } });
  const read = [item('1'), item('2')];
  expect(joinLineItems(read, [item('2'), item('300')]).map(({ id }) => id)).toEqual(['1', '2', '300']);
});
