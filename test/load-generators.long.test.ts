import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bidBodies } from '../bench/support/bid-traffic.ts';
import { runEventLoad } from '../bench/support/event-load.ts';
import { FillWatch } from '../bench/support/fill-watch.ts';
import { runLoad } from '../bench/support/load.ts';
import { runOpenLoop } from '../bench/support/open-loop.ts';
import { measurePunctually } from '../bench/support/punctual.ts';

let server: Server;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer({ connectionsCheckingInterval: 100 }, listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/1000/bid`;
}

const bodies = bidBodies();
const plan = { bodies, headers: { 'content-type': 'application/json' }, connections: 4, seconds: 1 };

test('no generator sends a request id twice, so that no bid of a benchmark is a retry', async () => {
  const ids: string[] = [];
  const url = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      ids.push((JSON.parse(Buffer.concat(chunks).toString()) as { id: string }).id);
      response.end('{}');
    });
  });
  await runLoad({ ...plan, url });
  const ofLoad = ids.length;
  await runLoad({ ...plan, url });
  await runOpenLoop({ ...plan, url, perSecond: 200 });
  expect(ofLoad).toBeGreaterThan(bodies.length);
  expect(ids.length).toBeGreaterThan(2 * bodies.length + 200);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a request whose connection is closed counts as an error, and the load ends all the same', async () => {
  let responded = 0;
  const url = await serve((request, response) => {
    request.resume();
    responded += 1;
    if (responded % 50 === 0) request.socket.destroy();
    else response.end('{}');
  });
  expect(await runOpenLoop({ ...plan, url, perSecond: 100 })).toMatchObject({ errors: 2 });
});

/** Connections that send nothing are closed: new ones with a 408, after the first request without a word. */
function closeIdleSoon(): void {
  server.keepAliveTimeout = 1_000;
  server.headersTimeout = 1_000;
}

describe('connections that wait for requests longer than their server allows', () => {
  const idle = { ...plan, connections: 40, perSecond: 10, idleMsMax: 200 };

  test('bids over them have no errors', async () => {
    const url = await serve((request, response) => void request.resume().on('end', () => response.end('{}')));
    closeIdleSoon();
    expect(await runOpenLoop({ ...idle, url, seconds: 4 })).toMatchObject({ errors: 0 });
  });

  test('events over them have no errors', async () => {
    const url = await serve((_request, response) => void response.end('{}'));
    closeIdleSoon();
    const dir = mkdtempSync(join(tmpdir(), 'placard-load-'));
    const requestsFile = join(dir, 'requests');
    writeFileSync(requestsFile, 'GET\t/1000/imp\t\n'.repeat(100));
    const result = await runEventLoad({ ...idle, url, seconds: 4, requestsFile });
    rmSync(dir, { recursive: true });
    expect(result).toMatchObject({ errors: 0, accepted: 40 });
  });
});

test('a load that gets fewer ads than expected is discarded', async () => {
  let asked = 0;
  const url = await serve((_request, response) => {
    asked += 1;
    const line = (status: number, count: number) =>
      `placard_delivery_request_seconds_count{route="bid",status="${status}"} ${count}\n`;
    response.end(line(200, 74 * asked) + line(204, 26 * asked));
  });
  const load = () => Promise.resolve('measured');
  expect(await new FillWatch(url, 0.75).during(load)).toBe('measured');
  await expect(new FillWatch(url, 0.77).during(load)).rejects.toThrow(
    '74.0 % of the requests got an ad instead of 77.0 %',
  );
});

describe('figures of requests that were due at fixed moments', () => {
  const figures = (lateP99Ms: number, errors = 0) => ({ p50Ms: 1, p99Ms: 10, lateP99Ms, errors });
  const runs = (...all: (ReturnType<typeof figures> & { readonly causes?: Record<string, number> })[]) => {
    vi.spyOn(console, 'log').mockReturnValue();
    return measurePunctually('bids', async () => all.shift() ?? figures(0));
  };

  test('a run whose generator was late is void and repeated', async () => {
    expect(await runs(figures(9), figures(2.1), figures(2))).toEqual(figures(2));
    await expect(runs(figures(9), figures(9), figures(9))).rejects.toThrow('late in 3 runs');
  });

  test('a failed request fails the bench', async () => {
    await expect(runs(figures(0, 1))).rejects.toThrow('1 requests failed');
    const causes = { 'status 400': 1, 'no connection was free': 0 };
    await expect(runs({ ...figures(0, 1), causes })).rejects.toThrow('1 requests failed, 1 status 400');
  });
});
