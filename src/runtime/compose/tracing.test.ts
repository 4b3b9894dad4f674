/** Spans as a collector gets them: a small OTLP receiver over HTTP. */
import Fastify, { type FastifyInstance } from 'fastify';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { traceRequests } from '../../http/core/request-spans.ts';
import { recorded } from '../../events/shipping/record-run.ts';
import { openTracing, openTracingLater, type Tracing } from './tracing.ts';

interface ReceivedSpan {
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code?: number };
  readonly startTimeUnixNano: string;
}

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const PARENT_ID = 'b7ad6b7169203331';
let receiver: Server;
let spans: ReceivedSpan[];
let tokens: (string | undefined)[];
let app: FastifyInstance;
let tracing: Tracing | null;

beforeEach(async () => {
  [spans, tokens] = [[], []];
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    tokens.push(request.headers.authorization);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
      };
      for (const { scopeSpans } of body.resourceSpans) spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      response.setHeader('content-type', 'application/json');
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  await app.close();
  receiver.close();
});

// `stop` waits a bounded time for the collector; what it has sent may arrive later.
const receiverUrl = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/v1/traces`;

/** A server whose requests are traced into `otlpUrl`. */
async function serve(otlpUrl: string, tracePercent = 100): Promise<void> {
  tracing = await openTracing({ otlpUrl, otlpToken: 'secret-token', tracePercent }, 'core');
  app = Fastify();
  if (tracing !== null) traceRequests(app, tracing.beginRequest);
  app.post('/graphql/:network', () => ({ data: {} }));
  app.get('/readyz', { config: { plainAllowed: true } }, () => 'ok');
  app.get('/fails', () => {
    throw new Error('a fault');
  });
}

const valueOf = (span: ReceivedSpan | undefined, key: string): unknown =>
  Object.values(span?.attributes.find((one) => one.key === key)?.value ?? {})[0];

test('a request with traceparent becomes a span of its caller’s trace, with route, status and operation', async () => {
  await serve(receiverUrl(), 0);
  await app.inject({
    method: 'POST',
    url: '/graphql/1000?key=not-in-the-span',
    headers: { traceparent: `00-${TRACE_ID}-${PARENT_ID}-01` },
    payload: { operationName: 'ListCampaigns', query: '{ a }' },
  });
  await tracing?.stop();
  await expect.poll(() => spans).toHaveLength(1);
  expect(spans[0]).toMatchObject({ traceId: TRACE_ID, parentSpanId: PARENT_ID, name: 'POST /graphql/:network' });
  expect(valueOf(spans[0], 'graphql.operation.name')).toBe('ListCampaigns');
  expect(valueOf(spans[0], 'http.response.status_code')).toBe(200);
  expect(JSON.stringify(spans)).not.toContain('not-in-the-span');
  expect(tokens).toEqual(['Bearer secret-token']);
});

test('a fault of ours marks its span as failed; probes and unknown addresses have no span', async () => {
  await serve(receiverUrl());
  await app.inject({ method: 'GET', url: '/readyz' });
  await app.inject({ method: 'GET', url: '/none' });
  await app.inject({ method: 'GET', url: '/fails' });
  await tracing?.stop();
  await expect.poll(() => spans.map(({ name, status }) => [name, status.code])).toEqual([['GET /fails', 2]]);
});

describe('sampling', () => {
  test('the sampler leaves out traces that begin here with a share of 0, and always those that their caller does not record', async () => {
    await serve(receiverUrl(), 0);
    await app.inject({ method: 'GET', url: '/fails' });
    await tracing?.stop();
    await app.close();
    await serve(receiverUrl(), 100);
    await app.inject({ method: 'GET', url: '/fails', headers: { traceparent: `00-${TRACE_ID}-${PARENT_ID}-00` } });
    await tracing?.stop();
    expect(spans).toEqual([]);
  });
});

test('a run of a job becomes a span with its own start', async () => {
  await serve(receiverUrl());
  tracing?.recordJob('retention', Date.UTC(2026, 0, 1), true);
  await tracing?.stop();
  await expect.poll(() => spans[0]).toMatchObject({ name: 'job retention', status: { code: 2 } });
  expect(BigInt(spans[0]?.startTimeUnixNano ?? 0)).toBe(BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n);
});

test('shipped batches become spans from when tracing is loaded on, and those before cost nothing', async () => {
  await serve(receiverUrl());
  const begin = Promise.withResolvers<void>();
  const settings = { otlpUrl: receiverUrl(), otlpToken: null, tracePercent: 100 };
  const later = openTracingLater(settings, 'delivery', begin.promise);
  later.recordJob('too early', 1, false);
  begin.resolve();
  await expect
    .poll(async () => {
      await recorded(later.recordJob, 'ship events', () => Promise.reject(new Error('down'))).catch(() => undefined);
      return recorded(later.recordJob, 'ship events', () => Promise.resolve(spans.length));
    })
    .toBeGreaterThan(1);
  await later.stop();
  expect(new Set(spans.map(({ name }) => name))).toEqual(new Set(['job ship events']));
  expect(new Set(spans.map(({ status }) => status.code ?? 0))).toEqual(new Set([0, 2]));
});

test('a collector that is down costs no request and no stop', async () => {
  const url = receiverUrl();
  await new Promise((resolve) => receiver.close(resolve));
  await serve(url);
  const replies = await Promise.all(
    Array.from({ length: 3_000 }, () => app.inject({ method: 'POST', url: '/graphql/1', payload: {} })),
  );
  expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  await tracing?.stop();
});

test('a core without a collector traces nothing', async () => {
  app = Fastify();
  expect(await openTracing({ otlpUrl: null, otlpToken: null, tracePercent: 100 }, 'core')).toBeNull();
});
