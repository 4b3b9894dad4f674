import { type TargetingTree, toTargetingInput } from '../api/bookings/targeting.ts';
import { type Dimension, targetingOf } from '../targeting/targeting-rows.ts';
import { say } from '../messages/say.ts';
import { type CellContext, type CellFault, readCell, writeCell } from './format/csv-cells.ts';
import type { CsvColumn } from './format/csv-column.ts';
import { CSV, type CsvKindFacts } from './format/csv-columns.ts';
import type { CsvKind } from './format/csv-kinds.ts';
import { type CsvRecord, headingsOf, simpleTargeting, valueOf } from './format/csv-export.ts';
import { cellsOf, type CsvKnown, type CsvParentIndex, indexParents, inUse, keyColumnOf } from './format/csv-known.ts';
import { type CsvProblem, findParent, type MissingParent, parentColumns } from './format/csv-parents.ts';
import type { CsvLine, CsvTable } from './format/csv-text.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a line does. */
export interface PlannedRow {
  readonly line: number;
  readonly action: 'make' | 'change' | 'same' | 'refused';
  readonly name: string;
  /** Of an object that exists. `version`: that of the file, so that what somebody changed since is not overwritten. */
  readonly target: { readonly id: string; readonly version: number } | null;
  /** The fields that it sets, and what they are now. */
  readonly input: Fields;
  readonly undo: Fields;
  readonly cells: readonly { readonly column: string; readonly before: string; readonly after: string }[];
  readonly problems: readonly CsvProblem[];
  /** The key of a parent that is to be made first. */
  readonly parent: string | null;
}

/** What a file does. */
export interface CsvPlan {
  readonly kind: CsvKind;
  readonly rows: readonly PlannedRow[];
  /** Those to be made first, advertisers before their campaigns. */
  readonly missing: readonly MissingParent[];
  /** Headings that no column has. */
  readonly leftOut: readonly string[];
}

/** How a file is read. */
export interface PlanOptions {
  /** The IANA zone of the network. */
  readonly timezone: string;
  /** Whether campaigns and advertisers that are missing are made. */
  readonly makesMissing: boolean;
  /** Ids of lines that an interrupted import has made. */
  readonly made?: ReadonlyMap<number, string>;
}

/** Finds what a file does to the objects that it names: only cells that differ from what is there are changes. */
export function planImport(kind: CsvKind, table: CsvTable, known: CsvKnown, options: PlanOptions): CsvPlan {
  const facts = CSV[kind];
  const planner: Planner = {
    facts,
    table,
    parents: indexParents(facts, known),
    options,
    missing: new Map(),
    seen: new Map(),
    found: indexOf(facts, known),
  };
  const headings = new Set(headingsOf(facts));
  return {
    kind,
    rows: table.rows.map((line) => planLine(planner, line)),
    missing: [...planner.missing.values()],
    leftOut: table.heading.filter((name) => name !== '' && !headings.has(name)),
  };
}

interface Planner {
  readonly facts: CsvKindFacts;
  readonly table: CsvTable;
  readonly parents: CsvParentIndex;
  readonly options: PlanOptions;
  readonly missing: Map<string, MissingParent>;
  /** The line that was the first with an id or a key. */
  readonly seen: Map<string, number>;
  readonly found: { readonly byId: ReadonlyMap<string, CsvRecord>; readonly byKey: ReadonlyMap<string, CsvRecord[]> };
}

function indexOf({ key }: CsvKindFacts, { records }: CsvKnown): Planner['found'] {
  return {
    byId: new Map(records.map((record) => [record.id, record])),
    byKey: Map.groupBy(records, (record) => writeCell('text', record[key])),
  };
}

type Cells = ReadonlyMap<string, string>;

function planLine(planner: Planner, { line, cells: texts }: CsvLine): PlannedRow {
  const { facts, table } = planner;
  const cells = cellsOf(table, texts);
  const problems: CsvProblem[] = [];
  if (texts.slice(table.heading.length).some((text) => text !== ''))
    problems.push({ column: null, message: say('csv.too_many_cells') });
  const record = findRecord(planner, { line, cells, problems });
  if (record === undefined) return { ...REFUSED, line, name: nameOf(cells, { line, record: null }), problems };
  const parent = planParent(planner, { cells, record, problems });
  const fields = planFields(planner, { cells, record, problems });
  const { input, undo } = composed(record, fields, problems);
  const all = { ...(parent.id === null ? {} : { [facts.parent?.field ?? '']: parent.id }), ...input };
  const isSame = record !== null && Object.keys(input).length === 0;
  return {
    line,
    action: problems.length > 0 ? 'refused' : record === null ? 'make' : isSame ? 'same' : 'change',
    name: nameOf(cells, { line, record }),
    target: record === null ? null : { id: record.id, version: versionOf(cells, record) },
    input: all,
    undo,
    cells: fields.map(({ column, before, after }) => ({ column: column.name, before, after })),
    problems,
    parent: parent.missing,
  };
}

const REFUSED = { action: 'refused', target: null, input: {}, undo: {}, cells: [], parent: null } as const;

function nameOf(cells: Cells, { line, record }: { readonly line: number; readonly record: CsvRecord | null }): string {
  return (cells.get('name') ?? '').trim() || record?.name || say('csv.line', { line });
}

function versionOf(cells: Cells, record: CsvRecord): number {
  const version = Number(cells.get('version') ?? '');
  return Number.isSafeInteger(version) && version > 0 ? version : record.version;
}

interface LineOf {
  readonly cells: Cells;
  readonly problems: CsvProblem[];
}

/** The object of a line, by its id, else by its key; null: it is to be made; undefined: there is none of this id. */
function findRecord(
  { facts, found, options, seen }: Planner,
  { line, cells, problems }: LineOf & { readonly line: number },
): CsvRecord | null | undefined {
  const id = options.made?.get(line) ?? (cells.get('id') ?? '').trim();
  const keyColumn = keyColumnOf(facts);
  const key = (cells.get(keyColumn) ?? '').trim();
  const [column, name] = id === '' ? [keyColumn, key] : ['id', id];
  if (name === '') return null;
  const first = seen.get(`${column} ${name}`);
  seen.set(`${column} ${name}`, first ?? line);
  if (first !== undefined) problems.push({ column, message: say('csv.same_as', { line: first }) });
  if (id !== '') {
    const record = found.byId.get(id);
    if (record === undefined) problems.push({ column, message: say('csv.unknown_id') });
    return record;
  }
  const records = inUse(found.byKey.get(key) ?? []);
  const [record = null, second] = records;
  if (second !== undefined) problems.push({ column, message: say('csv.several', { column: 'id' }) });
  else if (record?.status === 'ARCHIVED' && (cells.get('status') ?? '').trim() === '')
    problems.push({ column, message: say('csv.archived') });
  return record;
}

function planParent(
  { facts: { parent }, parents, options, missing }: Planner,
  { cells, record, problems }: LineOf & { readonly record: CsvRecord | null },
): { readonly id: string | null; readonly missing: string | null } {
  const none = { id: null, missing: null };
  if (parent === null) return none;
  const [column] = parentColumns(parent, cells);
  if (record !== null && column === undefined) return none;
  const found = findParent(parent, cells, parents);
  if ('problem' in found) problems.push(found.problem);
  else if (record !== null) {
    if (!('id' in found) || found.id !== record[parent.field])
      problems.push({ column: column ?? null, message: say('csv.cannot_change') });
  } else if ('id' in found) return { id: found.id, missing: null };
  else if (!options.makesMissing) {
    const name = found.missing.map((one) => one.name).join(', ');
    problems.push({ column: column ?? null, message: say('csv.missing_parent', { name }) });
  } else {
    for (const one of found.missing) missing.set(one.key, one);
    return { id: null, missing: found.missing.at(-1)?.key ?? null };
  }
  return none;
}

interface FieldChange {
  readonly column: CsvColumn;
  readonly before: string;
  readonly after: string;
  readonly value: unknown;
}

/** The cells that set something else than there is. */
function planFields(
  { facts: { columns }, options, table }: Planner,
  { cells, record, problems }: LineOf & { readonly record: CsvRecord | null },
): FieldChange[] {
  const context = {
    hasDecimalComma: table.separator === ';',
    timezone: zoneOf([(cells.get('timezone') ?? '').trim(), record?.['timezone'], options.timezone]),
  };
  return columns.flatMap((column) => {
    const text = cells.get(column.name);
    if (record === null && column.isRequired === true && (text ?? '').trim() === '') {
      problems.push({ column: column.name, message: say('csv.needed') });
      return [];
    }
    if (text === undefined) return [];
    const change = readField(column, { text, record, context });
    if (change === null) return [];
    if ('value' in change) return [{ ...change, column }];
    const choices = (column.choices ?? []).join(', ');
    problems.push({ column: column.name, message: say(`csv.${change.fault}`, { text, choices }) });
    return [];
  });
}

/** The first that is a time zone: a wrong one is refused by the server, which says so. */
function zoneOf(names: readonly unknown[]): string {
  for (const name of names) {
    try {
      if (typeof name === 'string' && name !== '')
        return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    } catch {
      // The next one.
    }
  }
  return 'UTC';
}

function readField(
  column: CsvColumn,
  {
    text,
    record,
    context,
  }: { readonly text: string; readonly record: CsvRecord | null; readonly context: CellContext },
): Omit<FieldChange, 'column'> | { readonly fault: CellFault } | null {
  const present = record === null ? null : valueOf(column, record);
  const before = writeCell(column.cell, present);
  if (text.trim() === '')
    return record === null || column.empty === undefined || before === ''
      ? null
      : { before, after: '', value: column.empty };
  const reading = readCell(column.cell, text, {
    ...context,
    ...(column.choices === undefined ? {} : { choices: column.choices }),
  });
  if ('fault' in reading) return { fault: reading.fault };
  const after = writeCell(column.cell, reading.value);
  if (record !== null && after.trim() === before.trim()) return null;
  return record !== null && column.onlyNew === true
    ? { fault: 'cell_only_new' }
    : { before, after, value: reading.value };
}

/** The input that cells make: a goal, caps and a targeting are made of several. */
function composed(
  record: CsvRecord | null,
  changes: readonly FieldChange[],
  problems: CsvProblem[],
): { readonly input: Fields; readonly undo: Fields } {
  const plain = changes.filter(({ column }) => column.member === undefined);
  const input: Record<string, unknown> = Object.fromEntries(plain.map(({ column, value }) => [column.field, value]));
  const undo: Record<string, unknown> =
    record === null ? {} : Object.fromEntries(plain.map(({ column }) => [column.field, record[column.field] ?? null]));
  const members = (field: string): ReadonlyMap<string, unknown> =>
    new Map(changes.flatMap(({ column, value }) => (column.field === field ? [[column.member ?? '', value]] : [])));
  const goal = members('goal');
  if (goal.size > 0) {
    const before = (record?.['goal'] ?? null) as Fields | null;
    const after = { kind: 'IMPRESSIONS', period: 'LIFETIME', ...before, ...Object.fromEntries(goal) } as Fields;
    const hasTarget = after['target'] !== null && after['target'] !== undefined;
    if (hasTarget || before !== null) input['goal'] = hasTarget ? after : null;
    undo['goal'] = before;
  }
  const caps = members('caps');
  if (caps.size > 0) {
    // The API replaces the whole set.
    const before = (record?.['caps'] ?? {}) as Fields;
    input['caps'] = { ...before, ...Object.fromEntries(caps) };
    undo['caps'] = before;
  }
  const tests = members('targeting');
  if (tests.size > 0) {
    const before = (record?.['targeting'] ?? null) as TargetingTree | null;
    const rows = simpleTargeting(before);
    if (rows === null) {
      const [column] = changes.filter((one) => one.column.field === 'targeting');
      problems.push({ column: column?.column.name ?? null, message: say('csv.targeting_other') });
    }
    input['targeting'] = targetingOf(mergeTests(rows ?? [], tests));
    undo['targeting'] = before === null ? null : toTargetingInput(before);
  }
  return { input, undo };
}

function mergeTests(rows: NonNullable<ReturnType<typeof simpleTargeting>>, tests: ReadonlyMap<string, unknown>) {
  const values = new Map<string, readonly string[]>(rows.map((row) => [row.dimension, row.values]));
  for (const [dimension, value] of tests) values.set(dimension, value as readonly string[]);
  return [...values].map(([dimension, list]) => ({
    dimension: dimension as Dimension,
    key: '',
    isNot: false,
    isOr: false,
    values: list,
  }));
}
