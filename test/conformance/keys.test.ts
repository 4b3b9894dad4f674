import { describe, expect, test } from 'vitest';
import { graphql, send, server } from './support/server.ts';

describe('API keys', () => {
  // Conformance: K2
  test('the value of a key names its environment and has a checksum, so that a mistyped value fails', async () => {
    expect(server.demo.keys.admin).toMatch(/^plc_live_[0-9A-Za-z]{38,}$/);
    expect(server.demo.keys.staging).toMatch(/^plc_test_[0-9A-Za-z]{38,}$/);
    const flipped = server.demo.keys.admin.slice(0, -1) + (server.demo.keys.admin.endsWith('a') ? 'b' : 'a');
    expect((await graphql('{ __typename }', { key: flipped })).status).toBe(401);
  });

  const protectedPosts: readonly (readonly [string, () => string, unknown])[] = [
    ['management', () => `${server.coreUrl}/graphql`, { query: '{ __typename }' }],
    ['ads', () => `${server.deliveryUrl}/api/v1/ads`, { network: '1000', adUnit: 'home/top', count: 1 }],
    [
      'events',
      () => `${server.deliveryUrl}/api/v1/events`,
      { network: '1000', actgid: 'demo-purchase', event: 'purchased', cost: '1', ord: 'x' },
    ],
  ];

  // Conformance: K8
  test.each(protectedPosts)(
    'a call that lacks an Authorization header gets 401 authentication_required (%s)',
    async (_name, url, json) => {
      const response = await send(url(), { json });
      expect(response.status).toBe(401);
      expect(response.json()).toMatchObject({
        error: 'authentication_required',
        message: 'Missing Authorization header',
      });
    },
  );

  // Conformance: K8
  test.each(protectedPosts)('a wrong key gets 401 invalid_credentials (%s)', async (_name, url, json) => {
    const response = await send(url(), { headers: { authorization: 'Bearer plc_live_nonsense' }, json });
    expect(response.status).toBe(401);
    expect(response.json()).toMatchObject({ error: 'invalid_credentials', message: 'Invalid or expired API key' });
  });

  // Conformance: K8
  test('a key of another module gets 403 insufficient_permissions', async () => {
    const response = await send(`${server.deliveryUrl}/api/v1/ads`, {
      headers: { authorization: `Bearer ${server.demo.keys.audience}` },
      json: { network: '1000', adUnit: 'home/top', count: 1 },
    });
    expect(response.status).toBe(403);
    expect(response.json()).toMatchObject({
      error: 'insufficient_permissions',
      message: 'Key lacks permission for the operation',
    });
  });

  // Conformance: K10
  test.each([...protectedPosts, ['reports', () => `${server.coreUrl}/reports/1000/v1/load`, { query: {} }] as const])(
    'bearer APIs send no CORS headers and refuse preflights (%s)',
    async (_name, url, json) => {
      const origin = { origin: 'https://elsewhere.example' };
      const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
      const preflight = await send(url(), { method: 'OPTIONS', headers: { ...origin, ...asked } });
      expect(preflight.status).toBe(405);
      for (const key of [server.demo.keys.admin, 'plc_live_nonsense']) {
        const response = await send(url(), { headers: { ...origin, authorization: `Bearer ${key}` }, json });
        for (const { headers } of [preflight, response])
          expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    },
  );

  // Conformance: E2
  test('a production key under /staging gets invalid_credentials, and a staging key in production too', async () => {
    expect((await graphql('{ __typename }', { key: server.demo.keys.admin, staging: true })).json()).toMatchObject({
      error: 'invalid_credentials',
    });
    expect((await graphql('{ __typename }', { key: server.demo.keys.staging })).json()).toMatchObject({
      error: 'invalid_credentials',
    });
    expect((await graphql('{ __typename }', { key: server.demo.keys.staging, staging: true })).status).toBe(200);
  });
});
