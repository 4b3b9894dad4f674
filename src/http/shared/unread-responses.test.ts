import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { UnreadResponses } from './unread-responses.ts';

const LARGE = Buffer.alloc(30_000_000);
const sockets: Socket[] = [];
let server: ReturnType<typeof createServer> | null = null;
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.close();
});

/** A server of large responses, whose connections are watched on a clock that the test moves. */
async function open(): Promise<{ unread: UnreadResponses; clock: { nowMs: number }; get: () => Promise<Socket> }> {
  const clock = { nowMs: 0 };
  const unread = new UnreadResponses(10_000, () => clock.nowMs);
  const made = createServer((_request, response) => response.end(LARGE));
  server = made;
  made.on('connection', (socket) => unread.watch(socket));
  await once(made.listen(0, '127.0.0.1'), 'listening');
  const get = async (): Promise<Socket> => {
    const responding = once(made, 'request');
    const socket = connect((made.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    socket.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await responding;
    return socket;
  };
  return { unread, clock, get };
}

test('a connection whose client reads nothing for ten seconds is closed', async () => {
  const { unread, clock, get } = await open();
  const socket = await get();
  // The kernel takes some bytes at first.
  await expect.poll(() => (unread.check(), (clock.nowMs += 1), unread.check())).toBe(0);
  clock.nowMs += 9_000;
  expect(unread.check()).toBe(0);
  clock.nowMs += 1_000;
  expect(unread.check()).toBe(1);
  socket.resume();
  await once(socket, 'close');
});

test('a connection whose client reads, and one without a response, stay open', async () => {
  const { unread, clock, get } = await open();
  const socket = await get();
  unread.check();
  let received = 0;
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  socket.resume();
  await expect.poll(() => received).toBeGreaterThan(LARGE.length);
  for (let step = 0; step < 5; step += 1) {
    clock.nowMs += 60_000;
    expect(unread.check()).toBe(0);
  }
});
