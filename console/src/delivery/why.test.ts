import { expect, test } from 'vitest';
import type { LineItem } from '../api/bookings/desk-list.ts';
import { describeWhy } from './why.ts';

const NOW_MS = Date.parse('2026-11-24T10:00:00Z');
const itemOf = (reason: string, progress: object | null = null, movedAt: string | null = null) =>
  ({ standing: { tab: null, reason, movedAt }, delivery: { progress } }) as unknown as LineItem;

test('the cause that a diagnosis found follows the pace', () => {
  const behind = itemOf('BEHIND', { pacingPercent: 62, status: 'BEHIND' });
  const text = describeWhy(behind, undefined, NOW_MS);
  expect(text).toContain('62\u00a0%');
  expect(describeWhy(behind, 'It is below the floor.', NOW_MS)).toBe(`${text} · It is below the floor.`);
});

test('a line item that is quiet says for how many whole hours', () => {
  const quiet = (movedAt: string | null): string => describeWhy(itemOf('QUIET', null, movedAt), undefined, NOW_MS);
  expect(quiet('2026-11-24T09:30:00Z')).toBe(quiet(null));
  expect(quiet('2026-11-24T06:59:00Z')).toContain('3');
});

test('a line item that serves says more where it has a goal', () => {
  const of = (progress: object | null): string => describeWhy(itemOf('SERVING', progress), undefined, NOW_MS);
  expect(new Set([of(null), of({ status: 'AHEAD' }), of({ status: 'REACHED' }), of({ status: 'ON_TRACK' })]).size).toBe(
    4,
  );
});

test('a line item whose history is loading is not said to be on plan', () => {
  const loading = itemOf('SERVING', { status: null, isHistoryLoading: true });
  expect(describeWhy(loading, undefined, NOW_MS)).toBe('history is loading');
});

test('a line item without a standing gets no words', () => {
  expect(describeWhy({ standing: null, delivery: null }, 'x', NOW_MS)).toBe('');
});
