import { expect, test } from 'vitest';
import type { CreativeRotation } from '../../domain/booking/line-item.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import { createTestCatalog, lineItem, makeServedAd } from '../fixtures/catalog.ts';
import { rotationIncrements } from './rotation-counters.ts';

const timeMs = Date.parse('2026-11-20T02:00:00Z');

function keysOf(creativeRotation: CreativeRotation, kind: 'impression' | 'click', change = {}): string[] {
  const catalog: Catalog = { ...createTestCatalog(), findLineItem: () => ({ ...lineItem, creativeRotation }) };
  return rotationIncrements(kind, makeServedAd(timeMs, change), catalog).map(({ key }) => key);
}

const { creativeId, lineItemId, userHash } = makeServedAd(timeMs);

test.each([
  ['EVEN', 'impression', {}, []],
  ['WEIGHTED', 'click', {}, []],
  ['OPTIMISED', 'impression', {}, [`d/1/cr/${creativeId}/imp/all`]],
  ['OPTIMISED', 'click', {}, [`d/1/cr/${creativeId}/clk/all`]],
  ['SEQUENTIAL', 'impression', {}, [`f/1/${userHash}/li/${lineItemId}/seq`]],
  ['SEQUENTIAL', 'click', {}, []],
  ['SEQUENTIAL', 'impression', { npa: true }, []],
  ['SEQUENTIAL', 'impression', { companion: true }, []],
  ['SEQUENTIAL', 'impression', { userHash: '' }, []],
] as const)('%s counts for each %s with %j: %j', (rotation, kind, change, keys) => {
  expect(keysOf(rotation, kind, change)).toEqual(keys);
});
