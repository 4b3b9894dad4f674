import type { Node, SelectStmt } from 'libpg-query';
import { asKind, locationOf, namesOf } from '../parse/nodes.ts';
import { SQLSTATE, SqlError, unsupported } from '../wire/sql-error.ts';
import { type ColumnExpression, keyOf, type QueryScope } from './column-expression.ts';
import { readExpression } from './expressions.ts';
import type { OutputColumn } from './output-column.ts';

/** How the rows of a query are grouped. */
export interface Groups {
  readonly expressions: readonly ColumnExpression[];
  /** Single rows: neither GROUP BY nor an aggregate. */
  readonly isUngrouped: boolean;
}

/** Reads GROUP BY and DISTINCT. @throws SqlError `42803` where a column stands outside of both */
export function readGroups(statement: SelectStmt, columns: readonly OutputColumn[], scope: QueryScope): Groups {
  const { groupClause = [], distinctClause, havingClause } = statement;
  const expressions = groupClause.map((node) => readGroup(node, columns, scope));
  const shown = columns.flatMap(({ expression }) => (expression === null ? [] : [expression]));
  const aggregates = shown.filter(({ isAggregated }) => isAggregated);
  const isDistinct = distinctClause !== undefined;
  const isGrouped = expressions.length > 0 || aggregates.length > 0 || havingClause !== undefined || isDistinct;
  if (!isGrouped) return { expressions: [], isUngrouped: true };
  const bare = shown.find(({ column, isAggregated }) => column.kind === 'measure' && !isAggregated);
  if (bare !== undefined) {
    throw new SqlError(SQLSTATE.groupingError, `The measure ${bare.column.name} must be aggregated.`, {
      hint: `Write MEASURE(${bare.column.name}).`,
      location: bare.location,
    });
  }
  const dimensions = shown.filter(({ isAggregated }) => !isAggregated);
  if (isDistinct && expressions.length === 0 && aggregates.length === 0) {
    return { expressions: dimensions, isUngrouped: false };
  }
  const keys = new Set(expressions.map(keyOf));
  if (isDistinct && [...keys].some((key) => !dimensions.some((one) => keyOf(one) === key))) {
    throw unsupported('DISTINCT with a GROUP BY that is not selected', 'Leave DISTINCT out.');
  }
  const missing = dimensions.find((one) => !keys.has(keyOf(one)));
  if (missing !== undefined) throw notGrouped(missing);
  return { expressions, isUngrouped: false };
}

/** The error for an expression that is neither grouped nor aggregated. */
export function notGrouped({ column, location }: ColumnExpression): SqlError {
  return new SqlError(
    SQLSTATE.groupingError,
    `The column ${column.name} must appear in GROUP BY or be inside an aggregate function.`,
    { hint: 'Write GROUP BY with the position of the column, such as GROUP BY 1.', location },
  );
}

function readGroup(node: Node, columns: readonly OutputColumn[], scope: QueryScope): ColumnExpression {
  const location = locationOf(node);
  if (asKind(node, 'GroupingSet') !== undefined) {
    throw unsupported('GROUPING SETS, ROLLUP and CUBE', 'Send one SELECT for each grouping.', location);
  }
  const found = positionIn(node, columns, 'GROUP BY') ?? named(node, columns, scope);
  const expression = found === null ? readExpression(node, scope) : found.expression;
  if (expression === null) throw unsupported('GROUP BY with a constant', 'Group by columns.', location);
  if (expression.column.kind === 'measure') {
    throw new SqlError(SQLSTATE.groupingError, `The measure ${expression.column.name} cannot be grouped by.`, {
      hint: 'Group by dimensions.',
      location,
    });
  }
  return expression;
}

/** A column by its position; null: the node is not a number. @throws SqlError `42601` when there is none */
export function positionIn(
  node: Node | undefined,
  columns: readonly OutputColumn[],
  clause: string,
): OutputColumn | null {
  const position = asKind(node, 'A_Const')?.ival;
  if (position === undefined) return null;
  const column = columns[(position.ival ?? 0) - 1];
  if (column !== undefined) return column;
  throw new SqlError(SQLSTATE.syntaxError, `${clause} position ${position.ival ?? 0} is not in the select list.`, {
    location: locationOf(node),
  });
}

/** A name of the result; a column of the table goes first, as in PostgreSQL. */
function named(node: Node, columns: readonly OutputColumn[], scope: QueryScope): OutputColumn | null {
  const names = namesOf(asKind(node, 'ColumnRef')?.fields);
  const [name = ''] = names;
  if (names.length !== 1 || scope.table.columns.has(name)) return null;
  return columns.find((column) => column.name === name) ?? null;
}
