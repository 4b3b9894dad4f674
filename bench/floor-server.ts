/**
 * The floor that the bid endpoint is measured against: a bare node:http server that parses the same JSON body and writes an
 * answer of the same size. Run as `node floor-server.ts <answer bytes> <filled share>`; prints its port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [bytes = '1000', outOfFour = '3'] = process.argv.slice(2);
const filler = 'x'.repeat(Math.max(0, Number(bytes) - 64));
let turn = 0;

const server = createServer((request, response) => {
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
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
