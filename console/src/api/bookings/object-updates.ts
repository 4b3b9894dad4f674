import { CATALOG_SCHEMA, type CatalogKind } from './catalog.ts';
import type { BookedKind } from './desk-list.ts';
import { askGraphql } from '../transport/graphql.ts';
import { type FieldProblem, translateFault } from '../transport/problem.ts';
import type { Scope } from '../transport/scope.ts';
import { TARGETING_FIELDS } from './targeting.ts';

/** Every kind of object that tables change. */
export type ObjectKind = BookedKind | CatalogKind;

interface SchemaNames {
  /** Of the type, of the field of one object, and of the mutation of many. */
  readonly type: string;
  readonly one: string;
  readonly many: string;
}

const BOOKED: Readonly<Record<BookedKind, SchemaNames>> = {
  lineItem: { type: 'LineItem', one: 'lineItem', many: 'updateLineItems' },
  campaign: { type: 'Campaign', one: 'campaign', many: 'updateCampaigns' },
};

function namesOf(kind: ObjectKind): SchemaNames {
  if (kind === 'lineItem' || kind === 'campaign') return BOOKED[kind];
  const { type, one } = CATALOG_SCHEMA[kind];
  return { type, one, many: `update${kind.charAt(0).toUpperCase()}${kind.slice(1)}` };
}

/** Fields to set, and the version that was read. */
export interface ObjectUpdate {
  readonly id: string;
  readonly version: number;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Changes of objects of one kind, as a step of an undo. */
export interface UndoStep {
  readonly kind: ObjectKind;
  readonly updates: readonly ObjectUpdate[];
}

/** The outcome for one of several objects. `version`: after the change; null when it was not changed. */
export interface ObjectResult {
  readonly id: string;
  /** Null: it is valid. */
  readonly code: string | null;
  readonly message: string | null;
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
  readonly version: number | null;
  /** The object that it made, where it is another one. */
  readonly madeId?: string;
}

interface BulkBody {
  readonly results: readonly (Omit<ObjectResult, 'id' | 'version'> & {
    readonly index: number;
    readonly object: { readonly version: number } | null;
  })[];
}

/** The most objects of one call; the server takes 500, and progress is shown between calls. */
const UPDATES_MAX = 200;

/** How a list of changes is made. */
export interface UpdateOptions {
  readonly validateOnly: boolean;
  readonly signal?: AbortSignal;
  /** Told how many objects are done. */
  onProgress?: (count: number) => void;
}

/** Changes objects, each by itself; or only validates that. Any number, {@link UPDATES_MAX} a call, one call after the other. */
export async function updateObjects(
  scope: Scope,
  kind: ObjectKind,
  updates: readonly ObjectUpdate[],
  options: UpdateOptions,
): Promise<readonly ObjectResult[]> {
  const results: ObjectResult[] = [];
  for (let at = 0; at < updates.length; at += UPDATES_MAX) {
    results.push(...(await updateOnce(scope, kind, updates.slice(at, at + UPDATES_MAX), options)));
    options.onProgress?.(results.length);
  }
  return results;
}

async function updateOnce(
  scope: Scope,
  kind: ObjectKind,
  updates: readonly ObjectUpdate[],
  { validateOnly, signal }: UpdateOptions,
): Promise<readonly ObjectResult[]> {
  const { type, one, many } = namesOf(kind);
  const query = `mutation DeskUpdates($updates: [Update${type}Entry!]!, $validateOnly: Boolean) {
    done: ${many}(updates: $updates, mode: ROW_BY_ROW, validateOnly: $validateOnly) { results {
      index code message problems { path code message } warnings { path code message } object: ${one} { version } } } }`;
  const { done } = await askGraphql<{ done: BulkBody }>(scope, query, { updates, validateOnly }, signal);
  return done.results.map(({ index, object, ...result }) => ({
    ...result,
    problems: result.problems.map(translateFault),
    warnings: result.warnings.map(translateFault),
    id: updates[index]?.id ?? '',
    version: object?.version ?? null,
  }));
}

const EMBEDDED: Readonly<Record<string, string>> = {
  goal: '{ amount kind period }',
  frequencyCaps: '{ event count window every per }',
  caps: '{ impressionsPerDay impressionsLifetime clicksPerDay clicksLifetime spendPerDay spendLifetime }',
  dayParts: '{ days startMinute endMinute }',
  countedActivities: '{ activityId events }',
  sizes: '{ width height }',
  targeting: TARGETING_FIELDS,
};

/** Some fields of an object as they are now, with who changed it last; null when there is none of this id. */
export async function loadObjectFields(
  scope: Scope,
  { kind, id }: { readonly kind: ObjectKind; readonly id: string },
  names: readonly string[],
  signal: AbortSignal,
): Promise<{
  readonly version: number;
  readonly updatedAt: string;
  readonly updatedBy: string;
  readonly fields: Readonly<Record<string, unknown>>;
} | null> {
  const selected = names.map((name) => `${name} ${EMBEDDED[name] ?? ''}`).join(' ');
  const query = `query DeskFields($id: ID!) { found: ${namesOf(kind).one}(id: $id) { version updatedAt updatedBy ${selected} } }`;
  type Found = { version: number; updatedAt: string; updatedBy: string } & Readonly<Record<string, unknown>>;
  const { found } = await askGraphql<{ found: Found | null }>(scope, query, { id }, signal);
  return found === null ? null : { ...found, fields: found };
}
