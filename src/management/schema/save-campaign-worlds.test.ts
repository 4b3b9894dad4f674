import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { buildSchema, isInputObjectType } from 'graphql';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

/** Trees of one run. */
const TREES = Number(process.env['SAVE_TREES'] ?? 12);

type Level = 'campaigns' | 'line_items' | 'creatives';
type Fields = Readonly<Record<string, unknown>>;
type Given = Fields & { readonly lineItems?: readonly Given[]; readonly creatives?: readonly Given[] };

/** An object of the input, before the ids of the world are put in. */
interface Node {
  readonly object: string;
  readonly by: 'id' | 'externalId' | 'both' | 'other';
  readonly newExternalId: string | null;
  readonly fields: Fields;
  readonly version: 'none' | 'present' | 'stale';
  readonly children: readonly Node[] | null;
}

/** A stored row as JSON. */
interface Row {
  readonly id: number;
  readonly workspace_id: number;
  readonly name: string;
  readonly status: string;
  readonly version: number;
  readonly external_id: string | null;
  readonly campaign_id?: number;
  readonly line_item_id?: number;
  readonly master_creative_id?: number | null;
}

type State = Readonly<Record<Level, ReadonlyMap<number, Row>>> & { readonly audits: number };

let api: TestManagement;
let ids: Map<string, number>;

beforeAll(async () => {
  api = await createTestManagement();
  for (const as of ['admin', 'stranger', 'staging']) {
    const inputs = [{ externalId: 'acme', name: 'Acme' }];
    const upsert =
      'mutation ($inputs: [UpsertAdvertiserInput!]!) { upsertAdvertisers(inputs: $inputs) { changedCount } }';
    await api.data(upsert, { inputs }, { as });
  }
});
afterAll(() => api.close());

const LEVELS: readonly Level[] = ['campaigns', 'line_items', 'creatives'];
const CHILD_LISTS = ['lineItems', 'creatives'] as const;
const MUTATION = `mutation ($input: SaveCampaignInput!, $archiveOthers: Boolean, $trial: Boolean) {
  out: saveCampaign(input: $input, archiveOthers: $archiveOthers, validateOnly: $trial) {
    objects { path key id isCreated } archivedCount } }`;

const banner = (name: string): Fields => ({
  name,
  width: 300,
  height: 250,
  clickUrl: 'https://n.example',
  content: { html: { html: '<b>n</b>' } },
});

/** The objects that each tree meets. Names are external ids; those in capitals belong to others. */
const WORLD: readonly { readonly as: string; readonly input: Given }[] = [
  {
    as: 'admin',
    input: {
      externalId: 'c1',
      lineItems: [
        {
          externalId: 'l1',
          creatives: [
            { externalId: 'k1', key: 'k1' },
            { externalId: 'k2', masterCreativeKey: 'k1' },
            { externalId: 'k3' },
            { externalId: 'ka' },
          ],
        },
        { externalId: 'l2', creatives: [] },
        { externalId: 'la', creatives: [{ externalId: 'k5' }] },
        { externalId: 'twin' },
        { externalId: 'twin2' },
      ],
    },
  },
  { as: 'admin', input: { externalId: 'c2', lineItems: [{ externalId: 'm1', creatives: [{ externalId: 'k4' }] }] } },
  { as: 'admin', input: { externalId: 'ca', lineItems: [{ externalId: 'la2' }] } },
  { as: 'stranger', input: { externalId: 'F', lineItems: [{ externalId: 'FL', creatives: [{ externalId: 'FK' }] }] } },
  { as: 'staging', input: { externalId: 'S', lineItems: [{ externalId: 'SL', creatives: [{ externalId: 'SK' }] }] } },
];
/** The objects that a child is mostly one of, by its parent; and any other. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  '': ['c1', 'c1', 'c1', 'c2', 'new', 'new'],
  c1: ['l1', 'l1', 'l2', 'l2', 'la', 'new', 'new'],
  c2: ['m1', 'new'],
  l1: ['k1', 'k2', 'k3', 'new', 'new', 'new'],
  m1: ['k4', 'new'],
};
const STRAYS: Readonly<Record<Level, readonly string[]>> = {
  campaigns: ['ca', 'F', 'S', 'none'],
  line_items: ['l1', 'm1', 'la2', 'twin', 'FL', 'SL', 'none'],
  creatives: ['k1', 'ka', 'k4', 'k5', 'FK', 'SK', 'none'],
};

function named(given: Given, depth = 0): Given {
  const list = CHILD_LISTS[depth];
  const own = depth === 0 ? { advertiserExternalId: 'acme' } : depth === 1 ? { type: 'HOUSE' } : banner('x');
  const children = list === undefined ? undefined : given[list];
  const below =
    list === undefined || children === undefined ? {} : { [list]: children.map((child) => named(child, depth + 1)) };
  return { ...own, ...given, name: String(given['externalId']), ...below };
}

async function makeWorld(): Promise<void> {
  for (const table of ['creatives', 'line_items', 'campaigns'])
    await sql`DELETE FROM ${sql.table(table)}`.execute(api.database.owner);
  for (const { as, input } of WORLD) await api.data(MUTATION, { input: named(input) }, { as });
  const archived = { campaigns: ['ca'], line_items: ['la'], creatives: ['ka'] };
  for (const level of LEVELS)
    await sql`UPDATE ${sql.table(level)} SET status = 'ARCHIVED' WHERE external_id = ANY(${archived[level]})`.execute(
      api.database.owner,
    );
  await sql`UPDATE line_items SET external_id = 'twin' WHERE external_id = 'twin2'`.execute(api.database.owner);
  ids = new Map();
  for (const level of LEVELS)
    for (const row of (await readState())[level].values()) ids.set(row.external_id ?? '', row.id);
}

async function readState(): Promise<State> {
  const read = async (level: Level) => {
    const { rows } = await sql<{ row: Row }>`SELECT to_json(t) AS row FROM ${sql.table(level)} t`.execute(
      api.database.owner,
    );
    return new Map(rows.map(({ row }) => [row.id, row]));
  };
  const audits = await sql<{ count: string }>`SELECT count(*) FROM audit_log`.execute(api.database.owner);
  const [campaigns, lineItems, creatives] = await Promise.all(LEVELS.map(read));
  return { campaigns, line_items: lineItems, creatives, audits: Number(audits.rows[0]?.count) } as State;
}

const optional = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Fields> =>
  fc.record(fields, { requiredKeys: [] });
const weighted = <T>(likely: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(likely) }, ...others.map((other) => fc.constant(other)));

const rarely = (arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string | undefined> =>
  fc.option(arbitrary, { freq: 8, nil: undefined }).map((text) => text);
const KEYS = fc.option(fc.constantFrom(...Array.from({ length: 16 }, (_one, at) => String.fromCharCode(97 + at))), {
  freq: 1,
  nil: undefined,
});

const FIELDS: Readonly<Record<Level, fc.Arbitrary<Fields>>> = {
  campaigns: optional({
    name: weighted('Changed', '', 'x'.repeat(300)),
    status: weighted('ACTIVE', 'PAUSED', 'ARCHIVED'),
    key: KEYS,
    endsAt: weighted('2027-01-01T00:00:00Z', null as never),
  }),
  line_items: optional({
    name: weighted('Changed', ''),
    status: weighted('DRAFT', 'PAUSED', 'PAUSED', 'ARCHIVED'),
    key: KEYS,
    advertisingProductId: weighted(null as never, '7', 'x'),
  }),
  creatives: optional({
    name: weighted('Changed', ''),
    status: weighted('PAUSED', 'ACTIVE', 'ARCHIVED'),
    key: KEYS,
    masterCreativeKey: rarely(fc.constantFrom('a', 'b', 'c')),
    masterCreativeExternalId: rarely(fc.constantFrom('k1', 'k3', 'k4', 'FK', 'ka', 'n1')),
  }),
};

function nodes(depth: number, parent = ''): fc.Arbitrary<Node> {
  const level = LEVELS[depth] as Level;
  const likely = fc.constantFrom(...(CHILDREN[parent] ?? ['new']));
  const object = fc.oneof({ weight: 30, arbitrary: likely }, fc.constantFrom(...STRAYS[level]));
  return object.chain((name) => {
    const lists = depth === 2 ? fc.constant(null) : fc.array(nodes(depth + 1, name), { maxLength: 3 });
    return fc.record({
      object: fc.constant(name),
      by: weighted<Node['by']>('id', 'externalId', 'externalId', 'externalId', 'both', 'other', 'other', 'other'),
      newExternalId: fc.option(fc.constantFrom('n1', 'n2', ' n2 '), { freq: 1 }),
      fields: FIELDS[level],
      version: name === 'new' ? fc.constant('none') : weighted<Node['version']>('none', 'present', 'stale'),
      children: fc.option(lists, { freq: 6, nil: null }).map((list) => (list === null ? null : withoutRepeats(list))),
    });
  });
}

/** An object twice in one list is refused: seldom enough to leave other things to find. */
function withoutRepeats(list: readonly Node[]): readonly Node[] {
  return list.filter(
    ({ object, by }, at) => object === 'new' || by === 'both' || list.findIndex((one) => one.object === object) === at,
  );
}

/** The input of a node, with the ids of the world. */
function toInput(node: Node, depth = 0): Given {
  const list = CHILD_LISTS[depth];
  const isNew = node.object === 'new';
  const own = isNew ? named({ externalId: 'New' }, depth) : {};
  const id = node.object === 'none' ? '999999999' : String(ids.get(node.object));
  const externalId = node.by === 'other' ? node.newExternalId : node.object === 'none' ? 'unknown' : node.object;
  const identity = isNew
    ? { externalId: node.newExternalId }
    : { ...(node.by === 'externalId' ? {} : { id }), ...(node.by === 'id' ? {} : { externalId }) };
  const version = node.version === 'none' ? {} : { version: node.version === 'present' ? 1 : 7 };
  const children =
    list === undefined || node.children === null
      ? {}
      : { [list]: node.children.map((child) => toInput(child, depth + 1)) };
  return { ...own, ...identity, ...version, ...node.fields, ...children };
}

const schema = buildSchema(readFileSync(new URL('../../../contract/schema.graphql', import.meta.url), 'utf8'));
const TYPES = ['SaveCampaignInput', 'SaveLineItemInput', 'SaveCreativeInput'];

/** Whether a path is of an object of the input, or of a field that its type has. */
function isInInput(path: string, input: Given): boolean {
  const [root, ...segments] = path.split('.');
  let [given, depth] = [input as Given | undefined, 0];
  while (segments[0] !== undefined && segments[0] === CHILD_LISTS[depth] && segments.length > 1) {
    const list = given?.[segments.shift() as 'lineItems'];
    given = list?.[Number(segments.shift())];
    depth += 1;
  }
  if (root !== 'input' || given === undefined) return false;
  const type = schema.getType(TYPES[depth] ?? '');
  return segments[0] === undefined || (isInputObjectType(type) && Object.hasOwn(type.getFields(), segments[0]));
}

interface Located {
  readonly path: string;
  readonly level: Level;
  readonly input: Given;
  readonly parentPath: string | null;
}

function locate(input: Given, path = 'input', depth = 0, parentPath: string | null = null): Located[] {
  const list = CHILD_LISTS[depth];
  const children = list === undefined ? [] : (input[list] ?? []);
  return [
    { path, level: LEVELS[depth] as Level, input, parentPath },
    ...children.flatMap((child, index) => locate(child, `${path}.${list}.${index}`, depth + 1, path)),
  ];
}

interface Saved {
  readonly objects: readonly {
    readonly path: string;
    readonly key: string | null;
    readonly id: string;
    readonly isCreated: boolean;
  }[];
  readonly archivedCount: number;
}

/** Everything that was given is stored, and nothing else has changed. */
function checkSaved(
  input: Given,
  { saved, archiveOthers }: { saved: Saved; archiveOthers: boolean },
  states: { before: State; after: State },
): void {
  const { before, after } = states;
  const located = locate(input);
  const idOf = new Map(saved.objects.map(({ path, id }) => [path, Number(id)]));
  expect(saved.objects.map(({ path }) => path).sort()).toEqual(located.map(({ path }) => path).sort());
  const touched = new Set<string>();
  let changes = 0;
  for (const { path, level, input: given, parentPath } of located) {
    const id = idOf.get(path) as number;
    const row = after[level].get(id) as Row;
    const old = before[level].get(id);
    expect(touched.has(`${level} ${id}`)).toBe(false);
    touched.add(`${level} ${id}`);
    expect(row.workspace_id).toBe(1);
    expect(old === undefined).toBe(saved.objects.find((one) => one.path === path)?.isCreated);
    if (row.version !== old?.version) changes += 1;
    for (const name of ['name', 'status'] as const) if (given[name] !== undefined) expect(row[name]).toBe(given[name]);
    if (typeof given['externalId'] === 'string') expect(row.external_id).toBe(given['externalId'].trim());
    if (given['id'] !== undefined) expect(String(id)).toBe(given['id']);
    const parent = parentPath === null ? undefined : idOf.get(parentPath);
    if (parent !== undefined) expect(row.campaign_id ?? row.line_item_id).toBe(parent);
    const master = given['masterCreativeKey'];
    if (typeof master === 'string') {
      const named = located.find(({ level: at, input: other }) => at === 'creatives' && other['key'] === master);
      expect(row.master_creative_id).toBe(idOf.get(named?.path ?? ''));
    }
  }
  let archived = 0;
  for (const level of LEVELS) {
    for (const [id, row] of after[level]) {
      if (touched.has(`${level} ${id}`)) continue;
      const old = before[level].get(id);
      if (JSON.stringify(old) === JSON.stringify(row)) continue;
      const listed = located.find(({ path }) => idOf.get(path) === (row.campaign_id ?? row.line_item_id));
      expect([
        archiveOthers,
        old?.status !== 'ARCHIVED',
        row.status,
        listed?.input[level === 'creatives' ? 'creatives' : 'lineItems'] !== undefined,
      ]).toEqual([true, true, 'ARCHIVED', true]);
      archived += 1;
    }
  }
  expect(saved.archivedCount).toBe(archived);
  for (const level of LEVELS) {
    const given = located.filter((one) => one.level === level && typeof one.input['externalId'] === 'string');
    const names = given.map(({ input: { externalId } }) => String(externalId).trim());
    expect(names).toEqual([...new Set(names)]);
  }
  expect(after.audits - before.audits).toBe(changes + archived);
}

test(
  'a random tree is stored as it was given, or changes nothing and is refused with paths of the input',
  async () => {
    let stored = 0;
    const property = fc.asyncProperty(
      nodes(0),
      weighted(false, true, true, true),
      weighted(false, true),
      async (node, archiveOthers, trial) => {
        await makeWorld();
        const input = toInput(node);
        const before = await readState();
        const { status, body } = await api.ask(MUTATION, { variables: { input, archiveOthers, trial } });
        const after = await readState();
        expect(status).toBe(200);
        const refused = body.errors?.[0]?.extensions;
        if (refused !== undefined) {
          expect(['validation_failed', 'conflict']).toContain(refused.code);
          const fields = refused['fields'] as { path: string }[];
          expect(fields.length).toBeGreaterThan(0);
          expect(fields.map(({ path }) => path).filter((path) => !isInInput(path, input))).toEqual([]);
        }
        if (refused !== undefined || trial) {
          expect(after).toEqual(before);
          return;
        }
        stored += 1;
        const saved = (body.data as unknown as { out: Saved }).out;
        checkSaved(input, { saved, archiveOthers }, { before, after });
      },
    );
    await fc.assert(property, { numRuns: TREES });
    expect(stored).toBeGreaterThan(TREES / 20);
  },
  120_000 + 2_000 * TREES,
);
