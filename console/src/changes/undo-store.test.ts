import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Scope } from '../api/transport/scope.ts';
import { dropUndoable, findUndoable, recordUndoable } from './undo-store.ts';

const MINUTE_MS = 60_000;
const NOW_MS = Date.parse('2026-11-29T10:00:00Z');
const SCOPE: Scope = { networkId: '1000', environment: 'production' };
let made: string[] = [];

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS });
});
afterEach(() => {
  vi.useRealTimers();
  for (const id of made) dropUndoable(id);
  made = [];
});

function record(text: string, { scope = SCOPE, id = '7', version = 1 } = {}): string {
  const one = recordUndoable({ scope, kind: 'lineItem', text, updates: [{ id, version, input: { name: text } }] });
  made.push(one.id);
  return one.id;
}

const last = (nowMs = NOW_MS, scope = SCOPE): string | undefined => findUndoable(scope, nowMs)?.text;

test('the newest change is undone first, then the one before it', () => {
  record('first', { version: 1 });
  const second = record('second', { version: 2 });
  expect(last()).toBe('second');
  dropUndoable(second);
  expect(last()).toBe('first');
});

test('a change can be undone for ten minutes', () => {
  record('change');
  expect(last(NOW_MS + 10 * MINUTE_MS - 1)).toBe('change');
  expect(last(NOW_MS + 10 * MINUTE_MS)).toBeUndefined();
});

test('a change is undone in its own network and environment', () => {
  record('change');
  expect(last(NOW_MS, { ...SCOPE, networkId: '2000' })).toBeUndefined();
  expect(last(NOW_MS, { ...SCOPE, environment: 'staging' })).toBeUndefined();
});

test('the changes of other scopes do not hide those of this one', () => {
  record('ours');
  record('theirs', { scope: { ...SCOPE, environment: 'staging' }, id: '8' });
  expect(last()).toBe('ours');
});

test('the last twenty changes are kept', () => {
  const ids = Array.from({ length: 21 }, (_none, at) => record(`change ${at}`, { version: at }));
  for (const id of ids.slice(2).toReversed()) dropUndoable(id);
  expect(last()).toBe('change 1');
  dropUndoable(ids[1] ?? '');
  expect(last()).toBeUndefined();
});
