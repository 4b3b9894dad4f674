/** Everything outside of GraphQL: addresses, bodies, downloads, links and sessions of another network appear absent (K7, H2, R6). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpResponse } from '../../support/http-client.ts';
import { eventually } from '../support/eventually.ts';
import { openTwoNetworks, type Tenant, type TwoNetworks } from '../support/two-networks.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
/** No object, network, token or name has this text. */
const ABSENT = '777777777777';
const ABSENT_TOKEN = 'Abcdefghijklmnopqrstuvwxyz0123456789';

let api: TwoNetworks;
/** An id of the holder. */
let task: { id: number; token: string };
let runToken: string;
let trackingToken: string;
let viewId: string;
let bulkJobId: string;

beforeAll(async () => {
  api = await openTwoNetworks();
  task = await makeReport(api.holder);
  runToken = await runSchedule(api.holder);
  trackingToken = await showAd(api.holder);
  const view = await api.send(`${api.server.coreUrl}/console-api/views`, {
    headers: session(api.holder),
    json: { kind: 'view', name: 'Mine', shared: true, body: { search: '?a=1' } },
  });
  viewId = view.json<{ id: string }>().id;
  const bulkJob = await api.send(`${api.server.coreUrl}/bulk-jobs?resource=advertisers`, {
    method: 'POST',
    headers: { ...bearer(api.holder), 'content-type': 'application/x-ndjson' },
    body: '{"externalId": "mine", "name": "Mine"}',
  });
  bulkJobId = bulkJob.json<{ id: string }>().id;
  const state = () => api.send(`${api.server.coreUrl}/bulk-jobs/${bulkJobId}`, { headers: bearer(api.holder) });
  await eventually(state, ({ text }) => text.includes('"state":"completed"') && text.includes('"succeeded":1'));
}, 300_000);
afterAll(() => api?.close(), 60_000);

const callOf = (name: string) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } });
const bearer = (tenant: Tenant): Record<string, string> => ({ authorization: `Bearer ${tenant.key}` });
const session = (tenant: Tenant): Record<string, string> => ({ cookie: tenant.cookie });

async function makeReport(tenant: Tenant): Promise<{ id: number; token: string }> {
  const ask = (query: string): Promise<HttpResponse> =>
    api.send(`${api.server.coreUrl}/graphql`, { headers: tenant.pair, json: { query } });
  const day = new Date().toISOString().slice(0, 10);
  const made =
    await ask(`mutation { generate_report(task: {report_definition_name: "campaign_delivery", report_name: "Mine",
    attributes: {date_range: {kind: "static", date_from: "${day} 00:00:00", date_to: "${day} 23:59:59"}}}) { task_id } }`);
  const id = Number(made.json<{ data: { generate_report: { task_id: string } } }>().data.generate_report.task_id);
  const done = await eventually(
    () => ask(`{ report_task(task_id: ${id}) { task_status task_token } }`),
    (response) => response.text.includes('"DONE"'),
  );
  return { id, token: done.json<{ data: { report_task: { task_token: string } } }>().data.report_task.task_token };
}

/** Runs the only schedule; returns the token of its download. */
async function runSchedule(tenant: Tenant): Promise<string> {
  const id = tenant.ids.get('reportSchedule');
  await api.graphql(tenant, 'mutation ($id: ID!) { runReportSchedule(id: $id) { __typename } }', { id });
  const done = await eventually(
    () => api.graphql(tenant, 'query ($id: ID!) { reportSchedule(id: $id) { runs { downloadUrl } } }', { id }),
    (response) => response.text.includes('/reports/runs/'),
  );
  return /\/reports\/runs\/([\w-]+)\//.exec(done.text)?.[1] ?? '';
}

/** Serves and shows one ad; returns the token of its links. */
async function showAd(tenant: Tenant): Promise<string> {
  const ask = () =>
    api.send(`${api.server.deliveryUrl}/${tenant.networkId}/bid`, {
      headers: { 'user-agent': BROWSER },
      json: {
        id: `isolation-${Math.random()}`,
        imp: [{ id: '1', tagid: 'unit', banner: { format: [{ w: 300, h: 250 }] } }],
        site: { id: 'code', domain: 'n.example' },
      },
    });
  const response = await eventually(ask, ({ status }) => status === 200);
  const link = response.json<{ seatbid: { bid: { ext: { ems_link: string } }[] }[] }>().seatbid[0]?.bid[0]?.ext
    .ems_link;
  await api.send(link ?? '', { headers: { 'user-agent': BROWSER } });
  return link?.split('/').at(-1) ?? '';
}

interface Attempt {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
}

const core = (path: string): string => `${api.server.coreUrl}${path}`;
const delivery = (path: string): string => `${api.server.deliveryUrl}${path}`;
const query = (filter?: unknown): unknown => {
  const day = new Date().toISOString().slice(0, 10);
  return {
    measures: ['campaign_overview.impressions'],
    dimensions: ['campaign_overview.line_item_id'],
    timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: [day, day] }],
    ...(filter === undefined ? {} : { filters: [filter] }),
  };
};

/** One row per route (its address in the source): its request with an id of the holder, and with an unused id. */
const CASES: readonly (readonly [string, string, () => string, (id: string) => Attempt])[] = [
  [
    '/reports/:network/v1',
    'the network, by a pair',
    () => '2000',
    (id) => ({ url: core(`/reports/${id}/v1/meta`), headers: api.stranger.pair }),
  ],
  [
    '/reports/:network/v1',
    'the network, by a key',
    () => '2000',
    (id) => ({ url: core(`/reports/${id}/v1/load`), headers: bearer(api.stranger), json: { query: query() } }),
  ],
  [
    '/reports/:network/v1',
    'the network, for a description of a query',
    () => '2000',
    (id) => ({ url: core(`/reports/${id}/v1/dry-run`), headers: bearer(api.stranger), json: { query: query() } }),
  ],
  [
    '/reports/:network/v1',
    'the network, for the statement of a query',
    () => '2000',
    (id) => ({ url: core(`/reports/${id}/v1/sql`), headers: api.stranger.pair, json: { query: query() } }),
  ],
  [
    '/reports/:network/v1',
    'the network, by a session',
    () => '2000',
    (id) => ({ url: core(`/reports/${id}/v1/meta`), headers: session(api.stranger) }),
  ],
  [
    '/reports/:network/v1',
    'a filter',
    () => api.holder.ids.get('LineItem') ?? '',
    (id) => ({
      url: core('/reports/3000/v1/load'),
      headers: api.stranger.pair,
      json: { query: query({ member: 'campaign_overview.line_item_id', operator: 'equals', values: [id] }) },
    }),
  ],
  [
    '/adcp/:network/mcp',
    'the seller of a network, with the key of another one',
    () => api.holder.networkId,
    (id) => ({ url: core(`/adcp/${id}/mcp`), headers: bearer(api.stranger), json: callOf('get_products') }),
  ],
  [
    '/reports/download/:token',
    'the token',
    () => task.token,
    (token) => ({
      url: core(`/reports/download/${token === ABSENT ? ABSENT_TOKEN : token}/`),
      headers: api.stranger.pair,
    }),
  ],
  [
    '/reports/runs/:token',
    'the token',
    () => runToken,
    (token) => ({
      url: core(`/reports/runs/${token === ABSENT ? ABSENT_TOKEN : token}/`),
      headers: api.stranger.pair,
    }),
  ],
  [
    '/segments/:id/members',
    'the segment',
    () => api.holder.ids.get('Segment') ?? '',
    (id) => ({ url: core(`/segments/${id}/members`), headers: bearer(api.stranger), json: { id: 'user' } }),
  ],
  [
    '/bulk-jobs/:id',
    'a bulk job',
    () => bulkJobId,
    (id) => ({ url: core(`/bulk-jobs/${id}`), headers: bearer(api.stranger) }),
  ],
  [
    '/bulk-jobs/:id/results',
    'the results of a bulk job',
    () => bulkJobId,
    (id) => ({ url: core(`/bulk-jobs/${id}/results`), headers: bearer(api.stranger) }),
  ],
  [
    '/bulk-jobs/:id/cancel',
    'a bulk job to cancel',
    () => bulkJobId,
    (id) => ({ url: core(`/bulk-jobs/${id}/cancel`), method: 'POST', headers: bearer(api.stranger) }),
  ],
  [
    '/:id',
    'a saved view to change',
    () => viewId,
    (id) => ({
      url: core(`/console-api/views/${id}`),
      method: 'PUT',
      headers: session(api.stranger),
      json: { kind: 'view', name: 'Stolen', shared: true, body: { search: '' }, version: 1 },
    }),
  ],
  [
    '/:id',
    'a saved view to delete',
    () => viewId,
    (id) => ({ url: core(`/console-api/views/${id}`), method: 'DELETE', headers: session(api.stranger) }),
  ],
  ['/:network/why/:token', 'the token', () => trackingToken, (token) => ({ url: delivery(`/3000/why/${token}`) })],
  [
    '/:network/vast',
    'an ad unit of a player',
    () => api.holder.ids.get('AdUnit') ?? '',
    (id) => ({ url: delivery(`/3000/vast?unit=${id}`) }),
  ],
  ['/:network/vast/:token', 'the token', () => trackingToken, (token) => ({ url: delivery(`/3000/vast/${token}`) })],
  [
    '/:network/vmap',
    'an ad unit of a player',
    () => api.holder.ids.get('AdUnit') ?? '',
    (id) => ({ url: delivery(`/3000/vmap?unit=${id}`) }),
  ],
  [
    '/:network/imp/:token',
    'the token',
    () => trackingToken,
    (token) => ({ url: delivery(`/3000/imp/${token}`), headers: { 'user-agent': BROWSER } }),
  ],
  [
    '/:network/view/:token',
    'the token',
    () => trackingToken,
    (token) => ({ url: delivery(`/3000/view/${token}`), headers: { 'user-agent': BROWSER } }),
  ],
  [
    '/:network/measurable/:token',
    'the token',
    () => trackingToken,
    (token) => ({ url: delivery(`/3000/measurable/${token}`), headers: { 'user-agent': BROWSER } }),
  ],
  [
    '/:network/click/:token',
    'the token',
    () => trackingToken,
    (token) => ({ url: delivery(`/3000/click/${token}`), headers: { 'user-agent': BROWSER } }),
  ],
  [
    '/:network/click/:token/*target',
    'the token',
    () => trackingToken,
    (token) => ({ url: delivery(`/3000/click/${token}/https://n.example/`), headers: { 'user-agent': BROWSER } }),
  ],
  [
    '/:network/video/:event/:token',
    'the token',
    () => trackingToken,
    (token) => ({ url: delivery(`/3000/video/start/${token}`), headers: { 'user-agent': BROWSER } }),
  ],
  [
    'body',
    'the network of an ad request',
    () => '2000',
    (network) => ({
      url: delivery('/api/v1/ads'),
      headers: bearer(api.stranger),
      json: { network, adUnit: 'unit', count: 1 },
    }),
  ],
  [
    'body',
    'the network of an activity',
    () => '2000',
    (network) => ({
      url: delivery('/api/v1/events'),
      headers: bearer(api.stranger),
      json: { network, actgid: 'actgid', event: 'e', cost: '1', ord: '1' },
    }),
  ],
  [
    'header',
    'the network of a session',
    () => '2000',
    (network) => ({
      url: core('/graphql'),
      headers: { ...session(api.stranger), 'x-placard-network': network },
      json: { query: '{ me { actor } }' },
    }),
  ],
  [
    'body',
    'a legacy task',
    () => String(task.id),
    (id) => ({
      url: core('/graphql'),
      headers: api.stranger.pair,
      json: { query: `{ report_task(task_id: ${id === ABSENT ? 2_000_000_000 : id}) { task_name } }` },
    }),
  ],
  [
    'body',
    'a session to end',
    () => api.holder.ids.get('session') ?? '',
    (id) => ({ url: core('/auth/sessions/end'), headers: session(api.stranger), json: { id } }),
  ],
];

/** Addresses with parameters that name no object of a network, and why. */
const OPEN: Readonly<Record<string, string>> = {
  '/:network/bid': 'the bid endpoint is public, for every network',
  '/:network/activity': 'the pixel is public, for every network, where the operator switched it on',
  '/adcp/:network': 'what a seller is, what it sells and its public keys are public, for every network',
  '/assets/:name': 'files are named by their content, and public',
  '/images/:name': 'pictures of the guide, which are files of the program',
  '/html5/:hash/*path': 'files are named by the content of their bundle, and public',
  '/preview/:token': 'the token is signed and names the workspace; anybody who has it may look',
  '/shared/:token': 'the token is random and names the share of a report; anybody who has it may look',
  '/shared/:token/report.pdf': 'the same report as a file',
  '/auth/oidc/:provider/callback': 'the state of the sign-in decides which provider may respond',
};

// Conformance: K7
describe('an object of another network gets the response of an absent one', () => {
  test.each(CASES)('%s: %s', async (_route, _what, holders, attempt) => {
    const [id, absent] = [holders(), holders() === trackingToken ? `${trackingToken.slice(0, -4)}AAAA` : ABSENT];
    expect(id).toMatch(/\S{4,}/);
    const responses: unknown[] = [];
    for (const one of [id, absent]) {
      const { url, ...sending } = attempt(one);
      const { status, text, headers } = await api.send(url, sending);
      const hidden = text.replaceAll(one, 'ID').replaceAll(/"(?:requestId|lastRefreshTime|dataAsOf)":"[^"]*"/g, '');
      responses.push([status, headers.location, hidden.replaceAll(/"total":\d+|"slowQuery":\w+/g, '')]);
    }
    expect(responses[0]).toEqual(responses[1]);
  });

  test('every address with an id has its case', () => {
    const found = new Set(sourceFiles().flatMap((path) => readPatterns(readFileSync(path, 'utf8'))));
    const known = [...CASES.map(([route]) => route), ...Object.keys(OPEN)];
    expect([...found].filter((pattern) => !known.includes(pattern))).toEqual([]);
    expect(known.filter((route) => route.includes('/') && !found.has(route))).toEqual([]);
  });

  test('all of these requests record, change and delete nothing, and the holder still has everything', async () => {
    const views = await api.send(core('/console-api/views'), { headers: session(api.holder) });
    expect(views.json()).toMatchObject({ views: [{ id: viewId, name: 'Mine', version: 1 }] });
    const own = await api.send(core(`/reports/download/${task.token}/`), { headers: api.holder.pair });
    expect(own.status).toBe(200);
    const load = (tenant: Tenant): Promise<HttpResponse> =>
      api.send(core(`/reports/${tenant.networkId}/v1/load`), { headers: tenant.pair, json: { query: query() } });
    const counted = async (tenant: Tenant): Promise<unknown[]> =>
      (await load(tenant))
        .json<{ data: Record<string, string | null>[] }>()
        .data.filter((row) => row['campaign_overview.line_item_id'] !== null);
    const rows = await eventually(
      () => counted(api.holder),
      (found) => found.length === 1,
    );
    expect(rows).toMatchObject([{ 'campaign_overview.line_item_id': api.holder.ids.get('LineItem') }]);
    // tenant-isolation-sql.test.ts may have shown its one ad of this line item by now.
    expect(['1', '2']).toContain((rows[0] as Record<string, string>)['campaign_overview.impressions']);
    expect(await counted(api.stranger)).toEqual([]);
  }, 120_000);
});

function sourceFiles(): string[] {
  const folder = fileURLToPath(new URL('../../../src', import.meta.url));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|fixtures|^http\//.test(name))
    .map((name) => join(folder, name));
}

/** Addresses with a named part, as routes write them, without `${…}` expressions. */
function readPatterns(source: string): string[] {
  const code = source.replaceAll(/(?<=^|\s)\/\*[\s\S]*?\*\//g, '');
  const texts = [...code.matchAll(/['`]((?:\$\{[^}]*\})?\/[^'"`\s]*)['`]/g)].map((match) => match[1] ?? '');
  return texts
    .map((text) => text.replaceAll(/\$\{[^}]*\}/g, ''))
    .filter((text) => /\/:[a-z]+/i.test(text) && !text.includes('//'));
}
