import type { Node, SelectStmt } from 'libpg-query';
import { asKind, namesOf } from '../parse/nodes.ts';
import { type ConstantScope, evaluate, hasColumn, plainText } from '../translate/constants.ts';
import { checkColumnCount, type OutputColumn } from '../translate/output-column.ts';
import { SqlError } from '../wire/sql-error.ts';

/** The facts that functions without a table tell. */
export interface SessionFacts {
  readonly user: string;
  readonly database: string;
  readonly version: string;
  readonly pid: number;
  readonly setting: (name: string) => string;
}

/**
 * A SELECT without a table that needs no catalog: literals, and the functions with which tools ask who they are and where. Null: it holds more.
 */
export function readSimpleSelect(
  statement: SelectStmt,
  facts: SessionFacts,
  scope: ConstantScope,
): readonly OutputColumn[] | null {
  const { fromClause, targetList = [], whereClause, limitCount, groupClause, sortClause, op, withClause } = statement;
  const others = [fromClause, whereClause, limitCount, groupClause, sortClause, withClause, statement.valuesLists];
  if (others.some((one) => one !== undefined) || (op !== undefined && op !== 'SETOP_NONE')) return null;
  checkColumnCount(targetList.length);
  const columns: OutputColumn[] = [];
  for (const node of targetList) {
    const target = asKind(node, 'ResTarget');
    const column = factOf(target?.val, facts) ?? literalOf(target?.val, scope);
    if (column === null) return null;
    columns.push({ ...column, name: target?.name ?? column.name });
  }
  return columns;
}

const FACTS: Readonly<Record<string, (facts: SessionFacts) => string>> = {
  version: ({ version }) => version,
  current_schema: () => 'public',
  current_database: ({ database }) => database,
  current_user: ({ user }) => user,
  session_user: ({ user }) => user,
  user: ({ user }) => user,
  current_catalog: ({ database }) => database,
  pg_backend_pid: ({ pid }) => String(pid),
};

function factOf(node: Node | undefined, facts: SessionFacts): OutputColumn | null {
  const call = asKind(node, 'FuncCall');
  const op = asKind(node, 'SQLValueFunction')?.op?.replace('SVFOP_', '').toLowerCase();
  const name = op ?? (call?.args === undefined ? namesOf(call?.funcname).at(-1) : undefined) ?? '';
  if (Object.hasOwn(FACTS, name)) {
    const constant = FACTS[name]?.(facts) ?? '';
    return { name, type: name === 'pg_backend_pid' ? 'int4' : 'text', expression: null, constant };
  }
  const setting = asKind(call?.args?.[0], 'A_Const')?.sval?.sval;
  if (namesOf(call?.funcname).at(-1) !== 'current_setting' || setting === undefined) return null;
  return { name: 'current_setting', type: 'text', expression: null, constant: facts.setting(setting) };
}

function literalOf(node: Node | undefined, scope: ConstantScope): OutputColumn | null {
  if (node === undefined || hasColumn(node)) return null;
  if (asKind(node, 'A_Const') === undefined && asKind(node, 'ParamRef') === undefined) {
    return asKind(node, 'FuncCall') === undefined && asKind(node, 'SQLValueFunction') === undefined
      ? null
      : momentOf(node, scope);
  }
  const value = evaluate(node, 'text', scope);
  const name = '?column?';
  if (value.kind === 'null') return { name, type: 'text', expression: null, constant: null };
  const text = plainText(value);
  const isInteger = value.kind === 'number' && /^-?\d{1,9}$/.test(text);
  const type = isInteger ? 'int4' : value.kind === 'number' ? 'numeric' : value.kind === 'boolean' ? 'bool' : 'text';
  return { name, type, expression: null, constant: text };
}

/** now() and its relatives, on the clocks of the session. */
function momentOf(node: Node | undefined, scope: ConstantScope): OutputColumn | null {
  try {
    const value = evaluate(node, 'time', scope);
    if (value.kind !== 'instant' && value.kind !== 'local') return null;
    const local =
      value.kind === 'local' ? value.local : value.instant.toZonedDateTimeISO(scope.timezone).toPlainDateTime();
    const constant = local.toString({ fractionalSecondDigits: 3 });
    return {
      name: namesOf(asKind(node, 'FuncCall')?.funcname).at(-1) ?? 'now',
      type: 'timestamp',
      expression: null,
      constant,
    };
  } catch (error) {
    if (error instanceof SqlError) return null;
    throw error;
  }
}
