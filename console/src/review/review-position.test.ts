import { expect, test } from 'vitest';
import type { PendingCreative, ReviewedKind } from '../api/bookings/creatives/review-queue.ts';
import { positionOf, queueKey, waitingOf } from './review-position.ts';

const creative = (id: string, lineItemId = '1', kind: ReviewedKind = 'creative'): PendingCreative => ({
  kind,
  id,
  name: `Banner ${id}`,
  version: 1,
  format: 'IMAGE',
  width: 300,
  height: 250,
  updatedAt: '2026-11-24T00:00:00Z',
  clickUrl: 'https://shop.example/',
  preview: { url: '/preview' },
  scan: { hosts: [], warnings: [] },
  lineItems: [{ id: lineItemId, name: 'Line item', status: 'ACTIVE' }],
});
const queue = [creative('1'), creative('2', '7'), creative('1', '7', 'libraryCreative')];
const keysOf = (found: readonly PendingCreative[]) => found.map(queueKey);

test('a decided creative is gone, and the creative of the other kind with the same id is not', () => {
  expect(keysOf(waitingOf(queue, { lineItemId: null, decided: new Set(['creative/1']) }))).toEqual([
    'creative/2',
    'libraryCreative/1',
  ]);
});

test('the queue of one line item has its creatives only', () => {
  expect(keysOf(waitingOf(queue, { lineItemId: '7', decided: new Set() }))).toEqual([
    'creative/2',
    'libraryCreative/1',
  ]);
});

test('the creative behind a decided one is shown next, and the last creative at the end', () => {
  expect(positionOf(queue, 'creative/2', 0)).toBe(1);
  expect(positionOf(queue.slice(0, 2), 'libraryCreative/1', 2)).toBe(1);
  expect(positionOf(queue.slice(1), 'creative/1', 0)).toBe(0);
  expect(positionOf([], null, 0)).toBe(0);
});
