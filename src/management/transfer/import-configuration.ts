import type { FieldProblem } from '../../domain/errors.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { ManagementContext } from '../kernel/context.ts';
import type { Engine } from '../schema/engine.ts';
import { type Resource, resourceOfType } from '../kernel/resource.ts';
import { changeAll } from '../kernel/transactions.sql.ts';

/** The most lines of an import, characters of a line, and reported problems. */
export const IMPORT_LINES_MAX = 200_000;
const LINE_LENGTH_MAX = 2_000_000;
const PROBLEMS_MAX = 1_000;

/** One wrong field of one line. */
export interface ImportProblem extends Omit<FieldProblem, 'code'> {
  /** The code of a field, or that of the whole request. */
  readonly code: string;
  /** The number of the line, from 1. */
  readonly line: number;
}

/** The result of an import or of its dry run. */
export interface ImportOutcome {
  /** How many objects by type. */
  readonly created: Readonly<Record<string, number>>;
  readonly problems: readonly ImportProblem[];
  /** Whether the import took effect: no problems, and no dry run. */
  readonly applied: boolean;
}

/** An import runs through the same engine, validation and permissions as every other write. */
export interface ImportRequest {
  readonly engine: Engine;
  readonly resources: readonly Resource[];
  readonly lines: AsyncIterable<string> | Iterable<string>;
  readonly dryRun: boolean;
}

class ImportUndone extends Error {}

interface Progress {
  readonly created: Record<string, number>;
  readonly problems: ImportProblem[];
  /** `<table>/<old id>` → new id. */
  readonly newIds: Map<string, string>;
  /** `<table>/<old id>` of objects that could not be made. Their children are not tried: the same problem would only repeat. */
  readonly failed: Set<string>;
}

/**
 * Creates the objects of an export in the caller's workspace, in one transaction: one problem anywhere undoes everything, and all
 * problems are reported. Objects get new ids; references and targeting are rewritten to them.
 *
 * @throws PlacardError `invalid_request` for more than 200,000 lines
 */
export async function importConfiguration(context: ManagementContext, request: ImportRequest): Promise<ImportOutcome> {
  const progress: Progress = { created: {}, problems: [], newIds: new Map(), failed: new Set() };
  try {
    await changeAll(context, false, async (inner) => {
      let line = 0;
      for await (const text of request.lines) {
        line += 1;
        if (line > IMPORT_LINES_MAX)
          throw new PlacardError('invalid_request', `An import has at most ${IMPORT_LINES_MAX} lines.`);
        if (text.trim() !== '') await importLine(inner, request, progress, { line, text });
        if (progress.problems.length >= PROBLEMS_MAX) break;
      }
      if (progress.problems.length > 0 || request.dryRun) throw new ImportUndone('The import does not stand.');
    });
    return { created: progress.created, problems: [], applied: true };
  } catch (error) {
    if (!(error instanceof ImportUndone)) throw error;
    return { created: progress.created, problems: progress.problems, applied: false };
  }
}

async function importLine(
  context: ManagementContext,
  request: ImportRequest,
  progress: Progress,
  { line, text }: { line: number; text: string },
): Promise<void> {
  const tell = (problem: Omit<ImportProblem, 'line' | 'type'>): void => {
    if (progress.problems.length < PROBLEMS_MAX) progress.problems.push({ line, ...problem });
  };
  const parsed = parseLine(text, request.resources);
  if (typeof parsed === 'string') return tell({ path: '', code: 'malformed', message: parsed });
  const resource = resourceOfType(parsed.type);
  const key = `${resource.table}/${parsed.id}`;
  if (parentKeys(resource, parsed.input).some((parent) => progress.failed.has(parent))) {
    progress.failed.add(key);
    return;
  }
  const input = rewriteReferences(resource, parsed.input, progress.newIds);
  const field = `create${resource.type}`;
  const query = `mutation ($input: Create${resource.type}Input!) { made: ${field}(input: $input) { object: ${resource.singular} { id } } }`;
  const outcome = await runOperation(request.engine, context, { query, variables: { input } });
  for (const error of outcome.errors ?? []) {
    const fields = error.extensions.fields ?? [];
    if (fields.length === 0) tell({ path: '', code: error.extensions.code, message: error.message });
    fields.forEach(tell);
  }
  const id = outcome.data?.made?.object?.id;
  if (id === undefined) {
    progress.failed.add(key);
    return;
  }
  progress.newIds.set(key, id);
  progress.created[resource.type] = (progress.created[resource.type] ?? 0) + 1;
}

interface EngineOutcome {
  readonly data?: { readonly made?: { readonly object?: { readonly id: string } | null } | null } | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions: { readonly code: string; readonly fields?: readonly FieldProblem[] };
  }[];
}

async function runOperation(
  engine: ImportRequest['engine'],
  management: ManagementContext,
  body: { readonly query: string; readonly variables: unknown },
): Promise<EngineOutcome> {
  const response = await engine.run({ management, body, idempotencyKey: null });
  return JSON.parse(response.body) as EngineOutcome;
}

function parseLine(
  text: string,
  resources: readonly Resource[],
): { type: string; id: string; input: Record<string, unknown> } | string {
  if (text.length > LINE_LENGTH_MAX) return `The line is longer than ${LINE_LENGTH_MAX} characters.`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'The line is not JSON.';
  }
  const { type, id, input } = (value ?? {}) as Record<string, unknown>;
  if (typeof type !== 'string' || !resources.some((resource) => resource.type === type)) {
    return `\`type\` must be one of ${resources.map((resource) => resource.type).join(', ')}.`;
  }
  if (typeof id !== 'string' || typeof input !== 'object' || input === null)
    return 'Give `id` as text and `input` as an object.';
  return { type, id, input: input as Record<string, unknown> };
}

const targetTables: Readonly<Record<string, string>> = {
  SITE: 'sites',
  AREA: 'areas',
  AD_UNIT: 'ad_units',
  SEGMENT: 'segments',
};

function parentKeys(resource: Resource, input: Record<string, unknown>): string[] {
  return resource.fields.flatMap((field) => {
    const id = input[field.name];
    return field.reference === undefined || typeof id !== 'string' ? [] : [`${field.reference.table}/${id}`];
  });
}

/** Rewrites old ids to new ones. An id that was not imported fails as unknown and never matches another object. */
function rewriteReferences(
  resource: Resource,
  input: Record<string, unknown>,
  newIds: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const rewritten: Record<string, unknown> = { ...input };
  for (const field of resource.fields) {
    const value = rewritten[field.name];
    if (value === undefined || value === null) continue;
    if (field.reference !== undefined) rewritten[field.name] = newIdOf(newIds, field.reference.table, value);
    const rewrite = NESTED_IDS[`${resource.table}.${field.name}`];
    if (rewrite !== undefined) rewritten[field.name] = rewrite(value, newIds);
  }
  return rewritten;
}

function rewriteTargeting(node: unknown, newIds: ReadonlyMap<string, string>, depth: number): unknown {
  if (typeof node !== 'object' || node === null || depth > 50) return node;
  const { all, any, not, test } = node as Record<string, unknown>;
  const each = (children: unknown): unknown =>
    Array.isArray(children) ? children.map((child) => rewriteTargeting(child, newIds, depth + 1)) : children;
  if (all !== undefined) return { all: each(all) };
  if (any !== undefined) return { any: each(any) };
  if (not !== undefined) return { not: rewriteTargeting(not, newIds, depth + 1) };
  const { dimension, values } = (test ?? {}) as { dimension?: string; values?: unknown };
  const table = targetTables[dimension ?? ''];
  if (table === undefined || !Array.isArray(values)) return node;
  return { test: { ...(test as object), values: values.map((id) => newIdOf(newIds, table, id)) } };
}

function withNewActivity<T extends { activityId?: unknown }>(named: T, newIds: ReadonlyMap<string, string>): T {
  return { ...named, activityId: newIdOf(newIds, 'activities', named.activityId) };
}

/** The activities that a line item names. */
function rewriteCounted(counted: unknown, newIds: ReadonlyMap<string, string>): unknown {
  if (!Array.isArray(counted)) return counted;
  return counted.map((named: unknown) =>
    typeof named === 'object' && named !== null ? withNewActivity(named, newIds) : named,
  );
}

/** The activities that a segment's rule names. */
function rewriteRule(rule: unknown, newIds: ReadonlyMap<string, string>): unknown {
  const { any } = rule as { any?: unknown };
  if (!Array.isArray(any)) return rule;
  return {
    any: any.map((condition: { activity?: { activityId?: unknown } | null } | null) => {
      const activity = condition?.activity ?? null;
      if (activity === null) return condition;
      return { activity: withNewActivity(activity, newIds) };
    }),
  };
}

function rewriteAdvertisers(ids: unknown, newIds: ReadonlyMap<string, string>): unknown {
  return Array.isArray(ids) ? ids.map((id) => newIdOf(newIds, 'advertisers', id)) : ids;
}

/** Fields that hold ids within their values. */
const NESTED_IDS: Readonly<Record<string, (value: unknown, newIds: ReadonlyMap<string, string>) => unknown>> = {
  'line_items.targeting': (value, newIds) => rewriteTargeting(value, newIds, 1),
  'line_items.countedActivities': rewriteCounted,
  'segments.rule': rewriteRule,
  'advertising_products.targeting': (value, newIds) => rewriteTargeting(value, newIds, 1),
  'advertising_products.offeredAdvertiserIds': rewriteAdvertisers,
  'advertising_products.priceOptions': (options, newIds) =>
    Array.isArray(options)
      ? options.map((option: { advertiserIds?: unknown } | null) =>
          option?.advertiserIds === undefined
            ? option
            : { ...option, advertiserIds: rewriteAdvertisers(option.advertiserIds, newIds) },
        )
      : options,
};

/** Returns the id in this workspace; '0', which no object has, for an id that was not imported or is malformed. */
function newIdOf(newIds: ReadonlyMap<string, string>, table: string, id: unknown): string {
  return (typeof id === 'string' ? newIds.get(`${table}/${id}`) : undefined) ?? '0';
}
