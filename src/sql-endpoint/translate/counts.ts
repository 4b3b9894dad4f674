import type { Node, SelectStmt } from 'libpg-query';
import { asKind, locationOf, namesOf } from '../parse/nodes.ts';
import { type SqlError, unsupported } from '../wire/sql-error.ts';
import type { SqlTable } from './sql-model.ts';

/** A SELECT that counts rows and shows nothing else. */
export interface RowCount {
  /** The name of its column. */
  readonly name: string;
  /** COUNT(DISTINCT column): the rows are the values of this column. Null: COUNT(*). */
  readonly distinct: Node | null;
}

/** Whether an expression is COUNT(*) or COUNT(1). */
export function isRowCount(node: Node | undefined): boolean {
  const { funcname, args = [], agg_star: isStar, agg_distinct: isDistinct } = asKind(node, 'FuncCall') ?? {};
  if (namesOf(funcname).at(-1) !== 'count' || isDistinct === true) return false;
  return (
    isStar === true ||
    (args.length === 1 && asKind(args[0], 'A_Const')?.isnull === undefined && asKind(args[0], 'A_Const') !== undefined)
  );
}

/** Whether an expression is about rows and no column of theirs: COUNT(*), or SUM(1), which Tableau writes for it. */
export function isOfRows(node: Node | undefined): boolean {
  const { funcname, args = [] } = asKind(node, 'FuncCall') ?? {};
  const isSum = namesOf(funcname).at(-1) === 'sum' && asKind(args[0], 'A_Const') !== undefined;
  return isSum || isRowCount(node);
}

/** Reads a select list that is COUNT(*) or COUNT(DISTINCT column) alone; null: it is another one. */
export function readRowCount({
  targetList = [],
  groupClause,
  distinctClause,
  havingClause,
}: SelectStmt): RowCount | null {
  const target = asKind(targetList[0], 'ResTarget');
  const call = asKind(target?.val, 'FuncCall');
  if (targetList.length !== 1 || call === undefined) return null;
  if (groupClause !== undefined || distinctClause !== undefined || havingClause !== undefined) return null;
  if (call.over !== undefined || call.agg_filter !== undefined) return null;
  const name = target?.name ?? 'count';
  if (isRowCount(target?.val)) return { name, distinct: null };
  const [only, ...others] = call.args ?? [];
  const isDistinct = namesOf(call.funcname).at(-1) === 'count' && call.agg_distinct === true;
  return isDistinct && only !== undefined && others.length === 0 ? { name, distinct: only } : null;
}

/** Whether HAVING only says that a group has rows, as Tableau writes it: each group has. */
export function hasGroups({ groupClause, havingClause }: SelectStmt): boolean {
  const { name, lexpr, rexpr } = asKind(havingClause, 'A_Expr') ?? {};
  const zero = asKind(rexpr, 'A_Const')?.ival;
  const isZero = zero !== undefined && (zero.ival ?? 0) === 0;
  return groupClause !== undefined && isRowCount(lexpr) && namesOf(name).at(-1) === '>' && isZero;
}

const EXAMPLES = ['requests', 'impressions', 'clicks'];

/** The error for COUNT(*) beside other columns: a report has measures for what it counts. */
export function countRefusal(node: Node | undefined, { columns }: SqlTable): SqlError {
  const names = EXAMPLES.filter((name) => columns.get(name)?.kind === 'measure');
  const measures = (names.length === 0 ? ['column'] : names).map((name) => `MEASURE(${name})`).join(' or ');
  return unsupported(
    'COUNT of rows beside other columns or by groups',
    `Write what you count: ${measures}. COUNT(*) alone counts the events of every kind.`,
    locationOf(node),
  );
}
