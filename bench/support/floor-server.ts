/**
 * The floor that the ad endpoints are measured against: a bare node:http(s) server that parses the same JSON body and writes an
 * response of the same size. Run as `node floor-server.ts <response bytes> <filled out of four> [PEM file of key and certificate]`;
 * prints its port.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const [bytes = '1000', outOfFour = '3', pemFile] = process.argv.slice(2);
const filler = 'x'.repeat(Math.max(0, Number(bytes) - 64));
let turn = 0;

const respond: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { id: string };
    turn = (turn + 1) % 4;
    if (turn >= Number(outOfFour)) {
      response.writeHead(204).end();
      return;
    }
    const text = JSON.stringify({ id: body.id, filler });
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      .end(text);
  });
};

const pem = pemFile === undefined ? null : readFileSync(pemFile, 'utf8');
const server =
  pem === null ? createServer(respond) : createTlsServer({ key: pem, cert: pem, minVersion: 'TLSv1.2' }, respond);
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
