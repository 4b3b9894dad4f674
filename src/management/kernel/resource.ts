import type { FieldProblem } from '../../domain/errors.ts';
import type { ManagementContext } from './context.ts';
import type { Columns, Field, StoredRow } from './field.ts';

/** How a list can be narrowed. The value is compared with the column: `anyOf` takes a list, `since` an instant. */
export interface Filter {
  readonly name: string;
  readonly description: string;
  readonly kind: 'anyOf' | 'equals' | 'since' | 'before' | 'overlaps';
  readonly column: string;
  /** Input type of one value, for the schema builder. */
  readonly type: unknown;
}

/** What a rule may look at besides the row itself. */
export interface RuleFacts {
  readonly nowMs: number;
  /** The row as it stood; null on creation. */
  readonly before: StoredRow | null;
  /** What `loadFacts` of the noun brought. */
  readonly loaded: Readonly<Record<string, unknown>>;
}

/** Problems refuse the write; warnings ride along in the answer. */
export interface Judgement {
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
}

/** A parent that lists its children: `campaign.lineItems`. */
export interface ChildList {
  /** Field on the parent, such as `lineItems`. */
  readonly name: string;
  readonly description: string;
  /** Type name of the child noun. */
  readonly child: string;
  /** Column of the child that names the parent. */
  readonly column: string;
}

/** Everything that the generic schema, reads and writes need to know of one kind of object. */
export interface Noun {
  /** GraphQL type: `LineItem`. */
  readonly type: string;
  /** `lineItem`, `lineItems`: names of the root fields, and of the kind in the audit log. */
  readonly singular: string;
  readonly plural: string;
  readonly description: string;
  readonly table: string;
  readonly fields: readonly Field[];
  readonly filters: readonly Filter[];
  readonly children: readonly ChildList[];
  /** Columns that `search` looks into, the name first. */
  readonly searchColumns: readonly string[];
  /** Which field a violated unique constraint is about, by constraint name. */
  readonly uniqueFields: Readonly<Record<string, string>>;
  /** Cross-field rules over the row as it would stand. Pure. */
  judge(row: StoredRow, facts: RuleFacts): Judgement;
  /** Facts that rules need from stores, read in the writing transaction. */
  loadFacts?(context: ManagementContext, row: StoredRow): Promise<Record<string, unknown>>;
}

type Optional = 'children' | 'uniqueFields' | 'judge';

const byType = new Map<string, Noun>();

/** Enters a noun into the list that generic code (loaders, export, import) goes through. */
export function registerNoun(given: Omit<Noun, Optional> & Partial<Pick<Noun, Optional>>): Noun {
  const noun = { children: [], uniqueFields: {}, judge: () => ({ problems: [], warnings: [] }), ...given };
  byType.set(noun.type, noun);
  return noun;
}

/** A filter for rows whose column has one of the given values. */
export function anyOf(name: string, column: string, type: unknown, description: string): Filter {
  return { name, description, kind: 'anyOf', column, type };
}

/** A filter for rows whose list column shares a value with the given ones. */
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

/** The noun of a type name. Throws for a name that no noun has: a mistake in our own tables. */
export function nounOfType(type: string): Noun {
  const noun = byType.get(type);
  if (noun === undefined) throw new Error(`There is no noun ${type}.`);
  return noun;
}

/** The resource that a table stores. Throws for an unknown table: a mistake in our own tables. */
export function resourceOfTable(table: string): Noun {
  for (const noun of byType.values()) if (noun.table === table) return noun;
  throw new Error(`No resource is stored in the table ${table}.`);
}

/** All columns that a new row gets when nothing is given. */
export function initialColumns(noun: Noun): Columns {
  return Object.assign({}, ...noun.fields.map((field) => field.initial)) as Columns;
}

/** The words of a root field's name for descriptions: `adUnits` is "ad units". */
export function labelOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace('key value', 'key-value');
}
