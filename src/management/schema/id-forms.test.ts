import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodeGlobalId } from '../../domain/ids/global-ids.ts';
import { createTestManagement, seedMembers, type TestManagement } from '../fixtures/test-management.ts';

const HEADERS = { 'x-placard-version': '2026-11-25' };
let api: TestManagement;
/** What the engine was asked, as text. */
let asked = '';
const ids = { Campaign: '', LineItem: '', User: '101', AdUnit: '11', Site: '12', Area: '13', Segment: '14' };
type Type = keyof typeof ids;

beforeAll(async () => {
  const record = async (...question: unknown[]) => {
    asked = JSON.stringify(question);
    throw new Error('only the question is of interest');
  };
  api = await createTestManagement({
    insightOf: () => ({ inspect: record, availability: record, explain: record }) as never,
  });
  await seedMembers(api.database);
  const { made } = await api.data<{ made: { advertiser: { id: string } } }>(
    'mutation { made: createAdvertiser(input: { name: "Alder" }) { advertiser { id } } }',
  );
  const { campaign } = await api.data<{ campaign: { campaign: { id: string } } }>(
    'mutation ($id: ID!) { campaign: createCampaign(input: { advertiserId: $id, name: "Autumn" }) { campaign { id } } }',
    { id: made.advertiser.id },
  );
  ids.Campaign = campaign.campaign.id;
});
afterAll(() => api.close());

/** A new one for each call, so that no call finds what another one did. */
beforeEach(async () => {
  const { lineItem } = await api.data<{ lineItem: { lineItem: { id: string } } }>(
    `mutation ($id: ID!) { lineItem: createLineItem(input: { campaignId: $id, name: "x", type: STANDARD,
      goal: { kind: IMPRESSIONS, amount: 10, period: DAY } }) { lineItem { id } } }`,
    { id: ids.Campaign },
    { as: 'eve' },
  );
  ids.LineItem = lineItem.lineItem.id;
});

const AVAILABILITY = 'availability(input: $input) { notes }';
const INSPECT = 'inspectDecision(input: $input) { notes }';

/** A field that takes an id of a type: the operation, with the id as `$id` or in the input. */
type Field = readonly [name: string, type: Type, operation: string, inputOf?: (id: string) => object];

const FIELDS: readonly Field[] = [
  [
    'requestBookingApproval',
    'LineItem',
    'mutation ($id: ID!) { requestBookingApproval(id: $id) { userErrors { code } } }',
  ],
  ['approveBooking', 'LineItem', 'mutation ($id: ID!) { approveBooking(id: $id, version: 1) { userErrors { code } } }'],
  ['bookingsToApprove.after', 'LineItem', 'query ($id: ID!) { bookingsToApprove(after: $id) { id } }'],
  ['comments', 'LineItem', 'query ($id: ID!) { comments(objectKind: LINE_ITEM, objectId: $id) { id } }'],
  ['comments of campaigns', 'Campaign', 'query ($id: ID!) { comments(objectKind: CAMPAIGN, objectId: $id) { id } }'],
  [
    'addComment',
    'LineItem',
    'mutation ($id: ID!) { addComment(objectKind: LINE_ITEM, objectId: $id, body: "x") { userErrors { code } } }',
  ],
  [
    'addComment.mentionedIds',
    'User',
    'mutation ($id: ID!, $campaign: ID!) { addComment(objectKind: CAMPAIGN, objectId: $campaign, body: "x", mentionedIds: [$id]) { userErrors { code } } }',
  ],
  ['reportShares', 'Campaign', 'query ($id: ID!) { reportShares(campaignId: $id) { name } }'],
  [
    'shareCampaignReport',
    'Campaign',
    'mutation ($id: ID!) { shareCampaignReport(campaignId: $id, name: "Alder") { userErrors { code } } }',
  ],
  [
    'availability.adUnitIds',
    'AdUnit',
    `query ($input: AvailabilityInput!) { ${AVAILABILITY} }`,
    (id) => ({ adUnitIds: [id] }),
  ],
  [
    'availability.siteIds',
    'Site',
    `query ($input: AvailabilityInput!) { ${AVAILABILITY} }`,
    (id) => ({ siteIds: [id] }),
  ],
  ...(
    [
      ['form.adUnitId', 'AdUnit', (id: string) => ({ form: { adUnitId: id } })],
      ['form.siteId', 'Site', (id: string) => ({ form: { siteId: id } })],
      ['form.areaId', 'Area', (id: string) => ({ form: { siteId: '1', areaId: id } })],
      ['form.segmentIds', 'Segment', (id: string) => ({ form: { siteId: '1', segmentIds: [id] } })],
      ['whatIf.lineItemId', 'LineItem', (id: string) => ({ requestId: 'r', whatIf: [{ lineItemId: id }] })],
      ['whatIf.adUnitId', 'AdUnit', (id: string) => ({ requestId: 'r', whatIf: [{ adUnitId: id }] })],
    ] as const
  ).map(
    ([name, type, inputOf]) =>
      [`inspectDecision.${name}`, type, `query ($input: InspectDecisionInput!) { ${INSPECT} }`, inputOf] as const,
  ),
  [
    'explainDecision.lineItemId',
    'LineItem',
    'query ($input: ExplainDecisionInput!) { explainDecision(input: $input) { __typename } }',
    (id) => ({ bidRequest: {}, lineItemId: id }),
  ],
];

/** What a call comes to: the question to the engine where it asks one, else its data and mistakes. */
async function call(field: Field, id: string): Promise<unknown> {
  const [, , query, inputOf] = field;
  asked = '';
  const variables = inputOf === undefined ? { id, campaign: ids.Campaign } : { input: inputOf(id) };
  const as = query.includes('approveBooking') ? 'ann' : 'eve';
  const { body } = await api.ask(query, { variables, as, headers: HEADERS });
  if (asked !== '') return asked;
  return { data: body.data, mistakes: body.errors?.map(({ extensions }) => extensions) };
}

describe.each(FIELDS.map((field) => ({ name: field[0], field })))('$name', ({ field }) => {
  const [, type] = field;

  test('the global id is taken as the decimal one', async () => {
    if (type === 'Campaign')
      await api.data(
        'mutation ($id: ID!) { shareCampaignReport(campaignId: $id, name: "Alder") { __typename } }',
        { id: ids.Campaign },
        { as: 'eve' },
      );
    const globally = await call(field, encodeGlobalId(type, ids[type]));
    expect(globally).toEqual(await call(field, ids[type]));
    expect(JSON.stringify(globally)).not.toMatch(/not_found|NOT_FOUND|unknown|UNKNOWN|invalid_request/);
  });

  test('the global id of another type finds nothing', async () => {
    const right = await call(field, ids[type]);
    expect(await call(field, encodeGlobalId('Deal', ids[type]))).not.toEqual(right);
  });
});
