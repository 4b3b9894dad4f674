import type { Node, SelectStmt } from 'libpg-query';
import { asKind, locationOf, namesOf, visit } from '../parse/nodes.ts';
import { SQLSTATE, SqlError, unsupported } from '../wire/sql-error.ts';
import { readCondition } from './conditions.ts';
import { type ConstantScope, evaluate, hasColumn, numberText, plainText } from './constants.ts';
import { type ColumnExpression, keyOf, type QueryScope } from './column-expression.ts';
import { readExpression } from './expressions.ts';
import { hasGroups, isOfRows, readRowCount, type RowCount } from './counts.ts';
import { readGroups } from './groups.ts';
import { readOrder } from './order.ts';
import { checkColumnCount, type OutputColumn } from './output-column.ts';
import { checkFilters, restrictionOf } from './report-filter.ts';
import { COLUMN_TYPES, type SqlModel, type SqlTable } from './sql-model.ts';
import { flatten } from './subquery.ts';
import { dateRangeOf } from './time-range.ts';
import { readZone } from './times.ts';

/** The most rows of a result, as the Reports API has it. */
export const ROWS_MAX = 50_000;

/** Characters of all constants that a SELECT over a report shows: functions make a copy for each. */
const CONSTANTS_LENGTH_MAX = 1_000_000;

/** A SELECT as a report query. */
export interface ReportPlan {
  /** The query for POST /load. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly columns: readonly OutputColumn[];
  /** No row fulfils the conditions. */
  readonly isEmpty: boolean;
  /** Sums over everything: one row, whatever is there. */
  readonly isTotal: boolean;
  /** More than {@link ROWS_MAX} rows are an error: the statement does not say that it wants a part. */
  readonly mustFit: boolean;
  /** The only row is the number of the query's rows, without the first ones of `skip`, and at most `most`. Null: the rows themselves. */
  readonly count: { readonly skip: number; readonly most: number } | null;
}

/** What a SELECT is read with. */
export interface SelectContext extends ConstantScope {
  readonly model: SqlModel;
  /** The database that the client is connected to. */
  readonly database: string;
}

/**
 * Translates a SELECT over a cube, or over such a SELECT.
 * @throws SqlError that says what is not understood and what to write
 */
export function translateSelect(statement: SelectStmt, context: SelectContext): ReportPlan {
  const counted = countedRows(statement, context);
  if (counted !== null) return counted;
  const flat = flatten(statement);
  if (flat === null) return translateTable(statement, context);
  refuseClauses(statement);
  const plan = translateTable(flat.statement, context);
  const limit = readCount(flat.limit, 'LIMIT', context);
  const columns = flat.shown?.map(({ from, name }) => ({ ...outputNamed(plan.columns, from), name })) ?? plan.columns;
  if (limit === null) return { ...plan, columns };
  const query = { ...plan.query, limit: Math.min(Number(plan.query['limit']), limit) };
  return { ...plan, query, columns, isEmpty: plan.isEmpty || limit === 0, isTotal: plan.isTotal && limit > 0 };
}

/** The plan of a SELECT that only counts rows: of a table, of values of a column, or of a SELECT in FROM. Null: it is another one. */
function countedRows(statement: SelectStmt, context: SelectContext): ReportPlan | null {
  const counted = readRowCount(statement);
  if (counted === null) return null;
  refuseClauses(statement);
  const { targetList: _count, sortClause: _order, limitCount, limitOffset, ...rest } = statement;
  const plan = translateSelect(rowsToCount(rest, counted), context);
  const { limit, offset = 0, ...query } = plan.query as { readonly limit: number; readonly offset?: number };
  const [most, skip] = [readCount(limitCount, 'LIMIT', context) ?? 1, readCount(limitOffset, 'OFFSET', context) ?? 0];
  const isShown = most > 0 && skip === 0;
  if (plan.count !== null) throw unsupported('COUNT of a COUNT', 'Write one COUNT.');
  return {
    query: { ...withoutColumns(query), limit: 1, total: true },
    columns: [{ name: counted.name, type: 'int8', expression: null, constant: plan.isTotal ? '1' : '0' }],
    isEmpty: plan.isEmpty || plan.isTotal || !isShown,
    isTotal: isShown,
    mustFit: false,
    count: { skip: offset, most: plan.mustFit ? Infinity : limit },
  };
}

/** The SELECT whose rows are counted. */
function rowsToCount(rest: SelectStmt, { distinct }: RowCount): SelectStmt {
  if (distinct === null) {
    const [from, ...others] = rest.fromClause ?? [];
    const inner = asKind(asKind(from, 'RangeSubselect')?.subquery, 'SelectStmt');
    if (inner !== undefined && others.length === 0 && rest.whereClause === undefined) return inner;
    const star = { ResTarget: { val: { ColumnRef: { fields: [{ A_Star: {} }] } } } } as unknown as Node;
    return { ...rest, targetList: [star] };
  }
  const present = { NullTest: { arg: distinct, nulltesttype: 'IS_NOT_NULL' } } as unknown as Node;
  const both = { BoolExpr: { boolop: 'AND_EXPR', args: [rest.whereClause, present] } } as unknown as Node;
  const target = { ResTarget: { val: distinct } } as unknown as Node;
  const whereClause = rest.whereClause === undefined ? present : both;
  return { ...rest, targetList: [target], distinctClause: [{}] as unknown as Node[], whereClause };
}

/** Columns do not change how many single rows there are: a table has hundreds. */
function withoutColumns(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { measures, dimensions, timeDimensions, order: _order, ...rest } = query;
  if (query['ungrouped'] !== true) return query;
  const times = timeDimensions as readonly { readonly dimension: string; readonly dateRange?: unknown }[];
  const [dimension] = dimensions as readonly string[];
  const [first] = times;
  return {
    ...rest,
    measures: dimension === undefined ? (measures as readonly string[]).slice(0, 1) : [],
    dimensions: dimension === undefined ? [] : [dimension],
    timeDimensions: first === undefined ? [] : [{ dimension: first.dimension, dateRange: first.dateRange }],
  };
}

function outputNamed(columns: readonly OutputColumn[], name: string): OutputColumn {
  const column = columns.find((one) => one.name === name);
  if (column !== undefined) return column;
  throw new SqlError(SQLSTATE.undefinedColumn, `The column "${name}" does not exist in the subquery.`);
}

function translateTable(statement: SelectStmt, context: SelectContext): ReportPlan {
  refuseClauses(statement);
  const scope = scopeOf(statement, context);
  const columns = readTargets(statement.targetList ?? [], scope);
  const shown = columns.flatMap(({ expression }) => (expression === null ? [] : [expression]));
  const groups = readGroups(statement, columns, scope);
  const order = readOrder(statement, { columns, groups, scope });
  const hidden = order.flatMap(({ expression }) => [expression]);
  const used = [...shown, ...groups.expressions, ...hidden];
  checkZones(used, scope);
  const where = restrictionOf(readCondition(statement.whereClause, 'WHERE', scope));
  const having = restrictionOf(
    readCondition(hasGroups(statement) ? undefined : statement.havingClause, 'HAVING', scope),
  );
  checkFilters([...where.filters, ...having.filters]);
  const limit = readCount(statement.limitCount, 'LIMIT', scope);
  // Tools read the columns of a table by LIMIT 0, without a time.
  const isNever = where.isNever || limit === 0;
  const range = isNever ? null : dateRangeOf(where.times, scope);
  const offset = readCount(statement.limitOffset, 'OFFSET', scope) ?? 0;
  const time = [...scope.table.columns.values()].find(({ type }) => type === 'time');
  const measures = unique(used.filter(({ column }) => column.kind === 'measure').map(({ column }) => column.member));
  const plain = used.filter(({ column, unit }) => column.kind === 'dimension' && unit === null);
  const dimensions = unique(plain.map(({ column }) => column.member));
  const timed = unique(used.filter(({ unit }) => unit !== null).map(keyOf));
  if (measures.length + dimensions.length + timed.length === 0 && !isNever) {
    throw unsupported('A SELECT without a column', 'Select a column of the table.');
  }
  const restricted = [...timed.map(splitTimed), ...(timed.length === 0 ? [{ dimension: time?.member }] : [])];
  return {
    query: {
      measures,
      dimensions,
      timeDimensions: restricted.map((one) => ({ ...one, ...(range === null ? {} : { dateRange: range.bounds }) })),
      filters: [...where.filters, ...having.filters],
      ...(order.length === 0
        ? {}
        : { order: order.map(({ expression, isDescending }) => [keyOf(expression), isDescending ? 'desc' : 'asc']) }),
      limit: Math.min(limit ?? ROWS_MAX, ROWS_MAX),
      ...(offset === 0 ? {} : { offset }),
      timezone: scope.zone ?? scope.timezone,
      ...(groups.isUngrouped ? { ungrouped: true } : {}),
    },
    columns,
    isEmpty: where.isNever || having.isNever || range === null || limit === 0,
    isTotal: dimensions.length + timed.length === 0 && !groups.isUngrouped && limit !== 0 && !having.isNever,
    mustFit: limit === null || limit > ROWS_MAX,
    count: null,
  };
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

function splitTimed(key: string): { readonly dimension: string; readonly granularity: string } {
  const at = key.lastIndexOf('.');
  return { dimension: key.slice(0, at), granularity: key.slice(at + 1) };
}

function refuseClauses(statement: SelectStmt): void {
  const { fromClause = [], op, withClause, windowClause, valuesLists, limitOption, distinctClause } = statement;
  if (op !== undefined && op !== 'SETOP_NONE') {
    throw unsupported('UNION, INTERSECT and EXCEPT', 'Send one SELECT for each part.');
  }
  if (withClause !== undefined) throw unsupported('WITH', 'Write one SELECT over one table.', withClause.location);
  if (windowClause !== undefined) throw unsupported('WINDOW', 'Compute it in your tool.', locationOf(windowClause[0]));
  if (valuesLists !== undefined) throw unsupported('VALUES', 'Select from a table.');
  if (limitOption === 'LIMIT_OPTION_WITH_TIES') throw unsupported('WITH TIES', 'Write LIMIT.');
  if (distinctClause?.some((one) => Object.keys(one).length > 0) === true) {
    throw unsupported('DISTINCT ON', 'Write GROUP BY.', locationOf(distinctClause[0]));
  }
  if (fromClause.length !== 1) throw unsupported('A join', 'Every table holds all members: select from one.');
}

function scopeOf(statement: SelectStmt, context: SelectContext): QueryScope {
  const [from] = statement.fromClause ?? [];
  const range = asKind(from, 'RangeVar');
  if (range === undefined) {
    const what = asKind(from, 'JoinExpr') === undefined ? 'A subquery' : 'A join';
    throw unsupported(what, 'Select from one table; every table holds all members.', locationOf(from));
  }
  const { catalogname, schemaname, relname = '', alias, location } = range;
  if (catalogname !== undefined && catalogname !== context.database) {
    throw new SqlError(SQLSTATE.featureNotSupported, 'Cross-database references are not implemented.', { location });
  }
  const table = schemaname === undefined || schemaname === 'public' ? context.model.get(relname) : undefined;
  if (table === undefined) throw unknownTable([schemaname, relname], context.model, location);
  return {
    ...context,
    table,
    tableNames: [alias?.aliasname ?? relname],
    zone: readZones(statement, context),
  };
}

function unknownTable(names: readonly (string | undefined)[], model: SqlModel, location: number | undefined): SqlError {
  const name = names.filter((one) => one !== undefined).join('.');
  return new SqlError(SQLSTATE.undefinedTable, `The table "${name}" does not exist.`, {
    hint: `There are: ${[...model.keys()].join(', ')}.`,
    location,
  });
}

/** The zone that AT TIME ZONE names behind columns; null: none does. */
function readZones(statement: SelectStmt, context: ConstantScope): string | null {
  const zones = new Set<string>();
  visit(statement, (kind, content) => {
    if (kind !== 'FuncCall') return;
    const call = content as { readonly funcname?: Node[]; readonly args?: Node[]; readonly location?: number };
    if (namesOf(call.funcname).at(-1) !== 'timezone' || !hasColumn(call.args?.[1])) return;
    zones.add(readZone(plainText(evaluate(call.args?.[0], 'text', context)), call.location));
  });
  if (zones.size > 1) throw unsupported('More than one time zone', 'Use one in the whole statement.');
  return [...zones][0] ?? null;
}

/** Times that are shown must all be on the same clocks. */
function checkZones(used: readonly ColumnExpression[], { zone, timezone }: QueryScope): void {
  if (zone === null || zone === timezone) return;
  const other = used.find(({ column, isZoned }) => column.type === 'time' && !isZoned);
  if (other === undefined) return;
  throw unsupported(
    'A time with and one without AT TIME ZONE',
    `Write AT TIME ZONE '${zone}' behind each.`,
    other.location,
  );
}

function readTargets(targets: readonly Node[], scope: QueryScope): OutputColumn[] {
  checkColumnCount(targets.length);
  const columns: OutputColumn[] = [];
  let length = 0;
  for (const target of targets) {
    const found = readTarget(target, scope);
    length += found.reduce((sum, { constant }) => sum + (constant?.length ?? 0), 0);
    if (length > CONSTANTS_LENGTH_MAX) {
      throw new SqlError(SQLSTATE.programLimit, 'The constants of the select list are too long together.', {
        hint: 'Leave constants out, or write shorter ones.',
      });
    }
    columns.push(...found);
    // Each star is a whole table.
    checkColumnCount(columns.length);
  }
  return columns;
}

function readTarget(node: Node, scope: QueryScope): OutputColumn[] {
  const target = asKind(node, 'ResTarget');
  const value = target?.val;
  const star = asKind(value, 'ColumnRef')?.fields ?? [];
  if (star.some((field) => asKind(field, 'A_Star') !== undefined)) return everyColumn(scope.table, locationOf(value));
  if (!hasColumn(value) && !isOfRows(value)) {
    const constant = evaluate(value, 'text', scope);
    const isNumber = constant.kind === 'number';
    return [
      {
        name: target?.name ?? '?column?',
        type: isNumber ? 'numeric' : 'text',
        expression: null,
        constant: constant.kind === 'null' ? null : isNumber ? numberText(constant) : plainText(constant),
      },
    ];
  }
  const expression = readExpression(value, scope);
  return [{ name: target?.name ?? nameOf(value, expression), type: expression.type, expression, constant: null }];
}

function nameOf(node: Node | undefined, { column }: ColumnExpression): string {
  return asKind(node, 'FuncCall') !== undefined && column.kind === 'dimension'
    ? (namesOf(asKind(node, 'FuncCall')?.funcname).at(-1) ?? column.name)
    : column.name;
}

function everyColumn(table: SqlTable, location: number | undefined): OutputColumn[] {
  return [...table.columns.values()].map((column) => ({
    name: column.name,
    type: COLUMN_TYPES[column.type],
    constant: null,
    expression: {
      column,
      unit: null,
      isAggregated: false,
      isLowered: false,
      isZoned: false,
      isEpoch: false,
      type: COLUMN_TYPES[column.type],
      location,
    },
  }));
}

/** LIMIT and OFFSET; null: none. */
function readCount(node: Node | undefined, clause: string, scope: ConstantScope): number | null {
  if (node === undefined) return null;
  const value = evaluate(node, 'count', scope);
  if (value.kind === 'null') return null;
  const count = Number(numberText(value, locationOf(node)));
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new SqlError(SQLSTATE.invalidParameterValue, `${clause} must be a whole number, not negative.`, {
    location: locationOf(node),
  });
}
