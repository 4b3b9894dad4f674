import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { endWhileDiscarding } from './listener.ts';

const BODY_BYTES = 8 * 1024 * 1024;
const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) server.close();
});

/** The rest of the body is on its way while this process stands still for longer than two looks. */
test('a process that stands still reads the rest of a refused body before it closes', async () => {
  const { promise: ended, resolve } = Promise.withResolvers<boolean>();
  const server = createServer((incoming, response) => {
    response.on('finish', () => resolve(incoming.complete));
    response.writeHead(413, { 'content-length': 3, connection: 'close' });
    response.write('no!');
    endWhileDiscarding(incoming, response, { lookMs: 50, idleLooks: 4, looksMax: 1_000 });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  // In a thread of its own, since this one stands still.
  const client = new Worker(
    `const { request } = require('node:http');
     const { port, bytes } = require('node:worker_threads').workerData;
     const outgoing = request({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-length': bytes } });
     outgoing.on('response', (response) => response.resume()).on('error', () => {}).end(Buffer.alloc(bytes));`,
    { eval: true, workerData: { port, bytes: BODY_BYTES } },
  );
  expect(await ended).toBe(true);
  await client.terminate();
});
