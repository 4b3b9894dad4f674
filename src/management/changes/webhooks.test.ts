import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { silentLog } from '../../../test/support/stores.ts';
import { makeAuthority, makeServerCertificate } from '../../http/tls/certificate.ts';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';
import { TOLD_KINDS, CHANGE_TYPES, includesType, unknownTypes } from '../../domain/booking/change-types.ts';
import { WebhookRunner, type WebhookTiming } from './webhook-runner.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: { readonly type: string; readonly sequence: string | null; readonly [member: string]: unknown };
}

let api: TestManagement;
let receiver: Server;
let ca: string;
let received: Received[] = [];
/** What the receiver responds with: first these, then 204. */
let statuses: number[] = [];
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
      const text = Buffer.concat(chunks).toString();
      received.push({ headers: request.headers, text, body: JSON.parse(text) });
      response.writeHead(statuses.shift() ?? 204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.stop();
  await api.database.db.deleteFrom('webhooks').execute();
  received = [];
  statuses = [];
});

afterAll(async () => {
  receiver?.close();
  await api?.close();
});

const hookUrl = (): string => `https://localhost:${(receiver.address() as AddressInfo).port}/hook`;
const QUICK: WebhookTiming = { pollMs: 10, retryWaitsMs: [1, 1], failingPauseMs: 1 };

function start(timing: Partial<WebhookTiming> = {}, pendingMax?: number): WebhookRunner {
  const runner = new WebhookRunner({
    sql: api.database.db,
    log: silentLog,
    nowMs: () => api.clock.nowMs,
    pepper: Buffer.alloc(32, 7),
    sending: { allowedRanges: ['127.0.0.0/8'], ca, timeoutMs: 60_000 },
    timing: { ...QUICK, ...timing },
    ...(pendingMax === undefined ? {} : { pendingMax }),
  });
  runners.push(runner);
  runner.start();
  return runner;
}

const until = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 100_000, interval: 20 });

interface Made {
  readonly webhook: { readonly id: string; readonly version: number };
  readonly secret: string;
}

async function createHook(types: readonly string[] = ['*'], as = 'admin', url = hookUrl()): Promise<Made> {
  const made = await api.data<{ createWebhook: Made }>(
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id version } secret } }',
    { input: { name: 'Hook', url, types } },
    { as },
  );
  return made.createWebhook;
}

async function createAdvertiser(name: string, as = 'admin'): Promise<string> {
  const made = await api.data<{ createAdvertiser: { advertiser: { id: string } } }>(
    'mutation ($name: String!) { createAdvertiser(input: {name: $name}) { advertiser { id } } }',
    { name },
    { as },
  );
  return made.createAdvertiser.advertiser.id;
}

const rename = (id: string, name: string) =>
  api.data(
    'mutation ($id: ID!, $name: String!) { updateAdvertiser(id: $id, input: {name: $name}) { advertiser { id } } }',
    { id, name },
  );

interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly attempts: number;
  readonly error: string | null;
  readonly responseStatus: number | null;
  readonly triedAt: string | null;
}

async function listDeliveries(id: string): Promise<readonly Delivery[]> {
  const { webhook } = await api.data<{ webhook: { deliveries: readonly Delivery[] } }>(
    `query ($id: ID!) { webhook(id: $id) { failingSince deliveries(first: 100) {
      id type status attempts error responseStatus triedAt } } }`,
    { id },
  );
  return webhook.deliveries;
}

async function positionOf(id: string): Promise<string> {
  return (
    await api.data<{ webhook: { position: string } }>('query ($id: ID!) { webhook(id: $id) { position } }', { id })
  ).webhook.position;
}

describe('a webhook', () => {
  test('a receiver gets each change of the chosen types once, signed, with the values before and after', async () => {
    const { secret } = await createHook(['advertiser.update', 'site.*']);
    const id = await createAdvertiser('A');
    await rename(id, 'B');
    await api.data('mutation { createSite(input: {name: "S", code: "hooked", domain: "s.example"}) { site { id } } }');
    start();
    start();
    await until(() => expect(received).toHaveLength(2));
    expect(received.map(({ body }) => body).sort((a, b) => a.type.localeCompare(b.type))).toMatchObject([
      {
        type: 'advertiser.update',
        networkId: '1000',
        environment: 'production',
        objectKind: 'advertiser',
        objectId: id,
        before: { name: 'A' },
        after: { name: 'B' },
      },
      { type: 'site.create', before: null, after: { name: 'S', code: 'hooked' } },
    ]);
    for (const { headers, text } of received) {
      const [, at, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-placard-signature'])) ?? [];
      expect(mac).toBe(createHmac('sha256', secret).update(`${at}.${text}`).digest('hex'));
    }
  });

  test('a receiver gets nothing of other environments and networks', async () => {
    await createHook();
    await createHook(['*'], 'stranger');
    await createAdvertiser('Staged', 'staging');
    await createAdvertiser('Foreign', 'stranger');
    await createAdvertiser('Own');
    start();
    await until(() => expect(received).toHaveLength(2));
    const told = received.map(({ body }) => [body['networkId'], (body['after'] as { name: string }).name]);
    expect(told.sort(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
      ['1000', 'Own'],
      ['2000', 'Foreign'],
    ]);
  });

  test('a receiver that fails gets the message again under the same id, and what waited when it is back', async () => {
    const { webhook } = await createHook();
    statuses = [500, 503];
    const id = await createAdvertiser('A');
    await rename(id, 'B');
    // A retry would be due in an hour; the accepted message brings it forward.
    start({ retryWaitsMs: [3_600_000, 3_600_000] });
    await until(async () => {
      const found = await listDeliveries(webhook.id);
      expect(found.map(({ status }) => status)).toEqual(['PENDING', 'PENDING']);
      expect(found.every(({ attempts }) => attempts === 1)).toBe(true);
      expect(found[0]?.error).toMatch(/responded with 50[03]/);
    });
    await rename(id, 'C');
    await until(() => expect(received).toHaveLength(5));
    const ids = received.map(({ headers }) => headers['x-placard-delivery']);
    expect(new Set(ids).size).toBe(3);
    await until(async () =>
      expect((await listDeliveries(webhook.id)).map(({ status }) => status)).toEqual([
        'DELIVERED',
        'DELIVERED',
        'DELIVERED',
      ]),
    );
  });

  test('a message is given up after its last try, and sent again on request', async () => {
    const { webhook } = await createHook();
    statuses = [500, 500, 500];
    await createAdvertiser('A');
    start();
    await until(async () =>
      expect(await listDeliveries(webhook.id)).toMatchObject([
        { status: 'FAILED', attempts: 3, responseStatus: 500, triedAt: expect.any(String) as string },
      ]),
    );
    const [failed] = await listDeliveries(webhook.id);
    const again = 'mutation ($id: ID!, $ids: [ID!]) { redeliverWebhook(id: $id, deliveryIds: $ids) }';
    expect(await api.data(again, { id: webhook.id, ids: [failed?.id] })).toEqual({ redeliverWebhook: 1 });
    await until(async () =>
      expect(await listDeliveries(webhook.id)).toMatchObject([{ status: 'DELIVERED', responseStatus: 204 }]),
    );
    expect(new Set(received.map(({ headers }) => headers['x-placard-delivery'])).size).toBe(1);
  });

  test('all messages after a change are sent again', async () => {
    const { webhook } = await createHook();
    const from = await positionOf(webhook.id);
    const id = await createAdvertiser('A');
    await rename(id, 'B');
    start();
    await until(async () =>
      expect((await listDeliveries(webhook.id)).map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED']),
    );
    await api.data('mutation ($id: ID!, $after: String) { redeliverWebhook(id: $id, after: $after) }', {
      id: webhook.id,
      after: from,
    });
    await until(() => expect(received).toHaveLength(4));
    expect(new Set(received.map(({ headers }) => headers['x-placard-delivery'])).size).toBe(2);
  });

  test('more changes than may wait at once are all told, in no more messages than changes', async () => {
    const { webhook } = await createHook(['advertiser.*']);
    await api.data(
      'mutation ($inputs: [CreateAdvertiserInput!]!) { createAdvertisers(inputs: $inputs) { results { index } } }',
      { inputs: Array.from({ length: 90 }, (_one, at) => ({ name: `Bulk ${at}` })) },
    );
    start({}, 40);
    start({}, 40);
    await until(() => expect(received.length).toBeGreaterThanOrEqual(90));
    const names = received.map(({ body }) => (body['after'] as { name: string }).name);
    expect(new Set(names).size).toBe(90);
    await until(async () => expect((await listDeliveries(webhook.id))[0]?.status).toBe('DELIVERED'));
    expect(received).toHaveLength(90);
  });

  test('a paused webhook keeps its position; a test message says what it is', async () => {
    const { webhook } = await createHook();
    const update =
      'mutation ($id: ID!, $status: WebhookStatus) { updateWebhook(id: $id, input: {status: $status}) { secret } }';
    await api.data(update, { id: webhook.id, status: 'PAUSED' });
    const refused = await api.ask('mutation ($id: ID!) { testWebhook(id: $id) { id } }', {
      variables: { id: webhook.id },
    });
    expect(refused.body.errors?.[0]?.extensions.code).toBe('invalid_request');
    await createAdvertiser('While paused');
    await start().run();
    expect(received).toEqual([]);
    await api.data(update, { id: webhook.id, status: 'ACTIVE' });
    await api.data('mutation ($id: ID!) { testWebhook(id: $id) { status } }', { id: webhook.id });
    await until(() => expect(received).toHaveLength(2));
    expect(received.map(({ body }) => body.type).sort()).toEqual(['advertiser.create', 'webhook.test']);
  });

  test('a dead process leaves its webhook to others when its lease ends', async () => {
    const { webhook } = await createHook();
    await createAdvertiser('A');
    const held = { leased_until: new Date(Date.now() + 3_600_000) };
    await api.database.db.updateTable('webhooks').set(held).where('id', '=', BigInt(webhook.id)).execute();
    const runner = start();
    await runner.run();
    expect(received).toEqual([]);
    await api.database.db
      .updateTable('webhooks')
      .set({ leased_until: new Date(0) })
      .execute();
    await until(() => expect(received).toHaveLength(1));
  });
});

describe('the management of webhooks', () => {
  test.each([
    ['an address inside', { url: 'https://10.0.0.1/' }, 'input.url'],
    ['an address without TLS', { url: 'http://example.com/' }, 'input.url'],
    ['no types', { types: [] }, 'input.types'],
    ['a type that no change has', { types: ['lineItem.explode'] }, 'input.types'],
    ['the completion of a site', { types: ['site.complete'] }, 'input.types'],
    ['no name', { name: ' ' }, 'input.name'],
  ])('%s is refused', async (_title, wrong, path) => {
    const input = { name: 'Hook', url: hookUrl(), types: ['*'], ...wrong };
    const response = await api.ask(
      'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret } }',
      { variables: { input } },
    );
    expect(response.body.errors?.[0]?.extensions).toMatchObject({ code: 'validation_failed', fields: [{ path }] });
  });

  test('the 21st webhook is refused', async () => {
    for (let count = 0; count < 20; count += 1) await createHook();
    await expect(createHook()).rejects.toThrow('quota_exceeded');
  });

  test('a secret is shown when it is made, and the log of actions has none', async () => {
    const { webhook, secret } = await createHook();
    const rotate = await api.data<{ updateWebhook: { secret: string } }>(
      'mutation ($id: ID!) { updateWebhook(id: $id, input: {rotateSecret: true}) { secret } }',
      { id: webhook.id },
    );
    expect(rotate.updateWebhook.secret).not.toBe(secret);
    const log = JSON.stringify(await api.data('{ auditLog(first: 5) { nodes { action details } } }'));
    expect(log).toContain('webhook.update');
    expect(log).not.toContain(secret.slice(8));
    expect(log).not.toContain(rotate.updateWebhook.secret.slice(8));
  });

  test('a stale version is a conflict, and a deleted webhook is gone with its messages', async () => {
    const { webhook } = await createHook();
    const update =
      'mutation ($id: ID!, $version: Int) { updateWebhook(id: $id, version: $version, input: {name: "N"}) { secret } }';
    await api.data(update, { id: webhook.id, version: 1 });
    const stale = await api.ask(update, { variables: { id: webhook.id, version: 1 } });
    expect(stale.body.errors?.[0]?.extensions.code).toBe('conflict');
    await api.data('mutation ($id: ID!) { testWebhook(id: $id) { id } }', { id: webhook.id });
    await api.data('mutation ($id: ID!) { deleteWebhook(id: $id) { name } }', { id: webhook.id });
    expect(await api.data('query ($id: ID!) { webhook(id: $id) { id } webhooks { id } }', { id: webhook.id })).toEqual({
      webhook: null,
      webhooks: [],
    });
    expect(await api.database.db.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([]);
  });

  test.each(['writer', 'delivery', 'reader'])('the key `%s` reads and makes none', async (as) => {
    for (const query of [
      '{ webhooks { id } }',
      'mutation { createWebhook(input: {name: "H", url: "https://x.example", types: ["*"]}) { secret } }',
    ]) {
      const response = await api.ask(query, { as });
      expect(response.body.errors?.[0]?.extensions.code).toBe('insufficient_permissions');
    }
  });
});

test('types of changes: every kind and verb, chosen one by one, by kind, or all', () => {
  expect(CHANGE_TYPES).toContain('lineItem.complete');
  for (const type of CHANGE_TYPES) {
    expect(includesType(['*'], type)).toBe(true);
    expect(includesType([type], type)).toBe(true);
    expect(TOLD_KINDS.filter((kind) => includesType([`${kind}.*`], type))).toHaveLength(1);
  }
  expect(unknownTypes(['*', 'lineItem.*', 'area.create', 'area', 'x.*', ''])).toEqual(['area', 'x.*', '']);
});
