import type { FieldProblem } from '../../domain/errors.ts';
import type { ChangeKind } from '../../domain/booking/change-types.ts';
import type { ManagementContext } from './context.ts';
import type { Columns, Field, StoredRow } from './field.ts';
import type { Predicate } from './predicate.ts';

/** A filter that compares its value with a column: `anyOf` takes a list, `since` an instant. */
interface ColumnFilter {
  readonly name: string;
  readonly description: string;
  readonly kind: 'anyOf' | 'equals' | 'since' | 'before' | 'overlaps';
  readonly column: string;
  /** Input type of one value, for the schema builder. */
  readonly type: unknown;
}

/** A filter that looks into other tables. */
interface PredicateFilter {
  readonly name: string;
  readonly description: string;
  readonly kind: 'holds';
  /** Input type of the value, for the schema builder. */
  readonly type: unknown;
  predicate(value: unknown): Predicate;
}

/** One filter of a list. */
export type Filter = ColumnFilter | PredicateFilter;

/** The facts that a rule may use besides the row itself. */
export interface RuleFacts {
  readonly nowMs: number;
  /** The row before the change; null on creation. */
  readonly before: StoredRow | null;
  /** The result of the resource's `loadFacts`. */
  readonly loaded: Readonly<Record<string, unknown>>;
}

/** The findings of rules in a row: problems refuse the write; the response has the warnings. */
export interface Findings {
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
}

/** A parent that lists its children: `campaign.lineItems`. */
export interface ChildList {
  /** Field on the parent, such as `lineItems`. */
  readonly name: string;
  readonly description: string;
  /** Type name of the child resource. */
  readonly child: string;
  /** Column of the child that names the parent. */
  readonly column: string;
}

/** The description of one kind of object, from which generic code builds the schema, reads and writes. */
export interface Resource {
  /** GraphQL type: `LineItem`. */
  readonly type: string;
  /** `lineItem`, `lineItems`: names of the root fields, and of the kind in the audit log. */
  readonly singular: ChangeKind;
  readonly plural: string;
  readonly description: string;
  readonly table: string;
  readonly fields: readonly Field[];
  readonly filters: readonly Filter[];
  readonly children: readonly ChildList[];
  /** Columns that `search` looks into, the name first. */
  readonly searchColumns: readonly string[];
  /** The field of each unique constraint, by constraint name. */
  readonly uniqueFields: Readonly<Record<string, string>>;
  /** Columns that follow from the others and from facts, set before the rules see the row; absent: none. Pure. */
  derive?(row: StoredRow, facts: RuleFacts): Columns;
  /** Applies the cross-field rules to the row after the change. Pure. */
  validate(row: StoredRow, facts: RuleFacts): Findings;
  /** Loads the facts that the rules need of each row from stores, in the writing transaction. */
  loadFacts?(
    context: ManagementContext,
    rows: readonly StoredRow[],
  ): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

type Optional = 'children' | 'uniqueFields' | 'validate';

const byType = new Map<string, Resource>();

/** Adds a resource to the registry that generic code (loaders, export, import) uses. */
export function registerResource(given: Omit<Resource, Optional> & Partial<Pick<Resource, Optional>>): Resource {
  const resource = { children: [], uniqueFields: {}, validate: () => ({ problems: [], warnings: [] }), ...given };
  byType.set(resource.type, resource);
  return resource;
}

/** A filter for rows whose column has one of some values. */
export function anyOf(name: string, column: string, type: unknown, description: string): Filter {
  return { name, description, kind: 'anyOf', column, type };
}

/** A filter for rows whose list column has one of some values. */
export function overlaps(name: string, column: string, type: unknown, description: string): Filter {
  return { name, description, kind: 'overlaps', column, type };
}

/** A filter for rows with an instant at or after the given one. */
export function since(name: string, column: string, description: string): Filter {
  return { name, description, kind: 'since', column, type: 'DateTime' };
}

/** A filter for rows with an instant before the given one. */
export function before(name: string, column: string, description: string): Filter {
  return { name, description, kind: 'before', column, type: 'DateTime' };
}

/** Returns the resource of a type name. Throws for an unknown name: a mistake in our own tables. */
export function resourceOfType(type: string): Resource {
  const resource = byType.get(type);
  if (resource === undefined) throw new Error(`No resource has the type ${type}.`);
  return resource;
}

/** Returns the resource that a table stores. Throws for an unknown table: a mistake in our own tables. */
export function resourceOfTable(table: string): Resource {
  for (const resource of byType.values()) if (resource.table === table) return resource;
  throw new Error(`No resource is stored in the table ${table}.`);
}

/** The columns of a new row without any input. */
export function initialColumns(resource: Resource): Columns {
  return Object.assign({}, ...resource.fields.map((field) => field.initial)) as Columns;
}

/** The words of a root field's name for descriptions: `adUnits` is "ad units". */
export function labelOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace('key value', 'key-value');
}
