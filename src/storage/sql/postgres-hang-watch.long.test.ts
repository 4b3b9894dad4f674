import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { Pool } from 'pg';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createTestFolder } from '../../../test/support/stores.ts';
import { HangWatch } from './postgres-hang-watch.ts';

const folder = createTestFolder();
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(() => folder.remove());

const NOTICE_EVERY_MS = 500;
const LOGIN_MS = 6_000;
const NOTICE = message('N', 'SNOTICE\0VNOTICE\0C00000\0Mwait\0\0');
const LOGGED_IN = Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')]);

function message(type: string, body: string): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, Buffer.from(body, 'latin1')]);
}

/** A server of the PostgreSQL protocol; it reports the application name of each connection that is open. */
async function startServer(onStartup: (socket: Socket) => void): Promise<{ url: string; open: Map<Socket, string> }> {
  const open = new Map<Socket, string>();
  const server: Server = createServer((socket) => {
    open.set(socket, '');
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    socket.once('data', (startup) => {
      open.set(socket, /application_name\0([^\0]*)/.exec(startup.toString('latin1'))?.[1] ?? '');
      onStartup(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of open.keys()) socket.destroy();
    server.close();
  });
  return { url: `postgresql://u:p@127.0.0.1:${(server.address() as AddressInfo).port}/d`, open };
}

interface Watched {
  readonly watched: HangWatch;
  /** Codes of the logged events. */
  readonly codes: string[];
  /** Probes that have begun. */
  count(): number;
}

function watch(poolUrl: string, probeUrl: string): Watched {
  const codes: string[] = [];
  let probes = 0;
  const pool = new Pool({ connectionString: poolUrl, connectionTimeoutMillis: 60_000, application_name: 'pool' });
  pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  const watched = new HangWatch({
    pool,
    get url() {
      probes += 1;
      return probeUrl;
    },
    log: { event: (code) => codes.push(code) },
  });
  closers.push(() => watched.stop());
  return { watched, codes, count: () => probes };
}

test('a server that sends notices and lets connections in after 6 s counts as alive', async () => {
  let probes = 0;
  const { url, open } = await startServer((socket) => {
    if (open.get(socket) === 'placard-probe') probes += 1;
    const notices = setInterval(() => socket.write(NOTICE), NOTICE_EVERY_MS);
    const login = setTimeout(() => {
      clearInterval(notices);
      socket.write(LOGGED_IN);
    }, LOGIN_MS);
    socket.on('close', () => {
      clearInterval(notices);
      clearTimeout(login);
    });
  });
  const { watched, codes } = watch(url, url);
  const client = await watched.connect();
  expect(probes).toBeGreaterThan(0);
  await expect.poll(() => [...open.values()]).not.toContain('placard-probe');
  expect(codes).toEqual([]);
  expect([...open.values()]).toEqual(['pool']);
  client.release(true);
});

test('a server that sends nothing counts as hanging, and idle connections are used meanwhile', async () => {
  let isSilent = false;
  const { url } = await startServer((socket) => (isSilent ? undefined : socket.write(LOGGED_IN)));
  const { watched, codes } = watch(url, url);
  const idle = await watched.connect();
  const other = await watched.connect();
  isSilent = true;
  idle.release();
  await expect.poll(() => codes).toContain('postgres.hangs');
  // The other one was in use, and has failed.
  other.release(true);
  const used = await watched.connect();
  expect(used).toBe(idle);
  await expect(watched.connect()).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  used.release(true);
});

test('a probe that cannot be built is not counted against the server, and the next one is built', async () => {
  const { url, open } = await startServer(() => undefined);
  const certificate = join(folder.dir, 'root.crt');
  const { watched, codes, count } = watch(url, `${url}?sslmode=verify-full&sslrootcert=${certificate}`);
  const connecting = watched.connect().catch((error: unknown) => error);
  await expect.poll(() => open.size).toBe(1);
  await expect.poll(count).toBe(2);
  expect(codes).toEqual([]);
  writeFileSync(certificate, 'none');
  await expect.poll(() => open.size).toBe(2);
  expect(await connecting).toMatchObject({ code: 'ETIMEDOUT' });
});
