import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

interface SavedObject {
  readonly path: string;
  readonly key: string | null;
  readonly kind: string;
  readonly id: string | null;
  readonly isCreated: boolean;
}

interface Saved {
  readonly campaign: { readonly id: string; readonly version: number } | null;
  readonly objects: readonly SavedObject[];
  readonly archivedCount: number;
  readonly warnings: readonly { readonly path: string }[];
}

interface Problem {
  readonly path: string;
  readonly code: string;
}

type Tree = Record<string, unknown> & { lineItems?: (Record<string, unknown> & { creatives?: object[] })[] };

const mutation = `mutation ($input: SaveCampaignInput!, $archiveOthers: Boolean, $trial: Boolean) {
  out: saveCampaign(input: $input, archiveOthers: $archiveOthers, validateOnly: $trial) {
    campaign { id version } objects { path key kind id isCreated } archivedCount warnings { path } validatedOnly } }`;

let api: TestManagement;
beforeAll(async () => {
  api = await createTestManagement();
  for (const as of ['admin', 'stranger']) {
    const inputs = [{ externalId: 'acme', name: 'Acme' }];
    await api.data(
      'mutation ($inputs: [UpsertAdvertiserInput!]!) { upsertAdvertisers(inputs: $inputs) { changedCount } }',
      { inputs },
      { as },
    );
  }
});
afterAll(() => api.close());

async function save(input: Tree, more: object = {}, as = 'admin'): Promise<Saved> {
  const { out } = await api.data<{ out: Saved }>(mutation, { input, ...more }, { as });
  return out;
}

async function refusal(input: Tree, as = 'admin'): Promise<{ code: string; problems: string[] }> {
  const { body } = await api.ask(mutation, { variables: { input }, as });
  const refused = body.errors?.[0]?.extensions;
  const fields = (refused?.['fields'] ?? []) as Problem[];
  return { code: refused?.code ?? 'none', problems: fields.map((field) => `${field.path} ${field.code}`) };
}

/** All that the network has of campaigns, as text to compare. */
async function everything(as = 'admin'): Promise<string> {
  return JSON.stringify(
    await api.data(
      `{ campaigns(first: 100) { nodes { id name version status } } lineItems(first: 100) { nodes { id name version status } }
         creatives(first: 100) { nodes { id name version status } } }`,
      undefined,
      { as },
    ),
  );
}

const banner = (name: string, more: object = {}) => ({
  name,
  width: 300,
  height: 250,
  clickUrl: 'https://n.example',
  content: { html: { html: '<b>n</b>' } },
  ...more,
});

let next = 0;
/** A new tree with external ids of its own. */
function tree(): Tree & { externalId: string; lineItems: (Record<string, unknown> & { creatives: object[] })[] } {
  next += 1;
  const lineItem = (name: string) => ({
    externalId: `${next} ${name}`,
    key: name,
    name,
    type: 'HOUSE',
    creatives: [
      banner('master', { externalId: `${next} ${name} m`, key: `${name} m` }),
      banner('companion', { externalId: `${next} ${name} c`, masterCreativeKey: `${name} m` }),
    ],
  });
  return {
    externalId: `campaign ${next}`,
    advertiserExternalId: 'acme',
    name: `Campaign ${next}`,
    lineItems: [lineItem('a'), lineItem('b')],
  };
}

describe('a new tree', () => {
  test('one call creates everything, and the payload has the ids by key and path', async () => {
    const saved = await save(tree());
    expect(saved.objects.map(({ path, key, kind, isCreated }) => [path, key, kind, isCreated])).toEqual([
      ['input', null, 'Campaign', true],
      ['input.lineItems.0', 'a', 'LineItem', true],
      ['input.lineItems.0.creatives.0', 'a m', 'Creative', true],
      ['input.lineItems.0.creatives.1', null, 'Creative', true],
      ['input.lineItems.1', 'b', 'LineItem', true],
      ['input.lineItems.1.creatives.0', 'b m', 'Creative', true],
      ['input.lineItems.1.creatives.1', null, 'Creative', true],
    ]);
    const { campaign } = await api.data<{ campaign: object }>(
      '{ campaign(id: "$id") { lineItems { nodes { id creatives { nodes { id masterCreativeId } } } } } }'.replace(
        '$id',
        saved.campaign?.id ?? '',
      ),
    );
    const id = (index: number) => saved.objects[index]?.id;
    const creatives = (master: number) => ({
      nodes: [
        { id: id(master), masterCreativeId: null },
        { id: id(master + 1), masterCreativeId: id(master) },
      ],
    });
    expect(campaign).toEqual({
      lineItems: {
        nodes: [
          { id: id(1), creatives: creatives(2) },
          { id: id(4), creatives: creatives(5) },
        ],
      },
    });
  });

  test('a companion may stand before its master in the list', async () => {
    const input = tree();
    input.lineItems[0]?.creatives.reverse();
    expect((await save(input)).objects).toHaveLength(7);
  });

  test('a problem in the last creative undoes everything', async () => {
    const before = await everything();
    const input = tree();
    input.lineItems[1]?.creatives.push(banner(''));
    expect(await refusal(input)).toEqual({
      code: 'validation_failed',
      problems: ['input.lineItems.1.creatives.2.name empty'],
    });
    expect(await everything()).toBe(before);
  });

  test('the problems of all objects are reported at once', async () => {
    const input = tree();
    Object.assign(input, { advertiserExternalId: 'nobody', version: 3 });
    Object.assign(input.lineItems[0] ?? {}, { name: '', key: 'same' });
    Object.assign(input.lineItems[1] ?? {}, { key: 'same', type: undefined });
    Object.assign(input.lineItems[1]?.creatives[1] ?? {}, { masterCreativeKey: 'none' });
    expect((await refusal(input)).problems).toEqual([
      'input.advertiserExternalId unknown',
      'input.version unknown',
      'input.lineItems.0.name empty',
      'input.lineItems.1.key duplicate',
      'input.lineItems.1.type required',
      'input.lineItems.1.creatives.1.masterCreativeKey unknown',
    ]);
  });

  test('validateOnly changes nothing and shows no id of a new object', async () => {
    const before = await everything();
    const saved = await save(tree(), { trial: true });
    expect(saved).toMatchObject({ campaign: null, validatedOnly: true });
    expect(saved.objects.map(({ id }) => id)).toEqual(Array.from({ length: 7 }, () => null));
    expect(await everything()).toBe(before);
  });

  test('a master of another line item is refused', async () => {
    const input = tree();
    Object.assign(input.lineItems[0]?.creatives[1] ?? {}, { masterCreativeKey: 'b m' });
    expect((await refusal(input)).problems).toEqual([
      'input.lineItems.0.creatives.1.masterCreativeKey other_line_item',
    ]);
  });
});

describe('an existing tree', () => {
  let input: ReturnType<typeof tree>;
  let saved: Saved;
  const idOf = (index: number): string => saved.objects[index]?.id ?? '';
  beforeEach(async () => {
    input = tree();
    saved = await save(input);
  });

  test('the same call again creates and changes nothing', async () => {
    const before = await everything();
    const again = await save(input);
    expect(again.objects.map(({ id }) => id)).toEqual(saved.objects.map(({ id }) => id));
    expect(again.objects.some(({ isCreated }) => isCreated)).toBe(false);
    expect(await everything()).toBe(before);
  });

  test('given fields change by id, and what is not listed stays', async () => {
    const changed = await save({
      id: idOf(0),
      version: 1,
      lineItems: [{ id: idOf(4), name: 'Renamed', creatives: [banner('new')] }],
    });
    expect(changed).toMatchObject({ campaign: { version: 1 }, archivedCount: 0 });
    const text = await everything();
    expect(text).toContain(`{"id":"${idOf(4)}","name":"Renamed","version":2,"status":"DRAFT"}`);
    expect(text).toContain(`{"id":"${idOf(1)}","name":"a","version":1,"status":"DRAFT"}`);
    expect(text).toContain(`{"id":"${idOf(5)}","name":"master","version":1,"status":"ACTIVE"}`);
  });

  test('archiveOthers archives what a given list leaves out, and only that', async () => {
    const changed = await save({ id: idOf(0), lineItems: [{ id: idOf(1) }] }, { archiveOthers: true });
    expect(changed.archivedCount).toBe(1);
    const text = await everything();
    expect(text).toContain(`{"id":"${idOf(4)}","name":"b","version":2,"status":"ARCHIVED"}`);
    expect(text).toContain(`{"id":"${idOf(1)}","name":"a","version":1,"status":"DRAFT"}`);
    expect(text).toContain(`{"id":"${idOf(2)}","name":"master","version":1,"status":"ACTIVE"}`);
  });

  test('a stale version anywhere is a conflict that changes nothing', async () => {
    await save({ id: idOf(0), lineItems: [{ id: idOf(1), name: 'Newer' }] });
    const before = await everything();
    const stale = { id: idOf(0), name: 'X', lineItems: [{ id: idOf(1), version: 1, name: 'Stale' }] };
    expect(await refusal(stale)).toEqual({ code: 'conflict', problems: ['input.lineItems.0.version conflict'] });
    expect(await everything()).toBe(before);
  });

  test('a line item of another campaign cannot be saved in this one', async () => {
    const other = await save(tree());
    expect(await refusal({ id: idOf(0), lineItems: [{ id: other.objects[1]?.id }] })).toEqual({
      code: 'validation_failed',
      problems: ['input.lineItems.0.id other_parent'],
    });
  });

  test('the same object twice is refused', async () => {
    const twice = { id: idOf(0), lineItems: [{ id: idOf(1) }, { externalId: input.lineItems[0]?.['externalId'] }] };
    expect((await refusal(twice)).problems).toEqual(['input.lineItems.1.externalId duplicate']);
  });

  test('one external id for two objects of the call is refused, also when one of them is named by its id', async () => {
    const twice = {
      id: idOf(0),
      lineItems: [
        { id: idOf(1), externalId: 'both' },
        { externalId: 'both', name: 'N', type: 'HOUSE' },
      ],
    };
    expect((await refusal(twice)).problems).toEqual(['input.lineItems.1.externalId duplicate']);
  });

  test('children below an archived object are refused at a path of the input', async () => {
    const below = { id: idOf(0), lineItems: [{ id: idOf(1), status: 'ARCHIVED', creatives: [banner('new')] }] };
    expect((await refusal(below)).problems).toEqual(['input.lineItems.0.status archived']);
    await save({ id: idOf(0), lineItems: [{ id: idOf(1), status: 'ARCHIVED' }] });
    const archived = { id: idOf(0), lineItems: [{ id: idOf(1), creatives: [banner('new')] }] };
    expect((await refusal(archived)).problems).toEqual(['input.lineItems.0.status archived']);
  });

  test('ids of another network are unknown at every level, and archiveOthers does not reach them', async () => {
    const before = await everything();
    const own = tree();
    expect((await refusal({ ...own, id: idOf(0) }, 'stranger')).problems).toContain('input.id unknown');
    await save(own, {}, 'stranger');
    const foreign = await refusal(
      {
        externalId: own.externalId,
        lineItems: [
          { id: idOf(1), name: 'Stolen' },
          { externalId: own.lineItems[0]?.['externalId'], creatives: [{ id: idOf(2), name: 'Stolen' }] },
        ],
      },
      'stranger',
    );
    expect(foreign.problems).toEqual(['input.lineItems.0.id unknown', 'input.lineItems.1.creatives.0.id unknown']);
    const { body } = await api.ask(mutation, {
      variables: { input: { id: idOf(0), lineItems: [] }, archiveOthers: true },
      as: 'stranger',
    });
    expect(body.errors?.[0]?.extensions['fields']).toMatchObject([{ path: 'input.id', code: 'unknown' }]);
    // The same external ids make objects of its own.
    expect((await save(input, {}, 'stranger')).objects.every(({ isCreated }) => isCreated)).toBe(true);
    expect(await everything()).toBe(before);
  });
});

describe('limits', () => {
  const large = (count: number): Tree => ({
    advertiserExternalId: 'acme',
    name: 'Large',
    lineItems: Array.from({ length: count }, (_, index) => ({ name: `L ${index}`, type: 'HOUSE' })),
  });

  test('a call of 1,000 objects costs 50 points for each, and one of 1,001 is refused', async () => {
    const { body } = await api.ask(
      'mutation ($input: SaveCampaignInput!) { saveCampaign(input: $input) { archivedCount } }',
      {
        variables: { input: large(999) },
      },
    );
    expect(body.errors).toBeUndefined();
    expect(body.extensions).toMatchObject({ cost: { requested: 50_001 } });
    expect((await refusal(large(1_000))).code).toBe('invalid_request');
  });

  test('a tree looks its external ids up with one statement for each table', async () => {
    api.statements.log.length = 0;
    await save(tree());
    const lookups = api.statements.log.filter((statement) => statement.includes('AS wanted (external_id)'));
    expect(new Set(lookups).size).toBe(4);
  });

  test('every change is in the audit log', async () => {
    const saved = await save(tree());
    const rows = await api.database.db
      .selectFrom('audit_log')
      .select(['object_kind', 'object_id'])
      .where('action', 'in', ['campaign.create', 'lineItem.create', 'creative.create'])
      .execute();
    const logged = rows.map((row) => `${row.object_kind} ${row.object_id}`);
    for (const { kind, id } of saved.objects)
      expect(logged).toContain(`${kind[0]?.toLowerCase()}${kind.slice(1)} ${id}`);
  });

  test('a read-only key cannot save', async () => {
    expect((await refusal(tree(), 'reader')).code).toBe('insufficient_permissions');
  });
});

test('the examples of the documentation work as they are', async () => {
  const page = readFileSync(new URL('../../../docs/graphql.md', import.meta.url), 'utf8');
  const examples = [...page.matchAll(/```graphql\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  expect(examples).toHaveLength(2);
  for (const example of examples) {
    const text = JSON.stringify(await api.data(example));
    expect(text).not.toMatch(/"failedCount":[1-9]|"problems":\[\{/);
  }
});
