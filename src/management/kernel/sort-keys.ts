import { isDecimalId } from '../../domain/ids/ids.ts';
import { builder } from './builder.ts';
import { snakeCase } from './field.ts';
import { labelOf, type Resource } from './resource.ts';
import { isSortable } from './where-operators.ts';
import { filteredColumns } from './where.ts';

/** How a kind of values is sorted: its type in the database, the value that stands for none, and the form of a value in a cursor. */
interface SortType {
  readonly sqlType: 'bigint' | 'text' | 'timestamptz' | 'float8' | 'boolean';
  /** Stands for NULL, so that every object has a position: after all others; of texts before them. */
  readonly none: string;
  readonly pattern: RegExp;
}

const INSTANT = /^(?:-?infinity|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d)?)$/;
const WHOLE: SortType = { sqlType: 'bigint', none: '9223372036854775807', pattern: /^-?\d{1,19}$/ };
const TEXT: SortType = { sqlType: 'text', none: '', pattern: /^[^\0]*$/ };
const INSTANTS: SortType = { sqlType: 'timestamptz', none: 'infinity', pattern: INSTANT };

const SORT_TYPES: Readonly<Record<string, SortType>> = {
  ID: WHOLE,
  Int: WHOLE,
  Long: WHOLE,
  Decimal: WHOLE,
  String: TEXT,
  DateTime: INSTANTS,
  Float: { sqlType: 'float8', none: 'Infinity', pattern: /^(?:-?\d{1,20}(?:\.\d{1,20})?(?:e[+-]?\d{1,3})?|Infinity)$/ },
  Boolean: { sqlType: 'boolean', none: 'false', pattern: /^(?:true|false)$/ },
};

/** By what a list is sorted; ties are broken by id. */
export interface SortKey {
  /** Its name in cursors. */
  readonly name: string;
  readonly column: string;
  readonly sqlType: SortType['sqlType'];
  /** Stands for NULL; null: the column has none. */
  readonly none: string | null;
  /** Whether its order depends on a language: names and other texts, not enumerations. */
  readonly isText?: boolean;
  /** The collation of PostgreSQL that sorts it; absent: that of the database. */
  readonly collation?: string;
}

/** The orders that every list has had from the first version on; their columns are NOT NULL in every resource's table. */
export const COMMON_SORTS = {
  ID: { name: 'ID', column: 'id', sqlType: 'bigint', none: null },
  NAME: { name: 'NAME', column: 'name', sqlType: 'text', none: null, isText: true },
  CREATED_AT: { name: 'CREATED_AT', column: 'created_at', sqlType: 'timestamptz', none: null },
  UPDATED_AT: { name: 'UPDATED_AT', column: 'updated_at', sqlType: 'timestamptz', none: null },
} as const satisfies Readonly<Record<string, SortKey>>;

/** Whether a text of a cursor, which the caller may have written, can be read as the value of a sort key. */
export function isSortText({ sqlType, name }: SortKey, value: string): boolean {
  if (name === 'ID') return isDecimalId(value);
  if (sqlType === 'bigint') return WHOLE.pattern.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value);
  return Object.values(SORT_TYPES).some((type) => type.sqlType === sqlType && type.pattern.test(value));
}

/** The sort key of a field of a resource, as `orderBy` names it. */
export function sortKeyOf(resource: Resource, field: string): SortKey {
  const found = filteredColumns(resource).get(field);
  if (found === undefined) throw new Error(`Lists of ${resource.plural} are not sorted by ${field}.`);
  const { name, column, type } = found;
  const { sqlType, none } = SORT_TYPES[typeof type === 'string' ? type : 'String'] ?? TEXT;
  return { name, column, sqlType, none, isText: type === 'String' };
}

/** The enumeration of the fields by which lists of a resource are sorted. */
export function orderFieldRef(resource: Resource) {
  const columns = [...filteredColumns(resource).values()].filter(isSortable);
  return builder.enumType(`${resource.type}OrderField`, {
    description: `What a list of ${labelOf(resource.plural)} can be sorted by. Empty values are last; empty texts are first.`,
    values: Object.fromEntries(
      columns.map(({ name, description }) => [snakeCase(name).toUpperCase(), { value: name, description }]),
    ) as Record<string, { value: string; description: string }>,
  });
}
