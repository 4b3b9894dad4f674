/**
 * The cost of the delivery server over bare node:http for the same work: parse a 750-byte JSON body, return 829 bytes.
 *
 *   node bench/http-floor.ts [seconds per round, default 3] [rounds, default 3]
 *
 * Each server runs alone in a process of its own on 127.0.0.1; rounds alternate; the best round of each counts, as the machine's
 * other work can only slow a round down. Exit code 1 when the ratio is below 0.6.
 */
import autocannon from 'autocannon';
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SILENT_LOG } from '../src/domain/log/log.ts';
import { startDeliveryServer } from '../src/http/fast/delivery-server.ts';
import { parseJsonBody } from '../src/http/shared/json.ts';

const RATIO_MIN = 0.6;
const REQUEST = JSON.stringify({
  id: 'r1',
  imp: [{ id: 'i1', banner: { format: [{ w: 300, h: 250 }] } }],
  pad: 'x'.repeat(670),
});
const RESPONSE = JSON.stringify({ id: 'r1', cur: 'PLN', pad: 'y'.repeat(795) });

async function startBare(): Promise<number> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const value = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { id: string };
      response.writeHead(value.id === 'r1' ? 200 : 400, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(RESPONSE),
      });
      response.end(RESPONSE);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function startOurs(): Promise<number> {
  const { port } = await startDeliveryServer({
    routes: [
      {
        method: 'POST',
        pattern: '/:network/bid',
        name: 'bid',
        corsCredentials: true,
        contentTypes: ['application/json', 'text/plain'],
        handler: (request) => {
          const value = parseJsonBody(request.body) as { id: string };
          return { status: value.id === 'r1' ? 200 : 400, body: RESPONSE };
        },
      },
    ],
    transport: { mode: 'loopback', tls: null },
    port: 0,
    log: SILENT_LOG,
  });
  return port;
}

async function measure(kind: 'bare' | 'ours', seconds: number): Promise<number> {
  const child = fork(new URL(import.meta.url).pathname, ['--serve', kind]);
  const port = await new Promise<number>((resolve) => child.once('message', (message) => resolve(Number(message))));
  const run = (duration: number) =>
    autocannon({
      url: `http://127.0.0.1:${port}/1000/bid`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: REQUEST,
      connections: 32,
      pipelining: 4,
      duration,
    });
  await run(1);
  const result = await run(seconds);
  child.kill();
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${kind}: ${result.non2xx} bad responses, ${result.errors} errors`);
  return result.requests.average;
}

async function compare(seconds: number, rounds: number): Promise<void> {
  const best = { bare: 0, ours: 0 };
  for (let round = 1; round <= rounds; round += 1) {
    for (const kind of ['bare', 'ours'] as const) {
      const perSecond = await measure(kind, seconds);
      best[kind] = Math.max(best[kind], perSecond);
      console.log(`round ${round} ${kind}: ${Math.round(perSecond)} requests/s`);
    }
  }
  const ratio = best.ours / best.bare;
  console.log(
    `best: bare ${Math.round(best.bare)}, delivery server ${Math.round(best.ours)}, ratio ${ratio.toFixed(2)} (at least ${RATIO_MIN})`,
  );
  process.exitCode = ratio >= RATIO_MIN ? 0 : 1;
}

const [first, second] = process.argv.slice(2);
if (first === '--serve') process.send?.(await (second === 'bare' ? startBare() : startOurs()));
else await compare(Number(first ?? 3), Number(second ?? 3));
