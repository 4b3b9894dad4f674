/** A server behind a proxy that ends TLS, set up by the operator's command line: T2, K9, K11, U2, and access to metrics. */
import { request } from 'node:http';
import { Client as Postgres } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LeanPlacard, startLeanPlacard } from '../support/lean-placard.ts';
import { eventually } from './support/eventually.ts';
import { runCli } from './support/run-cli.ts';

const CLIENT = '198.51.100.7';
let server: LeanPlacard;
let dataDir: string;
let key: { id: string; value: string };

beforeAll(async () => {
  const env = {
    PLACARD_TLS: 'proxy',
    PLACARD_TRUSTED_PROXIES: '127.0.0.1',
    PLACARD_BIND: '127.0.0.1',
  };
  server = await startLeanPlacard(env);
  ({ dataDir } = server);
  await runCli(dataDir, ['networks', 'create', '--id', '2000', '--name', 'Behind']);
  const wish = ['keys', 'create', '-n', '2000', '--name', 'proxied', '--permission', 'admin'];
  key = await runCli(dataDir, [...wish, '--allow', `${CLIENT},2001:db8::/32`]);
  await eventually(
    () => graphql({ 'x-forwarded-for': CLIENT }),
    ({ status }) => status === 200,
  );
}, 300_000);

afterAll(async () => {
  await server?.remove();
}, 120_000);

interface HttpResponse {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly text: string;
}

function send(
  port: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  { body, from = '127.0.0.1' }: { body?: unknown; from?: string } = {},
): Promise<HttpResponse> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const method = text === undefined ? 'GET' : 'POST';
  const json = text === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, path, method, headers: { ...json, ...headers }, localAddress: from },
      (response) => {
        response.toArray().then((chunks: Buffer[]) => {
          const received = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.startsWith('application/json') === true;
          const parsed = isJson ? (JSON.parse(received) as Record<string, unknown>) : {};
          resolve({ status: response.statusCode ?? 0, body: parsed, text: received });
        }, reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}

const corePort = (): string => new URL(server.coreUrl).port;
const deliveryPort = (): string => new URL(server.deliveryUrl).port;

function graphql(headers: Readonly<Record<string, string>>, from?: string): Promise<HttpResponse> {
  const sent = { authorization: `Bearer ${key.value}`, 'x-forwarded-proto': 'https', ...headers };
  return send(corePort(), '/graphql', sent, {
    body: { query: '{ __typename }' },
    ...(from === undefined ? {} : { from }),
  });
}

// Conformance: T2
describe('the service behind a proxy', () => {
  test.each([
    ['the core', corePort, '/graphql'],
    ['delivery', deliveryPort, '/api/v1/ads'],
  ])('%s accepts HTTPS that a trusted proxy ended, and refuses plain HTTP', async (_which, port, path) => {
    const headers = { authorization: 'Bearer nonsense' };
    for (const more of [{}, { 'x-forwarded-proto': 'http' }, { 'x-forwarded-proto': 'https, http' }]) {
      const plain = await send(port(), path, { ...headers, ...more }, { body: {} });
      expect([plain.status, plain.body['error']]).toEqual([403, 'https_required']);
    }
    const secure = await send(port(), path, { ...headers, 'x-forwarded-proto': 'https' }, { body: {} });
    expect([secure.status, secure.body['error']]).toEqual([401, 'invalid_credentials']);
    const untrusted = { ...headers, 'x-forwarded-proto': 'https' };
    const foreign = await send(port(), path, untrusted, { body: {}, from: '127.0.0.9' });
    expect([foreign.status, foreign.body['error']]).toEqual([403, 'https_required']);
  });

  // Conformance: T2
  test('health is served over plain HTTP, and only this machine gets metrics and reasons', async () => {
    for (const port of [corePort(), deliveryPort()]) {
      expect((await send(port, '/healthz', {})).status).toBe(200);
      expect((await send(port, '/metrics', {})).text).toContain('placard_');
      for (const headers of [{ 'x-forwarded-proto': 'https' }, { 'x-forwarded-for': '127.0.0.1' }, { via: '1.1 x' }])
        expect((await send(port, '/metrics', headers)).status).toBe(404);
    }
  });
});

// Conformance: K9
describe('the allowlist looks at the client that the proxy names', () => {
  test.each([
    [CLIENT, 200],
    [`::ffff:${CLIENT}`, 200],
    [`203.0.113.5, ${CLIENT}`, 200],
    ['2001:db8::7', 200],
    [`${CLIENT}, 203.0.113.5`, 403],
    ['203.0.113.5', 403],
    ['127.0.0.1', 403],
    ['nonsense', 403],
    ['', 403],
  ])('a client with X-Forwarded-For %j gets %i', async (chain, status) => {
    const response = await graphql({ 'x-forwarded-for': chain });
    expect([response.status, response.body['error']]).toEqual([status, status === 200 ? undefined : 'ip_not_allowed']);
  });
});

// Conformance: K11, U2
describe('the command line and the log', () => {
  // Conformance: U2
  test('the log refuses changes by the service and by the owner of the database, and verifies', async () => {
    const { url, ownerUrl } = server.database;
    const refusals = { [url]: 'permission denied', [ownerUrl]: 'append-only' };
    for (const [connectionString, refusal] of Object.entries(refusals)) {
      const postgres = new Postgres({ connectionString });
      await postgres.connect();
      for (const statement of ["UPDATE audit_log SET actor = 'x'", 'DELETE FROM audit_log', 'TRUNCATE audit_log'])
        await expect(postgres.query(statement)).rejects.toThrow(refusal);
      await postgres.end();
    }
    const found = await runCli<{ problems: unknown[]; networks: { networkId: string; entries: number }[] }>(dataDir, [
      'audit',
      'verify',
    ]);
    expect(found.problems).toEqual([]);
    expect(found.networks.find((one) => one.networkId === '2000')?.entries).toBeGreaterThanOrEqual(2);
  });

  // Conformance: K11, K6
  test('a key that the command line revokes fails within a second, and its creation and revocation are in the log', async () => {
    const wish = ['keys', 'create', '-n', '2000', '--name', 'short-lived'];
    const made = await runCli<{ id: string; value: string }>(dataDir, wish);
    const ask = () => graphql({ authorization: `Bearer ${made.value}`, 'x-forwarded-for': CLIENT });
    expect((await eventually(ask, ({ status }) => status === 200)).status).toBe(200);
    await runCli(dataDir, ['keys', 'revoke', made.id, '-n', '2000']);
    expect((await eventually(ask, ({ status }) => status === 401)).body['error']).toBe('invalid_credentials');
    const entries = await runCli<{ action: string; objectId: string; actor: string }[]>(
      dataDir,
      'audit list -n 2000'.split(' '),
    );
    const ofKey = entries.filter((one) => one.objectId === made.id && one.action.startsWith('apiKey.'));
    expect(ofKey.map((one) => one.action)).toEqual(['apiKey.revoke', 'apiKey.create']);
    expect(ofKey.every((one) => one.actor.startsWith('operator:'))).toBe(true);
    expect(JSON.stringify(entries)).not.toContain(made.value);
  });
});
