import { requirePermission } from '../../access/permissions/permissions.ts';
import { PlacardError } from '../../domain/errors.ts';
import { builder } from './builder.ts';
import type { ManagementContext } from './context.ts';
import type { Predicate } from './predicate.ts';
import { type ChildList, labelOf, type Resource, resourceOfTable, resourceOfType } from './resource.ts';
import { linkName } from './selection.ts';
import { comparisonInput, type FilteredColumn, filteredColumn, readComparisons } from './where-operators.ts';

/** The most comparisons in one filter, and the most relations that lead to each other. */
const COMPARISONS_MAX = 100;
const RELATIONS_MAX = 3;

type Given = Readonly<Record<string, unknown>>;

/** Another kind of object that the objects of a resource have: their parent, or their children. */
interface Relation {
  readonly name: string;
  readonly type: string;
  readonly table: string;
  readonly column: string;
  readonly ownColumn: string;
  /** Whether there are several. */
  readonly areChildren: boolean;
  readonly description: string;
}

const COMMON: readonly Omit<FilteredColumn, 'isList' | 'isMoney' | 'idType'>[] = [
  { name: 'id', column: 'id', type: 'ID', description: 'Its id.' },
  { name: 'version', column: 'version', type: 'Int', description: 'Its version.' },
  { name: 'createdAt', column: 'created_at', type: 'DateTime', description: 'When it was made.' },
  { name: 'updatedAt', column: 'updated_at', type: 'DateTime', description: 'When it was last changed.' },
  { name: 'updatedBy', column: 'updated_by', type: 'String', description: 'Who changed it last.' },
];

/** The columns that lists of a resource are filtered and sorted by, by the names of their fields. */
export function filteredColumns(resource: Resource): ReadonlyMap<string, FilteredColumn> {
  const common = COMMON.map((one) => ({ ...one, isList: false, isMoney: false, idType: resource.type }));
  const own = resource.fields.flatMap((field) => {
    const table = field.reference?.table;
    return filteredColumn(field, table === undefined ? null : resourceOfTable(table).type) ?? [];
  });
  return new Map([...common, ...own].map((column) => [column.name, column]));
}

function relationsOf(resource: Resource): Relation[] {
  const parents = resource.fields.flatMap(({ name, columns, reference }): Relation[] => {
    if (reference?.link === undefined) return [];
    const { type, table } = resourceOfTable(reference.table);
    const [ownColumn = ''] = columns;
    const description = reference.link;
    return [{ name: linkName(name), type, table, column: 'id', ownColumn, areChildren: false, description }];
  });
  const children = resource.children.map(({ name, child, column, description }: ChildList): Relation => {
    const { table } = resourceOfType(child);
    return { name, type: child, table, column, ownColumn: 'id', areChildren: true, description };
  });
  return [...parents, ...children];
}

type WhereRef = ReturnType<typeof builder.inputRef<Record<string, unknown>>>;
const whereRefs = new Map<string, WhereRef>();
const childRefs = new Map<string, WhereRef>();

/** The input type that filters lists of a type by any field, and by the objects that belong to them. */
export function whereRefOf(type: string): WhereRef {
  const known = whereRefs.get(type);
  if (known !== undefined) return known;
  const made = builder.inputRef<Record<string, unknown>>(`${type}Where`);
  whereRefs.set(type, made);
  const resource = resourceOfType(type);
  made.implement({
    description: `A filter of ${labelOf(resource.plural)} by any field, at most ${COMPARISONS_MAX} comparisons. All that is given must hold.`,
    fields: ((t: { field: (options: object) => unknown }) =>
      Object.fromEntries([
        ['and', t.field({ type: [made], description: 'All of these.' })],
        ['or', t.field({ type: [made], description: 'One of these.' })],
        ['not', t.field({ type: made, description: 'None of this.' })],
        ...[...filteredColumns(resource).values()].map((column) => [
          column.name,
          t.field({ type: comparisonInput(column), description: column.description }),
        ]),
        ...relationsOf(resource).map((relation) => [
          relation.name,
          t.field({
            type: relation.areChildren ? childrenRefOf(relation.type) : whereRefOf(relation.type),
            description: relation.description,
          }),
        ]),
      ])) as never,
  });
  return made;
}

function childrenRefOf(type: string): WhereRef {
  const known = childRefs.get(type);
  if (known !== undefined) return known;
  const made = builder.inputRef<Record<string, unknown>>(`${type}ChildrenWhere`);
  childRefs.set(type, made);
  const { plural } = resourceOfType(type);
  made.implement({
    description: `A filter by the ${labelOf(plural)} that belong to an object.`,
    fields: ((t: { field: (options: object) => unknown }) => ({
      some: t.field({ type: whereRefOf(type), description: 'At least one of them is so.' }),
      none: t.field({ type: whereRefOf(type), description: 'None of them is so.' }),
    })) as never,
  });
  return made;
}

interface Reading {
  readonly context: ManagementContext;
  readonly path: string;
  readonly relations: number;
  readonly count: { comparisons: number };
}

/**
 * Reads a filter. A key of one module filters only by kinds that it may read.
 * @throws PlacardError `invalid_request` when it is too large, or a value cannot be in its column; `insufficient_permissions`
 */
export function readWhere(context: ManagementContext, resource: Resource, given: Given): Predicate {
  return readLevel(resource, given, { context, path: 'where', relations: 0, count: { comparisons: 0 } });
}

function readLevel(resource: Resource, given: Given, reading: Reading): Predicate {
  const columns = filteredColumns(resource);
  const relations = new Map(relationsOf(resource).map((relation) => [relation.name, relation]));
  const of = Object.entries(given).flatMap(([name, value]): Predicate[] => {
    if (value === undefined || value === null) return [];
    const path = `${reading.path}.${name}`;
    count(reading, path);
    const inner = { ...reading, path };
    if (name === 'not') return [{ kind: 'not', of: readLevel(resource, value as Given, inner) }];
    if (name === 'and' || name === 'or') {
      const parts = (value as readonly Given[]).map((one, index) =>
        readLevel(resource, one, { ...reading, path: `${path}.${index}` }),
      );
      return [{ kind: name === 'and' ? 'all' : 'any', of: parts }];
    }
    const column = columns.get(name);
    if (column !== undefined) return readComparisons(column, value as Given, path);
    const relation = relations.get(name);
    return relation === undefined ? [] : readRelation(relation, value as Given, inner);
  });
  return { kind: 'all', of };
}

function readRelation(relation: Relation, given: Given, reading: Reading): Predicate[] {
  if (reading.relations >= RELATIONS_MAX)
    throw new PlacardError(
      'invalid_request',
      `${reading.path}: at most ${RELATIONS_MAX} relations lead to each other.`,
    );
  const { table, column, ownColumn } = relation;
  requirePermission(reading.context.caller, `query.${resourceOfType(relation.type).singular}`);
  const related = (where: Given, path: string): Predicate => {
    const inner = { ...reading, path, relations: reading.relations + 1 };
    return { kind: 'related', table, column, ownColumn, where: readLevel(resourceOfType(relation.type), where, inner) };
  };
  if (!relation.areChildren) return [related(given, reading.path)];
  const { some, none } = given as { readonly some?: Given | null; readonly none?: Given | null };
  return [
    ...(some ? [related(some, `${reading.path}.some`)] : []),
    ...(none ? [{ kind: 'not' as const, of: related(none, `${reading.path}.none`) }] : []),
  ];
}

function count({ count: counted }: Reading, path: string): void {
  counted.comparisons += 1;
  if (counted.comparisons > COMPARISONS_MAX)
    throw new PlacardError('invalid_request', `${path}: a filter has at most ${COMPARISONS_MAX} comparisons.`);
}
