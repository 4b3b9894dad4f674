import { afterAll, beforeAll, expect, test } from 'vitest';
import { SILENT_LOG } from '../domain/log/log.ts';
import { PlacardError } from '../domain/errors.ts';
import type { Principal } from '../domain/tenancy/principal.ts';
import { createCoreServer, type CoreServer } from '../http/core/core-server.ts';
import { registerAdcp } from './adcp.routes.ts';

const CALLER = { kind: 'apiKey', networkId: '7', environment: 'production' } as unknown as Principal;

let server: CoreServer;
let port: number;

beforeAll(async () => {
  server = await createCoreServer({ transport: { mode: 'loopback', tls: null }, port: 0, log: SILENT_LOG });
  registerAdcp(server.app, {
    authenticate: (request) =>
      request.headers.authorization === 'Bearer good'
        ? Promise.resolve(CALLER)
        : Promise.reject(new PlacardError('authentication_required')),
    publicUrl: 'https://ads.example',
    version: '1.0.0',
    nowMs: () => 1_000_000,
    soldSitesOf: (networkId) => Promise.resolve(networkId === '7' ? [{ name: 'M', domain: 'm.example' }] : []),
    keysOf: (networkId, environment) => [{ kid: `${networkId}/${environment}` }],
  });
  port = await server.listen();
});
afterAll(() => server.stop(0));

async function send(message: unknown, key: string | null = null) {
  const response = await fetch(`http://localhost:${port}/adcp/7/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(message),
  });
  return { status: response.status, text: await response.text(), challenge: response.headers.get('www-authenticate') };
}

const callOf = (name: string, input: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input },
});

test('a caller without a key reads what the seller supports, and its formats', async () => {
  expect(await send(callOf('get_adcp_capabilities'))).toMatchObject({ status: 200 });
  const formats = await send(callOf('list_creative_formats'));
  expect(formats.text).toContain('https://ads.example/adcp/7/mcp');
});

test.each(['get_products', 'list_accounts', 'create_media_buy', 'no_such_tool'])(
  'a caller without a key gets 401 and the scheme for %s',
  async (name) => {
    expect(await send(callOf(name))).toMatchObject({ status: 401, challenge: expect.stringContaining('Bearer') });
  },
);

test('one call that needs a key closes the whole list of messages', async () => {
  const list = [callOf('get_adcp_capabilities'), { ...callOf('list_accounts'), id: 2 }];
  expect((await send(list)).status).toBe(401);
});

test('a caller without a key sends at most 64 KiB', async () => {
  expect((await send(callOf('get_adcp_capabilities', { context: { a: 'x'.repeat(70_000) } }))).status).toBe(401);
});

test('an unknown tool and wrong arguments are errors of the protocol, with the context of the caller', async () => {
  const context = { id: 'c1' };
  const unknown = await send(callOf('drop_tables', { context }), 'good');
  expect(unknown.text).toContain('UNSUPPORTED_FEATURE');
  expect(unknown.text).toContain('"context":{"id":"c1"}');
  const wrong = await send(callOf('create_media_buy', { context, packages: 1 }), 'good');
  expect(wrong.text).toContain('INVALID_REQUEST');
});

test.each(['', '/staging'])(
  'brand.json%s leads to the keys of the network without a key of a caller',
  async (prefix) => {
    const base = `https://ads.example${prefix}/adcp/7`;
    const read = async (name: string) => (await fetch(`http://localhost:${port}${prefix}/adcp/7/${name}`)).json();
    expect(await read('brand.json')).toMatchObject({
      agents: [{ type: 'sales', url: `${base}/mcp`, jwks_uri: `${base}/jwks.json` }],
    });
    expect(await read('jwks.json')).toEqual({ keys: [{ kid: `7/${prefix === '' ? 'production' : 'staging'}` }] });
    expect((await fetch(`http://localhost:${port}${prefix}/adcp/x%20y/jwks.json`)).status).toBe(404);
  },
);

test('adagents.json authorizes the seller for the sites of a network that offers something', async () => {
  const read = (path: string) => fetch(`http://localhost:${port}${path}/adagents.json`);
  expect(await (await read('/adcp/7')).json()).toMatchObject({
    authorized_agents: [
      {
        url: 'https://ads.example/adcp/7/mcp',
        properties: [{ identifiers: [{ type: 'domain', value: 'm.example' }] }],
      },
    ],
  });
  expect((await read('/adcp/8')).status).toBe(404);
  expect((await read('/staging/adcp/7')).status).toBe(404);
});
