/** Imports of CSV files by the desk, as the management API takes them. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { updateObjects } from '../console/src/api/bookings/object-updates.ts';
import { checkPlan } from '../console/src/csv/csv-check.ts';
import { CSV } from '../console/src/csv/format/csv-columns.ts';
import { writeRecords, writeTemplate } from '../console/src/csv/format/csv-export.ts';
import { CSV_KINDS, type CsvKind } from '../console/src/csv/format/csv-kinds.ts';
import { wantedOf } from '../console/src/csv/format/csv-known.ts';
import { loadKnown, loadRecords } from '../console/src/csv/format/csv-objects.ts';
import { planImport } from '../console/src/csv/csv-plan.ts';
import { countRows, type ReviewedRow, reviewRows, sayProblem } from '../console/src/csv/csv-review.ts';
import { beginRun, continueRun, type CsvRun, undoSteps } from '../console/src/csv/csv-run.ts';
import { readTable } from '../console/src/csv/format/csv-text.ts';
import { createTestManagement, type TestManagement } from '../src/management/fixtures/test-management.ts';

const SCOPE = { networkId: '1000', environment: 'production' } as const;
let api: TestManagement;
let imports = 0;

beforeAll(async () => {
  api = await createTestManagement();
  vi.stubGlobal(
    'fetch',
    async (_path: string, { body, headers }: { body: string; headers: Record<string, string> }) => {
      const { query, variables } = JSON.parse(body) as { query: string; variables: unknown };
      const response = await api.ask(query, { variables, as: 'ann', headers });
      return new Response(JSON.stringify(response.body), { status: response.status });
    },
  );
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await api.close();
});

interface Look {
  readonly rows: readonly ReviewedRow[];
  store(): Promise<CsvRun>;
}

/** Reads a file as the dialog does. */
async function look(kind: CsvKind, text: string, makesMissing = false): Promise<Look> {
  const table = readTable(text);
  if ('fault' in table) throw new Error(table.fault);
  const known = await loadKnown(SCOPE, kind, wantedOf(kind, table, new Map()), () => undefined);
  const plan = planImport(kind, table, known, { timezone: 'Europe/Warsaw', makesMissing });
  const verdicts = await checkPlan(SCOPE, plan, { signal: new AbortController().signal, onProgress: () => undefined });
  const rows = reviewRows(plan, verdicts);
  const valid = new Set(rows.filter(({ action }) => action !== 'refused').map(({ line }) => line));
  return {
    rows,
    store: async () => {
      const run = beginRun(SCOPE, plan, { id: `test-${(imports += 1)}`, isValid: (line) => valid.has(line) });
      await continueRun(run, { onStep: () => undefined, isStopped: () => false });
      return run;
    },
  };
}

const problemsOf = (rows: readonly ReviewedRow[]): string[] =>
  rows.flatMap(({ line, problems }) => problems.map((one) => `${line} ${sayProblem(one)}`));

async function exported(kind: CsvKind): Promise<string> {
  return writeRecords(kind, await loadRecords(SCOPE, { kind, tab: null, filter: {} }, { max: 10_000 })).join('');
}

test.each(['sites', ...CSV_KINDS.filter((kind) => kind !== 'sites')] as const)(
  'the example of the template of %s is stored, its export changes nothing, and undo archives it',
  async (kind) => {
    const template = writeTemplate(kind).join('');
    const made = await look(kind, template, true);
    expect(problemsOf(made.rows)).toEqual([]);
    expect(countRows(made.rows)).toMatchObject({ make: 1 });
    const run = await made.store();
    const again = await look(kind, await exported(kind));
    expect(problemsOf(again.rows)).toEqual([]);
    expect(again.rows.map(({ action, cells }) => [action, cells])).toEqual(again.rows.map(() => ['same', []]));
    expect(again.rows.length).toBeGreaterThan(0);
    const repeated = await look(kind, template);
    expect(countRows(repeated.rows)).toMatchObject({ make: 0, same: 1 });
    if (kind === 'sites') return;
    const steps = undoSteps(run, new Map());
    for (const step of steps)
      expect(
        (await updateObjects(SCOPE, step.kind, step.updates, { validateOnly: false })).filter(
          ({ code }) => code !== null,
        ),
      ).toEqual([]);
    expect(steps.map((step) => step.kind)).toContain(CSV[kind].one === 'lineItem' ? 'lineItem' : steps[0]?.kind);
    const archived = await loadRecords(SCOPE, { kind, tab: null, filter: { statuses: ['ARCHIVED'] } }, { max: 10 });
    expect(archived.length).toBeGreaterThan(0);
  },
);

test('two new line items, a change and bad rows: the preview stores nothing, and bad rows name their column', async () => {
  const first = await look('lineItems', 'name,type,campaign,advertiser,price\nFirst,PRICE,Spring,Acme,10', true);
  const run = await first.store();
  const id = run.lines.get(2)?.object?.id;
  const text = [
    'id;external_id;name;type;status;campaign;advertiser;price;starts_at;countries;level',
    `${id};;;;;;;12,50;;PL|DE;`,
    ';x-2;Second;HOUSE;DRAFT;Spring;Acme;;01.03.2030;;',
    ';x-3;Third;price;;Autumn;Acme;1.234,5;2030-03-01 08:00;PL;',
    ';x-4;Fourth;STANDARD;;Spring;Acme;7;;;',
    ';x-5;Fifth;HOUSE;;Spring;Acme;;;Poland;',
    ';x-6;Sixth;HOUSE;;Spring;Acme;;;;1000000',
    `;x-7;${'x'.repeat(500)};HOUSE;;Autumn;Acme;;;;`,
  ].join('\n');
  const before = await exported('lineItems');
  const preview = await look('lineItems', text, true);
  expect(await exported('lineItems')).toBe(before);
  expect(preview.rows.map(({ action }) => action).join(' ')).toBe('change make make refused refused refused refused');
  expect(preview.rows.slice(3).map(({ problems }) => problems[0]?.column)).toEqual([
    'goal',
    'countries',
    'level',
    'name',
  ]);
  await preview.store();
  const after = await loadRecords(SCOPE, { kind: 'lineItems', tab: null, filter: { search: 'x-' } }, { max: 10 });
  expect(after).toMatchObject([
    { name: 'Second', startsAt: '2030-02-28T23:00:00.000Z', campaign: { name: 'Spring' } },
    {
      name: 'Third',
      price: '1234.5',
      startsAt: '2030-03-01T07:00:00.000Z',
      campaign: { name: 'Autumn', status: 'DRAFT' },
    },
  ]);
  const again = await look('lineItems', text, true);
  expect(countRows(again.rows)).toEqual({ make: 0, change: 0, same: 3, refused: 4 });
});

test('a campaign that is missing together with its advertiser is validated with its line items', async () => {
  const text = 'name,type,campaign,advertiser\nOne,STANDARD,Brand-new,Nobody\nTwo,HOUSE,Brand-new,Nobody';
  const preview = await look('lineItems', text, true);
  expect(problemsOf(preview.rows)).toEqual([expect.stringContaining('2 goal: ')]);
  expect(preview.rows.map(({ action }) => action)).toEqual(['refused', 'make']);
});

test('rows of several portions are stored once, although a repeated import of the file follows', async () => {
  const lines = Array.from({ length: 250 }, (_, at) => `bulk-${at},Bulk ${at},HOUSE,Bulk campaign,Bulk advertiser`);
  const text = ['external_id,name,type,campaign,advertiser', ...lines].join('\n');
  const made = await look('lineItems', text, true);
  expect(countRows(made.rows)).toMatchObject({ make: 250 });
  await made.store();
  expect(countRows((await look('lineItems', text)).rows)).toMatchObject({ same: 250 });
});
