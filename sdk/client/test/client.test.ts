import { getEventListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BidRequest } from '../src/bid-request.ts';
import { type ClientSettings, PlacardClient } from '../src/client.ts';
import { PlacardApiError, PlacardConnectionError, PlacardGraphqlError, PlacardInputError } from '../src/errors.ts';

/** The next response of the test server; `hang` never responds, `drop` cuts the connection. */
type Scripted = { status: number; body?: unknown; headers?: Record<string, string> } | 'hang' | 'drop';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let server: Server;
let base: string;
let script: Scripted[];
let seen: Seen[];
let waits: number[];

beforeEach(async () => {
  [script, seen, waits] = [[], [], []];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      const next = script.length > 1 ? script.shift() : script[0];
      if (next === undefined || next === 'hang') return;
      if (next === 'drop') return void request.socket.destroy();
      response.writeHead(next.status, { 'content-type': 'application/json', ...next.headers });
      response.end(next.body === undefined ? undefined : JSON.stringify(next.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const NOW_MS = 1_800_000_000_000;
const makeClient = (over: Partial<ClientSettings> = {}): PlacardClient =>
  new PlacardClient({
    network: '1000',
    coreUrl: base,
    deliveryUrl: base,
    apiKey: 'plc_live_x',
    credentials: { login: 'l', token: 't' },
    random: () => 0,
    nowMs: () => NOW_MS,
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    ...over,
  });
const ok: Scripted = { status: 200, body: { ads: [] } };
const failing = (status: number): Scripted => ({ status, body: { error: 'x', message: 'y' } });
const bidRequest = (over: Partial<BidRequest> = {}): BidRequest => ({
  id: 'r1',
  imp: [{ id: '1', banner: { format: [{ w: 300, h: 250 }] } }],
  site: { id: 'magazine', domain: 'magazine.example', page: 'https://magazine.example/a' },
  ...over,
});

// Conformance: V3
describe('retries', () => {
  // Conformance: V3
  test.each([500, 502, 503, 504])(
    'a response with %d is retried after 1 s and 2 s, three attempts in all',
    async (status) => {
      script = [failing(status)];
      await expect(makeClient().ads({ adUnit: 'a' })).rejects.toMatchObject({ status, attempts: 3, code: 'x' });
      expect([seen.length, waits]).toEqual([3, [1000, 2000]]);
    },
  );

  // Conformance: V3
  test.each([400, 401, 403, 404])('a response with %d is never retried', async (status) => {
    script = [failing(status)];
    await expect(makeClient().ads({ adUnit: 'a' })).rejects.toBeInstanceOf(PlacardApiError);
    expect([seen.length, waits]).toEqual([1, []]);
  });

  // Conformance: V3
  test('a response with 204 means no bid and is never retried', async () => {
    script = [{ status: 204 }];
    expect(await makeClient().bid(bidRequest())).toBeNull();
    expect(seen).toHaveLength(1);
  });

  // Conformance: V3
  test('the third wait is 4 s when a fourth attempt is allowed', async () => {
    script = [failing(503)];
    await expect(makeClient({ retry: { attemptsMax: 4 } }).ads({ adUnit: 'a' })).rejects.toMatchObject({ attempts: 4 });
    expect(waits).toEqual([1000, 2000, 4000]);
  });

  // Conformance: V3
  test('a response that comes after a failure is returned', async () => {
    script = [failing(502), ok];
    expect(await makeClient().ads({ adUnit: 'a' })).toEqual({ ads: [] });
    expect(seen.map((one) => one.body)).toEqual(Array(2).fill('{"count":1,"adUnit":"a","network":"1000"}'));
  });

  // Conformance: V3
  test('a missing response is retried and reported as a timeout', async () => {
    script = ['hang', ok];
    expect(await makeClient({ timeoutMs: 100 }).ads({ adUnit: 'a' })).toEqual({ ads: [] });
    script = ['hang'];
    const failure = makeClient({ timeoutMs: 50 }).ads({ adUnit: 'a' });
    await expect(failure).rejects.toMatchObject({ name: 'PlacardConnectionError', attempts: 3, timedOut: true });
  });

  // Conformance: V3
  test('a body that stalls is a timeout as well', async () => {
    server.removeAllListeners('request');
    server.on('request', (_request, response) => void response.writeHead(200).write('{"ads":'));
    const failure = makeClient({ timeoutMs: 50, retry: { attemptsMax: 1 } }).ads({ adUnit: 'a' });
    await expect(failure).rejects.toMatchObject({ timedOut: true });
  });

  // Conformance: V3
  test('a cut connection is tried again', async () => {
    script = ['drop', 'drop', 'drop'];
    const failure = makeClient().ads({ adUnit: 'a' });
    await expect(failure).rejects.toBeInstanceOf(PlacardConnectionError);
    expect(seen).toHaveLength(3);
  });

  // Conformance: V3
  test('jitter adds up to a quarter to a wait, and never shortens it', async () => {
    script = [failing(500)];
    await expect(makeClient({ random: () => 1 }).ads({ adUnit: 'a' })).rejects.toThrow();
    expect(waits).toEqual([1250, 2500]);
  });

  // Conformance: V3
  test('a longer Retry-After is obeyed', async () => {
    script = [{ status: 503, headers: { 'retry-after': '7' } }, ok];
    await makeClient().ads({ adUnit: 'a' });
    expect(waits).toEqual([7000]);
  });

  // Conformance: V3
  test.each([
    ['the body', { body: { error: 'rate_limit_exceeded', message: 'm', limit: 1, reset: NOW_MS / 1000 + 9 } }],
    ['the header', { headers: { 'x-ratelimit-reset': String(NOW_MS / 1000 + 9) } }],
    ['Retry-After', { headers: { 'retry-after': '9' } }],
  ])('the client waits for the reset on 429, as %s says', async (_name, limited) => {
    script = [{ status: 429, ...limited }, ok];
    await makeClient().ads({ adUnit: 'a' });
    expect(waits).toEqual([9000]);
  });

  // Conformance: V3
  test('a limit that opens in hours is an error at once, with its reset', async () => {
    const reset = NOW_MS / 1000 + 7200;
    script = [{ status: 429, body: { error: 'rate_limit_exceeded', message: 'm', limit: 5, reset } }];
    await expect(makeClient().ads({ adUnit: 'a' })).rejects.toMatchObject({ status: 429, resetAt: reset, attempts: 1 });
    expect(waits).toEqual([]);
  });

  test('an abort ends the request under way, and the wait', async () => {
    script = ['hang'];
    const controller = new AbortController();
    const call = makeClient().ads({ adUnit: 'a' }, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 30);
    await expect(call).rejects.toThrow('enough');
    script = [failing(500)];
    const second = new AbortController();
    const waiting = new PlacardClient({ network: '1000', deliveryUrl: base, apiKey: 'k' });
    const retried = waiting.ads({ adUnit: 'a' }, { signal: second.signal });
    setTimeout(() => second.abort(new Error('enough of it')), 60);
    await expect(retried).rejects.toThrow('enough of it');
    expect(seen).toHaveLength(2);
  });

  test('a page of a proxy instead of JSON is an error with its status', async () => {
    server.removeAllListeners('request');
    server.on('request', (_request, response) => void response.writeHead(403).end('<html>no</html>'));
    await expect(makeClient().ads({ adUnit: 'a' })).rejects.toMatchObject({ code: 'http_403', body: {} });
  });
});

// Conformance: V4
describe('checks before sending', () => {
  // Conformance: V4
  test.each([
    ['id missing', { id: '' }, 'id must'],
    ['imp empty', { imp: [] }, 'imp must'],
    ['an imp without id', { imp: [{ banner: {} }] }, 'imp[0].id'],
    ['an imp with none of banner, video, native', { imp: [{ id: '1' }] }, 'imp[0] needs one of'],
    ['site missing', { site: undefined }, 'site must'],
    ['site without id', { site: { domain: 'd.example' } }, 'site.id'],
    ['site without domain', { site: { id: 's', page: 'https://d.example/' } }, 'site.domain'],
  ])('a request with %s is refused before it is sent', async (_name, over, named) => {
    const call = makeClient().bid(bidRequest(over as Partial<BidRequest>));
    await expect(call).rejects.toBeInstanceOf(PlacardInputError);
    await expect(call).rejects.toThrow(named);
    expect(seen).toEqual([]);
  });

  // Conformance: V4
  test('a good request goes without a key', async () => {
    script = [{ status: 200, body: { id: 'r1' } }];
    expect(await makeClient().bid(bidRequest())).toEqual({ id: 'r1' });
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/1000/bid' });
    expect(seen[0]?.headers['authorization']).toBeUndefined();
  });
});

describe('header bids', () => {
  const hb = [{ bidder: 'bidco', adId: 'ad-1', cpm: 2, currency: 'PLN', size: '300x250' }];
  const withBids = (adId: string) =>
    bidRequest({ imp: [{ id: '1', banner: {}, ext: { hb: hb.map((one) => ({ ...one, adId })) } }] });

  test('the client sends them with ad and bid requests, and returns the one that won', async () => {
    const won = { bidder: 'bidco', adId: 'ad-1', width: 300, height: 250 };
    script = [
      { status: 200, body: { ads: [], noFill: { code: 'header_bid' }, headerBid: won } },
      { status: 200, body: { id: 'r1', cur: 'PLN', seatbid: [], ext: { hb: [{ impid: '1', ...won }] } } },
    ];
    const client = makeClient();
    expect((await client.ads({ adUnit: 'a', hb })).headerBid).toEqual(won);
    expect((await client.bid(withBids('ad-1')))?.ext.hb?.[0]?.adId).toBe('ad-1');
    expect(seen.map(({ body }) => body.includes('"hb":[{"bidder":"bidco","adId":"ad-1"'))).toEqual([true, true]);
  });

  test('a kept response is not used for other header bids, which it knows nothing about', async () => {
    script = [{ status: 200, body: { id: 'r1', seatbid: [] } }];
    const client = makeClient({ bidCache: { bucketMs: 45_000 } });
    for (const adId of ['ad-1', 'ad-2', 'ad-2']) await client.bid(withBids(adId));
    expect(seen).toHaveLength(2);
  });
});

// Conformance: V4
describe('bid cache', () => {
  const page = (path: string) => ({ site: { ...bidRequest().site, page: `https://magazine.example/${path}` } });
  const user = (lu: string) => ({ user: { ext: { ids: { lu } } } });

  // Conformance: V4
  test('the same page, user and slots share a response in a bucket, and it has the request’s own id', async () => {
    script = [{ status: 200, body: { id: 'r1', cur: 'PLN' } }];
    const client = makeClient({ bidCache: { bucketMs: 30_000 } });
    expect(await client.bid(bidRequest())).toMatchObject({ id: 'r1' });
    expect(await client.bid(bidRequest({ id: 'r2' }))).toEqual({ id: 'r2', cur: 'PLN' });
    expect(seen).toHaveLength(1);
  });

  // Conformance: V4
  test.each([
    ['another page', page('b')],
    ['another user', user('u2')],
    ['other slots', { imp: [{ id: '1', banner: { format: [{ w: 728, h: 90 }] } }] }],
    ['other consent', { user: { ext: { ids: { lu: 'u1' }, npa: true } } }],
  ])('%s is another request', async (_name, over) => {
    script = [{ status: 204 }];
    const client = makeClient({ bidCache: { bucketMs: 30_000 } });
    await client.bid(bidRequest(user('u1')));
    await client.bid(bidRequest({ ...user('u1'), ...over }));
    await client.bid(bidRequest(user('u1')));
    expect(seen).toHaveLength(2);
  });

  // Conformance: V4
  test('the next bucket asks again', async () => {
    script = [{ status: 204 }];
    let nowMs = 90_000;
    const client = makeClient({ bidCache: { bucketMs: 45_000 }, nowMs: () => nowMs });
    await client.bid(bidRequest());
    nowMs = 134_999;
    await client.bid(bidRequest());
    expect(seen).toHaveLength(1);
    nowMs = 135_000;
    await client.bid(bidRequest());
    expect(seen).toHaveLength(2);
  });

  // Conformance: V4
  test.each([0, 29_999, 60_001, 300_000, Number.NaN])('a bucket of %d ms is refused', (bucketMs) => {
    expect(() => makeClient({ bidCache: { bucketMs } })).toThrow(PlacardInputError);
  });

  test('callers at the same time share a request; one that gives up does not end it for the other', async () => {
    script = [{ status: 200, body: { id: 'r1', cur: 'PLN' } }];
    const client = makeClient({ bidCache: { bucketMs: 30_000 } });
    const controller = new AbortController();
    const first = client.bid(bidRequest(), { signal: controller.signal });
    const second = client.bid(bidRequest({ id: 'r2' }));
    controller.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(await second).toMatchObject({ id: 'r2' });
    expect(seen).toHaveLength(1);
  });

  test('failures are not kept, and what is kept is bounded', async () => {
    script = [failing(400), { status: 204 }];
    const client = makeClient({ bidCache: { bucketMs: 30_000, entriesMax: 2 } });
    await expect(client.bid(bidRequest())).rejects.toThrow();
    await client.bid(bidRequest());
    for (const path of ['b', 'c']) await client.bid(bidRequest(page(path)));
    expect(seen).toHaveLength(4);
    await client.bid(bidRequest(page('c')));
    expect(seen).toHaveLength(4);
    await client.bid(bidRequest());
    expect(seen).toHaveLength(5);
  });
});

describe('activity events', () => {
  const ordOf = (one: Seen): unknown => (JSON.parse(one.body) as { ord?: unknown }).ord;
  const event = { actgid: 'a', event: 'purchased' };

  test('that are tried again count once: a call has one order reference, another call another', async () => {
    const recorded = new Map<unknown, number>();
    script = [failing(503), 'drop', { status: 202, body: { eventId: 'e', status: 'accepted' } }];
    const client = makeClient();
    await client.recordEvent(event);
    await client.recordEvent(event);
    expect(seen).toHaveLength(4);
    for (const one of seen) recorded.set(ordOf(one), (recorded.get(ordOf(one)) ?? 0) + 1);
    expect([...recorded.values()]).toEqual([3, 1]);
    expect([...recorded.keys()].every((ord) => typeof ord === 'string' && ord.length === 36)).toBe(true);
  });

  test('keep the order reference that they are given, and have none when it is null', async () => {
    script = [{ status: 202, body: { eventId: 'e', status: 'accepted' } }];
    await makeClient().recordEvent({ ...event, ord: 'order-1' });
    await makeClient().recordEvent({ ...event, ord: null });
    expect(seen.map(ordOf)).toEqual(['order-1', undefined]);
  });
});

describe('addresses and credentials', () => {
  test('staging has its prefix everywhere', async () => {
    script = [{ status: 200, body: { data: [] } }];
    const client = makeClient({ environment: 'staging' });
    await client.bid(bidRequest());
    await client.ads({ adUnit: 'a' });
    await client.recordEvent({ actgid: 'a', event: 'purchased' });
    await client.graphql('{ __typename }');
    await client.reports.load({ timeDimensions: [] });
    await client.reports.meta();
    expect(seen.map((one) => one.url)).toEqual([
      '/staging/1000/bid',
      '/staging/api/v1/ads',
      '/staging/api/v1/events',
      '/staging/graphql',
      '/staging/reports/1000/v1/load',
      '/staging/reports/1000/v1/meta',
    ]);
  });

  test('reports take header credentials where there are some, else the key', async () => {
    script = [{ status: 200, body: { data: [] } }];
    await makeClient().reports.load({ timeDimensions: [] });
    expect(seen[0]?.headers).toMatchObject({ 'x-internal-auth-login': 'l', 'x-internal-auth-token': 't' });
    expect(seen[0]?.headers['authorization']).toBeUndefined();
    const keyOnly = new PlacardClient({ network: '1000', coreUrl: base, apiKey: 'k' });
    await keyOnly.reports.load({ timeDimensions: [] });
    expect(seen[1]?.headers['authorization']).toBe('Bearer k');
  });

  test.each([
    ['plain HTTP', { deliveryUrl: 'http://ads.example' }],
    ['no address', { deliveryUrl: 'ads.example' }],
    ['a network that is not a number', { network: 'acme' }],
  ])('%s is refused when the client is made', (_name, over) => {
    expect(() => makeClient(over)).toThrow(PlacardInputError);
  });

  test('a missing setting is named when it is needed', async () => {
    const bare = new PlacardClient({ network: '1000' });
    await expect(bare.bid(bidRequest())).rejects.toThrow('deliveryUrl');
    await expect(bare.ads({ adUnit: 'a' })).rejects.toThrow(/deliveryUrl|apiKey/);
    await expect(bare.legacyReports.listDefinitions()).rejects.toThrow('credentials');
  });

  test('a report address on another server never gets the credentials', async () => {
    const task = { task_download_url: 'https://evil.example/reports/download/t/' };
    await expect(makeClient().legacyReports.download(task)).rejects.toThrow('evil.example');
  });
});

describe('signals', () => {
  const hangingOn = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

  test('a call releases its signal when it gets a response and when it fails', async () => {
    const { signal } = new AbortController();
    script = [ok];
    await makeClient().ads({ adUnit: 'a' }, { signal });
    expect(hangingOn(signal)).toBe(0);
    script = [failing(500)];
    await expect(makeClient().ads({ adUnit: 'a' }, { signal })).rejects.toThrow();
    expect(hangingOn(signal)).toBe(0);
  });

  test.each([
    ['is read to its end', async (stream: ReadableStream) => void (await new Response(stream).text())],
    ['is cancelled', (stream: ReadableStream) => stream.cancel()],
  ])('a download holds on to its signal until it %s', async (_how, finish) => {
    const { signal } = new AbortController();
    script = [{ status: 200, body: 'x'.repeat(200_000) }];
    const task = { task_download_url: `${base}/reports/download/t/` };
    const stream = await makeClient().legacyReports.download(task, { signal });
    expect(hangingOn(signal)).toBeGreaterThan(0);
    await finish(stream);
    expect(hangingOn(signal)).toBe(0);
  });
});

describe('GraphQL', () => {
  test('errors of a response are thrown with its data, whatever its status', async () => {
    const errors = [{ message: 'no such field', extensions: { code: 'x' } }];
    script = [{ status: 200, body: { data: { a: 1 }, errors } }];
    await expect(makeClient().graphql('{ a }')).rejects.toMatchObject({ errors, data: { a: 1 } });
    script = [{ status: 400, body: { errors } }];
    await expect(makeClient().graphql('{ a }')).rejects.toBeInstanceOf(PlacardGraphqlError);
    script = [{ status: 403, body: { error: 'insufficient_permissions', message: 'm', errors } }];
    await expect(makeClient().graphql('{ a }')).rejects.toMatchObject({
      code: 'insufficient_permissions',
      status: 403,
    });
  });

  test('a typed document carries the types of data and variables', async () => {
    script = [{ status: 200, body: { data: { network: { id: '1' } } } }];
    const document: { toString(): string; __apiType?: (variables: { id: string }) => { network: { id: string } } } = {
      toString: () => 'query ($id: ID!) { network(id: $id) { id } }',
    };
    const data = await makeClient().graphql(document, { id: '1' });
    expect(data.network.id).toBe('1');
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ variables: { id: '1' } });
  });

  test.each([
    ['a query', '# comment\nquery { a }', {}, 3],
    ['a mutation', 'mutation { a }', {}, 1],
    ['a mutation behind a fragment', 'fragment F on A { b }\nmutation { a { ...F } }', {}, 1],
    ['a mutation with an idempotency key', 'mutation { a }', { idempotencyKey: 'k1' }, 3],
  ])('%s that fails is sent again only where that is safe', async (_name, document, options, attempts) => {
    script = [failing(503)];
    await expect(makeClient().graphql(document, {}, options)).rejects.toMatchObject({ attempts });
    expect(seen).toHaveLength(attempts);
  });
});

describe('reports', () => {
  test('a query that still runs is asked for again', async () => {
    script = [
      { status: 200, body: { error: 'Continue wait' } },
      { status: 200, body: { data: [{ a: '1' }] } },
    ];
    expect(await makeClient().reports.load({ timeDimensions: [] })).toEqual({ data: [{ a: '1' }] });
    expect(seen).toHaveLength(2);
  });

  test('the sentence of a refused query is the error’s message', async () => {
    const body = { type: 'UserError', error: 'Every query needs a dateRange.', code: 'invalid_request' };
    script = [{ status: 400, body }];
    const call = makeClient().reports.load({ timeDimensions: [] });
    await expect(call).rejects.toThrow('invalid_request: Every query needs a dateRange. (HTTP 400)');
  });
});
