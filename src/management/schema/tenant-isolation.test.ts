import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '../../access/users/users.sql.ts';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';
import { managementSchema, RESOURCES } from './schema.ts';

/** The input that creates one object of each resource; parents are filled in by their own ids. A new resource needs a row here. */
const MINIMAL: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Team: { name: 'N' },
  CustomField: { key: 'k', name: 'N', type: 'TEXT' },
  Advertiser: { name: 'N' },
  AdvertisingProduct: { name: 'N' },
  Deal: { code: 'c', name: 'N' },
  Site: { code: 'c', name: 'N', domain: 'n.example' },
  Area: { siteId: 'Site', code: 'c', name: 'N' },
  AdUnit: { siteId: 'Site', areaId: 'Area', name: 'N' },
  Experiment: {
    name: 'N',
    rule: 'NO_PRICES',
    sharePercent: 10,
    startsAt: '2030-01-01T00:00:00Z',
    endsAt: '2030-02-01T00:00:00Z',
  },
  Floor: { name: 'N', floor: '1', siteId: 'Site', areaId: 'Area', adUnitId: 'AdUnit', dealId: 'Deal' },
  Activity: { actgid: 'a', name: 'N' },
  KeyValue: { key: 'k', name: 'N' },
  Segment: { name: 'N' },
  TargetingPreset: { name: 'N', targeting: { test: { dimension: 'COUNTRY', values: ['PL'] } } },
  Campaign: { advertiserId: 'Advertiser', name: 'N' },
  LineItem: {
    campaignId: 'Campaign',
    dealId: 'Deal',
    advertisingProductId: 'AdvertisingProduct',
    name: 'N',
    type: 'HOUSE',
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
    width: 1,
    height: 1,
    clickUrl: 'https://n.example',
    content: { html: { html: '<b>n</b>' } },
  },
};

/** Root fields that take an id and belong to no resource: how to call them. `$id` is the foreign id. */
const FURTHER: Readonly<Record<string, { readonly query: string; readonly of: string }>> = {
  'query.network': { query: 'query ($id: ID!) { network(id: $id) { id } }', of: 'network' },
  'query.node': { query: 'query ($id: ID!) { node(id: $id, type: Campaign) { id } }', of: 'Campaign' },
  'query.nodes': { query: 'query ($id: ID!) { nodes(ids: [$id], type: LineItem) { id } }', of: 'LineItem' },
  'query.lineItemTable': {
    query: 'query ($id: ID!) { lineItemTable(filter: { ids: [$id] }) { totalCount } }',
    of: 'LineItem',
  },
  'query.lineItemTabs': {
    query: 'query ($id: ID!) { lineItemTabs(filter: { ids: [$id] }) { tab count } }',
    of: 'LineItem',
  },
  'mutation.copyLineItems': {
    query: 'mutation ($id: ID!) { copyLineItems(ids: [$id]) { creativeCount } }',
    of: 'LineItem',
  },
  'mutation.splitLineItem': {
    query: 'mutation ($id: ID!) { splitLineItem(id: $id, change: {}, part: {}) { part { id } } }',
    of: 'LineItem',
  },
  'mutation.changeBooking': {
    query: 'mutation ($id: ID!) { changeBooking(id: $id, input: {}) { lineItem { id } } }',
    of: 'LineItem',
  },
  'mutation.bookProduct': {
    query: `mutation ($id: ID!) { bookProduct(input: {campaignId: "777777777777", productId: $id, priceOptionId: "a", budget: "1",
      startsAt: "2099-01-01T00:00:00Z", endsAt: "2099-01-02T00:00:00Z"}) { lineItem { id } } }`,
    of: 'AdvertisingProduct',
  },
  'query.productForecast': {
    query: `query ($id: ID!) { productForecast(input: {productId: $id, priceOptionId: "a",
      startsAt: "2099-01-01T00:00:00Z", endsAt: "2099-01-02T00:00:00Z"}) { possible } }`,
    of: 'AdvertisingProduct',
  },
  'query.floorSuggestions': {
    query: 'query ($id: ID!) { floorSuggestions(adUnitIds: [$id]) { adUnitId } }',
    of: 'AdUnit',
  },
  'query.apiKey': { query: 'query ($id: ID!) { apiKey(id: $id) { id } }', of: 'apiKey' },
  'mutation.revokeApiKey': { query: 'mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', of: 'apiKey' },
  'mutation.rotateApiKey': {
    query: 'mutation ($id: ID!) { rotateApiKey(id: $id, oldExpiresAt: "2030-01-01T00:00:00Z") { value } }',
    of: 'apiKey',
  },
  'mutation.disableHeaderCredential': {
    query: 'mutation ($id: ID!) { disableHeaderCredential(id: $id) { id } }',
    of: 'headerCredential',
  },
  'mutation.revokeHeaderCredential': {
    query: 'mutation ($id: ID!) { revokeHeaderCredential(id: $id) { revokedId userErrors { code message } } }',
    of: 'headerCredential',
  },
  'mutation.revokeMembership': {
    query: 'mutation ($id: ID!) { revokeMembership(userId: $id) { revokedId userErrors { code message } } }',
    of: 'user',
  },
  'mutation.revokeSession': {
    query: 'mutation ($id: ID!) { revokeSession(userId: $id, id: $id) { revokedId userErrors { code message } } }',
    of: 'user',
  },
  'mutation.revokeInvitation': { query: 'mutation ($id: ID!) { revokeInvitation(id: $id) }', of: 'invitation' },
  'mutation.updateMembership': {
    query: 'mutation ($id: ID!) { updateMembership(userId: $id, role: ADMIN) { id } }',
    of: 'user',
  },
  'mutation.removeMembership': { query: 'mutation ($id: ID!) { removeMembership(userId: $id) }', of: 'user' },
  'mutation.endSession': { query: 'mutation ($id: ID!) { endSession(userId: $id, id: $id) }', of: 'user' },
  'query.reportSchedule': {
    query: 'query ($id: ID!) { reportSchedule(id: $id) { name runs { id } } }',
    of: 'reportSchedule',
  },
  'mutation.updateReportSchedule': {
    query: 'mutation ($id: ID!) { updateReportSchedule(id: $id, input: {name: "Stolen"}) { schedule { id } } }',
    of: 'reportSchedule',
  },
  'mutation.deleteReportSchedule': {
    query: 'mutation ($id: ID!) { deleteReportSchedule(id: $id) { id } }',
    of: 'reportSchedule',
  },
  'mutation.runReportSchedule': {
    query: 'mutation ($id: ID!) { runReportSchedule(id: $id) { id } }',
    of: 'reportSchedule',
  },
  'query.webhook': { query: 'query ($id: ID!) { webhook(id: $id) { name deliveries { id } } }', of: 'webhook' },
  'mutation.updateWebhook': {
    query: 'mutation ($id: ID!) { updateWebhook(id: $id, input: {name: "Stolen"}) { secret } }',
    of: 'webhook',
  },
  'mutation.deleteWebhook': { query: 'mutation ($id: ID!) { deleteWebhook(id: $id) { id } }', of: 'webhook' },
  'mutation.testWebhook': { query: 'mutation ($id: ID!) { testWebhook(id: $id) { id } }', of: 'webhook' },
  'mutation.redeliverWebhook': {
    query: 'mutation ($id: ID!) { redeliverWebhook(id: $id, after: "0") }',
    of: 'webhook',
  },
  'query.apiKeys': { query: 'query ($id: ID!) { apiKeys(after: $id) { id } }', of: 'apiKey' },
  'query.headerCredentials': {
    query: 'query ($id: ID!) { headerCredentials(after: $id) { id } }',
    of: 'headerCredential',
  },
  'query.users': { query: 'query ($id: ID!) { users(after: $id) { id } }', of: 'user' },
  'query.notifications': { query: 'query ($id: ID!) { notifications(after: $id) { id } }', of: 'Campaign' },
  'query.agentRequest': { query: 'query ($id: ID!) { agentRequest(id: $id) { id } }', of: 'agentRequest' },
  'query.agentRequests': { query: 'query ($id: ID!) { agentRequests(after: $id) { id } }', of: 'agentRequest' },
  'mutation.beginAgentRequest': {
    query:
      'mutation ($id: ID!) { beginAgentRequest(input: { tool: "t", idempotencyKey: "stolen", digest: "d", advertiserId: $id, request: {} }) { beginning } }',
    of: 'Advertiser',
  },
  'mutation.endAgentRequest': {
    query:
      'mutation ($id: ID!) { endAgentRequest(id: $id, input: { state: COMPLETED, response: {} }) { agentRequest { id } } }',
    of: 'agentRequest',
  },
  'mutation.discardAgentRequest': {
    query: 'mutation ($id: ID!) { discardAgentRequest(id: $id, response: {}) { agentRequest { id } } }',
    of: 'agentRequest',
  },
  'mutation.decideAgentRequest': {
    query: 'mutation ($id: ID!) { decideAgentRequest(id: $id, decision: REJECT, reason: "x") { agentRequest { id } } }',
    of: 'agentRequest',
  },
  'query.comments': {
    query: 'query ($id: ID!) { comments(objectKind: CAMPAIGN, objectId: $id) { id } }',
    of: 'Campaign',
  },
  'mutation.addComment': {
    query: 'mutation ($id: ID!) { addComment(objectKind: CAMPAIGN, objectId: $id, body: "Stolen") { comment { id } } }',
    of: 'Campaign',
  },
  'mutation.deleteComment': {
    query: 'mutation ($id: ID!) { deleteComment(id: $id) { comment { id } } }',
    of: 'Campaign',
  },
  'mutation.markNotificationsRead': {
    query: 'mutation ($id: ID!) { markNotificationsRead(upTo: $id) { readCount } }',
    of: 'Campaign',
  },
  'mutation.snoozeAttention': {
    query:
      'mutation ($id: ID!) { snoozeAttention(lineItemId: $id, until: "2999-01-01T00:00:00Z") { lineItem { id } } }',
    of: 'LineItem',
  },
  'mutation.handOverAttention': {
    query: 'mutation ($id: ID!) { handOverAttention(lineItemId: $id, toId: "101") { lineItem { id } } }',
    of: 'LineItem',
  },
  'query.bookingsToApprove': {
    query: 'query ($id: ID!) { bookingsToApprove(after: $id) { id } }',
    of: 'LineItem',
  },
  'mutation.requestBookingApproval': {
    query: 'mutation ($id: ID!) { requestBookingApproval(id: $id) { lineItem { id } } }',
    of: 'LineItem',
  },
  'mutation.approveBooking': {
    query: 'mutation ($id: ID!) { approveBooking(id: $id, version: 1) { lineItem { id } } }',
    of: 'LineItem',
  },
  'query.reportShares': {
    query: 'query ($id: ID!) { reportShares(campaignId: $id) { id } }',
    of: 'Campaign',
  },
  'mutation.shareCampaignReport': {
    query: 'mutation ($id: ID!) { shareCampaignReport(campaignId: $id, name: "Stolen") { share { id } } }',
    of: 'Campaign',
  },
  'mutation.claimReportShare': {
    query: 'mutation ($id: ID!) { claimReportShare(id: $id) { share { id } } }',
    of: 'Campaign',
  },
  'mutation.revokeReportShare': {
    query: 'mutation ($id: ID!) { revokeReportShare(id: $id) { share { id } } }',
    of: 'Campaign',
  },
  'mutation.copyCampaign': { query: 'mutation ($id: ID!) { copyCampaign(id: $id) { lineItemCount } }', of: 'Campaign' },
};

/** No object has this id. */
const ABSENT = '777777777777';
const OTHER_ABSENT = '888888888888';

let api: TestManagement;
/** Ids of network 1000, by type name. */
const ids = new Map<string, string>();

beforeAll(async () => {
  api = await createTestManagement();
  // Ids that look like nothing else in a response, so that they can be taken out of it.
  await sql`ALTER SEQUENCE ids_of_1 RESTART WITH 424242100001`.execute(api.database.owner);
  for (const { type, singular } of RESOURCES) {
    const query = `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { object: ${singular} { id } } }`;
    const data = await api.data<{ made: { object: { id: string } } }>(query, {
      input: inputOf(type, (parent) => ids.get(parent) ?? ''),
    });
    ids.set(type, data.made.object.id);
  }
  const made = await api.data<Record<string, { id: string; apiKey: { id: string } }>>(
    'mutation { createApiKey(input: {name: "K", permission: ADMIN}) { apiKey { id } } createHeaderCredential(name: "H") { id } inviteUser(email: "i@example.com", role: VIEWER) { id } }',
  );
  const by = { actor: 'test', remoteAddress: '', networkId: '0', workspaceId: null };
  const user = await createUser(api.database.db, {
    email: 'u@example.com',
    name: 'U',
    memberships: [{ networkId: '1000', role: 'viewer' }],
    by,
  });
  ids
    .set('network', '1000')
    .set('apiKey', made['createApiKey']?.apiKey.id ?? '')
    .set('headerCredential', made['createHeaderCredential']?.id ?? '');
  const scheduled = await api.data<{ createReportSchedule: { schedule: { id: string } } }>(
    `mutation { createReportSchedule(input: {name: "N", cron: "0 6 * * *", query: {measures: ["campaign_overview.clicks"],
       timeDimensions: [{dimension: "campaign_overview.time", dateRange: "yesterday"}]}}) { schedule { id } } }`,
  );
  ids.set('reportSchedule', scheduled.createReportSchedule.schedule.id);
  const hooked = await api.data<{ createWebhook: { webhook: { id: string } } }>(
    'mutation { createWebhook(input: {name: "N", url: "https://hooks.example.com/", types: ["*"]}) { webhook { id } } }',
  );
  ids.set('webhook', hooked.createWebhook.webhook.id);
  const begun = await api.data<{ beginAgentRequest: { agentRequest: { id: string } } }>(
    'mutation { beginAgentRequest(input: { tool: "t", idempotencyKey: "k", digest: "d", request: {} }) { agentRequest { id } } }',
  );
  ids.set('agentRequest', begun.beginAgentRequest.agentRequest.id);
  ids.set('invitation', made['inviteUser']?.id ?? '').set('user', user.id);
});
afterAll(() => api.close());

function inputOf(type: string, idOf: (parent: string) => string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(MINIMAL[type] ?? {}).map(([name, value]) => [
      name,
      name.endsWith('Id') ? idOf(String(value)) : value,
    ]),
  );
}

/** The response to a stranger, without the requested id. */
async function askAsStranger(query: string, variables: Record<string, unknown>, id: string): Promise<unknown> {
  const response = await api.ask(query, { variables, as: 'stranger' });
  return JSON.parse(
    JSON.stringify({ status: response.status, body: response.body }).replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID'),
  ) as unknown;
}

async function expectSameAsAbsent(
  query: string,
  id: string,
  variables: (id: string) => Record<string, unknown>,
): Promise<void> {
  expect(id).toMatch(/^\d+$/);
  const foreign = await askAsStranger(query, variables(id), id);
  const absent = await askAsStranger(query, variables(ABSENT), ABSENT);
  expect(foreign).toEqual(absent);
}

describe.each(RESOURCES.map((resource) => [resource.type, resource] as const))(
  "another network's %s reads as one that does not exist",
  (type, resource) => {
    const plural = `${resource.plural[0]?.toUpperCase()}${resource.plural.slice(1)}`;
    test.each([
      ['one', `query ($id: ID!) { ${resource.singular}(id: $id) { id } }`],
      ['many', `query ($id: ID!) { ${resource.plural}(filter: {ids: [$id]}) { totalCount nodes { id } } }`],
      ['search', `query ($id: String!) { ${resource.plural}(filter: {search: $id}) { totalCount } }`],
      [
        'update',
        `mutation ($id: ID!) { update${type}(id: $id, input: {name: "Stolen"}) { ${resource.singular} { id } } }`,
      ],
      ['by filter', `query ($id: ID!) { ${resource.plural}(where: {id: {eq: $id}}) { totalCount } }`],
      ['archive', `mutation ($id: ID!) { archive${type}(id: $id) { ${resource.singular} { id } } }`],
      [
        'bulk update',
        `mutation ($id: ID!) { update${plural}(updates: [{id: $id, input: {name: "Stolen"}}]) { changedCount results { code message } } }`,
      ],
      [
        'bulk archive',
        `mutation ($id: ID!) { archive${plural}(ids: [$id]) { changedCount results { code message } } }`,
      ],
    ])('%s', async (_name, query) => {
      await expectSameAsAbsent(query, ids.get(type) ?? '', (id) => ({ id }));
    });

    const parents = Object.entries(MINIMAL[type] ?? {}).filter(([name]) => name.endsWith('Id'));
    test.each(parents)('a new object cannot name it as %s', async (_name, parent) => {
      const query = `mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${resource.singular} { id } } }`;
      await expectSameAsAbsent(query, ids.get(String(parent)) ?? '', (id) => ({
        input: inputOf(type, (each) => (each === parent ? id : OTHER_ABSENT)),
      }));
    });
  },
);

describe('objects beside the resources', () => {
  test.each(Object.entries(FURTHER))('%s', async (_name, { query, of }) => {
    await expectSameAsAbsent(query, ids.get(of) ?? '', (id) => ({ id }));
  });

  test('a targeted site, area or ad unit of another network is unknown', async () => {
    for (const [dimension, type] of [
      ['SITE', 'Site'],
      ['AREA', 'Area'],
      ['AD_UNIT', 'AdUnit'],
    ] as const) {
      const campaign = await api.data<{ createAdvertiser: { advertiser: { id: string } } }>(
        'mutation { createAdvertiser(input: {name: "S"}) { advertiser { id } } }',
        undefined,
        { as: 'stranger' },
      );
      const made = await api.data<{ createCampaign: { campaign: { id: string } } }>(
        'mutation ($id: ID!) { createCampaign(input: {advertiserId: $id, name: "C"}) { campaign { id } } }',
        { id: campaign.createAdvertiser.advertiser.id },
        { as: 'stranger' },
      );
      const query = `mutation ($id: String!, $campaignId: ID!) { createLineItem(input: {campaignId: $campaignId, name: "L", type: HOUSE, targeting: {test: {dimension: ${dimension}, values: [$id]}}}) { lineItem { id } } }`;
      const variables = { campaignId: made.createCampaign.campaign.id };
      const response = await api.ask(query, { variables: { ...variables, id: ids.get(type) }, as: 'stranger' });
      expect(response.body.errors?.[0]?.extensions['fields']).toMatchObject([
        { path: 'input.targeting', code: 'unknown' },
      ]);
    }
  });

  test('none of these requests changes anything', async () => {
    const names = await api.data<Record<string, { nodes: { name: string; version: number }[] }>>(
      `{ ${RESOURCES.map((resource) => `${resource.plural} { nodes { name version } }`).join(' ')} }`,
    );
    expect(Object.values(names).flatMap(({ nodes }) => nodes.map(({ name, version }) => `${name} ${version}`))).toEqual(
      RESOURCES.map(() => 'N 1'),
    );
    expect(
      await api.data(
        '{ apiKeys { id } headerCredentials { id } invitations { id } users { id role } reportSchedules { name version runs { id } } webhooks { name version deliveries { id } } }',
      ),
    ).toMatchObject({
      apiKeys: [{}],
      headerCredentials: [{}],
      invitations: [{}],
      users: [{ role: 'VIEWER' }],
      reportSchedules: [{ name: 'N', version: 1, runs: [] }],
      webhooks: [{ name: 'N', version: 1, deliveries: [] }],
    });
  });

  test('every root field that takes an id has its case', () => {
    const schema = managementSchema();
    const roots = { query: schema.getQueryType(), mutation: schema.getMutationType() };
    const takingIds = Object.entries(roots).flatMap(([root, type]) =>
      Object.values(type?.getFields() ?? {})
        .filter((field) => field.args.some((argument) => /\bID\b/.test(String(argument.type))))
        .map((field) => `${root}.${field.name}`),
    );
    const ofResources = RESOURCES.flatMap(({ type, singular, plural }) => [
      `query.${singular}`,
      `mutation.update${type}`,
      `mutation.archive${type}`,
      `mutation.archive${plural[0]?.toUpperCase()}${plural.slice(1)}`,
    ]);
    expect(
      takingIds.filter((operation) => !ofResources.includes(operation) && FURTHER[operation] === undefined),
    ).toEqual([]);
    expect(RESOURCES.filter(({ type }) => MINIMAL[type] === undefined)).toEqual([]);
  });
});
