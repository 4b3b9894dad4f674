import {
  type FieldNode,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { type Resource, resourceOfTable } from './resource.ts';
import { isAbstract, namedTypeOf, runsOn } from './type-conditions.ts';

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

/** A field that an object of a resource is the value of. */
type SelectedField = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'schema' | 'returnType'>;

/**
 * What the selection of a field reads of a resource. Lists used to spend most of their time on columns that nobody selected. Columns are null
 * if a selected field may read any of them.
 * @param within names of the fields between this one and the objects
 */
export function selectionOf(
  resource: Resource,
  { fieldNodes, fragments, schema, returnType }: SelectedField,
  within: readonly (readonly string[])[] = IN_OBJECT,
): Selection {
  const [node] = fieldNodes;
  const found = node !== undefined && fieldNodes.length === 1 ? known.get(node) : undefined;
  if (found !== undefined && found.resource === resource) return found.selection;
  const roots = fieldNodes.flatMap(({ selectionSet }) =>
    selectionSet === undefined ? [] : [{ of: selectionSet, isSure: true }],
  );
  const levels = within.map((path) =>
    path.reduce(levelBelow, { sets: roots, type: namedTypeOf(returnType), fragments, schema }),
  );
  const selection = readSelection(resource, levels);
  if (node !== undefined && fieldNodes.length === 1) known.set(node, { resource, selection });
  return selection;
}

/** A part of a selection; not sure where a directive may skip it. */
interface Part<Of> {
  readonly of: Of;
  readonly isSure: boolean;
}

/** Selections on objects of one type. */
interface Level {
  readonly sets: readonly Part<SelectionSetNode>[];
  readonly type: GraphQLOutputType;
  readonly fragments: GraphQLResolveInfo['fragments'];
  readonly schema: GraphQLSchema;
}

function readSelection(resource: Resource, levels: readonly Level[]): Selection {
  const columns = new Set(['id']);
  const links: SelectedLink[] = [];
  let isBounded = true;
  for (const level of levels) {
    for (const { of: field, isSure } of fieldsOf(level)) {
      const reads = fieldReads(resource).get(field.name.value);
      isBounded &&= reads !== undefined;
      for (const column of reads?.columns ?? []) columns.add(column);
      const [column] = reads?.columns ?? [];
      const linked = reads?.linked;
      if (linked === undefined || column === undefined || !isSure) continue;
      const { fragments, schema } = level;
      const below = { fieldNodes: [field], fragments, schema, returnType: typeBelow(level, field.name.value) };
      links.push({ column, resource: linked, selection: selectionOf(linked, below) });
    }
  }
  return { columns: isBounded ? [...columns] : null, links };
}

/**
 * The fields of a level, with those of its fragments that run on its type: the cost of a query counts no others. Validation refuses
 * circular fragments.
 */
function fieldsOf({ sets, type, fragments, schema }: Level): Part<FieldNode>[] {
  const open = [...sets];
  const fields: Part<FieldNode>[] = [];
  for (let part = open.shift(); part !== undefined; part = open.shift()) {
    for (const selection of part.of.selections) {
      const isSure = part.isSure && (selection.directives?.length ?? 0) === 0;
      if (selection.kind === Kind.FIELD) {
        fields.push({ of: selection, isSure });
        continue;
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
      if (fragment !== undefined && mayRun(schema, fragment.typeCondition?.name.value, type))
        open.push({ of: fragment.selectionSet, isSure });
    }
  }
  return fields;
}

function mayRun(schema: GraphQLSchema, condition: string | undefined, type: GraphQLOutputType): boolean {
  const named = namedTypeOf(type);
  return condition === undefined || isAbstract(named) || runsOn(schema, condition, named.name);
}

function levelBelow(level: Level, name: string): Level {
  const sets = fieldsOf(level).flatMap(({ of: field, isSure }) =>
    field.name.value === name && field.selectionSet !== undefined ? [{ of: field.selectionSet, isSure }] : [],
  );
  return { ...level, sets, type: typeBelow(level, name) };
}

/** The type of a field of a level's type; of an unknown field the level's own, which has no selections then. */
function typeBelow({ type }: Level, name: string): GraphQLOutputType {
  const field = 'getFields' in type ? type.getFields()[name] : undefined;
  return field === undefined ? type : namedTypeOf(field.type);
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
