import { describe, expect, test } from 'vitest';
import type { HttpResponse } from '../support/http-client.ts';
import { graphql, load, send, server } from './support/server.ts';

const { networkId } = server.demo;
/** Each try uses its own new key or pair right away, so that no try waits for another. */
const TRIES = 15;

async function newKey(name: string): Promise<string> {
  const query = 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { value } }';
  const response = await graphql(query, { variables: { input: { name, permission: 'READ_WRITE' } } });
  return response.json<{ data: { createApiKey: { value: string } } }>().data.createApiKey.value;
}

async function newPair(name: string): Promise<Record<string, string>> {
  const query = 'mutation ($name: String!) { createHeaderCredential(name: $name) { login token } }';
  const response = await graphql(query, { variables: { name } });
  const { login, token } = response.json<{ data: { createHeaderCredential: { login: string; token: string } } }>().data
    .createHeaderCredential;
  return { 'x-internal-auth-login': login, 'x-internal-auth-token': token, 'content-type': 'application/json' };
}

function ads(key: string): Promise<HttpResponse> {
  const json = { network: networkId, adUnit: 'home/top', count: 1 };
  // A new connection, which any worker may accept.
  return send(`${server.deliveryUrl}/api/v1/ads`, {
    headers: { authorization: `Bearer ${key}`, connection: 'close' },
    json,
  });
}

// Conformance: K6
describe('new credentials', () => {
  // Conformance: K6
  test(`each of ${TRIES} new keys works at once, on both ports and all workers`, async () => {
    const statuses: number[] = [];
    for (let count = 0; count < TRIES; count += 1) {
      const key = await newKey(`arrival ${count}`);
      const responses = await Promise.all([ads(key), ads(key), graphql('{ me { name } }', { key })]);
      statuses.push(...responses.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  }, 120_000);

  // Conformance: K6
  test('each of 10 new login/token pairs works at once', async () => {
    const query = { measures: ['campaign_overview.impressions'], timeDimensions: [] };
    for (let count = 0; count < 10; count += 1) {
      const headers = await newPair(`arrival ${count}`);
      // Statuses of an authenticated request with a fault.
      expect((await load(query, headers)).status).toBe(400);
    }
  }, 120_000);
});

// Conformance: L2
describe('rate-limit headers', () => {
  const tooLarge = 'x'.repeat(9 * 1_048_576);
  const own = { authorization: `Bearer ${server.demo.keys.admin}` };
  const delivery = server.deliveryUrl;
  const core = server.coreUrl;
  // Conformance: L2
  test.each<[string, number, () => Promise<HttpResponse>]>([
    ['ads: body too large', 413, () => send(`${delivery}/api/v1/ads`, { headers: own, body: tooLarge })],
    ['ads: no JSON', 400, () => send(`${delivery}/api/v1/ads`, { headers: own, body: '{' })],
    [
      'ads: bad UTF-8 type',
      415,
      () => send(`${delivery}/api/v1/ads`, { headers: { ...own, 'content-type': 'text/csv' }, body: 'a' }),
    ],
    ['ads: wrong method', 405, () => send(`${delivery}/api/v1/ads`, { method: 'PUT', headers: own, body: '{}' })],
    [
      'ads: unknown ad unit',
      404,
      () => send(`${delivery}/api/v1/ads`, { headers: own, json: { network: networkId, adUnit: 'no/such', count: 1 } }),
    ],
    ['events: body too large', 413, () => send(`${delivery}/api/v1/events`, { headers: own, body: tooLarge })],
    ['events: wrong method', 405, () => send(`${delivery}/api/v1/events`, { method: 'DELETE', headers: own })],
    ['events: bad input', 400, () => send(`${delivery}/api/v1/events`, { headers: own, json: {} })],
    ['delivery: no such address', 404, () => send(`${delivery}/api/v1/nothing`, { headers: own, json: {} })],
    ['management: body too large', 413, () => send(`${core}/graphql`, { headers: own, body: tooLarge })],
    ['management: no JSON', 400, () => send(`${core}/graphql`, { headers: own, body: '{' })],
    [
      'management: wrong type',
      415,
      () => send(`${core}/graphql`, { headers: { ...own, 'content-type': 'text/csv' }, body: 'a' }),
    ],
    ['management: wrong method', 405, () => send(`${core}/graphql`, { method: 'DELETE', headers: own })],
    ['core: no such address', 404, () => send(`${core}/api/nothing`, { headers: own, json: {} })],
    ['reports: bad query', 400, () => load({ measures: ['no.such'] }, own)],
    [
      'reports: wrong method',
      405,
      () => send(`${core}/reports/${networkId}/v1/load`, { method: 'PUT', headers: own, body: '{}' }),
    ],
    ['reports: no such address', 404, () => send(`${core}/reports/${networkId}/v1/nothing`, { headers: own })],
  ])('%s (%i) has rate-limit headers', async (_what, status, ask) => {
    const response = await ask();
    expect(response.status).toBe(status);
    expectLimitHeaders(response);
  });

  // Conformance: L2
  test('403 ip_not_allowed has rate-limit headers on both ports, and does not use up the limit of the network', async () => {
    const query = 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { value } }';
    const input = { name: 'elsewhere', permission: 'READ_WRITE', ipAllowlist: ['203.0.113.0/24'] };
    const made = await graphql(query, { variables: { input } });
    const key = made.json<{ data: { createApiKey: { value: string } } }>().data.createApiKey.value;
    for (const response of [await ads(key), await graphql('{ me { name } }', { key })]) {
      expect(response.status).toBe(403);
      expect(response.json()).toMatchObject({ error: 'ip_not_allowed' });
      expectLimitHeaders(response);
    }
  });

  // Conformance: L2
  test('a response to an unknown key has no rate-limit headers', async () => {
    const headers = { authorization: `Bearer ${server.demo.keys.admin.slice(0, -1)}!` };
    const response = await send(`${delivery}/api/v1/ads`, { headers, json: {} });
    expect(response.status).toBe(401);
    expect(response.headers['x-ratelimit-limit']).toBeUndefined();
  });
});

function expectLimitHeaders({ headers }: HttpResponse): void {
  expect(Number(headers['x-ratelimit-limit'])).toBeGreaterThan(0);
  expect(Number(headers['x-ratelimit-remaining'])).toBeGreaterThan(0);
  expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThan(Date.now() / 1_000 - 5);
}
