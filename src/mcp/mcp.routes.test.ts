import { type ClientRequest, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createCoreServer, type CoreServer } from '../http/core/core-server.ts';
import { SILENT_LOG } from '../domain/log/log.ts';
import type { Principal } from '../domain/tenancy/principal.ts';
import { registerMcp } from './mcp.routes.ts';

const CALLER: Principal = {
  kind: 'apiKey',
  networkId: '7',
  environment: 'production',
} as unknown as Principal;

let server: CoreServer;
let port: number;
/** What the API does with a request of a tool. */
let api: () => Promise<object>;
let requests = 0;
const loads: unknown[] = [];

beforeAll(async () => {
  server = await createCoreServer({ transport: { mode: 'loopback', tls: null }, port: 0, log: SILENT_LOG });
  server.app.post('/graphql', async () => {
    requests += 1;
    return api();
  });
  server.app.post('/reports/7/v1/load', async (incoming) => {
    loads.push(incoming.body);
    const rowsOf = (range: string) => ({ data: [{ compareDateRange: range }, { compareDateRange: range }] });
    return { queryType: 'compareDateRangeQuery', results: [rowsOf('first'), rowsOf('second')] };
  });
  registerMcp(server.app, {
    authenticate: () => Promise.resolve(CALLER),
    secret: Buffer.alloc(32, 1),
    version: '1.0.0',
    nowMs: () => 1_000_000,
  });
  port = await server.listen();
});
afterAll(() => server.stop(0));
afterEach(() => {
  requests = 0;
  vi.restoreAllMocks();
});

interface Call {
  readonly id?: number;
  readonly name?: string;
  readonly input?: object;
}

/** A message that calls a tool. */
function callOf({ id = 1, name = 'describe_type', input = { name: 'Query' } }: Call = {}): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } };
}

const CANCELLATION = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };

interface Sent {
  readonly request: ClientRequest;
  readonly response: Promise<{ readonly status: number | undefined; readonly text: string }>;
}

function start(body: unknown, headers: OutgoingHttpHeaders = {}): Sent {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<Sent['response']>>();
  const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const sent = request({ port, method: 'POST', path: '/mcp', headers: { ...types, ...headers } });
  sent.on('error', reject);
  sent.on('response', (response) => {
    text(response).then((body) => resolve({ status: response.statusCode, text: body }), reject);
  });
  sent.end(JSON.stringify(body));
  return { request: sent, response: promise };
}

const send = (body: unknown, headers?: OutgoingHttpHeaders): Sent['response'] => start(body, headers).response;

test.each([
  ['after', [callOf(), CANCELLATION]],
  ['before', [CANCELLATION, callOf()]],
])('a list with a cancellation %s its call gets the response of the call', async (_name, list) => {
  api = () => Promise.resolve({ data: { __type: null } });
  expect(await send(list)).toEqual({ status: 200, text: expect.stringContaining('The API has no type named Query') });
});

test('a report shows the rows of every range that it compares, one object a row', async () => {
  const query = { measures: ['a.b'], responseFormat: 'compact', limit: 90_000, timeDimensions: [] };
  const reply = await send(callOf({ name: 'read_report', input: { query, rows: 3 } }));
  expect(loads).toEqual([{ query: { ...query, responseFormat: 'default', limit: 4 }, queryType: 'multi' }]);
  const message = JSON.parse(/^data: (.*)$/m.exec(reply.text)?.[1] ?? '') as { result: { structuredContent: unknown } };
  const [first, second] = [{ compareDateRange: 'first' }, { compareDateRange: 'second' }];
  expect(message.result.structuredContent).toEqual({ rows: [first, first, second], hasMore: true });
});

test('a list of cancellations alone gets no content', async () => {
  expect(await send([CANCELLATION, CANCELLATION])).toEqual({ status: 202, text: '' });
});

test.each(['a b', '%', 'a:99999999', '[::1', 'x<y', '\u00e9'])(
  'a tool works for a client with the Host %s',
  async (host) => {
    api = () => Promise.resolve({ data: { __type: null } });
    expect(await send(callOf(), { host })).toMatchObject({ status: 200 });
  },
);

test('nothing is written past the log', async () => {
  const warn = vi.spyOn(console, 'warn');
  const write = vi.spyOn(process.stderr, 'write');
  api = () => Promise.resolve({ data: { __type: null } });
  await send(callOf());
  await send([callOf(), callOf({ id: 2 })]);
  expect([...warn.mock.calls, ...write.mock.calls]).toEqual([]);
});

test('a tool sends no further request when its client is gone', async () => {
  const reading = Promise.withResolvers<void>();
  const read = Promise.withResolvers<object>();
  api = () => {
    reading.resolve();
    return read.promise;
  };
  const input = { kind: 'site', action: 'update', id: '1', input: { name: 'x' } };
  const sent = start(callOf({ name: 'propose_change', input }));
  const failed = expect(sent.response).rejects.toThrow('socket hang up');
  await reading.promise;
  sent.request.destroy();
  await failed;
  await vi.waitFor(() => expect(server.connections().open).toBe(0));
  read.resolve({ data: { object: { version: 1, status: 'ACTIVE' } } });
  api = () => Promise.resolve({ data: { __type: null } });
  for (let index = 0; index < 3; index += 1) await send(callOf());
  expect(requests).toBe(4);
});
