import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bid, bidBody, credentialHeaders, graphql, send, server } from './support/server.ts';

const plain = (url: string): string => url.replace('https:', 'http:');

describe('transport and errors', () => {
  // Conformance: T1
  test('both ports respond over TLS with a certificate of the installation’s own authority', async () => {
    expect((await send(`${server.coreUrl}/healthz`)).status).toBe(200);
    expect((await send(`${server.deliveryUrl}/healthz`)).status).toBe(200);
    if (server.demo.caFile !== null) expect(server.ca).toContain('BEGIN CERTIFICATE');
  });

  // Conformance: T2
  test.each([
    ['the management API', () => `${server.coreUrl}/graphql`],
    ['the Reports API', () => `${server.coreUrl}/reports/1000/v1/meta`],
    ['the bid endpoint', () => `${server.deliveryUrl}/1000/bid`],
    ['the ad request API', () => `${server.deliveryUrl}/api/v1/ads`],
  ])('a plain-HTTP request to %s gets 403 https_required', async (_name, url) => {
    const response = await send(plain(url()), {
      method: 'POST',
      body: '{}',
      headers: { authorization: 'Bearer secret' },
    });
    expect(response.status).toBe(403);
    expect(response.json()).toMatchObject({ error: 'https_required', message: expect.any(String) });
    expect(response.headers.location).toBeUndefined();
  });

  // Conformance: T3
  test('an error body has a stable code and a message', async () => {
    expect((await bid({})).json()).toEqual(
      expect.objectContaining({ error: 'invalid_request', message: expect.stringMatching(/id/) }),
    );
  });

  // Conformance: T4
  test.each([
    ['core', () => `${server.coreUrl}/no/such/thing`],
    ['delivery', () => `${server.deliveryUrl}/no/such/thing/at/all`],
  ])('an unknown path on %s gets 404 not_found', async (_name, url) => {
    const response = await send(url());
    expect(response.status).toBe(404);
    expect(response.json()).toMatchObject({ error: 'not_found' });
  });

  // Conformance: T4
  test.each([
    ['the bid endpoint', 'DELETE', () => `${server.deliveryUrl}/1000/bid`],
    ['the ad request API', 'GET', () => `${server.deliveryUrl}/api/v1/ads`],
    ['the Reports API', 'DELETE', () => `${server.coreUrl}/reports/1000/v1/load`],
  ])('a wrong method on %s gets 405 with Allow', async (_name, method, url) => {
    const response = await send(url(), { method });
    expect(response.status).toBe(405);
    expect(response.json()).toMatchObject({ error: 'method_not_allowed' });
    expect(response.headers.allow).toMatch(/[A-Z]+/);
  });

  const bearer = (): Record<string, string> => ({
    authorization: `Bearer ${server.demo.keys.admin}`,
    'content-type': 'application/json',
  });
  const endpoints: readonly (readonly [string, () => string, () => Record<string, string>])[] = [
    ['the bid endpoint', () => `${server.deliveryUrl}/1000/bid`, () => ({ 'content-type': 'application/json' })],
    ['the ad request API', () => `${server.deliveryUrl}/api/v1/ads`, bearer],
    ['the activity pixel API', () => `${server.deliveryUrl}/api/v1/events`, bearer],
    ['the management API', () => `${server.coreUrl}/graphql`, bearer],
    [
      'the Reports API',
      () => `${server.coreUrl}/reports/1000/v1/load`,
      () => ({ ...credentialHeaders(), 'content-type': 'application/json' }),
    ],
  ];
  const broken: readonly (readonly [string, string | Buffer])[] = [
    ['no body', ''],
    ['cut JSON', '{"id":'],
    ['a list', '[]'],
    ['a number', '7'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['wrong types', '{"id":{},"imp":"x","site":7,"network":[],"adUnit":{},"count":"many","query":{"measures":7}}'],
    ['65 levels', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`],
  ];
  // Conformance: T4
  test.each(
    endpoints.flatMap(([name, url, headers]) =>
      broken.map(([what, body]) => [name, what, url, headers, body] as const),
    ),
  )('the %s endpoint returns a 4xx that names the fault for %s', async (_name, _what, url, headers, body) => {
    const response = await send(url(), { method: 'POST', headers: headers(), body });
    expect([400, 415, 422]).toContain(response.status);
    expect(response.json<{ message?: string; error?: string; errors?: unknown }>()).toSatisfy(
      (problem: { error?: string; errors?: unknown }) => problem.error !== undefined || problem.errors !== undefined,
    );
  });

  // Conformance: T5
  test.each(endpoints.filter(([name]) => name !== 'the management API'))(
    'a body of 2 MB to %s gets 413',
    async (_name, url, headers) => {
      const response = await send(url(), {
        method: 'POST',
        headers: headers(),
        body: JSON.stringify({ junk: 'x'.repeat(2 * 1024 * 1024) }),
      });
      expect(response.status).toBe(413);
      expect(response.json()).toMatchObject({ error: 'payload_too_large' });
    },
  );

  // Conformance: T5
  test('the management API accepts at most 8 MiB', async () => {
    const post = (bytes: number) =>
      send(`${server.coreUrl}/graphql`, {
        headers: bearer(),
        body: JSON.stringify({ query: '{ __typename }', variables: { junk: 'x'.repeat(bytes) } }),
      });
    expect((await post(7 * 1024 * 1024)).status).toBe(200);
    expect((await post(8 * 1024 * 1024)).status).toBe(413);
  });

  // Conformance: T5
  test('a bid request has 1 to 100 imps, and an ad request a count of 1 to 20', async () => {
    const imps = (count: number): unknown[] =>
      Array.from({ length: count }, (_none, index) => ({ id: `i${index}`, banner: { format: [{ w: 300, h: 250 }] } }));
    expect([200, 204]).toContain((await bid(bidBody({ imp: imps(100) }))).status);
    const over = await bid(bidBody({ imp: imps(101) }));
    expect([over.status, over.json<{ message: string }>().message]).toEqual([400, expect.stringContaining('100')]);
    const ads = (count: number) =>
      send(`${server.deliveryUrl}/api/v1/ads`, {
        headers: bearer(),
        json: { network: '1000', adUnit: 'home/top', count },
      });
    expect((await ads(20)).status).toBe(200);
    expect((await ads(21)).status).toBe(400);
  });

  // Conformance: T5
  test('a gzip body that inflates beyond 8 MiB is refused', async () => {
    const response = await send(`${server.deliveryUrl}/1000/bid`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(9 * 1024 * 1024, 32)),
    });
    expect(response.status).toBe(413);
  });

  // Conformance: T4
  test('a body of an undeclared type gets 415', async () => {
    const response = await send(`${server.deliveryUrl}/api/v1/ads`, {
      method: 'POST',
      headers: { ...bearer(), 'content-type': 'text/xml' },
      body: '<a/>',
    });
    expect(response.status).toBe(415);
  });

  // Conformance: T6
  test('every response carries X-Request-Id, with the value of the caller when it is valid', async () => {
    expect((await send(`${server.coreUrl}/healthz`)).headers['x-request-id']).toMatch(/\S{8,}/);
    expect((await bid(bidBody(), { headers: { 'x-request-id': 'trace-17' } })).headers['x-request-id']).toBe(
      'trace-17',
    );
  });

  // Conformance: T6
  test('garbage on a connection ends only that connection', async () => {
    const { hostname, port } = new URL(server.deliveryUrl);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.end('\x00\x01garbage\r\n\r\n'));
      socket.on('error', () => {});
      socket.on('close', () => resolve());
      socket.resume();
    });
    expect((await send(`${server.deliveryUrl}/healthz`)).status).toBe(200);
  });

  // Conformance: T7
  test('a large response is compressed for a client that accepts compression, and plain for others', async () => {
    const zipped = await send(`${server.coreUrl}/reports/1000/v1/meta`, {
      headers: { ...credentialHeaders(), 'accept-encoding': 'gzip' },
    });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    const bare = await send(`${server.coreUrl}/reports/1000/v1/meta`, { headers: credentialHeaders() });
    expect(bare.headers['content-encoding']).toBeUndefined();
    expect((await graphql('{ __typename }')).status).toBe(200);
  });
});
