import { ApiProblem, type FieldProblem } from '../api/transport/problem.ts';
import type { Scope } from '../api/transport/scope.ts';
import { say } from '../messages/say.ts';
import { CSV } from './format/csv-columns.ts';
import type { CsvKind } from './format/csv-kinds.ts';
import {
  type CsvOutcome,
  type CsvPortion,
  findAnyAdvertiser,
  validatePortion,
  validateUnder,
} from './format/csv-objects.ts';
import type { CsvProblem, MissingParent } from './format/csv-parents.ts';
import type { CsvPlan, PlannedRow } from './csv-plan.ts';

/** Lines of one call. */
export const PORTION_ROWS = 100;

/** What the server says of a line. */
export interface CsvVerdict {
  readonly problems: readonly CsvProblem[];
  readonly warnings: readonly CsvProblem[];
}

/** The verdicts of the server by line; a line that is valid has none. */
export type CsvVerdicts = ReadonlyMap<number, CsvVerdict>;

interface CheckOptions {
  readonly signal: AbortSignal;
  /** Told how many lines are validated. */
  onProgress: (count: number) => void;
}

/** Lines that do something. */
export function rowsToStore({ rows }: Pick<CsvPlan, 'rows'>): readonly PlannedRow[] {
  return rows.filter(({ action }) => action === 'make' || action === 'change');
}

/** How a line is stored. */
export function verbOf(kind: CsvKind, { action, input }: PlannedRow): CsvPortion['verb'] {
  if (action === 'change') return 'update';
  return CSV[kind].hasUpsert && typeof input['externalId'] === 'string' ? 'upsert' : 'create';
}

/** What the API gets of a line. */
export function entryOf({ target, input }: PlannedRow): object {
  return target === null ? input : { ...target, input };
}

/** What the API gets of a campaign or an advertiser that is made for lines: drafts of campaigns. */
export function parentInput({ kind, name, externalId }: MissingParent, advertiserId: string | null): object {
  return {
    name,
    ...(externalId === null ? {} : { externalId }),
    ...(kind === 'campaigns' ? { advertiserId, status: 'DRAFT' } : {}),
  };
}

/** Has the server validate every line of a plan; nothing is stored. @throws ApiProblem, AbortError */
export async function checkPlan(scope: Scope, plan: CsvPlan, options: CheckOptions): Promise<CsvVerdicts> {
  const { kind } = plan;
  const verdicts = new Map<number, CsvVerdict>();
  let count = 0;
  const add = (row: PlannedRow, verdict: CsvVerdict): void => {
    if (verdict.problems.length + verdict.warnings.length > 0) verdicts.set(row.line, verdict);
    options.onProgress((count += 1));
  };
  const rows = rowsToStore(plan);
  const anyAdvertiser = plan.missing.length === 0 ? null : await findAnyAdvertiser(scope);
  for (const verb of ['create', 'upsert', 'update'] as const) {
    // A campaign whose advertiser is made first is validated under any other one.
    const isReady = (row: PlannedRow): boolean =>
      row.parent === null || (kind === 'campaigns' && anyAdvertiser !== null);
    const own = rows.filter((row) => verbOf(kind, row) === verb && isReady(row));
    const validatedEntry = (row: PlannedRow): object =>
      row.parent === null ? entryOf(row) : { ...row.input, advertiserId: anyAdvertiser };
    for (const some of slices(own)) {
      const outcomes = await validateEach(scope, { kind, verb, rows: some.map(validatedEntry) }, options.signal);
      for (const [at, row] of some.entries()) add(row, verdictOf(kind, outcomes[at]));
    }
  }
  if (kind === 'lineItems')
    for (const parent of plan.missing.filter((one) => one.kind === 'campaigns'))
      for (const some of slices(rows.filter((row) => row.parent === parent.key)))
        await checkUnder(scope, { parent, rows: some, anyAdvertiser }, add);
  return verdicts;
}

function slices(rows: readonly PlannedRow[]): (readonly PlannedRow[])[] {
  const parts: (readonly PlannedRow[])[] = [];
  for (let at = 0; at < rows.length; at += PORTION_ROWS) parts.push(rows.slice(at, at + PORTION_ROWS));
  return parts;
}

/** A value that the schema itself refuses makes the whole call fail: halves are tried until it is alone. */
async function validateEach(scope: Scope, portion: CsvPortion, signal: AbortSignal): Promise<readonly CsvOutcome[]> {
  try {
    return await validatePortion(scope, portion, signal);
  } catch (error) {
    if (!(error instanceof ApiProblem) || !REFUSALS.has(error.code)) throw error;
    if (portion.rows.length === 1) return [refusalOf(error)];
    const half = Math.ceil(portion.rows.length / 2);
    const first = await validateEach(scope, { ...portion, rows: portion.rows.slice(0, half) }, signal);
    return [...first, ...(await validateEach(scope, { ...portion, rows: portion.rows.slice(half) }, signal))];
  }
}

/** The engine names a value that the schema refuses in its message only. */
const NAMED_VALUE = /at "rows\[0\]\.([^"]+)"; (.+)$/s;

function refusalOf({ code, message, fields }: ApiProblem): CsvOutcome {
  const [, path, reason = message] = NAMED_VALUE.exec(message) ?? [];
  const named = path === undefined ? [] : [{ path, code, message: reason }];
  return { code, message, problems: fields.length > 0 ? fields : named, warnings: [], object: null };
}

const REFUSALS: ReadonlySet<string> = new Set([
  'invalid_request',
  'validation_failed',
  'bad_request',
  'query_too_complex',
]);

const CHILD = /^input\.lineItems\.(\d+)\.?(.*)$/;

/** Line items whose campaign is to be made are validated with it, as one tree. */
async function checkUnder(
  scope: Scope,
  {
    parent,
    rows,
    anyAdvertiser,
  }: { readonly parent: MissingParent; readonly rows: readonly PlannedRow[]; readonly anyAdvertiser: string | null },
  add: (row: PlannedRow, verdict: CsvVerdict) => void,
): Promise<void> {
  const { advertiser } = parent;
  const advertiserId = advertiser !== null && 'id' in advertiser ? advertiser.id : anyAdvertiser;
  const none = { problems: [], warnings: [] };
  const found =
    advertiserId === null
      ? none
      : await validateUnder(
          scope,
          parentInput(parent, advertiserId),
          rows.map(({ input }) => input),
        );
  const of = (list: readonly FieldProblem[], index: number): CsvProblem[] =>
    list.flatMap(({ path, message }) => {
      const [, at, field = ''] = CHILD.exec(path) ?? [];
      if (at === undefined) return [{ column: CSV.lineItems.parent?.nameColumn ?? null, message }];
      const text = messageOf({ path, message });
      return Number(at) === index ? [{ column: columnOf('lineItems', field), message: text }] : [];
    });
  for (const [index, row] of rows.entries())
    add(row, { problems: of(found.problems, index), warnings: of(found.warnings, index) });
}

/** What an outcome says of its line. */
export function verdictOf(kind: CsvKind, outcome: CsvOutcome | undefined): CsvVerdict {
  if (outcome === undefined) return { problems: [], warnings: [] };
  const { code, message, problems, warnings } = outcome;
  const fields = (list: readonly FieldProblem[]): CsvProblem[] =>
    list.map((one) => ({ column: columnOf(kind, one.path), message: messageOf(one) }));
  if (code === null) return { problems: [], warnings: fields(warnings) };
  if (code === 'conflict') return { problems: [{ column: null, message: say('csv.conflict') }], warnings: [] };
  const named = fields(problems);
  return { problems: named.length > 0 ? named : [{ column: null, message: message ?? code }], warnings: [] };
}

/** One column has all custom fields, so that the message names the field. */
function messageOf({ path, message }: Pick<FieldProblem, 'path' | 'message'>): string {
  const [, key] = CUSTOM_FIELD.exec(path) ?? [];
  return key === undefined ? message : say('csv.problem', { column: key, message });
}

const CUSTOM_FIELD = /\.customFields\.(.+)$/;

/** The heading of the column that a path such as `inputs.3.goal.target` means; null: none. */
export function columnOf(kind: CsvKind, path: string): string | null {
  const { columns, parent } = CSV[kind];
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  for (const [at, step] of steps.entries()) {
    if (step === parent?.field) return parent.nameColumn ?? parent.keyColumn;
    const own = columns.filter(({ field }) => field === step);
    const [first] = own;
    if (first === undefined) continue;
    return (own.find(({ member }) => member !== undefined && member === steps[at + 1]) ?? first).name;
  }
  return null;
}
