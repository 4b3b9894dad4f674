import { EdgeVM } from '@edge-runtime/vm';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

/** One response: JSON, nothing (`hang`), or whatever a function does. */
type Scripted = { status: number; body?: unknown } | 'hang' | ((response: ServerResponse) => void);

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly atMs: number;
}

let code: string;
let server: Server;
let base: string;
let script: Scripted[];
let seen: Seen[];

/** The client and what is to be done with it as one script, as a bundler makes it for an edge function. */
beforeAll(async () => {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('../fixtures/edge-scenarios.ts', import.meta.url)),
    platform: 'neutral',
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'iife', name: 'scenarios' });
  await bundle.close();
  expect(output).toHaveLength(1);
  expect(output[0].imports).toEqual([]);
  code = output[0].code;
});

beforeEach(async () => {
  [script, seen] = [[], []];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body, atMs: performance.now() });
      const next = script.length > 1 ? script.shift() : script[0];
      if (next === undefined || next === 'hang') return;
      if (typeof next === 'function') return next(response);
      response.writeHead(next.status, { 'content-type': 'application/json' });
      response.end(next.body === undefined ? undefined : JSON.stringify(next.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Runs a scenario in a runtime of its own; the result crosses as JSON. */
async function atTheEdge(scenario: string): Promise<unknown> {
  const runtime = new EdgeVM({ initialCode: code });
  const call = `Promise.resolve(scenarios.${scenario}(${JSON.stringify(base)})).then((value) => JSON.stringify(value))`;
  return JSON.parse(await runtime.evaluate<Promise<string>>(call)) as unknown;
}

const legacy = (field: string, value: unknown): Scripted => ({
  status: 200,
  body: { data: { report: { [field]: value } } },
});

describe('the client in an edge runtime', () => {
  test('nothing of Node is reachable there', async () => {
    const globals = (await atTheEdge('nodeGlobals')) as Record<string, string>;
    expect(Object.keys(globals)).toContain('process');
    expect(Object.keys(globals)).toContain('Buffer');
    expect(new Set(Object.values(globals))).toEqual(new Set(['undefined']));
  });

  test('the client requests ads', async () => {
    script = [{ status: 200, body: { ads: [{ position: 1 }], noFill: null } }];
    expect(await atTheEdge('ads')).toEqual({ ads: [{ position: 1 }], noFill: null });
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/api/v1/ads', headers: { authorization: 'Bearer k' } });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ network: '1000', adUnit: 'home/sidebar', count: 2 });
  });

  test('the client requests bids, caches them, and treats 204 as no bid', async () => {
    script = [{ status: 200, body: { id: 'r1', cur: 'PLN' } }, { status: 204 }];
    expect(await atTheEdge('bid')).toEqual([{ id: 'r1', cur: 'PLN' }, { id: 'r2', cur: 'PLN' }, null]);
    expect(seen.map((one) => one.url)).toEqual(['/1000/bid', '/1000/bid']);
  });

  test('the client records an activity event', async () => {
    script = [{ status: 202, body: { eventId: 'e', status: 'accepted' } }];
    expect(await atTheEdge('recordEvent')).toEqual({ eventId: 'e', status: 'accepted' });
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ network: '1000', cost: '49.90', ord: 'o1' });
  });

  test('the client runs a GraphQL operation', async () => {
    script = [{ status: 200, body: { data: { network: { name: 'Demo' } } } }];
    expect(await atTheEdge('graphql')).toEqual({ network: { name: 'Demo' } });
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ variables: { id: '1000' } });
  });

  test('loads a report, and asks again while it is told to wait', async () => {
    const wait: Scripted = { status: 200, body: { error: 'Continue wait' } };
    script = [wait, wait, { status: 200, body: { data: [{ a: '1' }] } }];
    expect(await atTheEdge('loadReport')).toEqual({ data: [{ a: '1' }] });
    expect(seen.map((one) => one.url)).toEqual(Array.from({ length: 3 }, () => '/reports/1000/v1/load'));
    expect((seen[2]?.atMs ?? 0) - (seen[0]?.atMs ?? 0)).toBeGreaterThan(900);
  });

  test('downloads a report as a stream', async () => {
    const url = `${base}/reports/download/t/`;
    script = [
      legacy('generate_report', { task_id: '7' }),
      legacy('report_task', { task_id: '7', task_status: 'PROCESSING', task_download_url: null }),
      legacy('report_task', { task_id: '7', task_status: 'DONE', task_download_url: url }),
      (response) => {
        response.writeHead(200, { 'content-type': 'text/csv' });
        response.write('line_item,imp');
        setTimeout(() => response.end('ressions\nż,1\n'), 50);
      },
    ];
    const { seen: statuses, chunks } = (await atTheEdge('download')) as { seen: string[]; chunks: string[] };
    expect(statuses).toEqual(['PROCESSING', 'DONE']);
    expect(chunks[0]).toBe('line_item,imp');
    expect(chunks.join('')).toBe('line_item,impressions\nż,1\n');
    expect(seen.at(-1)).toMatchObject({ method: 'GET', headers: { 'x-internal-auth-login': 'l' } });
  });

  test('a signal ends a download that is under way, at the server too', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    script = [
      (response) => {
        closed = new Promise((resolve) => response.once('close', resolve));
        response.writeHead(200, { 'content-type': 'text/csv' });
        response.write('12345');
      },
    ];
    expect(await atTheEdge('abortDownload')).toEqual([5, 'Error: enough']);
    await closed;
  });

  test('a signal ends a call with its reason, and nothing is sent after it', async () => {
    script = ['hang'];
    expect(await atTheEdge('abortCall')).toEqual(['Error: gone', 'Error: gone']);
    expect(seen).toHaveLength(1);
  });

  test('a request that hangs is given up, and tried again', async () => {
    script = ['hang'];
    expect(await atTheEdge('tooSlow')).toEqual([true, 2]);
    expect(seen).toHaveLength(2);
  });

  test('failures are tried again after waits with jitter', async () => {
    script = [{ status: 503, body: { error: 'unavailable', message: 'm' } }];
    const failed = (await atTheEdge('retries')) as { waits: number[] };
    expect(failed).toMatchObject({ status: 503, code: 'unavailable', attempts: 3 });
    const [first = 0, second = 0] = failed.waits;
    expect(failed.waits).toHaveLength(2);
    expect(first).toBeGreaterThanOrEqual(1_000);
    expect(first).toBeLessThanOrEqual(1_250);
    expect(second).toBeGreaterThanOrEqual(2_000);
    expect(second).toBeLessThanOrEqual(2_500);
    const others = (await atTheEdge('retries')) as { waits: number[] };
    expect(others.waits).not.toEqual(failed.waits);
  });

  test('the client’s own wait holds the next request back', async () => {
    script = [{ status: 502 }, { status: 200, body: { ads: [] } }];
    expect(await atTheEdge('retryWithOwnWait')).toEqual({ ads: [] });
    expect((seen[1]?.atMs ?? 0) - (seen[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(38);
  });
});
