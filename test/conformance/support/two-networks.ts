import { Client as Postgres } from 'pg';
import { inject } from 'vitest';
import { type Client, createClient, type HttpResponse, type Sending } from '../../support/http-client.ts';
import { type LeanPlacard, startLeanPlacard } from '../../support/lean-placard.ts';
import type { PlacardProcess } from '../../support/placard-process.ts';
import { askFor } from '../../support/on-demand.ts';
import { runCli } from './run-cli.ts';

/**
 * The mutations that create one object of each kind; a member that ends in `Id` names the kind of its parent. A new kind needs a row here.
 */
export const MINIMAL: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Advertiser: { name: 'N' },
  AdvertisingProduct: { name: 'N' },
  Deal: { code: 'code', name: 'N' },
  Team: { name: 'N' },
  CustomField: { key: 'key', name: 'N', type: 'TEXT' },
  Site: { code: 'code', name: 'N', domain: 'n.example' },
  Area: { siteId: 'Site', code: 'code', name: 'N' },
  AdUnit: { siteId: 'Site', areaId: 'Area', name: 'unit', sizes: [{ width: 300, height: 250 }] },
  Floor: { name: 'N', floor: '0', siteId: 'Site' },
  Activity: { advertiserId: 'Advertiser', actgid: 'actgid', name: 'N' },
  KeyValue: { key: 'key', name: 'N' },
  Segment: { name: 'N' },
  TargetingPreset: { name: 'N', targeting: { test: { dimension: 'COUNTRY', values: ['PL'] } } },
  Campaign: { advertiserId: 'Advertiser', name: 'N', status: 'ACTIVE' },
  LineItem: { campaignId: 'Campaign', name: 'N', type: 'HOUSE', status: 'ACTIVE' },
  Experiment: {
    name: 'N',
    rule: 'NO_LEARNING',
    sharePercent: 1,
    startsAt: '2020-01-01T00:00:00Z',
    endsAt: '2020-02-01T00:00:00Z',
  },
  LibraryCreative: {
    advertiserId: 'Advertiser',
    name: 'N',
    width: 300,
    height: 250,
    clickUrl: 'https://n.example/',
    content: { html: { html: '<b>n</b>' } },
  },
  Creative: {
    lineItemId: 'LineItem',
    name: 'N',
    width: 300,
    height: 250,
    clickUrl: 'https://n.example/',
    content: { html: { html: '<b>n</b>' } },
  },
};

/** One tenant of the server under test. */
export interface Tenant {
  readonly networkId: string;
  readonly key: string;
  readonly stagingKey: string;
  readonly pair: Readonly<Record<string, string>>;
  /** Cookie of an admin of this network alone. */
  readonly cookie: string;
  /** Ids of all its objects, by kind. */
  readonly ids: Map<string, string>;
}

type Addresses = Pick<PlacardProcess, 'coreUrl' | 'deliveryUrl' | 'sqlPort' | 'ca'>;
type TenantRow = Omit<Tenant, 'ids'> & { readonly ids: readonly (readonly [string, string])[] };

/** A server with two networks of the same shape, as it goes from the run's set-up to a test file. */
export interface SharedTwoNetworks {
  readonly server: Addresses;
  readonly holder: TenantRow;
  readonly stranger: TenantRow;
}

/** A server with two networks of the same shape. */
export interface TwoNetworks<Server extends Addresses = Addresses> {
  readonly server: Server;
  readonly holder: Tenant;
  readonly stranger: Tenant;
  send(url: string, sending?: Sending): Promise<HttpResponse>;
  graphql(tenant: Tenant, query: string, variables?: unknown, staging?: boolean): Promise<HttpResponse>;
  close(): Promise<void>;
}

/** Ids begin high enough that no other number in a response looks like one. */
const IDS_FROM = 424_242_000_000;

/** Starts a server, makes the networks 2000 (the holder) and 3000 (the stranger), and the same objects in both. */
export async function startTwoNetworks(
  env: Readonly<Record<string, string>> = {},
): Promise<TwoNetworks<PlacardProcess> & { readonly shared: SharedTwoNetworks }> {
  const server = await startLeanPlacard(env);
  const client = createClient(server.ca);
  await raiseIds(server);
  const holder = await makeTenant(server, client, '2000');
  const stranger = await makeTenant(server, client, '3000');
  const graphql = graphqlOf(server, client);
  await eventuallyOk(() => graphql(holder, '{ __typename }'));
  await eventuallyOk(() => graphql(stranger, '{ __typename }'));
  await eventuallyOk(() => graphql(holder, '{ __typename }', {}, true));
  for (const tenant of [holder, stranger]) {
    await fill(tenant, graphql);
    await talkAndShare(tenant, server, client);
  }
  const { coreUrl, deliveryUrl, sqlPort, ca } = server;
  const shared = { server: { coreUrl, deliveryUrl, sqlPort, ca }, holder: rowOf(holder), stranger: rowOf(stranger) };
  return {
    shared,
    ...open(shared, client),
    server,
    close: async () => {
      client.close();
      await server.remove();
    },
  };
}

/** The two networks of this run, which all test files share. Tests make objects in them, and change and suspend neither. */
export async function openTwoNetworks(): Promise<TwoNetworks> {
  const shared = await askFor<SharedTwoNetworks>(inject('conformanceSocket'), '/two-networks');
  return open(shared, createClient(shared.server.ca));
}

function open({ server, holder, stranger }: SharedTwoNetworks, client: Client): TwoNetworks {
  return {
    server,
    holder: { ...holder, ids: new Map(holder.ids) },
    stranger: { ...stranger, ids: new Map(stranger.ids) },
    graphql: graphqlOf(server, client),
    send: (url, sending) => client.send(url, sending),
    close: async () => client.close(),
  };
}

function rowOf(tenant: Tenant): TenantRow {
  return { ...tenant, ids: [...tenant.ids] };
}

function graphqlOf({ coreUrl }: Addresses, client: Client): TwoNetworks['graphql'] {
  return (tenant, query, variables = {}, staging = false) =>
    client.send(`${coreUrl}${staging ? '/staging' : ''}/graphql`, {
      headers: { authorization: `Bearer ${staging ? tenant.stagingKey : tenant.key}` },
      json: { query, variables },
    });
}

/** The members of a new object, its parents by their ids. */
export function inputOf(kind: string, ids: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(MINIMAL[kind] ?? {}).map(([name, value]) => [
      name,
      name.endsWith('Id') ? ids.get(String(value)) : value,
    ]),
  );
}

async function makeTenant(server: PlacardProcess, client: Client, networkId: string): Promise<Tenant> {
  await runCli(server.dataDir, ['networks', 'create', '--id', networkId, '--name', `Network ${networkId}`]);
  const wish = ['keys', 'create', '-n', networkId, '--name', 'isolation', '--permission', 'admin'];
  const key = await runCli<{ id: string; value: string }>(server.dataDir, wish);
  const ask = async <T>(headers: Record<string, string>, query: string): Promise<T> => {
    const sending = { headers, json: { query } };
    return dataOf<T>(await eventuallyOk(() => client.send(`${server.coreUrl}/graphql`, sending)));
  };
  const bearer = { authorization: `Bearer ${key.value}` };
  const { createHeaderCredential: pair } = await ask<{
    createHeaderCredential: { id: string; login: string; token: string };
  }>(bearer, 'mutation { createHeaderCredential(name: "isolation") { id login token } }');
  const invite = ['users', 'invite', '--email', `admin-${networkId}@example.com`, '-n', networkId, '--role', 'admin'];
  const { link } = await runCli<{ link: string }>(server.dataDir, invite);
  const json = { token: link.split('#')[1], name: 'Admin', password: `kestrel over ${networkId} meadows` };
  const accepted = await client.send(`${server.coreUrl}/auth/invitations/accept`, { json });
  const cookie = String(accepted.headers['set-cookie']).split(';', 1)[0] ?? '';
  const { createApiKey: staging } = await ask<{ createApiKey: { value: string } }>(
    { cookie },
    'mutation { createApiKey(input: {name: "isolation", permission: ADMIN, environment: STAGING}) { value } }',
  );
  // Only its owner sees a session, not an admin of the network.
  const own = await client.send(`${server.coreUrl}/auth/sessions`, { headers: { cookie } });
  const { sessions } = own.json<{ sessions: { id: string }[] }>();
  const ids = new Map([
    ['network', networkId],
    ['session', sessions[0]?.id ?? ''],
    ['apiKey', key.id],
    ['headerCredential', pair.id],
    ['user', accepted.json<{ userId: string }>().userId],
  ]);
  const headers = { 'x-internal-auth-login': pair.login, 'x-internal-auth-token': pair.token };
  return { networkId, key: key.value, stagingKey: staging.value, pair: headers, cookie, ids };
}

/** One object of each kind, an invitation, a schedule, and a webhook with a message. */
async function fill(tenant: Tenant, graphql: TwoNetworks['graphql']): Promise<void> {
  const { ids } = tenant;
  for (const kind of Object.keys(MINIMAL)) {
    const field = `${kind[0]?.toLowerCase()}${kind.slice(1)}`;
    const query = `mutation ($input: Create${kind}Input!) { made: create${kind}(input: $input) { object: ${field} { id } } }`;
    const variables = { input: inputOf(kind, ids) };
    const { made } = dataOf<{ made: { object: { id: string } } }>(await graphql(tenant, query, variables));
    ids.set(kind, made.object.id);
  }
  const query = {
    measures: ['campaign_overview.impressions'],
    timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'last 7 days' }],
  };
  const { inviteUser, createReportSchedule, createWebhook, beginAgentRequest } = dataOf<{
    beginAgentRequest: { agentRequest: { id: string } };
    inviteUser: { id: string };
    createReportSchedule: { schedule: { id: string } };
    createWebhook: { webhook: { id: string } };
  }>(
    await graphql(
      tenant,
      `mutation ($query: JSON!) {
        inviteUser(email: "invited@example.com", role: VIEWER) { id }
        createReportSchedule(input: { cron: "0 6 * * 1", name: "N", query: $query }) { schedule { id } }
        createWebhook(input: { name: "N", url: "https://hooks.invalid/", types: ["site.create"] }) { webhook { id } }
        beginAgentRequest(input: { tool: "create_media_buy", idempotencyKey: "isolation-1234567", digest: "d", request: {} }) { agentRequest { id } }
      }`,
      { query },
    ),
  );
  ids.set('agentRequest', beginAgentRequest.agentRequest.id);
  ids.set('invitation', inviteUser.id);
  ids.set('reportSchedule', createReportSchedule.schedule.id);
  ids.set('webhook', createWebhook.webhook.id);
  const { testWebhook } = dataOf<{ testWebhook: { id: string } }>(
    await graphql(tenant, 'mutation ($id: ID!) { testWebhook(id: $id) { id } }', { id: createWebhook.webhook.id }),
  );
  ids.set('webhookDelivery', testWebhook.id);
}

/** What only a member can make: a comment, and a shared report. */
async function talkAndShare({ cookie, ids }: Tenant, server: PlacardProcess, client: Client): Promise<void> {
  const query = `mutation ($id: ID!) {
    addComment(objectKind: CAMPAIGN, objectId: $id, body: "Talk") { comment { id } }
    shareCampaignReport(campaignId: $id, name: "N") { share { id } }
  }`;
  const json = { query, variables: { id: ids.get('Campaign') } };
  const response = await client.send(`${server.coreUrl}/graphql`, { headers: { cookie }, json });
  const { addComment, shareCampaignReport } = dataOf<{
    addComment: { comment: { id: string } };
    shareCampaignReport: { share: { id: string } };
  }>(response);
  ids.set('comment', addComment.comment.id);
  ids.set('reportShare', shareCampaignReport.share.id);
}

function dataOf<T>(response: HttpResponse): T {
  const { data, errors } = response.json<{ data?: T; errors?: unknown }>();
  if (errors !== undefined || data === undefined) throw new Error(response.text);
  return data;
}

async function raiseIds({ database }: LeanPlacard): Promise<void> {
  const postgres = new Postgres({ connectionString: database.ownerUrl });
  await postgres.connect();
  try {
    // The sequences of networks, which are made later, begin above these. The id of a legacy task is a 32-bit number, those of people are times.
    await postgres.query(`CREATE FUNCTION raise_ids() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        PERFORM setval('ids_of_' || NEW.id, ${IDS_FROM} + NEW.id::bigint);
        PERFORM setval('report_task_ids_of_' || NEW.id, 424242000 + 1000 * NEW.id);
        RETURN NULL;
      END $$`);
    // Triggers of an event run in the order of their names.
    await postgres.query(
      'CREATE TRIGGER zz_raise_ids AFTER INSERT ON workspaces FOR EACH ROW EXECUTE FUNCTION raise_ids()',
    );
  } finally {
    await postgres.end();
  }
}

async function eventuallyOk(ask: () => Promise<HttpResponse>): Promise<HttpResponse> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const response = await ask();
    if (response.status === 200) return response;
    if (performance.now() > deadline) throw new Error(`still ${response.status}: ${response.text}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
