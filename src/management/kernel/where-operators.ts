import { PlacardError } from '../../domain/errors.ts';
import type { FieldProblem } from '../../domain/errors.ts';
import { decimalIdOf } from '../../domain/ids/global-ids.ts';
import { builder } from './builder.ts';
import type { Field } from './field.ts';
import type { Comparison, Predicate } from './predicate.ts';
import { checkMoney } from './scalar-fields.ts';

/** The most values in one list of a filter, and the longest text. */
const VALUES_MAX = 500;
const TEXT_LENGTH_MAX = 500;

const TEXTS = {
  eq: 'Equal to this; null: empty.',
  in: `Equal to one of these, at most ${VALUES_MAX}.`,
  gte: 'At least this; of instants: at or after it.',
  lt: 'Less than this; of instants: before it.',
  contains: 'With this text in it, in any case.',
  has: 'With this value among them.',
  hasAny: `With one of these values among them, at most ${VALUES_MAX}.`,
  not: 'None of this.',
} as const;

/** What a kind of column can be compared by. */
type Family = 'id' | 'text' | 'ordered' | 'enum' | 'boolean' | 'list';

const OPERATORS: Readonly<Record<Family, readonly (keyof typeof TEXTS)[]>> = {
  id: ['eq', 'in'],
  text: ['eq', 'in', 'contains'],
  ordered: ['eq', 'in', 'gte', 'lt'],
  enum: ['eq', 'in'],
  boolean: ['eq'],
  list: ['has', 'hasAny'],
};

/** A column that lists are filtered by. */
export interface FilteredColumn {
  readonly name: string;
  readonly column: string;
  /** The GraphQL type of one value: the name of a scalar, or an enumeration. */
  readonly type: unknown;
  readonly isList: boolean;
  readonly isMoney: boolean;
  /** The type of the objects whose ids it holds. */
  readonly idType: string | null;
  readonly description: string;
  /** The one form of its texts; undefined: each text means itself. */
  readonly form?: Field['form'];
}

/** A field of a resource as lists are filtered by it; null where its column has no single value, or is JSON. */
export function filteredColumn(field: Field, idType: string | null): FilteredColumn | null {
  const given: unknown = field.input ?? field.output;
  const isList = Array.isArray(given);
  const type: unknown = isList ? (given as readonly unknown[])[0] : given;
  const [column, another] = field.columns;
  if (column === undefined || another !== undefined || field.jsonColumns.length > 0) return null;
  if (familyOf({ type, isList }) === null) return null;
  const { name, description } = field;
  return { name, column, type, isList, isMoney: field.isMoney === true, idType, description, form: field.form };
}

const FAMILIES: Readonly<Record<string, Family>> = {
  ID: 'id',
  String: 'text',
  Int: 'ordered',
  Float: 'ordered',
  Long: 'ordered',
  Decimal: 'ordered',
  DateTime: 'ordered',
  Boolean: 'boolean',
};

function familyOf({ type, isList }: Pick<FilteredColumn, 'type' | 'isList'>): Family | null {
  const family = typeof type === 'string' ? FAMILIES[type] : nameOf(type) === null ? undefined : 'enum';
  if (family === undefined) return null;
  return isList ? (type === 'String' || family === 'enum' ? 'list' : null) : family;
}

/** The name of an enumeration of the schema builder; null for input objects and all else. */
function nameOf(type: unknown): string | null {
  const ref = type as { readonly kind?: unknown; readonly name?: unknown } | null;
  return ref?.kind === 'Enum' && typeof ref.name === 'string' ? ref.name : null;
}

const inputs = new Map<string, unknown>();

/** The input type of the comparisons of a column: one for each type of values. */
export function comparisonInput(column: FilteredColumn): unknown {
  const family = familyOf(column);
  if (family === null) throw new Error(`${column.name} cannot be compared.`);
  const typeName = typeof column.type === 'string' ? column.type : (nameOf(column.type) ?? '');
  const name = `${typeName}${column.isList ? 'List' : ''}Where`;
  const known = inputs.get(name);
  if (known !== undefined) return known;
  const made = builder.inputRef<Record<string, unknown>>(name);
  inputs.set(name, made);
  made.implement({
    description: 'Comparisons of a field; all that are given must hold.',
    fields: ((t: { field: (options: object) => unknown }) =>
      Object.fromEntries([
        ...OPERATORS[family].map((operator) => [
          operator,
          t.field({
            type: operator === 'in' || operator === 'hasAny' ? [column.type] : column.type,
            description: TEXTS[operator],
          }),
        ]),
        ['not', t.field({ type: made, description: TEXTS.not })],
      ])) as never,
  });
  return made;
}

/** Reads the comparisons of one column. @throws PlacardError `invalid_request` for a value that no column has */
export function readComparisons(
  column: FilteredColumn,
  given: Readonly<Record<string, unknown>>,
  path: string,
): Predicate[] {
  return Object.entries(given).flatMap(([operator, value]): Predicate[] => {
    if (value === undefined) return [];
    const at = `${path}.${operator}`;
    if (operator === 'not') {
      if (value === null) return [];
      const none = readComparisons(column, value as Readonly<Record<string, unknown>>, at);
      return [{ kind: 'not', of: { kind: 'all', of: none } }];
    }
    if (value === null) return operator === 'eq' ? [compare(column, 'isNull', null)] : [];
    if (!Array.isArray(value))
      return compareOne(column, operator as Comparison['operator'], readValue(column, value, at));
    if (value.length > VALUES_MAX) throw refused(at, `takes at most ${VALUES_MAX} values; ${value.length} were given`);
    const values = bothForms(
      value.map((one, index) => readValue(column, one, `${at}.${index}`)),
      column.form,
    );
    return [compare(column, operator === 'hasAny' ? 'overlaps' : 'in', values)];
  });
}

/** A comparison with one value, or with any of its forms. */
function compareOne(column: FilteredColumn, operator: Comparison['operator'], value: unknown): Predicate[] {
  const forms = bothForms([value], column.form);
  if (forms.length === 1) return [compare(column, operator, value)];
  if (operator === 'eq') return [compare(column, 'in', forms)];
  if (operator === 'has') return [compare(column, 'overlaps', forms)];
  return [{ kind: 'any', of: forms.map((form) => compare(column, operator, form)) }];
}

/** Values, and behind them their forms where they differ: rows of earlier versions have texts as they were given. */
export function bothForms(values: readonly unknown[], form: Field['form']): readonly unknown[] {
  if (form === undefined) return values;
  return [...new Set([...values, ...values.map((value) => (typeof value === 'string' ? form(value) : value))])];
}

function compare({ column }: FilteredColumn, operator: Comparison['operator'], value: unknown): Predicate {
  return { kind: 'compare', column, operator, value };
}

function readValue(column: FilteredColumn, value: unknown, path: string): unknown {
  // A malformed id matches nothing, as an unknown id does.
  if (column.type === 'ID') return decimalIdOf(column.idType ?? '', value) ?? '0';
  if (column.isMoney) {
    const problems: FieldProblem[] = [];
    const micros = checkMoney(value, path, problems);
    if (problems[0] !== undefined) throw refused(path, problems[0].message);
    return String(micros);
  }
  if (typeof value === 'string' && value.length > TEXT_LENGTH_MAX)
    throw refused(path, `takes at most ${TEXT_LENGTH_MAX} characters`);
  return value;
}

function refused(path: string, what: string): PlacardError {
  return new PlacardError('invalid_request', `${path}: ${what}`);
}

/** Whether lists can be sorted by a column: it has one value, and does not name another object. */
export function isSortable({ isList, type, name }: FilteredColumn): boolean {
  return !isList && (type !== 'ID' || name === 'id');
}
