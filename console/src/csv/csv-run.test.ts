import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CsvKnown } from './format/csv-known.ts';
import { columnOf, checkPlan, verdictOf } from './csv-check.ts';
import { planImport } from './csv-plan.ts';
import { finishPending, readProgress, writeProgress } from './csv-progress.ts';
import { beginRun, continueRun, type CsvRun, madeLines, undoSteps } from './csv-run.ts';
import { readTable } from './format/csv-text.ts';

const SCOPE = { networkId: '1000', environment: 'production' } as const;
const ACME = { id: '3', name: 'Acme', status: 'ACTIVE', externalId: null };
const ITEM = { id: '7', name: 'Top', version: 3, status: 'ACTIVE', price: '1', campaignId: '4' };
const SPRING = { id: '4', name: 'Spring', status: 'ACTIVE', externalId: null, advertiser: { name: 'Acme' } };
const KNOWN: CsvKnown = { records: [ITEM], parents: [SPRING], advertisers: [ACME] };

interface Sent {
  readonly key: string | null;
  readonly changeSet: string | null;
  readonly query: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

let sent: Sent[] = [];
/** Requests by number that get no response, although the server has made them. */
let lost: ReadonlySet<number> = new Set();
const stored = new Map<string, string>();
/** A row of this name is refused. */
const REFUSED = 'refused';

beforeEach(() => {
  sent = [];
  lost = new Set();
  stored.clear();
  const responses = new Map<string, object>();
  let nextId = 100;
  vi.stubGlobal('fetch', (_path: string, init: RequestInit) => {
    const { query, variables } = JSON.parse(init.body as string) as {
      query: string;
      variables: { rows: Sent['rows'] };
    };
    const headers = new Headers(init.headers);
    const key = headers.get('idempotency-key');
    sent.push({ key, changeSet: headers.get('x-placard-change-set'), query, rows: variables.rows });
    const results = (variables.rows ?? []).map((row, index) => {
      const isRefused = row['name'] === REFUSED;
      const problems = isRefused ? [{ path: `inputs.${index}.name`, code: 'taken', message: 'Taken.' }] : [];
      const object = isRefused ? null : { id: (row['id'] as string | undefined) ?? String((nextId += 1)), version: 4 };
      return { index, code: isRefused ? 'validation_failed' : null, message: null, problems, warnings: [], object };
    });
    const body = responses.get(key ?? '') ?? { data: { done: { results } } };
    if (key !== null) responses.set(key, body);
    if (lost.has(sent.length)) return Promise.reject(new TypeError('lost'));
    return Promise.resolve(new Response(JSON.stringify(body)));
  });
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  });
});
afterEach(() => vi.unstubAllGlobals());

function begin(text: string, makesMissing = false): CsvRun {
  const table = readTable(text);
  if ('fault' in table) throw new Error(table.fault);
  const plan = planImport('lineItems', table, KNOWN, { timezone: 'UTC', makesMissing });
  return beginRun(SCOPE, plan, { id: 'one', isValid: () => true });
}
const ALWAYS = { onStep: () => undefined, isStopped: () => false };
const many = `name,campaign,type\n${Array.from({ length: 250 }, (_, at) => `Item ${at},Spring,HOUSE\n`).join('')}`;

test('a request whose response was lost is sent again with the same key, and no row is stored twice', async () => {
  const run = begin(many);
  lost = new Set([2]);
  await expect(continueRun(run, ALWAYS)).rejects.toMatchObject({ code: 'offline' });
  expect(run.lines.size).toBe(100);
  await continueRun(run, ALWAYS);
  expect(sent.map(({ key, rows }) => [key, rows.length])).toEqual([
    ['csv-one-1', 100],
    ['csv-one-2', 100],
    ['csv-one-2', 100],
    ['csv-one-3', 50],
  ]);
  expect(sent[2]?.rows).toEqual(sent[1]?.rows);
  expect(new Set(madeLines(run).values()).size).toBe(250);
});

test('an import that was interrupted goes on with the same file: what was sent last is found out first', async () => {
  const run = begin(many);
  const file = { hash: 'abc', startedMs: 1_000, earlier: new Map<number, string>() };
  lost = new Set([2]);
  const options = { ...ALWAYS, onStep: () => writeProgress(run, file) };
  await expect(continueRun(run, options)).rejects.toMatchObject({ code: 'offline' });
  expect(readProgress(SCOPE, 'lineItems', { hash: 'other', nowMs: 2_000 })).toBeNull();
  expect(readProgress(SCOPE, 'lineItems', { hash: 'abc', nowMs: 1_000 + 24 * 3_600_000 })).toBeNull();
  const progress = readProgress(SCOPE, 'lineItems', { hash: 'abc', nowMs: 2_000 });
  if (progress === null) throw new Error('nothing is remembered');
  expect(progress.made).toHaveLength(100);
  const made = await finishPending(SCOPE, progress);
  expect(made.size).toBe(200);
  expect(sent.at(-1)?.key).toBe('csv-one-2');
});

test('all requests of an import are one change', async () => {
  await continueRun(begin(many), ALWAYS);
  expect(sent.map(({ changeSet }) => changeSet)).toEqual(['one', 'one', 'one']);
});

test('a run that is stopped sends nothing more, and goes on later', async () => {
  const run = begin(many);
  await continueRun(run, { ...ALWAYS, isStopped: () => sent.length === 1 });
  expect(run.lines.size).toBe(100);
  await continueRun(run, ALWAYS);
  expect(run.lines.size).toBe(250);
});

test('parents are made before their line items, and undo archives both and restores what was changed', async () => {
  const text = `id,name,campaign,advertiser,price,type\n,One,Fresh,Nobody,2,HOUSE\n7,Top,,,5,\n,Two,Fresh,Nobody,3,HOUSE`;
  const run = begin(text, true);
  await continueRun(run, ALWAYS);
  expect(sent.map(({ query }) => /done: (\w+)/.exec(query)?.[1])).toEqual([
    'createAdvertisers',
    'createCampaigns',
    'createLineItems',
    'updateLineItems',
  ]);
  expect(sent[1]?.rows).toEqual([{ name: 'Fresh', advertiserId: '101', status: 'DRAFT' }]);
  expect(sent[2]?.rows).toMatchObject([
    { name: 'One', campaignId: '102' },
    { name: 'Two', campaignId: '102' },
  ]);
  const archived = { version: 4, input: { status: 'ARCHIVED' } };
  expect(undoSteps(run, new Map())).toEqual([
    {
      kind: 'lineItem',
      updates: [
        { id: '103', ...archived },
        { id: '7', version: 4, input: { price: '1' } },
        { id: '104', ...archived },
      ],
    },
    { kind: 'campaign', updates: [{ id: '102', ...archived }] },
    { kind: 'advertisers', updates: [{ id: '101', ...archived }] },
  ]);
});

test('line items whose campaign is refused are not sent', async () => {
  const run = begin(`name,type,campaign,advertiser\nOne,HOUSE,${REFUSED},Acme\nTwo,HOUSE,Spring,Acme`, true);
  await continueRun(run, ALWAYS);
  expect(sent.map(({ rows }) => rows.map(({ name }) => name))).toEqual([[REFUSED], ['Two']]);
  expect(run.lines.get(2)?.outcome.problems).toHaveLength(1);
});

test('rows with an external id are upserted, and what the server finds is told of the column', async () => {
  const table = readTable(`name,external_id,campaign,type\n${REFUSED},x,Spring,HOUSE\nTwo,,Spring,HOUSE`);
  if ('fault' in table) throw new Error(table.fault);
  const plan = planImport('lineItems', table, KNOWN, { timezone: 'UTC', makesMissing: false });
  const verdicts = await checkPlan(SCOPE, plan, { signal: new AbortController().signal, onProgress: () => undefined });
  expect(sent.map(({ query }) => /done: (\w+)/.exec(query)?.[1])).toEqual(['createLineItems', 'upsertLineItems']);
  expect(sent.every(({ key }) => key === null)).toBe(true);
  expect([...verdicts]).toEqual([[2, { problems: [{ column: 'name', message: 'Taken.' }], warnings: [] }]]);
});

test('a refused value of a custom field is told with the key of the field', () => {
  const problem = { path: 'inputs.0.customFields.score', code: 'malformed', message: 'Give a number.' };
  const outcome = { code: 'validation_failed', message: null, problems: [problem], warnings: [], object: null };
  expect(verdictOf('lineItems', outcome).problems).toEqual([
    { column: 'custom_fields', message: 'score: Give a number.' },
  ]);
});

test.each([
  ['inputs.3.goal.period', 'goal_period'],
  ['inputs.3.goal', 'goal'],
  ['updates[2].input.targeting.all.0.test.values', 'countries'],
  ['row.campaignId', 'campaign'],
  ['inputs.0.customFields.x', 'custom_fields'],
  ['inputs.0.caps.clicksPerDay', 'cap_clicks_per_day'],
  ['inputs.0.countedActivities.0.activityId', null],
])('the path %s is that of the column %s', (path, column) => {
  expect(columnOf('lineItems', path)).toBe(column);
});
