import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { silentLog } from '../../../test/support/stores.ts';
import { makeAuthority, makeServerCertificate } from '../../http/tls/certificate.ts';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';
import { WebhookRunner } from './webhook-runner.ts';

interface Received {
  readonly path: string;
  readonly signature: string;
  readonly body: Readonly<Record<string, unknown>>;
}

let api: TestManagement;
let receiver: Server;
let ca: string;
let received: Received[] = [];
/** How the receiver responds to a path; default: 204. */
let behaviours = new Map<string, (response: ServerResponse) => void>();
const runners: WebhookRunner[] = [];

beforeAll(async () => {
  api = await createTestManagement({ webhookPolicy: { allowedRanges: ['127.0.0.0/8'] } });
  const authority = await makeAuthority(['localhost'], Date.now());
  const own = await makeServerCertificate(authority, ['localhost'], Date.now());
  ca = authority.certPem;
  receiver = createServer({ cert: own.certPem, key: own.keyPem }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Received['body'];
      const path = request.url ?? '';
      received.push({ path, signature: String(request.headers['x-placard-signature']), body });
      const behave = behaviours.get(path) ?? ((to: ServerResponse) => to.writeHead(204).end());
      behave(response);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  // A connection that opens late gets a response: no receiver hangs any more, so that every runner ends.
  behaviours = new Map();
  const stopped = runners.splice(0).map((runner) => runner.stop());
  receiver.closeAllConnections();
  await Promise.all(stopped);
  await api.database.db.deleteFrom('webhooks').execute();
  received = [];
});

afterAll(async () => {
  receiver?.close();
  await api?.close();
});

function start(pollMs = 10): WebhookRunner {
  const runner = new WebhookRunner({
    sql: api.database.db,
    log: silentLog,
    nowMs: () => api.clock.nowMs,
    pepper: Buffer.alloc(32, 7),
    sending: { allowedRanges: ['127.0.0.0/8'], ca, timeoutMs: 600_000 },
    timing: { pollMs, retryWaitsMs: [1, 1], failingPauseMs: 1 },
  });
  runners.push(runner);
  runner.start();
  return runner;
}

const until = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 60_000, interval: 20 });
const hookUrl = (path: string): string => `https://localhost:${(receiver.address() as AddressInfo).port}${path}`;

async function createHook(path: string, as = 'admin'): Promise<string> {
  const made = await api.data<{ createWebhook: { webhook: { id: string } } }>(
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } secret } }',
    { input: { name: 'Hook', url: hookUrl(path), types: ['*'] } },
    { as },
  );
  return made.createWebhook.webhook.id;
}

const createAdvertisers = (count: number, as = 'admin') =>
  api.data(
    'mutation ($inputs: [CreateAdvertiserInput!]!) { createAdvertisers(inputs: $inputs) { changedCount } }',
    { inputs: Array.from({ length: count }, (_one, at) => ({ name: `A ${at}` })) },
    { as },
  );

test('receivers of one network that hang do not delay the messages of another network', async () => {
  for (const as of ['admin', 'staging']) for (let at = 0; at < 20; at += 1) await createHook(`/hang/${as}/${at}`, as);
  for (let at = 0; at < 20; at += 1)
    for (const as of ['admin', 'staging']) behaviours.set(`/hang/${as}/${at}`, () => undefined);
  await createHook('/victim', 'stranger');
  await createAdvertisers(1);
  await createAdvertisers(1, 'staging');
  start();
  await until(() => expect(received.length).toBeGreaterThan(0));
  await createAdvertisers(1, 'stranger');
  await until(() => expect(received.map(({ path }) => path)).toContain('/victim'));
  await until(() => expect(received).toHaveLength(6));
});

test('a new address and a new secret count for the next message, also while messages are being sent', async () => {
  const id = await createHook('/old');
  const held: ServerResponse[] = [];
  behaviours.set('/old', (response) => void held.push(response));
  await createAdvertisers(30);
  start();
  await until(() => expect(held).toHaveLength(10));
  await api.data(
    'mutation ($id: ID!, $url: String) { updateWebhook(id: $id, input: {url: $url, rotateSecret: true}) { secret } }',
    {
      id,
      url: hookUrl('/new'),
    },
  );
  for (const response of held) response.writeHead(204).end();
  await until(() => expect(received).toHaveLength(30));
  expect(received.filter(({ path }) => path === '/old')).toHaveLength(10);
});

test('a webhook that is paused while messages are being sent sends no more of them', async () => {
  const id = await createHook('/old');
  const held: ServerResponse[] = [];
  behaviours.set('/old', (response) => void held.push(response));
  await createAdvertisers(30);
  start();
  await until(() => expect(held).toHaveLength(10));
  await api.data('mutation ($id: ID!) { updateWebhook(id: $id, input: {status: PAUSED}) { secret } }', { id });
  for (const response of held) response.writeHead(204).end();
  const isReleased = async () => {
    const { leased_until: until } = await api.database.db.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow();
    expect(until?.getTime()).toBeLessThan(Date.now() + 60_000);
  };
  await until(isReleased);
  expect(received).toHaveLength(10);
});

test('tests that wait are as bounded as other messages', async () => {
  const id = await createHook('/full');
  await api.database.db
    .insertInto('webhook_deliveries')
    .values(
      Array.from({ length: 1_000 }, () => ({
        workspace_id: 1,
        webhook_id: BigInt(id),
        sequence: null,
        type: 'webhook.test',
        status: 'PENDING' as const,
        next_at: new Date(Date.now() + 3_600_000),
        error: null,
      })),
    )
    .execute();
  const refused = await api.ask('mutation ($id: ID!) { testWebhook(id: $id) { id } }', { variables: { id } });
  expect(refused.body.errors?.[0]?.extensions.code).toBe('invalid_request');
});

test('ended messages beyond the newest 10,000 and those older than 30 days are deleted, and no others', async () => {
  const id = await createHook('/hook');
  await sql`INSERT INTO webhook_deliveries (workspace_id, webhook_id, sequence, type, status, attempts, ended_at, next_at)
    SELECT 1, ${id}, -g, 'site.update', CASE WHEN g <= 3 THEN 'PENDING' ELSE 'DELIVERED' END, 1,
      CASE WHEN g > 3 THEN now() - CASE WHEN g <= 200 THEN interval '31 days' ELSE interval '1 day' END END, now() + interval '1 day'
    FROM generate_series(1, 10300) g`.execute(api.database.owner);
  await createAdvertisers(1);
  start();
  const rest = () =>
    api.database.db.selectFrom('webhook_deliveries').select(['sequence', 'status']).orderBy('id').execute();
  await until(async () => {
    const rows = await rest();
    expect(rows).toHaveLength(10_003);
    expect(rows.slice(0, 4).map(({ sequence }) => Number(sequence))).toEqual([-1, -2, -3, -302]);
  });
});

test('a change whose values are too long for the log says so, in the feed and in the message', async () => {
  await createHook('/large');
  const { changes } = await api.data<{ changes: { pageInfo: { endCursor: string } } }>(
    '{ changes(after: "now") { pageInfo { endCursor } } }',
  );
  await api.data(
    'mutation ($values: [String!]) { createKeyValue(input: {key: "long", name: "Long", values: $values}) { keyValue { id } } }',
    { values: Array.from({ length: 5_000 }, (_one, at) => `value ${at} of a long list`) },
  );
  const feed = 'query ($after: String) { changes(after: $after) { nodes { type isTooLong before after } } }';
  expect(await api.data(feed, { after: changes.pageInfo.endCursor })).toEqual({
    changes: { nodes: [{ type: 'keyValue.create', isTooLong: true, before: null, after: null }] },
  });
  start();
  await until(() => expect(received).toHaveLength(1));
  expect(received[0]?.body).toMatchObject({ type: 'keyValue.create', isTooLong: true, before: null, after: null });
});
