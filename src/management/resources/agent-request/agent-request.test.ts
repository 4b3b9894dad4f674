import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
let advertiserId = '';
let campaignId = '';

beforeAll(async () => {
  api = await createTestManagement();
  advertiserId = await make('advertiser', 'createAdvertiser(input: { name: "Acme" })');
  campaignId = await make('campaign', `createCampaign(input: { advertiserId: "${advertiserId}", name: "C" })`);
});
afterAll(() => api.close());

async function make(type: string, mutation: string): Promise<string> {
  const { made } = await api.data<{ made: Record<string, { id: string }> }>(
    `mutation { made: ${mutation} { ${type} { id } } }`,
  );
  return made[type]?.id ?? '';
}

interface Begun {
  readonly beginning: string;
  readonly agentRequest: { readonly id: string; readonly state: string; readonly response: unknown } | null;
}

let keys = 0;
const newKey = () => `key-${(keys += 1)}`;

async function begin(
  idempotencyKey: string,
  { digest = 'd', as }: { digest?: string; as?: string } = {},
): Promise<Begun> {
  const { beginAgentRequest } = await api.data<{ beginAgentRequest: Begun }>(
    `mutation ($input: BeginAgentRequestInput!) { beginAgentRequest(input: $input) { beginning agentRequest { id state response } } }`,
    { input: { tool: 'create_media_buy', idempotencyKey, digest, advertiserId, request: { a: 1 } } },
    as === undefined ? {} : { as },
  );
  return beginAgentRequest;
}

const END = `mutation ($id: ID!, $input: EndAgentRequestInput!) { endAgentRequest(id: $id, input: $input) {
  agentRequest { state campaignId } userErrors { field code } } }`;
const end = (id: string, input: object) => api.ask(END, { variables: { id, input } });
const decide = (id: string, decision: string, reason: string | null = null) =>
  api.ask(
    `mutation ($id: ID!, $decision: AgentRequestDecision!, $reason: String) { decideAgentRequest(id: $id, decision: $decision, reason: $reason) {
      agentRequest { state reason decidedBy } userErrors { field code } } }`,
    { variables: { id, decision, reason } },
  );

test('a request is new once: while it runs it is in flight, then it is replayed with its response', async () => {
  const key = newKey();
  const first = await begin(key);
  expect(first).toMatchObject({ beginning: 'NEW', agentRequest: { state: 'RUNNING' } });
  expect(await begin(key)).toMatchObject({ beginning: 'IN_FLIGHT' });
  await end(first.agentRequest?.id ?? '', { state: 'COMPLETED', response: { media_buy_id: '1' } });
  expect(await begin(key)).toMatchObject({ beginning: 'REPLAY', agentRequest: { response: { media_buy_id: '1' } } });
});

test('the same key with other arguments is a conflict, and shows nothing of the first request', async () => {
  const key = newKey();
  await begin(key);
  expect(await begin(key, { digest: 'other' })).toEqual({ beginning: 'CONFLICT', agentRequest: null });
});

test('ten requests with one key at once begin once', async () => {
  const key = newKey();
  const all = await Promise.all(Array.from({ length: 10 }, () => begin(key)));
  expect(all.filter(({ beginning }) => beginning === 'NEW')).toHaveLength(1);
});

test('a request that failed gives its key back, and stays in the list with its response', async () => {
  const key = newKey();
  const { agentRequest } = await begin(key);
  await api.data(
    'mutation ($id: ID!) { discardAgentRequest(id: $id, response: { code: "BUDGET_TOO_LOW" }) { agentRequest { id } } }',
    { id: agentRequest?.id },
  );
  expect((await begin(key)).beginning).toBe('NEW');
  const { agentRequests } = await api.data<{ agentRequests: unknown[] }>(
    '{ agentRequests(states: [FAILED]) { id response } }',
  );
  expect(agentRequests).toEqual([{ id: agentRequest?.id, response: { code: 'BUDGET_TOO_LOW' } }]);
});

test('a request ends with a campaign of its own advertiser only', async () => {
  const foreign = await make('advertiser', 'createAdvertiser(input: { name: "Other" })');
  const other = await make('campaign', `createCampaign(input: { advertiserId: "${foreign}", name: "O" })`);
  const { agentRequest } = await begin(newKey());
  const ended = await end(agentRequest?.id ?? '', { state: 'COMPLETED', response: {}, campaignId: other });
  expect(ended.body.data).toMatchObject({
    endAgentRequest: { userErrors: [{ field: 'input.campaignId', code: 'UNKNOWN' }] },
  });
});

const makeItem = (campaign: string) =>
  make(
    'lineItem',
    `createLineItem(input: { campaignId: "${campaign}", name: "L", type: PRICE, status: DRAFT, pricingModel: CPM, price: "2" })`,
  );

test('the drafts of a rejected request are archived; what is live stays', async () => {
  const campaign = await make(
    'campaign',
    `createCampaign(input: { advertiserId: "${advertiserId}", name: "R", status: DRAFT })`,
  );
  const item = await makeItem(campaign);
  const statuses = async () =>
    (
      await api.data<{ campaign: unknown }>(
        'query ($id: ID!) { campaign(id: $id) { status lineItems(first: 5) { nodes { id status } } } }',
        { id: campaign },
      )
    ).campaign;
  const submit = async () => {
    const { agentRequest } = await begin(newKey());
    await end(agentRequest?.id ?? '', { state: 'SUBMITTED', response: {}, campaignId: campaign });
    return agentRequest?.id ?? '';
  };
  const [first, second] = [await submit(), await submit()];
  await decide(first, 'REJECT', 'Sold out');
  expect(await statuses()).toEqual({ status: 'ARCHIVED', lineItems: { nodes: [{ id: item, status: 'ARCHIVED' }] } });
  await api.data(`mutation { updateCampaign(id: "${campaign}", input: { status: ACTIVE }) { validatedOnly } }`);
  await decide(second, 'REJECT', 'Sold out');
  expect(await statuses()).toMatchObject({ status: 'ACTIVE' });
});

test('a submitted request is approved only with a live campaign, and rejected only with a reason', async () => {
  const { agentRequest } = await begin(newKey());
  const id = agentRequest?.id ?? '';
  await end(id, { state: 'SUBMITTED', response: {}, campaignId });
  const conflict = { decideAgentRequest: { agentRequest: null, userErrors: [{ code: 'CONFLICT' }] } };
  expect((await decide(id, 'APPROVE')).body.data).toMatchObject(conflict);
  expect((await decide(id, 'REJECT')).body.data).toMatchObject({
    decideAgentRequest: { userErrors: [{ field: 'reason', code: 'REQUIRED' }] },
  });
  await api.data(`mutation { updateCampaign(id: "${campaignId}", input: { status: ACTIVE }) { validatedOnly } }`);
  // Neither without a line item, nor with a draft.
  expect((await decide(id, 'APPROVE')).body.data).toMatchObject(conflict);
  const item = await makeItem(campaignId);
  expect((await decide(id, 'APPROVE')).body.data).toMatchObject(conflict);
  await api.data(`mutation { updateLineItem(id: "${item}", input: { status: ACTIVE }) { validatedOnly } }`);
  expect((await decide(id, 'APPROVE')).body.data).toMatchObject({
    decideAgentRequest: { agentRequest: { state: 'COMPLETED', decidedBy: expect.any(String) } },
  });
  expect((await decide(id, 'REJECT', 'late')).body.data).toMatchObject(conflict);
});
