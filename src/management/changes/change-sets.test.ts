import { afterAll, beforeAll, expect, test } from 'vitest';
import { isTooLong, redact } from '../../access/audit/audit-chain.ts';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

interface Entry {
  readonly action: string;
  readonly objectId: string;
  readonly changeSet: string | null;
  readonly changeSetSize: number;
}

let api: TestManagement;
beforeAll(async () => {
  api = await createTestManagement();
});
afterAll(() => api.close());

async function createAdvertisers(names: readonly string[], headers: Record<string, string> = {}, as = 'admin') {
  const made = await api.data<{ createAdvertisers: { results: { advertiser: { id: string } }[] } }>(
    'mutation ($inputs: [CreateAdvertiserInput!]!) { createAdvertisers(inputs: $inputs) { results { advertiser { id } } } }',
    { inputs: names.map((name) => ({ name })) },
    { as, headers },
  );
  return made.createAdvertisers.results.map(({ advertiser }) => advertiser.id);
}

const inSet = (name: string) => ({ 'x-placard-change-set': name });

async function readLog(variables: Record<string, unknown>, as = 'admin'): Promise<Entry[]> {
  const { auditLog } = await api.data<{ auditLog: { nodes: Entry[] } }>(
    `query ($filter: AuditFilter, $fold: Boolean, $after: String) {
      auditLog(first: 100, after: $after, filter: $filter, foldChangeSets: $fold) {
        nodes { action objectId changeSet changeSetSize } } }`,
    variables,
    { as },
  );
  return auditLog.nodes;
}

interface Backwards {
  readonly nodes: readonly (Omit<Entry, 'action'> & { readonly type: string })[];
  readonly pageInfo: { readonly startCursor: string; readonly hasPreviousPage: boolean };
}

async function readBackwards(variables: Record<string, unknown>, as = 'reader'): Promise<Backwards> {
  const { changes } = await api.data<{ changes: Backwards }>(
    `query ($last: Int, $before: String, $changeSet: String, $fold: Boolean) {
      changes(last: $last, before: $before, changeSet: $changeSet, foldChangeSets: $fold) {
        nodes { type objectId changeSet changeSetSize } pageInfo { startCursor hasPreviousPage } } }`,
    variables,
    { as },
  );
  return changes;
}

test('a change of many objects is one entry of the audit log, and its parts are listed by the name of the change', async () => {
  const [before] = await createAdvertisers(['Before']);
  const first = await createAdvertisers(['A', 'B'], inSet('spring'));
  const [between] = await createAdvertisers(['Between']);
  const second = await createAdvertisers(['C'], inSet('spring'));
  const folded = await readLog({ fold: true });
  expect(folded.map(({ objectId, changeSet, changeSetSize }) => [objectId, changeSet, changeSetSize])).toEqual([
    [second[0], 'spring', 3],
    [between, null, 1],
    [before, null, 1],
  ]);
  const parts = await readLog({ filter: { changeSet: 'spring' } });
  expect(parts.map(({ objectId }) => objectId)).toEqual([second[0], first[1], first[0]]);
  expect(await readLog({})).toHaveLength(5);
});

test('a change set of one actor hides no change of another one', async () => {
  const [own] = await createAdvertisers(['Own'], inSet('shared'));
  const [other] = await createAdvertisers(['Other'], inSet('shared'), 'writer');
  const folded = (await readLog({ fold: true })).slice(0, 2);
  expect(folded.map(({ objectId, changeSetSize }) => [objectId, changeSetSize])).toEqual([
    [other, 1],
    [own, 1],
  ]);
});

test('the feed of changes is read backwards page by page, each change set once', async () => {
  const [oldest] = await createAdvertisers(['Oldest']);
  const many = await createAdvertisers(['D', 'E', 'F'], inSet('autumn'));
  const [newest] = await createAdvertisers(['Newest']);
  const page = await readBackwards({ last: 2, fold: true });
  expect(page.nodes.map(({ objectId, changeSetSize }) => [objectId, changeSetSize])).toEqual([
    [many[2], 3],
    [newest, 1],
  ]);
  const earlier = await readBackwards({ last: 1, fold: true, before: page.pageInfo.startCursor });
  expect(earlier.nodes.map(({ objectId }) => objectId)).toEqual([oldest]);
  expect(earlier.pageInfo.hasPreviousPage).toBe(true);
  const parts = await readBackwards({ last: 100, changeSet: 'autumn' });
  expect(parts.nodes.map(({ objectId }) => objectId)).toEqual(many);
});

test('the start of the feed has no page before it', async () => {
  const all = await readBackwards({ last: 100 });
  expect(all.pageInfo).toEqual({ startCursor: '1', hasPreviousPage: false });
});

test('a change of a member of another network is in no page of this one', async () => {
  await createAdvertisers(['Theirs'], inSet('theirs'), 'stranger');
  expect(await readLog({ filter: { changeSet: 'theirs' } })).toEqual([]);
  expect((await readBackwards({ last: 100, changeSet: 'theirs' })).nodes).toEqual([]);
});

test('details that are too long for the log keep their change set', () => {
  const kept = redact({ after: { notes: 'x'.repeat(70_000) }, changeSet: 'long' });
  expect(isTooLong(kept)).toBe(true);
  expect(kept['changeSet']).toBe('long');
});

test.each([
  ['a space', 'two words'],
  ['65 characters', 'x'.repeat(65)],
])('a name of a change set with %s gets 400', async (_what, name) => {
  const response = await api.ask('{ network { id } }', { headers: inSet(name) });
  expect(response.status).toBe(400);
  expect(response.body.message).toContain('X-Placard-Change-Set');
});

test.each([
  ['`last` with `first`', { last: 1, first: 1 }, '`last` takes no `first`'],
  ['`before` without `last`', { before: '1' }, 'need `last`'],
  ['folding without `last`', { foldChangeSets: true }, 'need `last`'],
])('a page with %s is refused', async (_what, variables, words) => {
  const response = await api.ask(
    `query ($first: Int, $last: Int, $before: String, $foldChangeSets: Boolean) {
      changes(first: $first, last: $last, before: $before, foldChangeSets: $foldChangeSets) { nodes { sequence } } }`,
    { variables, as: 'reader' },
  );
  expect(response.body.errors?.[0]?.extensions.code).toBe('invalid_request');
  expect(response.body.errors?.[0]?.message).toContain(words);
});
