import type { ColumnRef, Node } from 'libpg-query';
import { asKind, locationOf, namesOf } from '../parse/nodes.ts';
import type { PgType } from '../wire/server-messages.ts';
import { SQLSTATE, SqlError, unsupported } from '../wire/sql-error.ts';
import { type ConstantScope, evaluate, numberText, plainText } from './constants.ts';
import { COLUMN_TYPES, type SqlColumn, type SqlTable } from './sql-model.ts';
import { readUnit, type TruncUnit } from './times.ts';

/** The table of a query, and the zone in which its times are. */
export interface QueryScope extends ConstantScope {
  readonly table: SqlTable;
  /** The names that may stand before a column: of the table, or its alias. */
  readonly tableNames: readonly string[];
  /** The zone that AT TIME ZONE names; null: that of the session. */
  readonly zone: string | null;
}

/** An expression over one column. */
export interface ColumnExpression {
  readonly column: SqlColumn;
  /** Times only: cut off below this unit. */
  readonly unit: TruncUnit | null;
  /** A measure inside MEASURE() or its own aggregate function. */
  readonly isAggregated: boolean;
  readonly isLowered: boolean;
  /** Behind AT TIME ZONE. */
  readonly isZoned: boolean;
  readonly type: PgType;
  /** The seconds since 1970 instead of the time. */
  readonly isEpoch: boolean;
  readonly location: number | undefined;
}

/** The key of the expression's values in the rows of a report. */
export function keyOf({ column, unit }: ColumnExpression): string {
  return unit === null ? column.member : `${column.member}.${unit}`;
}

const NUMBER_CASTS: Readonly<Record<string, PgType>> = {
  float8: 'float8',
  float4: 'float8',
  numeric: 'numeric',
  text: 'text',
  varchar: 'text',
};

/** Reads an expression over one column. @throws SqlError that names what is not understood */
export function readExpression(node: Node | undefined, scope: QueryScope): ColumnExpression {
  const ref = asKind(node, 'ColumnRef');
  if (ref !== undefined) return plain(findColumn(ref, scope), ref.location);
  const cast = asKind(node, 'TypeCast');
  if (cast !== undefined) return castTo(readExpression(cast.arg, scope), namesOf(cast.typeName?.names).at(-1) ?? '');
  if (asKind(node, 'FuncCall') !== undefined) return readCall(node, scope);
  if (asKind(node, 'A_Expr') !== undefined) return readEpochGroup(node, scope);
  throw unsupported(
    'This expression',
    'Select columns, MEASURE(column), date_trunc(unit, time) and casts of them; compute in your tool.',
    locationOf(node),
  );
}

function plain(column: SqlColumn, location: number | undefined): ColumnExpression {
  return {
    column,
    unit: null,
    isAggregated: false,
    isLowered: false,
    isZoned: false,
    type: COLUMN_TYPES[column.type],
    isEpoch: false,
    location,
  };
}

/** The column that a reference names. @throws SqlError `42703`, `42P01` */
export function findColumn(ref: ColumnRef, { table, tableNames }: QueryScope): SqlColumn {
  const names = namesOf(ref.fields);
  const name = names.at(-1) ?? '';
  const before = names.slice(0, -1);
  const { location } = ref;
  if (before.length > 0 && !(tableNames.includes(before.at(-1) ?? '') && isOwnSchema(before.slice(0, -1)))) {
    throw new SqlError(SQLSTATE.undefinedTable, `The query has no table "${before.join('.')}".`, { location });
  }
  const column = table.columns.get(name);
  if (column !== undefined) return column;
  throw new SqlError(SQLSTATE.undefinedColumn, `The column "${name}" does not exist in ${table.name}.`, {
    hint: `List its columns: \\d ${table.name}, or information_schema.columns.`,
    location,
  });
}

function isOwnSchema(before: readonly string[]): boolean {
  return before.length === 0 || (before.length === 1 && before[0] === 'public');
}

function castTo(inner: ColumnExpression, type: string): ColumnExpression {
  if (inner.column.type === 'time') {
    if (type === 'date') return { ...inner, unit: inner.unit ?? 'day', type: 'date' };
    if (type === 'timestamp' || type === 'timestamptz') return { ...inner, type: 'timestamp' };
  }
  const numeric = NUMBER_CASTS[type];
  if (numeric === 'text' && (inner.column.type === 'string' || inner.column.type === 'number')) {
    return { ...inner, type: 'text' };
  }
  if (numeric !== undefined && inner.column.type === 'number') return { ...inner, type: numeric };
  throw unsupported(
    `A cast of ${inner.column.name} to ${type}`,
    'Select the column as it is; times can be cast to date, numbers to numeric or float8.',
    inner.location,
  );
}

/** The measures that an aggregate function other than MEASURE() may name, by the way they are computed. */
const AGGREGATES: Readonly<Record<string, readonly string[]>> = {
  sum: ['sum', 'count'],
  count: ['count', 'countDistinct'],
  min: ['min'],
  max: ['max'],
  avg: ['avg'],
};

function readCall(node: Node | undefined, scope: QueryScope): ColumnExpression {
  const fn = asKind(node, 'FuncCall') ?? {};
  const name = namesOf(fn.funcname).at(-1) ?? '';
  const [first, second] = fn.args ?? [];
  const location = fn.location;
  if (fn.over !== undefined) throw unsupported('A window function', 'Compute it in your tool.', location);
  if (fn.agg_filter !== undefined) throw unsupported('FILTER', 'Add the condition to WHERE.', location);
  if (name === 'measure' || Object.hasOwn(AGGREGATES, name)) return aggregate(node, name, scope);
  if (name === 'date_trunc') {
    const unit = readUnit(plainText(evaluate(first, 'text', scope), location), location);
    return { ...timeOf(readExpression(second, scope), name), unit, location };
  }
  if (name === 'timezone') return { ...timeOf(readExpression(second, scope), 'AT TIME ZONE'), isZoned: true };
  if (name === 'lower') {
    const inner = readExpression(first, scope);
    if (inner.column.type === 'string') return { ...inner, isLowered: true };
  }
  throw unsupported(
    `The function ${name}()`,
    'Use MEASURE(), date_trunc() and casts; compute everything else in your tool.',
    location,
  );
}

function timeOf(inner: ColumnExpression, what: string): ColumnExpression {
  if (inner.column.type === 'time' && inner.unit === null) return inner;
  throw unsupported(`${what} of ${inner.column.name}`, 'Use it on the column time.', inner.location);
}

function aggregate(node: Node | undefined, name: string, scope: QueryScope): ColumnExpression {
  const { args = [], agg_distinct: isDistinct, agg_star: isStar, location } = asKind(node, 'FuncCall') ?? {};
  const ref = asKind(args[0], 'ColumnRef');
  if (isStar === true || isDistinct === true || args.length !== 1 || ref === undefined) {
    throw unsupported(`This form of ${name}()`, 'Write MEASURE(column) with one measure.', location);
  }
  const column = findColumn(ref, scope);
  if (column.kind !== 'measure') {
    throw new SqlError(SQLSTATE.featureNotSupported, `${column.name} is a dimension, not a measure.`, {
      hint: 'Group by dimensions, and aggregate measures.',
      location: ref.location,
    });
  }
  const allowed = AGGREGATES[name];
  if (allowed !== undefined && !allowed.includes(column.aggType ?? '')) {
    throw unsupported(`${name.toUpperCase()}(${column.name})`, `Write MEASURE(${column.name}).`, location);
  }
  return { ...plain(column, location), isAggregated: true };
}

const EPOCH_UNITS: Readonly<Record<string, TruncUnit>> = { 1: 'second', 60: 'minute', 3600: 'hour', 86400: 'day' };

/** Grafana's time groups: floor(extract(epoch from time)/3600)*3600. */
function readEpochGroup(node: Node | undefined, scope: QueryScope): ColumnExpression {
  const outer = asKind(node, 'A_Expr');
  const refuse = (): SqlError =>
    unsupported(
      'This calculation',
      'Select the measures and compute in your tool; group times by date_trunc(), or in Grafana by 1s, 1m, 1h or 1d.',
      outer?.location,
    );
  const floor = asKind(outer?.lexpr, 'FuncCall');
  const quotient = asKind(floor?.args?.[0], 'A_Expr');
  const extract = asKind(quotient?.lexpr, 'FuncCall');
  const isPattern =
    operatorOf(outer) === '*' &&
    nameOf(floor) === 'floor' &&
    operatorOf(quotient) === '/' &&
    (nameOf(extract) === 'extract' || nameOf(extract) === 'date_part');
  if (!isPattern) throw refuse();
  const seconds = [quotient?.rexpr, outer?.rexpr].map((one) => numberText(evaluate(one, 'number', scope)));
  const part = plainText(evaluate(extract?.args?.[0], 'text', scope));
  const unit = EPOCH_UNITS[Number(seconds[0])];
  if (part !== 'epoch' || seconds[0] !== seconds[1] || unit === undefined) throw refuse();
  const inner = timeOf(readExpression(extract?.args?.[1], scope), 'extract');
  return { ...inner, unit, isEpoch: true, type: 'float8', location: outer?.location };
}

function operatorOf(expression: { readonly name?: Node[] } | undefined): string {
  return namesOf(expression?.name).at(-1) ?? '';
}

function nameOf(fn: { readonly funcname?: Node[] } | undefined): string {
  return namesOf(fn?.funcname).at(-1) ?? '';
}
