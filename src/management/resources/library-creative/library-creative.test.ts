import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readSnapshots } from '../../../delivery/snapshot/snapshot.sql.ts';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
let advertiserId: string;
const lineItems: string[] = [];
let made = 0;
beforeAll(async () => {
  api = await createTestManagement();
  const siteId = await create('Site', { name: 'S', code: 's', domain: 's.example' });
  await create('AdUnit', { siteId, name: 'any size' });
  advertiserId = await create('Advertiser', { name: 'Acme' });
  const campaignId = await create('Campaign', { name: 'C', advertiserId, status: 'ACTIVE' });
  for (const name of ['A', 'B', 'C'])
    lineItems.push(await create('LineItem', { name, campaignId, type: 'HOUSE', status: 'ACTIVE' }));
});
beforeEach(async () => {
  await setReview('NONE');
});
afterAll(() => api.close());

const lower = (type: string): string => type.charAt(0).toLowerCase() + type.slice(1);

async function create(type: string, input: Record<string, unknown>): Promise<string> {
  const result = await api.data<Record<string, Record<string, { id: string }>>>(
    `mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${lower(type)} { id } } }`,
    { input },
  );
  return result[`create${type}`]?.[lower(type)]?.id ?? '';
}

const banner = { width: 300, height: 250, clickUrl: 'https://acme.example/', content: { html: { html: '<b>hi</b>' } } };

function createLibrary(more: Record<string, unknown> = {}): Promise<string> {
  made += 1;
  return create('LibraryCreative', { advertiserId, name: `Library ${made}`, ...banner, ...more });
}

async function setReview(creativeReview: string): Promise<void> {
  await api.data('mutation ($input: UpdateNetworkInput!) { updateNetwork(input: $input) { id } }', {
    input: { creativeReview },
  });
}

interface Association {
  readonly id: string;
  readonly name: string;
  readonly weight: number;
  readonly status: string;
  readonly reviewState: string;
  readonly version: number;
}

async function associate(inputs: readonly Record<string, unknown>[]): Promise<Association[]> {
  const result = await api.data<{ associateCreatives: { creatives: Association[] } }>(
    `mutation ($inputs: [AssociateCreativeInput!]!) { associateCreatives(inputs: $inputs) {
      creatives { id name weight status reviewState version } } }`,
    { inputs },
  );
  return result.associateCreatives.creatives;
}

function update(type: string, id: string, input: Record<string, unknown>) {
  return api.ask(
    `mutation ($id: ID!, $input: Update${type}Input!) { update${type}(id: $id, input: $input) {
      ${lower(type)} { id reviewState reviewReason } warnings { path code } } }`,
    { variables: { id, input } },
  );
}

/** The creatives that delivery would get, by id. */
async function served() {
  const snapshots = await readSnapshots(api.database.db, api.clock.nowMs);
  return new Map(snapshots.flatMap(({ creatives }) => creatives).map((one) => [one.id, one]));
}

const fieldsOf = (response: Awaited<ReturnType<TestManagement['ask']>>) =>
  response.body.errors?.[0]?.extensions['fields'];

describe('library creatives', () => {
  test('a library creative has notes, an owner, labels and custom fields, which change none of its associations', async () => {
    await create('CustomField', { key: 'agency', name: 'Agency', type: 'TEXT', kinds: ['libraryCreative'] });
    const id = await createLibrary({ labels: ['autumn'] });
    const [association] = await associate([{ libraryCreativeId: id, lineItemId: lineItems[0] }]);
    const input = { notes: 'From the agency.', customFields: { agency: 'Acme & Co' } };
    const changed = await api.data(
      `mutation ($id: ID!, $input: UpdateLibraryCreativeInput!) { updateLibraryCreative(id: $id, input: $input) {
        libraryCreative { notes labels owner customFields associations { nodes { id version } } } } }`,
      { id, input },
    );
    expect(changed).toEqual({
      updateLibraryCreative: {
        libraryCreative: {
          ...input,
          labels: ['autumn'],
          owner: null,
          associations: { nodes: [{ id: association?.id, version: association?.version }] },
        },
      },
    });
    const found = await api.data('{ libraryCreatives(where: {labels: {has: "autumn"}}) { nodes { id } } }');
    expect(found).toEqual({ libraryCreatives: { nodes: [{ id }] } });
  });

  test('a library creative serves in each line item that it is associated with, by a weight and flight of its own', async () => {
    const libraryCreativeId = await createLibrary();
    const associations = await associate([
      { libraryCreativeId, lineItemId: lineItems[0], weight: 30 },
      { libraryCreativeId, lineItemId: lineItems[1], startsAt: '2026-12-01T00:00:00Z' },
    ]);
    const snapshot = await served();
    const [first, second] = associations.map(({ id }) => snapshot.get(id));
    expect(first).toMatchObject({
      lineItemId: lineItems[0],
      weight: 30,
      startsAtMs: null,
      content: { format: 'HTML' },
    });
    expect(second).toMatchObject({ lineItemId: lineItems[1], weight: 100, startsAtMs: Date.UTC(2026, 11, 1) });
    expect(first?.id).not.toBe(second?.id);
  });

  test('a change of a library creative reaches all its associations at once, and a rejected one stops everywhere', async () => {
    const id = await createLibrary();
    const associations = await associate(lineItems.map((lineItemId) => ({ libraryCreativeId: id, lineItemId })));
    await update('LibraryCreative', id, { clickUrl: 'https://acme.example/new', width: 728, height: 90 });
    const changed = await served();
    for (const one of associations)
      expect(changed.get(one.id)).toMatchObject({ clickUrl: 'https://acme.example/new', width: 728, height: 90 });
    await update('LibraryCreative', id, { reviewState: 'REJECTED', reviewReason: 'It shouts.' });
    const rejected = await served();
    for (const one of associations) expect(rejected.get(one.id)?.reviewState).toBe('REJECTED');
  });

  test('an association cannot leave its library creative in what it has from it', async () => {
    const libraryCreativeId = await createLibrary();
    const [one] = await associate([{ libraryCreativeId, lineItemId: lineItems[0] }]);
    const refused = await update('Creative', one?.id ?? '', { clickUrl: 'https://other.example/', weight: 5 });
    expect(fieldsOf(refused)).toMatchObject([{ path: 'input.clickUrl', code: 'from_library' }]);
    expect((await update('Creative', one?.id ?? '', { weight: 5, status: 'PAUSED' })).body.errors).toBeUndefined();
  });

  test('the same pair is associated once: again it changes the weight, and after its end it is restored under its id with what it had', async () => {
    const libraryCreativeId = await createLibrary();
    const pair = { libraryCreativeId, lineItemId: lineItems[0] };
    const [first] = await associate([pair]);
    const [again] = await associate([{ ...pair, weight: 7 }]);
    expect(again).toMatchObject({ id: first?.id, weight: 7 });
    await api.data(
      'mutation ($inputs: [CreativePairInput!]!) { dissociateCreatives(inputs: $inputs) { creatives { status } } }',
      { inputs: [pair] },
    );
    expect((await served()).get(first?.id ?? '')?.status).toBe('ARCHIVED');
    await update('LibraryCreative', libraryCreativeId, { name: 'Renamed' });
    const [restored] = await associate([pair]);
    expect(restored).toMatchObject({ id: first?.id, status: 'ACTIVE', name: 'Renamed', weight: 7 });
  });

  test('an archived library creative takes its associations out of delivery', async () => {
    const libraryCreativeId = await createLibrary();
    const [one] = await associate([{ libraryCreativeId, lineItemId: lineItems[2] }]);
    await api.data('mutation ($id: ID!) { archiveLibraryCreative(id: $id) { libraryCreative { status } } }', {
      id: libraryCreativeId,
    });
    expect((await served()).get(one?.id ?? '')?.status).toBe('ARCHIVED');
    const refused = await api.ask(
      'mutation ($inputs: [AssociateCreativeInput!]!) { associateCreatives(inputs: $inputs) { creatives { id } } }',
      { variables: { inputs: [{ libraryCreativeId, lineItemId: lineItems[0] }] } },
    );
    expect(fieldsOf(refused)).toMatchObject([{ path: 'inputs.0.libraryCreativeId', code: 'archived' }]);
  });

  test('row by row, a refused pair is named and the others are associated', async () => {
    const libraryCreativeId = await createLibrary();
    const otherId = await create('Advertiser', { name: 'Elsewhere' });
    const campaignId = await create('Campaign', { name: 'E', advertiserId: otherId });
    const foreignId = await create('LineItem', { name: 'E', campaignId, type: 'HOUSE' });
    const { associateCreatives } = await api.data<{
      associateCreatives: { results: unknown[]; creatives: unknown[]; userErrors: unknown[] };
    }>(
      `mutation ($inputs: [AssociateCreativeInput!]!) { associateCreatives(inputs: $inputs, mode: ROW_BY_ROW) {
        creatives { status } userErrors { code } results { index code problems { path code } creative { lineItemId version } } } }`,
      { inputs: [lineItems[0], foreignId, lineItems[1]].map((lineItemId) => ({ libraryCreativeId, lineItemId })) },
    );
    expect(associateCreatives.results).toMatchObject([
      { index: 0, code: null, creative: { lineItemId: lineItems[0], version: 1 } },
      { index: 1, problems: [{ path: 'inputs.1.lineItemId', code: 'other_advertiser' }], creative: null },
      { index: 2, code: null, creative: { lineItemId: lineItems[1], version: 1 } },
    ]);
    expect(associateCreatives.creatives).toHaveLength(2);
  });

  test('a line item of another advertiser, an unknown one and one of another network are refused by field', async () => {
    const libraryCreativeId = await createLibrary();
    const otherId = await create('Advertiser', { name: 'Other' });
    const campaignId = await create('Campaign', { name: 'O', advertiserId: otherId });
    const lineItemId = await create('LineItem', { name: 'O', campaignId, type: 'HOUSE' });
    const query =
      'mutation ($inputs: [AssociateCreativeInput!]!) { associateCreatives(inputs: $inputs) { creatives { id } } }';
    const inputs = [
      { libraryCreativeId, lineItemId },
      { libraryCreativeId, lineItemId: '999999' },
      { libraryCreativeId: 'x', lineItemId: lineItems[0] },
    ];
    expect(fieldsOf(await api.ask(query, { variables: { inputs } }))).toMatchObject([
      { path: 'inputs.0.lineItemId', code: 'other_advertiser' },
      { path: 'inputs.1.lineItemId', code: 'unknown' },
      { path: 'inputs.2.libraryCreativeId', code: 'unknown' },
    ]);
    const foreign = { inputs: [{ libraryCreativeId, lineItemId: lineItems[0] }] };
    expect(fieldsOf(await api.ask(query, { variables: foreign, as: 'stranger' }))).toMatchObject([
      { code: 'unknown' },
      { code: 'unknown' },
    ]);
  });
});

describe('review', () => {
  const mine = () => create('Creative', { lineItemId: lineItems[0], name: 'Own', ...banner });

  test('where the network reviews creatives, a new one waits, and a change of its content makes it wait again', async () => {
    await setReview('REQUIRED');
    const id = await mine();
    expect((await served()).get(id)?.reviewState).toBe('PENDING');
    expect((await update('Creative', id, { reviewState: 'APPROVED' })).body.data).toMatchObject({
      updateCreative: { creative: { reviewState: 'APPROVED' } },
    });
    const changed = await update('Creative', id, { clickUrl: 'https://evil.example/', reviewState: 'APPROVED' });
    expect(changed.body.data).toMatchObject({
      updateCreative: { creative: { reviewState: 'PENDING' }, warnings: [{ code: 'review_pending' }] },
    });
    expect((await update('Creative', id, { weight: 5 })).body.data).toMatchObject({
      updateCreative: { creative: { reviewState: 'PENDING' }, warnings: [] },
    });
  });

  test('a rejection needs a reason where the network reviews creatives, and elsewhere gets a warning', async () => {
    const id = await mine();
    expect((await update('Creative', id, { reviewState: 'REJECTED' })).body.data).toMatchObject({
      updateCreative: { warnings: [{ path: 'input.reviewReason', code: 'reason_missing' }] },
    });
    await update('Creative', id, { reviewState: 'APPROVED' });
    await setReview('REQUIRED');
    expect(fieldsOf(await update('Creative', id, { reviewState: 'REJECTED' }))).toMatchObject([
      { path: 'input.reviewReason', code: 'required' },
    ]);
    const rejected = await update('Creative', id, { reviewState: 'REJECTED', reviewReason: 'No imprint.' });
    expect(rejected.body.data).toMatchObject({
      updateCreative: { creative: { reviewState: 'REJECTED', reviewReason: 'No imprint.' } },
    });
    expect((await update('Creative', id, { reviewState: 'APPROVED' })).body.data).toMatchObject({
      updateCreative: { creative: { reviewState: 'APPROVED', reviewReason: null } },
    });
  });

  test('the reason of a rejection is in the changes that webhooks and the audit log get', async () => {
    const id = await createLibrary();
    await update('LibraryCreative', id, { reviewState: 'REJECTED', reviewReason: 'Too loud.' });
    const { changes } = await api.data<{ changes: { nodes: { objectId: string; type: string; after: unknown }[] } }>(
      '{ changes(kinds: ["libraryCreative"], first: 100) { nodes { objectId type after } } }',
    );
    expect(changes.nodes.findLast(({ objectId }) => objectId === id)).toMatchObject({
      type: 'libraryCreative.update',
      after: { reviewState: 'REJECTED', reviewReason: 'Too loud.' },
    });
  });

  test('an upsert and a whole campaign wait for review like any other creative', async () => {
    await setReview('REQUIRED');
    const { upsertCreatives } = await api.data<{
      upsertCreatives: { results: { creative: { reviewState: string } }[] };
    }>(
      `mutation ($inputs: [UpsertCreativeInput!]!) { upsertCreatives(inputs: $inputs) { results { creative { reviewState } } } }`,
      { inputs: [{ externalId: 'up-1', lineItemId: lineItems[0], name: 'U', ...banner, reviewState: 'APPROVED' }] },
    );
    expect(upsertCreatives.results[0]?.creative.reviewState).toBe('PENDING');
  });
});
