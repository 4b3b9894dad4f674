import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import { type Resource, resourceOfTable } from './resource.ts';

/** The columns of a statement; null: all. */
export type SelectedColumns = readonly string[] | null;

/** What a query reads of the objects of a resource. */
export interface Selection {
  readonly columns: SelectedColumns;
  /** The objects that they refer to, such as `campaign`, as far as they are sure to be read. */
  readonly links: readonly SelectedLink[];
}

/** Objects that a column refers to. */
export interface SelectedLink {
  readonly column: string;
  readonly resource: Resource;
  readonly selection: Selection;
}

/** Where a connection shows its objects. */
export const IN_CONNECTION = [['nodes'], ['edges', 'node']] as const;
const IN_OBJECT = [[]] as const;

/** What the fields of every resource read besides the id. */
const COMMON_FIELDS: Readonly<Record<string, readonly string[]>> = {
  __typename: [],
  id: [],
  databaseId: [],
  globalId: [],
  isArchived: ['status'],
  version: ['version'],
  createdAt: ['created_at'],
  updatedAt: ['updated_at'],
  updatedBy: ['updated_by'],
};

interface FieldReads {
  readonly columns: readonly string[];
  /** The resource of a field that shows the object of a reference. */
  readonly linked?: Resource;
}

const readsByField = new WeakMap<Resource, ReadonlyMap<string, FieldReads>>();
/** Documents are kept between requests, and their nodes with them. */
const known = new WeakMap<FieldNode, { readonly resource: Resource; readonly selection: Selection }>();

/**
 * What the selection of a field reads of a resource. Lists used to spend most of their time on columns that nobody selected. Columns are null
 * if a selected field may read any of them.
 * @param within names of the fields between this one and the objects
 */
export function selectionOf(
  resource: Resource,
  { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
  within: readonly (readonly string[])[] = IN_OBJECT,
): Selection {
  const [node] = fieldNodes;
  const found = node !== undefined && fieldNodes.length === 1 ? known.get(node) : undefined;
  if (found !== undefined && found.resource === resource) return found.selection;
  const roots = fieldNodes.flatMap((each) => (each.selectionSet === undefined ? [] : [each.selectionSet]));
  const sets = within.flatMap((path) =>
    path.reduce((outer, name) => outer.flatMap((set) => childSets(set, name, fragments)), roots),
  );
  const selection = readSelection(
    resource,
    sets.flatMap((set) => fieldsOf(set, fragments)),
    fragments,
  );
  if (node !== undefined && fieldNodes.length === 1) known.set(node, { resource, selection });
  return selection;
}

type Fragments = GraphQLResolveInfo['fragments'];

function readSelection(resource: Resource, fields: readonly FieldNode[], fragments: Fragments): Selection {
  const columns = new Set(['id']);
  const links: SelectedLink[] = [];
  let isBounded = true;
  for (const field of fields) {
    const reads = fieldReads(resource).get(field.name.value);
    isBounded &&= reads !== undefined;
    for (const column of reads?.columns ?? []) columns.add(column);
    const [column] = reads?.columns ?? [];
    const linked = reads?.linked;
    // A directive may skip it.
    if (linked === undefined || column === undefined || (field.directives?.length ?? 0) > 0) continue;
    links.push({ column, resource: linked, selection: selectionOf(linked, { fieldNodes: [field], fragments }) });
  }
  return { columns: isBounded ? [...columns] : null, links };
}

/** The fields of a selection, with those of its fragments. Validation refuses circular fragments. */
function fieldsOf(set: SelectionSetNode, fragments: Fragments): FieldNode[] {
  return set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragments[selection.name.value]?.selectionSet;
    return inner === undefined ? [] : fieldsOf(inner, fragments);
  });
}

function childSets(set: SelectionSetNode, name: string, fragments: Fragments): SelectionSetNode[] {
  return fieldsOf(set, fragments).flatMap((field) =>
    field.name.value === name && field.selectionSet !== undefined ? [field.selectionSet] : [],
  );
}

/** What each field reads that states it: the fields of a resource, its links and its children. */
function fieldReads(resource: Resource): ReadonlyMap<string, FieldReads> {
  const made = readsByField.get(resource);
  if (made !== undefined) return made;
  const reads = new Map<string, FieldReads>();
  for (const [name, columns] of Object.entries(COMMON_FIELDS)) reads.set(name, { columns });
  for (const children of resource.children) reads.set(children.name, { columns: [] });
  for (const { name, columns, reference, isMoney } of resource.fields) {
    reads.set(name, { columns });
    if (isMoney === true) reads.set(`${name}Money`, { columns });
    if (reference?.link === undefined) continue;
    reads.set(linkName(name), { columns: columns.slice(0, 1), linked: resourceOfTable(reference.table) });
  }
  readsByField.set(resource, reads);
  return reads;
}

/** The name of the field that shows the object of a reference: `campaign` beside `campaignId`. */
export function linkName(fieldName: string): string {
  return fieldName.replace(/Id$/, '');
}
