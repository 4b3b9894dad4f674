import type { ColumnRef, Node } from 'libpg-query';
import { asKind, locationOf, namesOf } from '../parse/nodes.ts';
import type { PgType } from '../wire/server-messages.ts';
import { SQLSTATE, SqlError, unsupported } from '../wire/sql-error.ts';
import { readCalculatedTime } from './calculated-times.ts';
import { type ColumnExpression, plainColumn, type QueryScope, timeOf } from './column-expression.ts';
import { evaluate, evaluateBin, plainText } from './constants.ts';
import { countRefusal, isOfRows } from './counts.ts';
import type { SqlColumn } from './sql-model.ts';
import { readUnit, type TimeUnit, type TruncUnit } from './times.ts';

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
  if (ref !== undefined) return plainColumn(findColumn(ref, scope), ref.location);
  const cast = asKind(node, 'TypeCast');
  if (cast !== undefined) return castTo(readExpression(cast.arg, scope), namesOf(cast.typeName?.names).at(-1) ?? '');
  if (asKind(node, 'FuncCall') !== undefined) return readCall(node, scope);
  if (asKind(node, 'A_Expr') !== undefined)
    return readCalculatedTime(node, scope, (inner) => readExpression(inner, scope));
  throw unsupported(
    'This expression',
    'Select columns, MEASURE(column), date_trunc(unit, time) and casts of them; compute in your tool.',
    locationOf(node),
  );
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

const LONG_UNITS: readonly (TimeUnit | null)[] = ['day', 'week', 'month', 'quarter', 'year'];

/** `date_trunc('month', CAST(time AS date))` is the month of the time. */
function cutAgain(inner: ColumnExpression, unit: TruncUnit): ColumnExpression {
  const isDay = inner.column.type === 'time' && inner.unit === 'day' && LONG_UNITS.includes(unit);
  return isDay ? { ...inner, unit, type: 'timestamp' } : { ...timeOf(inner, 'date_trunc'), unit };
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
    return { ...cutAgain(readExpression(second, scope), unit), location };
  }
  if (name === 'date_bin') {
    const inner = timeOf(readExpression(second, scope), name);
    const unit = evaluateBin(fn.args ?? [], scope.zone ?? scope.timezone, scope, location);
    if (unit !== null) return { ...inner, unit, location };
    throw unsupported('date_bin() with NULL', "Write date_bin('15 minutes', time, timestamp '2001-01-01').", location);
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

/** Tools cast a measure before they sum it, so that sums do not overflow: ours are exact. */
function uncast(node: Node | undefined): Node | undefined {
  const cast = asKind(node, 'TypeCast');
  const type = namesOf(cast?.typeName?.names).at(-1) ?? '';
  return ['numeric', 'float8', 'int8'].includes(type) ? cast?.arg : node;
}

function aggregate(node: Node | undefined, name: string, scope: QueryScope): ColumnExpression {
  const { args = [], agg_distinct: isDistinct, agg_star: isStar, location } = asKind(node, 'FuncCall') ?? {};
  if (isOfRows(node)) throw countRefusal(node, scope.table);
  const ref = asKind(uncast(args[0]), 'ColumnRef');
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
  return { ...plainColumn(column, location), isAggregated: true };
}
