import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inlineOf, openThirdParty, type ThirdParty } from '../../../test/support/vast/third-party-vast.ts';
import { type DocumentBounds, freshMsOf, VastDocuments } from './vast-documents.ts';

let third: ThirdParty;
let nowMs = 0;
beforeAll(async () => {
  third = await openThirdParty();
});
afterAll(() => third.close());
beforeEach(() => {
  third.replies.clear();
  third.asked.length = 0;
});

const open = (bounds: Partial<DocumentBounds> = {}) =>
  new VastDocuments({
    policy: { allowedRanges: ['127.0.0.1'], allowHttpLoopback: true },
    nowMs: () => nowMs,
    bounds,
  });
const get = (documents: VastDocuments, path: string, owner = '1', signal = AbortSignal.timeout(10_000)) =>
  documents.get(third.base + path, { owner, headers: {}, signal });
const serve = (path: string, cacheControl: string, after?: Promise<unknown>) =>
  third.replies.set(path, {
    body: inlineOf(),
    headers: { 'cache-control': cacheControl },
    ...(after === undefined ? {} : { after }),
  });

test.each<[number, Record<string, string>]>([
  [60_000, { 'cache-control': 'public, max-age=60' }],
  [30_000, { 'cache-control': 'max-age=60, s-maxage=30' }],
  [50_000, { 'cache-control': 'max-age=60', age: '10' }],
  [0, { 'cache-control': 'max-age=60', age: '61' }],
  [60_000, { date: 'Mon, 30 Nov 2026 10:00:00 GMT', expires: 'Mon, 30 Nov 2026 10:01:00 GMT' }],
  [60_000, { 'cache-control': 'max-age=60', vary: 'Accept-Encoding' }],
  [0, { 'cache-control': 'max-age=60', vary: 'X-Device-IP' }],
  [0, { 'cache-control': 'max-age=60, private' }],
  [0, { 'cache-control': 'no-store, max-age=60' }],
  [0, { 'cache-control': 'no-cache' }],
  [0, { 'cache-control': 'max-age=60', 'set-cookie': 'a=b' }],
  [0, { 'cache-control': 'max-age=soon' }],
  [0, {}],
])('a document is fresh for %i ms by %o', (ms, headers) => {
  expect(freshMsOf(new Headers(headers))).toBe(ms);
});

test('a document is fetched again once it is stale, and after the stated maximum', async () => {
  const documents = open({ freshMaxMs: 100_000 });
  serve('/hour', 'max-age=3600');
  await get(documents, '/hour');
  nowMs += 99_999;
  await get(documents, '/hour');
  expect(third.asked).toHaveLength(1);
  nowMs += 1;
  await get(documents, '/hour');
  expect(third.asked).toHaveLength(2);
});

test('a document that may be shared is fetched once for all who ask meanwhile, of one network', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  serve('/shared', 'max-age=60', promise);
  const documents = open();
  const asked = [get(documents, '/shared'), get(documents, '/shared'), get(documents, '/shared', '2')];
  await expect.poll(() => third.asked.length).toBe(2);
  resolve();
  await Promise.all(asked);
  expect(third.asked).toHaveLength(2);
});

test('a document that is for one request alone is fetched for each', async () => {
  serve('/own', 'no-store');
  const documents = open();
  await Promise.all([get(documents, '/own'), get(documents, '/own'), get(documents, '/own')]);
  expect(third.asked).toHaveLength(3);
  expect(documents.size).toEqual({ entries: 0, chars: 0, fetches: 0 });
});

test('the least recently used documents go when there are too many, or too many characters', async () => {
  const paths = ['/a', '/b', '/c'];
  for (const path of paths) serve(path, 'max-age=60');
  const documents = open({ entriesMax: 2 });
  for (const path of ['/a', '/b', '/a', '/c', '/a', '/b']) await get(documents, path);
  expect(third.asked.map(({ path }) => path)).toEqual(['/a', '/b', '/c', '/b']);
  expect(documents.size).toEqual({ entries: 2, chars: 2 * inlineOf().length, fetches: 0 });
  const small = open({ charsMax: inlineOf().length });
  for (const path of paths) await get(small, path);
  expect(small.size.entries).toBe(1);
});

test('a network whose documents never come takes no fetch of another network', async () => {
  const documents = open({ fetchesOfOwnerMax: 2 });
  const stop = new AbortController();
  const hanging = ['/1', '/2'].map((path) => get(documents, path, '1', stop.signal));
  const ended = Promise.allSettled(hanging);
  await expect(get(documents, '/3')).rejects.toMatchObject({ code: 900 });
  serve('/other', 'no-store');
  await get(documents, '/other', '2');
  stop.abort();
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(documents.size.fetches).toBe(0);
  serve('/3', 'no-store');
  await get(documents, '/3');
});
