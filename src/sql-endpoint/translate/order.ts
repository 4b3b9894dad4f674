import type { Node, SelectStmt } from 'libpg-query';
import { asKind, locationOf, namesOf } from '../parse/nodes.ts';
import { SQLSTATE, SqlError, unsupported } from '../wire/sql-error.ts';
import { type ColumnExpression, keyOf, type QueryScope } from './column-expression.ts';
import { readExpression } from './expressions.ts';
import { type Groups, notGrouped, positionIn } from './groups.ts';
import type { OutputColumn } from './output-column.ts';

/** One term of ORDER BY. */
export interface OrderTerm {
  readonly expression: ColumnExpression;
  readonly isDescending: boolean;
}

interface OrderContext {
  readonly columns: readonly OutputColumn[];
  readonly groups: Groups;
  readonly scope: QueryScope;
}

/** Reads ORDER BY. @throws SqlError for terms that the rows do not hold */
export function readOrder(statement: SelectStmt, context: OrderContext): OrderTerm[] {
  const { columns, groups, scope } = context;
  return (statement.sortClause ?? []).flatMap((node) => {
    const { node: term, sortby_dir: direction, sortby_nulls: nulls } = asKind(node, 'SortBy') ?? {};
    if (nulls === 'SORTBY_NULLS_FIRST') {
      throw unsupported('NULLS FIRST', 'Missing values come last in every order.', locationOf(term));
    }
    if (direction === 'SORTBY_USING') throw unsupported('ORDER BY … USING', 'Write ASC or DESC.', locationOf(term));
    const found = positionIn(term, columns, 'ORDER BY') ?? named(term, columns);
    const expression = found === null ? readExpression(term, scope) : found.expression;
    // All rows have the same constant.
    if (expression === null) return [];
    checkTerm(expression, groups);
    return [{ expression, isDescending: direction === 'SORTBY_DESC' }];
  });
}

function named(node: Node | undefined, columns: readonly OutputColumn[]): OutputColumn | null {
  const names = namesOf(asKind(node, 'ColumnRef')?.fields);
  return names.length === 1 ? (columns.find((column) => column.name === names[0]) ?? null) : null;
}

function checkTerm(expression: ColumnExpression, { isUngrouped, expressions }: Groups): void {
  const { column, isAggregated, isLowered, location } = expression;
  if (isLowered) throw unsupported('ORDER BY lower()', 'Order by the column.', location);
  if (isUngrouped) {
    if (!isAggregated) return;
    throw new SqlError(SQLSTATE.groupingError, 'Single rows cannot be ordered by an aggregate.', { location });
  }
  if (column.kind === 'measure') {
    if (isAggregated) return;
    throw new SqlError(SQLSTATE.groupingError, `The measure ${column.name} must be aggregated.`, {
      hint: `Write MEASURE(${column.name}).`,
      location,
    });
  }
  if (!expressions.some((one) => keyOf(one) === keyOf(expression))) throw notGrouped(expression);
}
