import type { ObjectKind, UndoStep } from '../api/bookings/object-updates.ts';
import type { Scope } from '../api/transport/scope.ts';
import { say } from '../messages/say.ts';
import { type CsvVerdict, entryOf, parentInput, PORTION_ROWS, rowsToStore, verbOf, verdictOf } from './csv-check.ts';
import type { CsvKind } from './format/csv-kinds.ts';
import { type CsvOutcome, type CsvPortion, storePortion } from './format/csv-objects.ts';
import type { MissingParent } from './format/csv-parents.ts';
import type { CsvPlan, PlannedRow } from './csv-plan.ts';

/** A portion that was sent and whose outcome is not known yet. */
export interface PendingPortion {
  readonly key: string;
  readonly portion: CsvPortion;
  /** The lines of its rows; of parents, their keys. */
  readonly names: readonly (number | string)[];
}

/** What an import has stored of a line. */
interface StoredLine {
  readonly outcome: CsvVerdict;
  readonly object: CsvOutcome['object'];
}

/** An import that runs, or that was interrupted: it goes on where it stopped, and nothing is stored twice. */
export interface CsvRun {
  readonly scope: Scope;
  readonly plan: CsvPlan;
  /** Begins the keys of its portions. */
  readonly id: string;
  /** The portions that remain; inputs of children are made when their parents are there. */
  readonly queue: Step[];
  pending: PendingPortion | null;
  sent: number;
  readonly lines: Map<number, StoredLine>;
  readonly parents: Map<string, { readonly kind: ObjectKind; readonly object: CsvOutcome['object'] }>;
}

type Step =
  | { readonly of: 'parents'; readonly kind: MissingParent['kind']; readonly missing: readonly MissingParent[] }
  | { readonly of: 'rows'; readonly verb: CsvPortion['verb']; readonly rows: readonly PlannedRow[] };

/** Prepares an import: parents that valid lines need, then the lines. @param isValid whether a line is stored */
export function beginRun(
  scope: Scope,
  plan: CsvPlan,
  { id, isValid }: { readonly id: string; isValid: (line: number) => boolean },
): CsvRun {
  const rows = rowsToStore(plan).filter(({ line }) => isValid(line));
  const queue: Step[] = [];
  const needed = neededParents(plan.missing, rows);
  for (const kind of ['advertisers', 'campaigns'] as const)
    for (const missing of slices(needed.filter((one) => one.kind === kind)))
      queue.push({ of: 'parents', kind, missing });
  for (const verb of ['create', 'upsert', 'update'] as const)
    for (const some of slices(rows.filter((row) => verbOf(plan.kind, row) === verb)))
      queue.push({ of: 'rows', verb, rows: some });
  return {
    scope: { ...scope, changeSet: id },
    plan,
    id,
    queue,
    pending: null,
    sent: 0,
    lines: new Map(),
    parents: new Map(),
  };
}

function slices<Row>(rows: readonly Row[]): (readonly Row[])[] {
  const parts: (readonly Row[])[] = [];
  for (let at = 0; at < rows.length; at += PORTION_ROWS) parts.push(rows.slice(at, at + PORTION_ROWS));
  return parts;
}

function neededParents(missing: readonly MissingParent[], rows: readonly PlannedRow[]): readonly MissingParent[] {
  const keys = new Set(rows.map(({ parent }) => parent));
  const direct = missing.filter(({ key }) => keys.has(key));
  const above = new Set(
    direct.map(({ advertiser }) => (advertiser !== null && 'missing' in advertiser ? advertiser.missing : null)),
  );
  return missing.filter(({ key }) => keys.has(key) || above.has(key));
}

/** How a run goes on. */
export interface RunOptions {
  /** Told before a portion is sent and after it is stored. */
  onStep: (run: CsvRun) => void;
  /** Asked before each portion. */
  isStopped: () => boolean;
}

/** Stores what remains, portion by portion. @throws ApiProblem; called again, it sends the same portion again, which is stored once */
export async function continueRun(run: CsvRun, { onStep, isStopped }: RunOptions): Promise<void> {
  while (!isStopped()) {
    run.pending ??= nextPortion(run);
    if (run.pending === null) return;
    onStep(run);
    const outcomes = await storePortion(run.scope, run.pending.portion, run.pending.key);
    record(run, run.pending, outcomes);
    run.pending = null;
    onStep(run);
  }
}

function nextPortion(run: CsvRun): PendingPortion | null {
  for (let step = run.queue.shift(); step !== undefined; step = run.queue.shift()) {
    const made = step.of === 'parents' ? parentPortions(run, step) : rowPortion(run, step);
    if (made !== null) {
      run.sent += 1;
      return { key: `csv-${run.id}-${run.sent}`, ...made };
    }
  }
  return null;
}

type Unsent = Omit<PendingPortion, 'key'>;

/** Parents of one kind are made in one call; a repeated one is found by its external id, where it has one. */
function parentPortions(run: CsvRun, { kind, missing }: Extract<Step, { readonly of: 'parents' }>): Unsent | null {
  const ready = missing.flatMap((one) => {
    const { advertiser } = one;
    const id =
      advertiser === null ? null : 'id' in advertiser ? advertiser.id : run.parents.get(advertiser.missing)?.object?.id;
    return id === undefined ? [] : [{ one, input: parentInput(one, id) }];
  });
  if (ready.length === 0) return null;
  const portion: CsvPortion = { kind, verb: 'create', rows: ready.map(({ input }) => input) };
  return { portion, names: ready.map(({ one }) => one.key) };
}

/** Lines whose parent could not be made are refused. */
function rowPortion(run: CsvRun, { verb, rows }: Extract<Step, { readonly of: 'rows' }>): Unsent | null {
  const field = run.plan.kind === 'lineItems' ? 'campaignId' : 'advertiserId';
  const ready = rows.flatMap((row) => {
    if (row.parent === null) return [{ row, entry: entryOf(row) }];
    const id = run.parents.get(row.parent)?.object?.id;
    if (id !== undefined) return [{ row, entry: { ...row.input, [field]: id } }];
    run.lines.set(row.line, {
      outcome: { problems: [{ column: null, message: say('csv.parent_refused') }], warnings: [] },
      object: null,
    });
    return [];
  });
  if (ready.length === 0) return null;
  const portion: CsvPortion = { kind: run.plan.kind, verb, rows: ready.map(({ entry }) => entry) };
  return { portion, names: ready.map(({ row }) => row.line) };
}

const ONE: Readonly<Partial<Record<CsvKind, ObjectKind>>> = { lineItems: 'lineItem', campaigns: 'campaign' };

/** The kind by the name that changes of objects have. */
export function deskKindOf(kind: CsvKind): ObjectKind {
  return ONE[kind] ?? (kind as ObjectKind);
}

function record(run: CsvRun, { portion, names }: PendingPortion, outcomes: readonly CsvOutcome[]): void {
  for (const [at, name] of names.entries()) {
    const outcome = outcomes[at];
    const object = outcome?.object ?? null;
    if (typeof name === 'string') run.parents.set(name, { kind: deskKindOf(portion.kind), object });
    else run.lines.set(name, { outcome: verdictOf(portion.kind, outcome), object });
  }
}

/** The lines that were made, with their ids. */
export function madeLines(run: CsvRun): Map<number, string> {
  const made = run.plan.rows.filter(({ action }) => action === 'make');
  return new Map(
    made.flatMap(({ line }) => {
      const id = run.lines.get(line)?.object?.id;
      return id === undefined ? [] : [[line, id] as const];
    }),
  );
}

/** What undoes a run: what was made is archived, children before their parents; what was changed is as before. @param earlier lines that were made before an interruption */
export function undoSteps(run: CsvRun, earlier: ReadonlyMap<number, string>): readonly UndoStep[] {
  const archived = { status: 'ARCHIVED' };
  const updates = run.plan.rows.flatMap((row) => {
    const object = run.lines.get(row.line)?.object ?? null;
    if (earlier.has(row.line) && row.target !== null)
      return [{ ...row.target, version: object?.version ?? row.target.version, input: archived }];
    return object === null ? [] : [{ ...object, input: row.action === 'make' ? archived : row.undo }];
  });
  const parents = [...run.parents.values()]
    .toReversed()
    .flatMap(({ kind, object }) => (object === null ? [] : [{ kind, updates: [{ ...object, input: archived }] }]));
  const own = updates.length === 0 ? [] : [{ kind: deskKindOf(run.plan.kind), updates }];
  return [...own, ...merged(parents)];
}

/** Steps of one kind that follow each other are one. */
function merged(steps: readonly UndoStep[]): readonly UndoStep[] {
  return [...Map.groupBy(steps, ({ kind }) => kind)].map(([kind, same]) => ({
    kind,
    updates: same.flatMap(({ updates }) => updates),
  }));
}
