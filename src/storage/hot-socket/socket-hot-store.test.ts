import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { describeEventCounts } from '../hot/fixtures/event-counts-contract.ts';
import { describeHotStore } from '../hot/fixtures/hot-contract.ts';
import type { HotStore } from '../hot/hot-store.ts';
import { openLedger } from '../ledger/ledger-store.ts';
import { HotStoreLostError } from '../hot/lost-shards.ts';
import { encodeFrame } from './frames.ts';
import { type HotStoreServer, serveHotStore } from './serve-hot-store.ts';
import { shortSocketPath } from './socket-path.ts';
import { openSocketHotStore } from './socket-hot-store.ts';

const folder = createTestFolder();
afterAll(() => folder.remove());
const log = silentLog;

let now = 1_700_000_000_000;
const advance = async (ms: number): Promise<void> => {
  now += ms;
};

/** A store that others use, and a connection to it: `close` ends all. */
async function openServed(name: string): Promise<HotStore> {
  const own = openLedger({ dir: `${folder.dir}/${name}`, nowMs: () => now, log });
  const path = `${folder.dir}/${name}.sock`;
  const server = await serveHotStore(own, { path: path });
  const client = openSocketHotStore({ path, log });
  const close = client.close.bind(client);
  client.close = async () => {
    await close();
    await server.stop();
    await own.close();
  };
  return client;
}

describeHotStore('Socket', { open: () => openServed('contract'), advance });
describeEventCounts('Socket', { open: () => openServed('events'), advance });

describe('the connection to the owner', () => {
  let own: HotStore;
  let server: HotStoreServer | null;
  let path: string;
  let count = 0;
  const clients: HotStore[] = [];

  beforeEach(async () => {
    const dir = `${folder.dir}/${'long'.repeat(30)}/${(count += 1)}`;
    mkdirSync(dir, { recursive: true });
    own = openLedger({ dir: `${dir}/hot`, nowMs: () => now, log });
    path = `${dir}/run/hot.sock`;
    server = await serveHotStore(own, { path: path });
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await server?.stop();
    await own.close();
  });

  function open(callMs?: number): HotStore {
    const client = openSocketHotStore({ path, log, ...(callMs === undefined ? {} : { callMs }) });
    clients.push(client);
    return client;
  }

  test('the socket is for this user alone, at a path of any length, and a stop of the owner removes it', async () => {
    expect(path.length).toBeGreaterThan(108);
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    await open().set('k', 'v', 60_000);
    await server?.stop();
    server = null;
    expect(existsSync(path)).toBe(false);
    // What a killed owner left is replaced.
    writeFileSync(path, '');
    chmodSync(path, 0o400);
    server = await serveHotStore(own, { path: path });
    expect(await open().get('k')).toBe('v');
  });

  test('two processes count the same key, and each learns every sum once', async () => {
    const [one, other] = [open(), open()];
    const add = (store: HotStore) => store.addToCounters([{ key: 'c', by: 1n, ttlMs: 60_000 }]);
    const sums = await Promise.all(Array.from({ length: 2_000 }, (_none, at) => add(at % 2 === 0 ? one : other)));
    expect(new Set(sums.flat()).size).toBe(2_000);
    expect(await own.readCounters(['c'])).toEqual([2_000n]);
  });

  test('a call that comes before the owner waits for it, and a ping does not', async () => {
    await server?.stop();
    server = null;
    const client = open();
    const read = client.readCounters(['c']);
    await expect(client.ping()).rejects.toThrow('is down');
    server = await serveHotStore(own, { path: path });
    expect(await read).toEqual([0n]);
    await client.ping();
  });

  test('a call waits no longer than its time, and the next ones are done', async () => {
    await server?.stop();
    const client = open(50);
    await expect(client.get('k')).rejects.toThrow('did not respond in 50 ms');
    server = await serveHotStore(own, { path: path });
    await expect.poll(() => client.get('k').catch(() => 'late')).toBeNull();
  });

  test('a call whose owner goes fails at once, and is not sent again', async () => {
    await server?.stop();
    server = null;
    const received: Buffer[] = [];
    const silent = createServer((socket) => {
      socket.on('data', (chunk: Buffer) => {
        received.push(chunk);
        socket.destroy();
      });
      socket.on('error', () => undefined);
    });
    await using _closing = { [Symbol.asyncDispose]: async () => void silent.close() };
    const dir = createTestFolder();
    path = `${dir.dir}/s`;
    silent.listen(path);
    await once(silent, 'listening');
    const client = open();
    await expect(client.addToCounters([{ key: 'c', by: 1n, ttlMs: 60_000 }])).rejects.toThrow('may have been done');
    await once(silent, 'connection');
    expect(received).toHaveLength(1);
    dir.remove();
  });

  test('a stop of the owner does the calls that it has read, and sends their results', async () => {
    const asked = Promise.withResolvers<void>();
    const found = Promise.withResolvers<string>();
    own.get = () => {
      asked.resolve();
      return found.promise;
    };
    const client = open();
    const read = client.get('k');
    await asked.promise;
    const stopped = server?.stop();
    server = null;
    found.resolve('v');
    expect(await read).toBe('v');
    await stopped;
    await expect(client.ping()).rejects.toThrow('The owner of the hot store');
  });

  test('more calls than may wait are refused at once', async () => {
    await server?.stop();
    server = null;
    const client = open(1_000);
    const calls = Array.from({ length: 10_000 }, () => client.get('k').catch((error: Error) => error.message));
    await expect(client.get('k')).rejects.toThrow('Too many calls');
    await client.close();
    expect(new Set(await Promise.all(calls))).toEqual(
      new Set(['The connection to the owner of the hot store is closed']),
    );
  });

  test('a caller that sends something else is cut off, and harms no other', async () => {
    const messages = [[1, true], [1, 'close', []], ['1', 'get', ['k']], null].map((message) => encodeFrame(message));
    for (const bytes of [Buffer.from('GET / HTTP/1.1\r\n\r\n'), Buffer.alloc(64), ...messages]) {
      const short = shortSocketPath(path);
      const stranger = connect(short.path);
      stranger.on('error', () => undefined);
      stranger.end(bytes);
      const received: Buffer[] = await stranger.toArray();
      expect(received).toEqual([]);
      short.release();
    }
    expect(await open().get('k')).toBeNull();
  });

  test('a loss of counters arrives as itself, with what was found', async () => {
    const lost = new HotStoreLostError([1n, null]);
    own.readCounters = () => Promise.reject(lost);
    const error = await open()
      .readCounters(['a', 'b'])
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HotStoreLostError);
    expect((error as HotStoreLostError).found).toEqual([1n, null]);
  });
});
