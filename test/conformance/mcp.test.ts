import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually, graphql, send, server } from './support/server.ts';

const unique = `${process.pid}-${Date.now()}`;
const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

interface Opened {
  readonly key?: string;
  readonly mode?: 'auto' | 'legacy';
}

/** The official client over HTTP, with this suite's trust in the server's certificate. */
async function connect({ key = server.demo.keys.admin, mode = 'auto' }: Opened = {}): Promise<Client> {
  const url = new URL(`${server.coreUrl}/mcp`);
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: async (target, init) => {
      const { method = 'GET', headers, body } = init ?? {};
      const sent = { method, headers: Object.fromEntries(new Headers(headers)) };
      const reply = await send(String(target), typeof body === 'string' ? { ...sent, body } : sent);
      const replied = new Headers();
      for (const [name, value] of Object.entries(reply.headers))
        if (typeof value === 'string') replied.set(name, value);
      return new Response(reply.text === '' ? null : reply.text, { status: reply.status, headers: replied });
    },
  });
  return open(transport, mode);
}

async function open(
  transport: StreamableHTTPClientTransport | StdioClientTransport,
  mode: 'auto' | 'legacy' = 'auto',
): Promise<Client> {
  const client = new Client({ name: 'conformance', version: '1.0' }, { versionNegotiation: { mode } });
  clients.push(client);
  await client.connect(transport);
  return client;
}

interface Called<T> {
  readonly isError: boolean;
  readonly text: string;
  readonly result: T;
}

async function call<T>(client: Client, name: string, input: Record<string, unknown> = {}): Promise<Called<T>> {
  const reply = await client.callTool({ name, arguments: input });
  const [first] = reply.content as readonly { readonly text: string }[];
  return { isError: reply.isError === true, text: first?.text ?? '', result: reply.structuredContent as T };
}

interface Proposal {
  readonly change: Record<string, unknown>;
  readonly confirmationToken: string;
}

describe('tools for agents', () => {
  test('an agent books only what it proposed before, once, and the audit log names it', async () => {
    const client = await connect();
    const change = { kind: 'advertiser', action: 'create', input: { name: `Agent ${unique}` } };
    const refused = await call(client, 'confirm_change', {
      change,
      confirmationToken: `${Date.now() + 9_999}.${'A'.repeat(16)}.${'A'.repeat(43)}`,
    });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('does not belong to this change')]);

    const { result: proposal } = await call<Proposal>(client, 'propose_change', change);
    const counted = `query { advertisers(filter: {search: "Agent ${unique}"}) { totalCount } }`;
    expect((await graphql(counted)).json()).toMatchObject({ data: { advertisers: { totalCount: 0 } } });
    const other = { ...proposal.change, input: { name: 'Something else' } };
    const { confirmationToken } = proposal;
    expect((await call(client, 'confirm_change', { change: other, confirmationToken })).isError).toBe(true);
    const stranger = await connect({ key: server.demo.keys.readWrite });
    expect((await call(stranger, 'confirm_change', { change: proposal.change, confirmationToken })).isError).toBe(true);

    const booked = await call<{ object: { id: string } }>(client, 'confirm_change', {
      change: proposal.change,
      confirmationToken,
    });
    expect(booked.text).toContain(`Agent ${unique}`);
    const again = await call<{ object: { id: string } }>(client, 'confirm_change', {
      change: proposal.change,
      confirmationToken,
    });
    expect(again.result.object.id).toBe(booked.result.object.id);
    expect((await graphql(counted)).json()).toMatchObject({ data: { advertisers: { totalCount: 1 } } });

    const audit = await graphql(
      `query { auditLog(filter: {action: "advertiser.create", objectId: "${booked.result.object.id}"}) { nodes { actor details } } }`,
    );
    expect(
      audit.json<{ data: { auditLog: { nodes: { actor: string; details: unknown }[] } } }>().data.auditLog.nodes,
    ).toMatchObject([
      {
        actor: expect.stringMatching(/^key:\d+ /),
        details: expect.objectContaining({ agent: expect.stringMatching(/^conformance\/1\.0/) }),
      },
    ]);
  });

  test('an update and an archiving refuse an object that changed in between', async () => {
    const client = await connect();
    const made = await graphql(
      `mutation { createAdvertiser(input: {name: "Contended ${unique}"}) { advertiser { id version } } }`,
    );
    const { id } = made.json<{ data: { createAdvertiser: { advertiser: { id: string } } } }>().data.createAdvertiser
      .advertiser;
    const rename = { kind: 'advertiser', action: 'update', id, input: { name: `Renamed ${unique}` } };
    const proposed = (await call<Proposal>(client, 'propose_change', rename)).result;
    await graphql(`mutation { updateAdvertiser(id: "${id}", input: {name: "First ${unique}"}) { advertiser { id } } }`);
    const { change, confirmationToken } = proposed;
    const late = await call(client, 'confirm_change', { change, confirmationToken });
    expect([late.isError, late.text]).toEqual([true, expect.stringContaining('is at version 2, not 1')]);

    const archive = (await call<Proposal>(client, 'propose_change', { kind: 'advertiser', action: 'archive', id }))
      .result;
    const done = await call<{ object: { status: string } }>(client, 'confirm_change', {
      change: archive.change,
      confirmationToken: archive.confirmationToken,
    });
    expect(done.result.object.status).toBe('ARCHIVED');
  });

  test('problems of a proposal come back with their fields', async () => {
    const client = await connect();
    const nameless = { kind: 'campaign', action: 'create', input: { advertiserId: '1', name: '' } };
    const { isError, text } = await call(client, 'propose_change', nameless);
    expect(isError).toBe(true);
    expect(text).toContain('"path"');
    const unknown = await call(client, 'propose_change', { kind: 'site', action: 'update', id: '999999', input: {} });
    expect([unknown.isError, unknown.text]).toEqual([true, 'There is no site with the id 999999 in this environment.']);
  });

  test('an agent can do what its key can do, in its environment, and nothing more', async () => {
    const limited = await connect({ key: server.demo.keys.readOnly });
    const input = { name: `Refused ${unique}` };
    const { isError, text } = await call(limited, 'propose_change', { kind: 'advertiser', action: 'create', input });
    expect([isError, text]).toEqual([true, expect.stringContaining('insufficient_permissions')]);
    const mutation = await call(limited, 'query_graphql', {
      query: 'mutation { archiveSite(id: "1") { validatedOnly } }',
    });
    expect([mutation.isError, mutation.text]).toEqual([true, expect.stringContaining('This tool only reads')]);

    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const post = (path: string, headers: Record<string, string>) =>
      send(`${server.coreUrl}${path}`, {
        json: body,
        headers: { accept: 'application/json, text/event-stream', ...headers },
      });
    const { keys } = server.demo;
    const statuses = await Promise.all([
      post('/mcp', {}),
      post('/mcp', { authorization: `Bearer ${keys.staging}` }),
      post('/staging/mcp', { authorization: `Bearer ${keys.admin}` }),
      post('/staging/mcp', { authorization: `Bearer ${keys.staging}` }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401, 200]);
  });

  test('an agent reads the account, objects, types, reports, forecasts and explanations', async () => {
    const client = await connect({ key: server.demo.keys.readOnly });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['who_am_i', 'read_report']));
    expect((await call(client, 'who_am_i')).result).toMatchObject({
      me: { permission: expect.stringMatching(/read.only/i) },
    });
    const listed = await call<{ nodes: { id: string }[] }>(client, 'list_objects', { kind: 'lineItem', first: 1 });
    const [lineItem] = listed.result.nodes;
    // A global id, as a client of the newest version has it.
    const globalId = Buffer.from(`LineItem:${lineItem?.id}`).toString('base64url');
    const explained = await call(client, 'explain_delivery', { lineItemId: globalId });
    expect(explained.text).toContain('deliveryDiagnosis');
    const type = await call(client, 'describe_type', { name: 'CreateCampaignInput' });
    expect(type.result).toMatchObject({ fields: expect.arrayContaining([expect.objectContaining({ type: 'ID!' })]) });
    expect((await call(client, 'describe_reports')).text).toContain('campaign_overview.impressions');
    const query = {
      measures: ['campaign_overview.impressions'],
      dimensions: ['campaign_overview.line_item_name'],
      timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'last 7 days' }],
    };
    const report = await call<{ rows: object[]; hasMore: boolean }>(client, 'read_report', { query, rows: 2 });
    expect([report.text, report.result?.rows.length, report.result?.hasMore]).toEqual([expect.anything(), 2, true]);
    const startsAt = new Date(Date.now() + 86_400_000).toISOString();
    const endsAt = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const draft = { type: 'PRICE', price: '5', startsAt, endsAt };
    // Other files forecast in this network too: where three wait, the server asks for another try.
    const forecast = await eventually(
      () => call(client, 'forecast', { input: draft }),
      ({ text }) => !text.includes('try again'),
    );
    expect([forecast.text, forecast.result]).toMatchObject([
      expect.anything(),
      { forecast: { notes: expect.anything() } },
    ]);
  });

  test('a client of the protocol before 2026 gets the same tools', async () => {
    const client = await connect({ key: server.demo.keys.readOnly, mode: 'legacy' });
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    expect((await call(client, 'who_am_i')).isError).toBe(false);
  });

  test('messages that are not of the protocol get a 4xx', async () => {
    const headers = {
      authorization: `Bearer ${server.demo.keys.readOnly}`,
      accept: 'application/json, text/event-stream',
    };
    const url = `${server.coreUrl}/mcp`;
    const bodies = ['[]', '{}', 'null', '"a"', '{"jsonrpc":"2.0","id":1,"method":5}', '{"jsonrpc"'];
    for (const body of bodies) {
      const { status } = await send(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      });
      expect([body, status]).toEqual([body, 400]);
    }
    expect((await send(url, { headers })).status).toBe(405);
  });

  test('placard mcp serves the same tools over standard input and output', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [fileURLToPath(new URL('../../src/main.ts', import.meta.url)), 'mcp'],
      env: {
        PLACARD_URL: server.coreUrl,
        PLACARD_API_KEY: server.demo.keys.readWrite,
        ...(server.demo.caFile === null ? {} : { NODE_EXTRA_CA_CERTS: server.demo.caFile }),
      },
    });
    const client = await open(transport);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(5);
    const input = { name: `Stdio ${unique}` };
    const { result } = await call<Proposal>(client, 'propose_change', { kind: 'advertiser', action: 'create', input });
    const { change, confirmationToken } = result;
    const booked = await call<{ object: { name: string } }>(client, 'confirm_change', { change, confirmationToken });
    expect(booked.result.object.name).toBe(input.name);
  });
});
