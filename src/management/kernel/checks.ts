import { isDeepStrictEqual } from 'node:util';
import type { FieldProblem } from '../../domain/errors.ts';
import { checkAnnotations } from './annotation-checks.sql.ts';
import type { ManagementContext } from './context.ts';
import type { Draft } from './drafts.ts';
import type { Field, Reference, StoredRow } from './field.ts';
import type { Resource } from './resource.ts';
import { findStatuses } from './resource.sql.ts';
import { queryableOf } from './transactions.sql.ts';

/** The most ids in one statement. */
const IDS_MAX = 1_000;

/** The status of each referenced object that exists, by table and id. */
type Statuses = ReadonlyMap<string, ReadonlyMap<bigint, string>>;

interface Named {
  readonly field: Field;
  readonly reference: Reference;
  readonly id: bigint;
}

/**
 * Checks drafts against what is stored: their references, and the rules of the resource with the facts that they need. Any number of drafts
 * costs as many statements as one. Problems are added to each draft.
 * @returns the warnings of each draft
 */
export async function checkDrafts(
  context: ManagementContext,
  resource: Resource,
  drafts: readonly Draft[],
): Promise<readonly (readonly FieldProblem[])[]> {
  const statuses = await findReferenced(context, resource, drafts);
  for (const draft of drafts) reportReferences(resource, draft, statuses);
  await checkAnnotations(context, resource, drafts);
  const sound = drafts.filter(({ problems }) => problems.length === 0);
  const rows = sound.map(({ row }) => row);
  const found = sound.length === 0 ? [] : await resource.loadFacts?.(context, rows);
  const byDraft = new Map(sound.map((draft, index) => [draft, found?.[index] ?? {}]));
  return drafts.map((draft) => {
    const loaded = byDraft.get(draft);
    if (loaded === undefined) return [];
    const { before, path, problems } = draft;
    const facts = { nowMs: context.nowMs(), before, loaded };
    const derived = resource.derive?.(draft.row, facts) ?? {};
    Object.assign(draft.columns, derived);
    for (const [column, value] of Object.entries(derived))
      if (before !== null && isDeepStrictEqual(value, before[column])) delete draft.columns[column];
    const row = Object.assign(draft.row, derived);
    const findings = resource.validate(row, facts);
    problems.push(...findings.problems.map((problem) => under(path, problem)));
    return findings.warnings.map((warning) => under(path, warning));
  });
}

function under(path: string, problem: FieldProblem): FieldProblem {
  return { ...problem, path: `${path}.${problem.path}` };
}

function referencesOf(resource: Resource, { given }: Draft): Named[] {
  return resource.fields.flatMap((field) => {
    const { reference } = field;
    if (reference === undefined) return [];
    const ids = field.columns.map((column) => given[column]).filter((id) => typeof id === 'bigint');
    return ids.map((id) => ({ field, reference, id }));
  });
}

async function findReferenced(
  context: ManagementContext,
  resource: Resource,
  drafts: readonly Draft[],
): Promise<Statuses> {
  const wanted = new Map<string, Set<bigint>>();
  for (const draft of drafts) {
    for (const { reference, id } of referencesOf(resource, draft))
      wanted.set(reference.table, (wanted.get(reference.table) ?? new Set()).add(id));
  }
  const statuses = new Map<string, Map<bigint, string>>();
  for (const [table, ids] of wanted) {
    const found = await findInParts([...ids], (part) =>
      findStatuses(queryableOf(context), context.principal.workspaceId, table, part),
    );
    statuses.set(table, new Map(found.map(({ id, status }) => [id, status])));
  }
  return statuses;
}

function reportReferences(resource: Resource, draft: Draft, statuses: Statuses): void {
  for (const { field, reference, id } of referencesOf(resource, draft)) {
    const path = `${draft.path}.${field.name}`;
    const status = statuses.get(reference.table)?.get(id);
    const { label } = reference;
    if (status === undefined)
      draft.problems.push({ path, code: 'unknown', message: `There is no ${label} with the id ${id}.` });
    else if (status === 'ARCHIVED')
      draft.problems.push({ path, code: 'archived', message: `The ${label} ${id} is archived; restore it first.` });
  }
}

/** The results of a statement over many ids, in parts that are not too long. */
export async function findInParts<Row>(
  ids: readonly bigint[],
  find: (part: readonly bigint[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < ids.length; start += IDS_MAX)
    rows.push(...(await find(ids.slice(start, start + IDS_MAX))));
  return rows;
}

/** Facts of a resource whose objects are few: loaded object by object. */
export function oneByOne(
  load: (context: ManagementContext, row: StoredRow) => Promise<Record<string, unknown>>,
): NonNullable<Resource['loadFacts']> {
  return async (context, rows) => {
    const facts: Record<string, unknown>[] = [];
    for (const row of rows) facts.push(await load(context, row));
    return facts;
  };
}
