/** What bounds sessions at the SQL endpoint, and what ends their statements. */
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { connect } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { openTestEndpoint, PASSWORD } from './fixtures/test-endpoint.ts';
import { PENDING_PER_ADDRESS_MAX } from './pending-sign-ins.ts';
import type { SqlEndpoint } from './sql-endpoint.ts';

let endpoint: SqlEndpoint | null = null;
const clients: Client[] = [];
afterEach(async () => {
  await Promise.allSettled(clients.splice(0).map((client) => client.end()));
  await endpoint?.stop();
  endpoint = null;
});

async function open(over: ClientConfig = {}): Promise<Client> {
  const client = new Client({
    host: '127.0.0.1',
    port: endpoint?.port ?? 0,
    user: 'u',
    password: PASSWORD,
    database: '1',
    ...over,
  });
  client.on('error', () => undefined);
  clients.push(client);
  await client.connect();
  return client;
}

const codeOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => null,
    (error: { readonly code?: string }) => error.code,
  );
const REPORT = "SELECT measure(impressions) FROM delivery WHERE time >= '2026-03-30'";

/** A load that ends only when its signal does. */
function untilStopped(): {
  readonly load: (request: { signal: AbortSignal }) => Promise<never>;
  readonly begun: Promise<void>;
} {
  const begun = Promise.withResolvers<void>();
  return {
    begun: begun.promise,
    load: ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')));
        begun.resolve();
      }),
  };
}

/** Asks to cancel what a client does, as its driver would, on a connection of its own. */
function cancel(client: Client, change = 0): Promise<void> {
  const { processID, secretKey } = client as unknown as { readonly processID: number; readonly secretKey: number };
  const bytes = Buffer.alloc(16);
  for (const [index, value] of [16, 80_877_102, processID, secretKey ^ change].entries()) {
    bytes.writeInt32BE(value | 0, index * 4);
  }
  return new Promise((resolve) => {
    const socket = connect(endpoint?.port ?? 0, '127.0.0.1', () => socket.end(bytes));
    socket.on('close', () => resolve());
    socket.resume();
  });
}

describe('a statement', () => {
  test('a statement ends when its client cancels it, and only with the right secret', async () => {
    const { load, begun } = untilStopped();
    endpoint = await openTestEndpoint(load);
    const client = await open();
    const code = codeOf(client.query(REPORT));
    await begun;
    await cancel(client, 1);
    expect(await Promise.race([code, Promise.resolve('runs')])).toBe('runs');
    await cancel(client);
    expect(await code).toBe('57014');
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('a statement ends after statement_timeout', async () => {
    endpoint = await openTestEndpoint(untilStopped().load);
    const client = await open();
    await client.query('SET statement_timeout = 50');
    expect(await codeOf(client.query(REPORT))).toBe('57014');
  });

  test('a report stops when its client goes', async () => {
    const stopped = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    endpoint = await openTestEndpoint(({ signal }) => {
      signal.addEventListener('abort', () => stopped.resolve());
      begun.resolve();
      return new Promise(() => undefined);
    });
    const client = await open();
    void codeOf(client.query(REPORT));
    await begun.promise;
    (
      client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }
    ).connection.stream.destroy();
    await stopped.promise;
    await expect.poll(() => endpoint?.sessions()).toBe(0);
  });

  test('a result without LIMIT that would be cut is an error, and one with LIMIT is not', async () => {
    const data = Array.from({ length: 50_000 }, () => ({ 'campaign_overview.country': 'PL' }));
    endpoint = await openTestEndpoint(() => ({ data }));
    const client = await open();
    const text = "SELECT DISTINCT country FROM delivery WHERE time >= '2026-03-30'";
    expect(await codeOf(client.query(text))).toBe('54000');
    expect((await client.query(`${text} LIMIT 50000`)).rowCount).toBe(50_000);
  });

  test('a session ends at its next statement when its key was revoked', async () => {
    for (const text of ['SELECT 1', 'BEGIN', 'SHOW timezone', 'SELECT relname FROM pg_class', 'SELECT $1::text']) {
      let isRevoked = false;
      await endpoint?.stop();
      endpoint = await openTestEndpoint(undefined, { isCallerKnown: () => Promise.resolve(!isRevoked) });
      const client = await open();
      const ended = Promise.withResolvers<void>();
      client.on('error', () => undefined);
      client.on('end', ended.resolve);
      await client.query('SELECT 1');
      isRevoked = true;
      expect(await codeOf(client.query(text, text.includes('$1') ? ['x'] : undefined))).toBe('28P01');
      await ended.promise;
      expect(endpoint.sessions()).toBe(0);
    }
  });

  test('a session ends when the Reports API no longer takes its key', async () => {
    let isRevoked = false;
    endpoint = await openTestEndpoint(undefined, {
      callReports: async ({ path }) => {
        if (isRevoked) return { status: 401, body: { error: 'invalid_credentials', message: 'Invalid credentials.' } };
        return { status: 200, body: path.endsWith('dry-run') ? {} : { cubes: [] } };
      },
    });
    const client = await open();
    client.on('error', () => undefined);
    isRevoked = true;
    expect(await codeOf(client.query('SELECT relname FROM pg_class'))).toBe('28P01');
    await expect.poll(() => endpoint?.sessions()).toBe(0);
  });
});

describe('a session', () => {
  test('a network gets no more sessions than the setting says, and another network gets its own', async () => {
    endpoint = await openTestEndpoint(undefined, { connectionsPerNetworkMax: 2 });
    const [first] = [await open(), await open()];
    expect(await codeOf(open())).toBe('53300');
    expect(await codeOf(open({ database: '2' }))).toBeNull();
    await first?.end();
    await expect.poll(() => endpoint?.sessions()).toBe(2);
    expect(await codeOf(open())).toBeNull();
  });

  test('silent connections keep nobody out, and the oldest ones make way', async () => {
    endpoint = await openTestEndpoint(undefined, { connectionsMax: 10 });
    const { port } = endpoint;
    const closed: number[] = [];
    const silent = Array.from({ length: 200 }, (_none, index) =>
      connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .on('close', () => closed.push(index)),
    );
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    expect(await codeOf(open())).toBeNull();
    await expect.poll(() => closed.length).toBeGreaterThanOrEqual(200 - PENDING_PER_ADDRESS_MAX);
    expect(silent.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(0);
    expect(closed).not.toContain(199);
    for (const socket of silent) socket.destroy();
  });

  test('wrong passwords leave all sessions of their database to others', async () => {
    const waiting = Promise.withResolvers<void>();
    endpoint = await openTestEndpoint(undefined, {
      connectionsMax: 2,
      connectionsPerNetworkMax: 1,
      callReports: async ({ headers, path }) => {
        if (headers['authorization'] === `Bearer ${PASSWORD}`) {
          return { status: 200, body: path.endsWith('dry-run') ? {} : { cubes: [] } };
        }
        await waiting.promise;
        return { status: 401, body: { error: 'invalid_credentials', message: 'Invalid credentials.' } };
      },
    });
    const wrong = Array.from({ length: 50 }, () => codeOf(open({ password: 'wrong' })));
    expect(await codeOf(open())).toBeNull();
    waiting.resolve();
    expect(new Set(await Promise.all(wrong))).toEqual(new Set(['28P01']));
  });

  test('the server has no more sessions than the setting says', async () => {
    endpoint = await openTestEndpoint(undefined, { connectionsMax: 2 });
    await Promise.all([open(), open({ database: '2' })]);
    expect(await codeOf(open({ database: '3' }))).toBe('53300');
  });

  test('a session whose client sends nothing ends with a reason', async () => {
    endpoint = await openTestEndpoint(undefined, { idleMs: 50 });
    const client = await open();
    const ended = Promise.withResolvers<string | undefined>();
    client.on('error', (error: Error & { readonly code?: string }) => ended.resolve(error.code));
    expect(await ended.promise).toBe('57P01');
  });

  test('a session of another machine needs TLS', async () => {
    const address = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
    if (address === undefined) return;
    endpoint = await openTestEndpoint(undefined, { bind: '0.0.0.0' });
    expect(await codeOf(open({ host: address }))).toBe('28000');
    await endpoint.stop();
    endpoint = await openTestEndpoint(undefined, { bind: '0.0.0.0', isPlainAllowed: true });
    expect(await codeOf(open({ host: address }))).toBeNull();
  });

  test('a session has a bounded number of prepared statements, and DEALLOCATE frees them', async () => {
    endpoint = await openTestEndpoint();
    const client = await open();
    const prepare = (name: string): Promise<unknown> => client.query({ name, text: 'SELECT 1' });
    for (let index = 0; index < 256; index += 1) await prepare(`s${index}`);
    expect(await codeOf(prepare('more'))).toBe('54000');
    await client.query('DEALLOCATE ALL');
    expect(await codeOf(prepare('after'))).toBeNull();
  });
});
