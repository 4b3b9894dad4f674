import { createHmac, createPublicKey, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { silentLog } from '../../../test/support/stores.ts';
import { makeAuthority, makeServerCertificate } from '../../http/tls/certificate.ts';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';
import { AgentNoticeRunner, noticeJwkOf } from './agent-notice-runner.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const PEPPER = Buffer.alloc(32, 7);
const SECRET = 'a shared secret of a buyer, 32+ characters'.replaceAll(' ', '-');
let api: TestManagement;
let receiver: Server;
let ca: string;
let url = '';
let received: Received[] = [];
let statuses: number[] = [];
let at = 0;
const runners: AgentNoticeRunner[] = [];

beforeAll(async () => {
  api = await createTestManagement({ webhookPolicy: { allowedRanges: ['127.0.0.0/8'] } });
  const authority = await makeAuthority(['localhost'], Date.now());
  const own = await makeServerCertificate(authority, ['localhost'], Date.now());
  ca = authority.certPem;
  receiver = createServer({ cert: own.certPem, key: own.keyPem }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, text: Buffer.concat(chunks).toString() });
      response.writeHead(statuses.shift() ?? 204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `https://localhost:${(receiver.address() as AddressInfo).port}/told`;
  // The buyer of the fixture is that of advertiser 1.
  await api.data('mutation { createAdvertiser(input: { name: "Acme" }) { advertiser { id } } }');
});
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.stop();
  received = [];
  statuses = [];
});
afterAll(async () => {
  receiver?.close();
  await api?.close();
});

function start(): void {
  const runner = new AgentNoticeRunner({
    sql: api.database.db,
    log: silentLog,
    nowMs: () => api.clock.nowMs,
    pepper: PEPPER,
    sending: { allowedRanges: ['127.0.0.0/8'], ca, timeoutMs: 60_000 },
    timing: { pollMs: 10, retryWaitsMs: [1, 1] },
  });
  runners.push(runner);
  runner.start();
}

const until = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 100_000, interval: 20 });

const BEGIN = `mutation ($input: BeginAgentRequestInput!) {
  beginAgentRequest(input: $input) { agentRequest { id noticeStatus } userErrors { field message } } }`;

interface Begun {
  readonly agentRequest: { readonly id: string; readonly noticeStatus: string | null } | null;
  readonly userErrors: readonly { readonly field: string; readonly message: string }[];
}

async function begin(notice: object | undefined, as = 'buyer'): Promise<Begun> {
  at += 1;
  const own = {
    tool: 'create_media_buy',
    idempotencyKey: `key-${at}`,
    digest: `d${at}`,
    advertiserId: '1',
    request: {},
  };
  const input = { ...own, ...(notice === undefined ? {} : { notice }) };
  return (await api.data<{ beginAgentRequest: Begun }>(BEGIN, { input }, { as })).beginAgentRequest;
}

async function submit(notice: object): Promise<string> {
  const id = (await begin(notice)).agentRequest?.id ?? '';
  await api.data(
    'mutation ($id: ID!) { endAgentRequest(id: $id, input: { state: SUBMITTED, response: {} }) { agentRequest { id } } }',
    { id },
    { as: 'buyer' },
  );
  return id;
}

const reject = (id: string) =>
  api.data(
    'mutation ($id: ID!) { decideAgentRequest(id: $id, decision: REJECT, reason: "Sold out") { agentRequest { id } } }',
    { id },
  );

const statusOf = async (id: string) =>
  (
    await api.data<{ agentRequest: { noticeStatus: string | null } }>(
      'query ($id: ID!) { agentRequest(id: $id) { noticeStatus } }',
      { id },
    )
  ).agentRequest.noticeStatus;

test('a decision is told once, signed with the key of the network, and its secrets are deleted', async () => {
  start();
  const id = await submit({ url, token: 'a-token-of-the-buyer', operationId: 'op_1' });
  expect(await statusOf(id)).toBe('WAITING');
  await reject(id);
  await until(async () => expect(await statusOf(id)).toBe('DELIVERED'));
  expect(received).toHaveLength(1);
  const [{ headers, text } = { headers: {}, text: '' }] = received;
  expect(JSON.parse(text)).toMatchObject({
    idempotency_key: expect.stringMatching(/^[A-Za-z0-9_.:-]{16,255}$/),
    operation_id: 'op_1',
    task_id: id,
    task_type: 'create_media_buy',
    status: 'rejected',
    token: 'a-token-of-the-buyer',
    result: { errors: [{ code: 'TERMS_REJECTED', message: 'Sold out' }] },
  });
  const parameters = String(headers['signature-input']).slice('sig1='.length);
  const base = [
    '"@method": POST',
    `"@target-uri": ${url}`,
    `"@authority": ${new URL(url).host}`,
    '"content-type": application/json',
    `"content-digest": ${String(headers['content-digest'])}`,
    `"@signature-params": ${parameters}`,
  ].join('\n');
  const key = createPublicKey({ key: noticeJwkOf(PEPPER, '1000', 'production') as never, format: 'jwk' });
  const signature = Buffer.from(String(headers['signature']).slice('sig1=:'.length, -1), 'base64url');
  expect(verify(null, Buffer.from(base), key, signature)).toBe(true);
  const row = await api.database.db.selectFrom('agent_requests').selectAll().where('id', '=', BigInt(id)).execute();
  expect(row[0]?.notice_target).toBeNull();
});

test('a receiver that fails gets the same message again, and the last failure ends it', async () => {
  start();
  statuses = [503, 503];
  const id = await submit({ url });
  await reject(id);
  await until(async () => expect(await statusOf(id)).toBe('DELIVERED'));
  expect(received).toHaveLength(3);
  expect(new Set(received.map(({ text }) => text)).size).toBe(1);
  received = [];
  statuses = [500, 500, 500];
  const lost = await submit({ url });
  await reject(lost);
  await until(async () => expect(await statusOf(lost)).toBe('FAILED'));
  expect(received).toHaveLength(3);
});

test('a receiver without keys gets a shared secret or a bearer token, and no other signature', async () => {
  start();
  await reject(await submit({ url, scheme: 'HMAC_SHA256', credentials: SECRET }));
  await until(() => expect(received).toHaveLength(1));
  const [{ headers, text } = { headers: {}, text: '' }] = received;
  const digest = createHmac('sha256', SECRET)
    .update(`${String(headers['x-adcp-timestamp'])}.${text}`)
    .digest('hex');
  expect(headers['x-adcp-signature']).toBe(`sha256=${digest}`);
  expect(headers['signature']).toBeUndefined();
  await reject(await submit({ url, scheme: 'BEARER', credentials: SECRET }));
  await until(() => expect(received).toHaveLength(2));
  expect(received[1]?.headers['authorization']).toBe(`Bearer ${SECRET}`);
});

test('a request that ends at once tells nobody', async () => {
  const id = (await begin({ url })).agentRequest?.id ?? '';
  await api.data(
    'mutation ($id: ID!) { endAgentRequest(id: $id, input: { state: COMPLETED, response: {} }) { agentRequest { id } } }',
    { id },
    { as: 'buyer' },
  );
  expect(await statusOf(id)).toBeNull();
});

test.each([
  ['url', { url: 'https://10.0.0.1/told' }],
  ['url', { url: 'http://buyer.example/told' }],
  ['credentials', { url: 'https://buyer.example/', scheme: 'BEARER', credentials: 'short' }],
  ['credentials', { url: 'https://buyer.example/', scheme: 'BEARER', credentials: `${SECRET}\r\nx: y` }],
  ['token', { url: 'https://buyer.example/', token: 'short' }],
  ['operationId', { url: 'https://buyer.example/', operationId: 'a b' }],
])('a wrong %s of a notice is refused by its name', async (field, notice) => {
  const { agentRequest, userErrors } = await begin(notice);
  expect(agentRequest).toBeNull();
  expect(userErrors.map((one) => one.field)).toEqual([`input.notice.${field}`]);
});
