/** Bodies count for their network until their client has read them, whatever route they come from. */
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { SILENT_LOG } from '../../domain/log/log.ts';
import { type CoreServer, createCoreServer } from './core-server.ts';
import { heldBytes, ownResponse } from './held-responses.ts';

const MIB = 1024 ** 2;
const BODY = 'x'.repeat(16 * MIB);
let server: CoreServer | null = null;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.stop(0);
  await expect.poll(heldBytes).toBe(0);
});

async function start(): Promise<number> {
  server = await createCoreServer({ transport: { mode: 'loopback', tls: null }, port: 0, log: SILENT_LOG });
  const handler = async (request: { readonly raw: never; readonly query: unknown }): Promise<string> => {
    ownResponse(request.raw, (request.query as { network: string }).network);
    return BODY;
  };
  server.app.get('/read', handler as never);
  server.app.post('/read', { config: { readsOnly: true } }, handler as never);
  server.app.post('/change', handler as never);
  return server.listen();
}

/** The status of a response whose body nobody reads. */
function ask(port: number, method: string, path: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`.replace(
          method === 'GET' ? 'Content-Length: 2\r\n\r\n{}' : '\0',
          method === 'GET' ? '\r\n' : '',
        ),
      );
    });
    sockets.push(socket);
    socket.once('readable', () => resolve(Number(/^HTTP\/1.1 (\d{3})/.exec(String(socket.read(100)))?.[1])));
  });
}

test.each([
  ['GET', '/read', 503],
  ['POST', '/read', 503],
  ['POST', '/change', 200],
])('the fifth body of 16 MiB of a network that nobody reads: %s %s gets %d', async (method, path, fifth) => {
  const port = await start();
  for (let index = 0; index < 4; index += 1) expect(await ask(port, method, `${path}?network=1`)).toBe(200);
  expect(heldBytes()).toBe(64 * MIB);
  expect(await ask(port, method, `${path}?network=1`)).toBe(fifth);
  expect(await ask(port, method, `${path}?network=2`)).toBe(200);
});

test('a body counts no longer when its client leaves, and a request of the process itself never', async () => {
  const port = await start();
  await ask(port, 'GET', '/read?network=1');
  expect(heldBytes()).toBe(16 * MIB);
  sockets.at(-1)?.destroy();
  await expect.poll(heldBytes).toBe(0);
  expect((await server?.app.inject({ url: '/read?network=1' }))?.statusCode).toBe(200);
  expect(heldBytes()).toBe(0);
});

test('a body that is read counts no longer while its connection stays', async () => {
  const port = await start();
  const response = await fetch(`http://127.0.0.1:${port}/read?network=1`);
  expect((await response.text()).length).toBe(BODY.length);
  await expect.poll(heldBytes).toBe(0);
});
