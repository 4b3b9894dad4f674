import { randomInt } from 'node:crypto';
import { request } from 'node:https';
import { describe, expect, test } from 'vitest';
import type { HttpResponse } from '../support/http-client.ts';
import { bidBody, credentialHeaders, eventually, graphql, load, send, server, todayRange } from './support/server.ts';

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
  readonly permission: string;
  readonly modules: string[] | null;
  readonly expiresAt: string | null;
}

const LIST = '{ apiKeys { id name prefix lastFour createdAt lastUsedAt permission modules expiresAt } }';
const { networkId } = server.demo;

async function data<T>(response: Promise<HttpResponse>): Promise<T> {
  const body = (await response).json<{ data?: T; errors?: unknown }>();
  expect(body.errors).toBeUndefined();
  return body.data as T;
}

async function newKey(input: Record<string, unknown> = {}): Promise<{ id: string; value: string }> {
  const query = 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { value apiKey { id } } }';
  const variables = { input: { name: 'conformance', permission: 'READ_ONLY', ...input } };
  const { createApiKey } = await data<{ createApiKey: { value: string; apiKey: { id: string } } }>(
    graphql(query, { variables }),
  );
  const made = { id: createApiKey.apiKey.id, value: createApiKey.value };
  await eventually(
    () => ads(made.value),
    (response) => response.status !== 401,
  );
  return made;
}

const revoke = (id: string): Promise<HttpResponse> =>
  graphql(`mutation { revokeApiKey(id: "${id}") { id revokedAt } }`);

function ads(key: string): Promise<HttpResponse> {
  const json = { network: networkId, adUnit: 'home/top', count: 1 };
  return send(`${server.deliveryUrl}/api/v1/ads`, { headers: { authorization: `Bearer ${key}` }, json });
}

/** An address of this machine that neither an earlier test nor another run on the same server has used. */
function freshSource(): string {
  return `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
}

/** Sends from another address of this machine, so that its failures do not count for other tests. */
function sendFrom(
  localAddress: string,
  key: string | null,
  more: Readonly<Record<string, string>> = {},
): Promise<{ status: number; retryAfter: string | undefined; text: string }> {
  const url = `${server.deliveryUrl.replace('localhost', '127.0.0.1')}/api/v1/ads`;
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
  const headers = { ...authorization, ...more, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const ca = server.ca === null ? {} : { ca: server.ca };
    const call = request(url, { method: 'POST', localAddress, headers, servername: 'localhost', ...ca }, (response) => {
      response.toArray().then((chunks: Buffer[]) => {
        const { statusCode: status = 0, headers: received } = response;
        resolve({ status, retryAfter: received['retry-after'], text: Buffer.concat(chunks).toString() });
      }, reject);
    });
    call.on('error', reject);
    call.end(JSON.stringify({ network: networkId, adUnit: 'home/top', count: 1 }));
  });
}

describe('API keys are created and revoked', () => {
  // Conformance: K1, K2, K3
  test('a key has its fields, its value is shown once, and the listing never has it', async () => {
    const expiresAt = '2099-01-01T00:00:00.000Z';
    const key = await newKey({ name: 'listed', permission: 'READ_WRITE', modules: ['DELIVERY', 'REPORTS'], expiresAt });
    const response = await graphql(LIST);
    const listed = response.json<{ data: { apiKeys: Listed[] } }>().data.apiKeys.find((one) => one.id === key.id);
    expect(listed).toMatchObject({
      name: 'listed',
      permission: 'READ_WRITE',
      modules: ['DELIVERY', 'REPORTS'],
      expiresAt,
    });
    expect(Date.now() - Date.parse(listed?.createdAt ?? '')).toBeLessThan(60_000);
    expect(key.value.startsWith(listed?.prefix ?? '-') && key.value.endsWith(listed?.lastFour ?? '-')).toBe(true);
    expect(response.text).not.toContain(key.value);
  });

  // Conformance: K3
  test('the last use of a key is at most 60 s behind', async () => {
    const key = await newKey({ modules: ['DELIVERY'] });
    expect((await ads(key.value)).status).toBe(200);
    const find = async (): Promise<Listed | undefined> =>
      (await data<{ apiKeys: Listed[] }>(graphql(LIST))).apiKeys.find((one) => one.id === key.id);
    const listed = await eventually(find, (one) => (one?.lastUsedAt ?? null) !== null, 60_000);
    expect(Date.now() - Date.parse(listed?.lastUsedAt ?? '')).toBeLessThan(60_000);
  }, 120_000);

  // Conformance: K4
  test('a read-only key reads and changes nothing, a read-write key creates, and neither manages keys', async () => {
    const create = 'mutation { createAdvertiser(input: { name: "K4" }, validateOnly: true) { __typename } }';
    const cases = [
      ['readOnly', '{ campaigns(first: 1) { totalCount } }', 200],
      ['readOnly', create, 403],
      ['readWrite', create, 200],
      ['readWrite', LIST, 403],
      ['admin', LIST, 200],
    ] as const;
    for (const [key, query, status] of cases) {
      const response = await graphql(query, { key: server.demo.keys[key] });
      expect([key, query, response.status]).toEqual([key, query, status]);
    }
  });

  // Conformance: K5
  test.each([
    ['delivery', 'campaigns', 200],
    ['delivery', 'sites', 200],
    ['delivery', 'activities', 403],
    ['inventory', 'sites', 200],
    ['inventory', 'campaigns', 403],
    ['audience', 'activities', 200],
    ['audience', 'campaigns', 403],
    ['reports', 'campaigns', 403],
  ] as const)('a key of the module %s that requests %s gets %i', async (key, field, status) => {
    const response = await graphql(`{ ${field}(first: 1) { totalCount } }`, { key: server.demo.keys[key] });
    expect(response.status).toBe(status);
    if (status === 403) expect(response.json()).toMatchObject({ error: 'insufficient_permissions' });
  });

  // Conformance: K5
  test.each([
    ['over a link', '{ floors(first: 1) { nodes { deal { code } } } }'],
    [
      'behind fragments',
      '{ ...A } fragment A on Query { floors(first: 1) { nodes { ... on Floor { ...B } } } } fragment B on Floor { deal { lineItems { nodes { price } } } }',
    ],
  ])('a key of the module inventory cannot read deals and line items %s', async (_how, query) => {
    const response = await graphql(query, { key: server.demo.keys.inventory });
    expect([response.status, response.json<{ error: string }>().error]).toEqual([403, 'insufficient_permissions']);
    expect((await graphql(query)).status).toBe(200);
  });

  // Conformance: E1, K4
  test.each([
    'mutation { inviteUser(email: "x@example.com", role: ADMIN) { id } }',
    'mutation { updateNetwork(input: {status: PAUSED}) { id } }',
    '{ users { email } }',
    '{ auditLog(first: 1) { totalCount } }',
  ])('an admin key of staging does not reach what both environments share: %s', async (query) => {
    const response = await graphql(query, { key: server.demo.keys.staging, staging: true });
    expect([response.status, response.json<{ error: string }>().error]).toEqual([403, 'insufficient_permissions']);
  });

  // Conformance: K6
  test('a revoked key fails within a second, on the core and on every worker', async () => {
    const key = await newKey({ modules: ['DELIVERY'] });
    expect((await ads(key.value)).status).toBe(200);
    expect((await revoke(key.id)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const responses = await Promise.all(Array.from({ length: 12 }, () => ads(key.value)));
    for (const response of responses)
      expect(response.json()).toMatchObject({ error: 'invalid_credentials', message: 'Invalid or expired API key' });
    expect((await graphql('{ __typename }', { key: key.value })).status).toBe(401);
  });

  // Conformance: K6
  test('an expired key fails from the instant of its expiry', async () => {
    const expiresAtMs = Date.now() + 2_500;
    const key = await newKey({ modules: ['DELIVERY'], expiresAt: new Date(expiresAtMs).toISOString() });
    expect((await ads(key.value)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, expiresAtMs - Date.now() + 5));
    expect((await ads(key.value)).json()).toMatchObject({ error: 'invalid_credentials' });
  });

  // Conformance: K7
  test('an object of another network looks absent', async () => {
    const response = await graphql('{ network(id: 2000) { id } campaign(id: "999999999") { id } }');
    expect(response.json()).toMatchObject({ data: { network: null, campaign: null } });
  });

  // Conformance: K9
  test('a key with an allowlist is refused from other addresses', async () => {
    const key = await newKey({ modules: ['DELIVERY'], ipAllowlist: ['192.0.2.0/24'] });
    const response = await ads(key.value);
    expect([response.status, response.json<{ error: string }>().error]).toEqual([403, 'ip_not_allowed']);
  });

  // Conformance: K11
  test('revoking twice succeeds, and revoking an unknown id fails', async () => {
    const key = await newKey();
    expect((await revoke(key.id)).status).toBe(200);
    expect((await revoke(key.id)).json()).toMatchObject({ data: { revokeApiKey: { id: key.id } } });
    expect((await revoke('999999999')).text).toContain('not_found');
  });
});

describe('header credentials', () => {
  const query = {
    measures: ['campaign_overview.impressions'],
    timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: todayRange() }],
  };
  const meta = (headers: Record<string, string>, network = networkId): Promise<HttpResponse> =>
    send(`${server.demo.urls.reportsApi}/${network}/v1/meta`, { headers });

  // Conformance: H1
  test('a credential pair opens the Reports API, the legacy operations and the download, and nothing else', async () => {
    expect((await load(query)).status).toBe(200);
    expect((await meta(credentialHeaders())).status).toBe(200);
    const ask = (asked: string) =>
      send(`${server.coreUrl}/graphql`, { headers: credentialHeaders(), json: { query: asked } });
    expect((await ask('{ report_defs { edges { report_definition_name } } }')).status).toBe(200);
    const missing = `${server.demo.urls.reportsDownload}/Abcdefghijklmnopqrstuvwxyz0123456789/`;
    expect((await send(missing, { headers: credentialHeaders() })).status).toBe(404);
    expect((await send(missing)).status).toBe(401);
    for (const closed of ['{ campaigns(first: 1) { totalCount } }', '{ network(id: 1000) { id } }', LIST])
      expect([closed, (await ask(closed)).status]).toEqual([closed, 401]);
  });

  // Conformance: H2
  test('a request without a pair gets authentication_required, and a wrong or foreign pair gets invalid_credentials', async () => {
    const { login } = server.demo.credentials;
    const missing = await meta({});
    expect([missing.status, missing.json<{ error: string }>().error]).toEqual([401, 'authentication_required']);
    const half = await meta({ 'x-internal-auth-login': login });
    expect([half.status, half.json<{ error: string }>().error]).toEqual([401, 'authentication_required']);
    const wrong = await meta({ 'x-internal-auth-login': login, 'x-internal-auth-token': 'nonsense' });
    expect([wrong.status, wrong.json<{ error: string }>().error]).toEqual([401, 'invalid_credentials']);
    const foreign = await meta(credentialHeaders(), '2000');
    expect([foreign.status, foreign.json<{ error: string }>().error]).toEqual([401, 'invalid_credentials']);
  });

  // Conformance: H3
  test('a new pair that is disabled fails within a second', async () => {
    const made = await data<{ createHeaderCredential: { id: string; login: string; token: string } }>(
      graphql('mutation { createHeaderCredential(name: "BI") { id login token } }'),
    );
    const { id, login, token } = made.createHeaderCredential;
    const headers = { 'x-internal-auth-login': login, 'x-internal-auth-token': token };
    expect(
      (
        await eventually(
          () => meta(headers),
          (response) => response.status === 200,
        )
      ).status,
    ).toBe(200);
    await data(graphql(`mutation { disableHeaderCredential(id: "${id}") { id } }`));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await meta(headers)).json()).toMatchObject({ error: 'invalid_credentials' });
  });

  // Conformance: H4
  test('the Reports API also accepts a key of the module REPORTS, and a bare key as Cube sends it', async () => {
    expect((await meta({ authorization: `Bearer ${server.demo.keys.reports}` })).status).toBe(200);
    expect((await meta({ authorization: server.demo.keys.reports })).status).toBe(200);
    expect((await meta({ authorization: `Bearer ${server.demo.keys.delivery}` })).status).toBe(403);
    expect((await meta({ authorization: 'undefined', ...credentialHeaders() })).status).toBe(200);
  });

  // Conformance: H4
  test('a request with both schemes needs both to be valid', async () => {
    const headers = { authorization: 'Bearer plc_live_nonsense', ...credentialHeaders() };
    expect((await meta(headers)).json()).toMatchObject({ error: 'invalid_credentials' });
    const both = { authorization: `Bearer ${server.demo.keys.reports}`, ...credentialHeaders() };
    expect((await meta(both)).status).toBe(200);
  });

  // Conformance: H4
  test('the console session of a member opens the Reports API from its own origin only', async () => {
    const { email, password } = server.demo.account;
    const signedIn = await send(`${server.coreUrl}/auth/sign-in`, { json: { email, password } });
    expect(signedIn.status).toBe(200);
    const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? '';
    expect((await meta({ cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    const foreign = await meta({ cookie, 'sec-fetch-site': 'cross-site' });
    expect([foreign.status, foreign.json<{ error: string }>().error]).toEqual([403, 'csrf_refused']);
  });
});

describe('environments', () => {
  // Conformance: E1, E2
  test('staging has its own data, under /staging', async () => {
    const production = await data<{ campaigns: { nodes: { id: string }[] } }>(
      graphql('{ campaigns(first: 100) { nodes { id } } }'),
    );
    const options = { key: server.demo.keys.staging, staging: true };
    const staging = await data<{ campaigns: { nodes: { id: string }[] } }>(
      graphql('{ campaigns(first: 100) { nodes { id } } }', options),
    );
    const ids = new Set(production.campaigns.nodes.map((one) => one.id));
    expect(staging.campaigns.nodes.length).toBeGreaterThan(0);
    for (const { id } of staging.campaigns.nodes) expect(ids.has(id)).toBe(false);
    const bid = await send(`${server.deliveryUrl}/staging/${networkId}/bid`, { json: bidBody() });
    expect([200, 204]).toContain(bid.status);
  });

  // Conformance: E3
  test('the demo network has id 1000', () => {
    expect(networkId).toBe('1000');
  });
});

describe('limits as clients see them', () => {
  // Conformance: L1, L2
  test.each([
    ['management', () => graphql('{ __typename }'), '500000'],
    ['ads', () => ads(server.demo.keys.delivery), '10000'],
    [
      'reports',
      () => send(`${server.demo.urls.reportsApi}/${networkId}/v1/meta`, { headers: credentialHeaders() }),
      '500000',
    ],
    ['an error', () => graphql(LIST, { key: server.demo.keys.readOnly }), '500000'],
    [
      'a bad ad request',
      () =>
        send(`${server.deliveryUrl}/api/v1/ads`, {
          headers: { authorization: `Bearer ${server.demo.keys.delivery}` },
          json: {},
        }),
      '10000',
    ],
  ] as const)('%s responses carry the limit, the remainder and the time of the reset', async (_title, ask, limit) => {
    const { headers } = await ask();
    expect(headers['x-ratelimit-limit']).toBe(limit);
    expect(Number(headers['x-ratelimit-remaining'])).toBeLessThan(Number(limit));
    expect(Number(headers['x-ratelimit-remaining'])).toBeGreaterThan(0);
    expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThanOrEqual(Math.floor(Date.now() / 1000));
  });

  // Conformance: L5
  test('the 101st failure of one address within 5 minutes gets 429, and a good key from there still passes', async () => {
    const source = freshSource();
    const statuses: number[] = [];
    for (let count = 0; count < 100; count += 1) statuses.push((await sendFrom(source, 'plc_live_nonsense')).status);
    expect(new Set(statuses)).toEqual(new Set([401]));
    const refused = await sendFrom(source, 'plc_live_nonsense');
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.text)).toMatchObject({
      error: 'rate_limit_exceeded',
      limit: 100,
      reset: expect.any(Number),
    });
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);
    expect((await sendFrom(source, server.demo.keys.delivery)).status).toBe(200);
  });

  // Conformance: L5, H2
  test('wrong login/token pairs of one address count alike', async () => {
    const source = freshSource();
    const statuses: number[] = [];
    for (let count = 0; count < 101; count += 1) {
      const headers = { 'x-internal-auth-login': 'guess', 'x-internal-auth-token': `guess-${count}` };
      statuses.push((await sendFrom(source, null, headers)).status);
    }
    expect([statuses.slice(0, 100).every((status) => status === 401), statuses[100]]).toEqual([true, 429]);
  });
});

describe('audit', () => {
  const log = async (
    filter: string,
  ): Promise<{ actor: string; action: string; remoteAddress: string; details: Record<string, unknown> }[]> => {
    const response = await data<{ auditLog: { nodes: [] } }>(
      graphql(`{ auditLog(first: 50, filter: ${filter}) { nodes { actor action remoteAddress details } } }`),
    );
    return response.auditLog.nodes;
  };

  // Conformance: U1, U2
  test('creating and revoking a key is recorded with the actor and address, and without the value', async () => {
    const key = await newKey({ name: 'audited' });
    await revoke(key.id);
    const entries = await log(`{ objectKind: "apiKey", objectId: "${key.id}" }`);
    expect(entries.map((entry) => entry.action)).toContain('apiKey.create');
    expect(entries.map((entry) => entry.action)).toContain('apiKey.revoke');
    expect(entries[0]?.actor).toMatch(/^key:\d+ /);
    expect(entries[0]?.remoteAddress).toMatch(/^(127\.0\.0\.1|::1)$/);
    expect(JSON.stringify(entries)).not.toContain(key.value);
  });

  // Conformance: U1
  test('good and bad authentication attempts are recorded', async () => {
    const key = await newKey({ modules: ['DELIVERY'] });
    await ads(key.value);
    await revoke(key.id);
    await eventually(
      () => ads(key.value),
      (response) => response.status === 401,
    );
    const good = await eventually(
      () => log(`{ action: "auth.success", objectId: "${key.id}" }`),
      (found) => found.length > 0,
    );
    expect(good[0]?.actor).toContain(`key:${key.id} `);
    const bad = await eventually(
      () => log(`{ action: "auth.failure", actor: "${key.value.slice(0, 12)}" }`),
      (found) => found.length > 0,
    );
    expect(bad[0]?.details).toMatchObject({ reason: 'revoked' });
  });
});
