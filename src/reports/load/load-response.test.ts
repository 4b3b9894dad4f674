import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { CachedRows } from '../cache/result-cache.ts';
import type { PreparedLoad, PreparedQuery } from './load-query.ts';
import { LoadBodies, type LoadBodyContext } from './load-response.ts';

const AT_MS = Date.parse('2026-01-02T03:04:05.678Z');
const LONG_TEXT = 'é'.repeat(1_000);

function newLoad(queries = 1): PreparedLoad {
  const description = { value: { query: '{"limit":5}', annotation: '{"measures":{}}' } };
  const one = { key: 'k', description } as unknown as PreparedQuery;
  const pivot = { value: '{"limit":5}' };
  return {
    type: 'regularQuery',
    queries: Array.from({ length: queries }, () => one),
    pivot,
  } as unknown as PreparedLoad;
}

function newRows(data: unknown): CachedRows {
  return {
    dataJson: Buffer.from(JSON.stringify(data)),
    total: null,
    version: 'v',
    computedAtMs: AT_MS,
    tookMs: 5,
    verifiedAtMs: AT_MS,
    writtenAtMs: null,
  };
}

function contextOf(requestId: string, more: Partial<LoadBodyContext> = {}): LoadBodyContext {
  return { isMulti: false, requestId, completeUntilMs: null, isGzipPreferred: false, ...more };
}

function read(body: { readonly body: Buffer; readonly encoding: 'gzip' | null }): unknown {
  return JSON.parse((body.encoding === null ? body.body : gunzipSync(body.body)).toString());
}

describe('bodies of loads', () => {
  test.each([false, true])('a retained body differs only in its request id and times (multi: %s)', (isMulti) => {
    const [bodies, load, rows] = [new LoadBodies(), newLoad(), newRows([{ text: LONG_TEXT }])];
    const first = bodies.build(load, [rows], contextOf('1', { isMulti }));
    rows.verifiedAtMs += 1_000;
    const later = bodies.build(load, [rows], contextOf('2', { isMulti, completeUntilMs: AT_MS }));
    const fresh = new LoadBodies().build(load, [rows], contextOf('2', { isMulti, completeUntilMs: AT_MS }));
    expect(later.body).toEqual(fresh.body);
    expect(later.body).not.toEqual(first.body);
    expect(read(later)).toMatchObject(isMulti ? { results: [{ requestId: '2' }] } : { requestId: '2' });
  });

  test('new rows of a prepared request get a new body', () => {
    const [bodies, load] = [new LoadBodies(), newLoad()];
    bodies.build(load, [newRows([1])], contextOf('1'));
    expect(read(bodies.build(load, [newRows([2])], contextOf('2')))).toMatchObject({ data: [2] });
  });

  test('a body that is sent again is compressed once and stays readable', () => {
    const [bodies, load, rows] = [new LoadBodies(), newLoad(), newRows([{ text: LONG_TEXT }])];
    const ask = (requestId: string) => bodies.build(load, [rows], contextOf(requestId, { isGzipPreferred: true }));
    const [first, second, third] = [ask('1'), ask('2'), ask('3')];
    expect([first.encoding, second.encoding, third.encoding]).toEqual([null, 'gzip', 'gzip']);
    expect(read(third)).toEqual({ ...(read(first) as object), requestId: '3' });
    expect(third.body.length).toBeLessThan(first.body.length / 2);
    expect(bodies.build(load, [rows], contextOf('4')).encoding).toBeNull();
  });

  test('a short body is never compressed', () => {
    const [bodies, load, rows] = [new LoadBodies(), newLoad(), newRows([])];
    for (const id of ['1', '2', '3']) {
      expect(bodies.build(load, [rows], contextOf(id, { isGzipPreferred: true })).encoding).toBeNull();
    }
  });

  test('a response with several results has all of them', () => {
    const body = new LoadBodies().build(newLoad(2), [newRows([1]), newRows([2])], contextOf('1', { isMulti: true }));
    expect(read(body)).toMatchObject({ results: [{ data: [1] }, { data: [2] }], pivotQuery: { limit: 5 } });
  });
});

test('a tag differs by form and by version, and is the same again for the same', () => {
  const [bodies, load] = [new LoadBodies(), newLoad()];
  const tag = bodies.etagOf(load, ['1'], '1 plain');
  expect(bodies.etagOf(load, ['1'], '1 plain')).toBe(tag);
  expect(bodies.etagOf(load, ['2'], '1 plain')).not.toBe(tag);
  expect(bodies.etagOf(load, ['1'], '1 csv')).not.toBe(tag);
  expect(new LoadBodies().etagOf(load, ['1'], '1 plain')).toBe(tag);
});
