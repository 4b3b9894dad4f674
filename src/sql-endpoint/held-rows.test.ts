/** Rows that clients do not read: they count for their network, and a client that reads nothing is closed. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { heldBytes } from '../http/core/held-responses.ts';
import { framed, SIGN_IN, START } from './fixtures/raw-client.ts';
import { openTestEndpoint, PASSWORD } from './fixtures/test-endpoint.ts';
import type { SqlEndpoint } from './sql-endpoint.ts';

const MIB = 1024 ** 2;
const SELECT = "SELECT country FROM delivery WHERE time >= '2026-03-30'";
const ROWS = Array.from({ length: 20 }, () => ({ 'campaign_overview.country': 'x'.repeat(MIB) }));
let endpoint: SqlEndpoint | null = null;
const clients: Client[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.allSettled(clients.splice(0).map((client) => client.end()));
  await endpoint?.stop();
  await expect.poll(heldBytes).toBe(0);
});

async function open(database = '1'): Promise<Client> {
  const client = new Client({ host: '127.0.0.1', port: endpoint?.port ?? 0, user: 'u', password: PASSWORD, database });
  client.on('error', () => undefined);
  clients.push(client);
  await client.connect();
  return client;
}

async function fetchOne(client: Client): Promise<unknown> {
  await client.query(`DECLARE c CURSOR WITH HOLD FOR ${SELECT}`);
  return client.query('FETCH 1 FROM c').then(
    () => null,
    (error: { readonly code?: string }) => error.code,
  );
}

test('rows of cursors in all sessions of a network have a bound together, and CLOSE releases them', async () => {
  endpoint = await openTestEndpoint(() => ({ data: ROWS }));
  const sessions = await Promise.all(Array.from({ length: 4 }, () => open()));
  const codes: unknown[] = [];
  for (const session of sessions) codes.push(await fetchOne(session));
  expect(codes).toEqual([null, null, null, '53000']);
  expect(await fetchOne(await open('2'))).toBe(null);
  await sessions[0]?.query('CLOSE c');
  expect(await fetchOne(sessions[3] as Client)).toBe(null);
});

test('a client that reads nothing of its rows is closed', async () => {
  endpoint = await openTestEndpoint(() => ({ data: ROWS }), {
    unread: { unreadTimeoutMs: 100, timeoutCheckIntervalMs: 20 },
  });
  const socket = connect(endpoint.port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(Buffer.concat([START, SIGN_IN, framed('Q', `${SELECT}\0`)]));
  await expect.poll(() => heldBytes()).toBeGreaterThan(20 * MIB);
  // The writer itself waits for a minute, for clients that read slowly.
  await expect.poll(() => endpoint?.sessions(), { timeout: 30_000 }).toBe(0);
});
