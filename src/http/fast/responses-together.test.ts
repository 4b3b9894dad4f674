import { Agent, request, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { silentLog } from '../../../test/support/stores.ts';
import { startDeliveryServer } from './delivery-server.ts';
import type { DeliveryServer } from './delivery-server.ts';

let server: DeliveryServer;

beforeAll(async () => {
  server = await startDeliveryServer({
    routes: [
      {
        method: 'POST',
        pattern: '/echo',
        name: 'echo',
        handler: ({ body }) => ({ status: 200, body: body.toString().repeat(20) }),
      },
    ],
    transport: { mode: 'loopback', tls: null },
    port: 0,
    log: silentLog,
  });
});
afterAll(() => server.stop(1_000));

function post(agent: Agent, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, port: server.port, method: 'POST', path: '/echo' }, (response) => {
      response.setEncoding('utf8');
      let received = '';
      response.on('data', (chunk: string) => (received += chunk)).on('end', () => resolve(received));
    });
    sent.on('error', reject).setHeader('content-type', 'application/json').end(text);
  });
}

test('hundreds of requests that come at once all get a response, each its own', async () => {
  const agent = new Agent({ keepAlive: true });
  for (let round = 0; round < 3; round += 1) {
    const texts = Array.from({ length: 300 }, (_one, n) => `{"n":${round * 1_000 + n},"ü":1}`);
    expect(await Promise.all(texts.map((text) => post(agent, text)))).toEqual(texts.map((text) => text.repeat(20)));
  }
  agent.destroy();
});

test('a hundred requests in one piece on one connection get their responses in order', async () => {
  const socket = connect(server.port, '127.0.0.1');
  const texts = Array.from({ length: 100 }, (_one, n) => `[${n}]`);
  const head = (text: string): string => `POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: ${text.length}\r\n\r\n`;
  socket.write(texts.map((text) => head(text) + text).join(''));
  let received = '';
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      if (received.includes('[99]'.repeat(20))) resolve();
    });
  });
  socket.destroy();
  expect(received.match(/(?:\[\d+\]){20}/g)).toEqual(texts.map((text) => text.repeat(20)));
});

test('a response that cannot be ended closes its connection; the others arrive all the same', async () => {
  const { end } = ServerResponse.prototype;
  vi.spyOn(ServerResponse.prototype, 'end').mockImplementation(function (this: ServerResponse, ...given: unknown[]) {
    if (this.req.headers['content-length'] === '3') throw new Error('no end');
    return Reflect.apply(end, this, given) as ServerResponse;
  });
  const agent = new Agent({ keepAlive: true });
  const texts = ['[1]', '[20]', '[30]', '[40]'];
  const results = await Promise.allSettled(texts.map((text) => post(agent, text)));
  agent.destroy();
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
});
