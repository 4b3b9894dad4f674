import type { Node, SelectStmt } from 'libpg-query';
import { asKind, locationOf, namesOf, visit } from '../parse/nodes.ts';
import { SQLSTATE, SqlError, unsupported } from '../wire/sql-error.ts';

/** Expressions of the inner SELECT that the outer one repeats, together, in nodes: each use of a name is a copy. */
const COPIED_NODES_MAX = 20_000;
const AGGREGATES: readonly string[] = ['measure', 'sum', 'count', 'min', 'max', 'avg'];

/** A SELECT over a SELECT over a table, as one SELECT over the table. */
export interface Flattened {
  readonly statement: SelectStmt;
  /** The columns of the result by their names in `statement`; null: those of `statement`. */
  readonly shown: readonly { readonly from: string; readonly name: string }[] | null;
  /** A further LIMIT of the outer SELECT. */
  readonly limit: Node | undefined;
}

/**
 * Merges `SELECT … FROM (SELECT … FROM table) AS t`, as tools write it, into one SELECT; null: FROM has no SELECT. Where the inner one is
 * grouped or limited, the outer one may choose columns, an order and a LIMIT.
 * @throws SqlError for other forms
 */
export function flatten(statement: SelectStmt): Flattened | null {
  const [from, ...others] = statement.fromClause ?? [];
  const sub = asKind(from, 'RangeSubselect');
  const inner = asKind(sub?.subquery, 'SelectStmt');
  if (sub === undefined || inner === undefined || others.length > 0) return null;
  if (sub.lateral === true) throw unsupported('LATERAL', 'Write one SELECT over one table.', locationOf(from));
  const outputs = outputsOf(inner);
  const alias = sub.alias?.aliasname ?? '';
  return isPlain(inner) ? merge(statement, inner, { outputs, alias }) : project(statement, inner, { outputs, alias });
}

/** Expressions of the inner SELECT by their names; null: all columns of its table. */
type Outputs = ReadonlyMap<string, Node> | null;

interface Inner {
  readonly outputs: Outputs;
  readonly alias: string;
}

function outputsOf({ targetList = [] }: SelectStmt): Outputs {
  if (targetList.length === 1 && isStar(asKind(targetList[0], 'ResTarget')?.val)) return null;
  const outputs = new Map<string, Node>();
  for (const node of targetList) {
    const { name, val } = asKind(node, 'ResTarget') ?? {};
    const own = name ?? namesOf(asKind(val, 'ColumnRef')?.fields).at(-1) ?? lastNameOf(val);
    if (val === undefined || own === undefined || isStar(val)) {
      throw unsupported('A column without a name in a subquery', 'Write AS and a name.', locationOf(val));
    }
    outputs.set(own, val);
  }
  return outputs;
}

/** Functions name their columns; those of a measure are called as the measure. */
function lastNameOf(node: Node | undefined): string | undefined {
  const fn = asKind(node, 'FuncCall');
  const [first] = fn?.args ?? [];
  return namesOf(asKind(first, 'ColumnRef')?.fields).at(-1);
}

function isStar(node: Node | undefined): boolean {
  return (asKind(node, 'ColumnRef')?.fields ?? []).some((field) => asKind(field, 'A_Star') !== undefined);
}

/** Single rows of a table, all of them. */
function isPlain(inner: SelectStmt): boolean {
  const { distinctClause, limitCount, limitOffset } = inner;
  return !isGrouped(inner) && [distinctClause, limitCount, limitOffset].every((one) => one === undefined);
}

function isGrouped({ groupClause, havingClause, targetList }: SelectStmt): boolean {
  let found = groupClause !== undefined || havingClause !== undefined;
  visit(targetList, (kind, content) => {
    const names = kind === 'FuncCall' ? namesOf(content['funcname'] as Node[] | undefined) : [];
    if (AGGREGATES.includes(names.at(-1) ?? '')) found = true;
  });
  return found;
}

/** The order of the inner SELECT, whose positions and names are of its own columns. @throws SqlError where the outer one shows others */
function innerOrder(outer: SelectStmt, inner: SelectStmt, isAll: boolean): Node[] | undefined {
  if (outer.sortClause !== undefined || inner.sortClause === undefined || isGrouped(outer)) return undefined;
  if (isAll) return inner.sortClause;
  throw unsupported('ORDER BY in a subquery whose columns are chosen outside', 'Write ORDER BY outside.');
}

function merge(outer: SelectStmt, inner: SelectStmt, { outputs, alias }: Inner): Flattened {
  const own = new Set((outer.targetList ?? []).flatMap((node) => asKind(node, 'ResTarget')?.name ?? []));
  const all = new Substitution(outputs, alias);
  const names = new Substitution(outputs, alias, own);
  const isAll = (outer.targetList ?? []).every((node) => isStar(asKind(node, 'ResTarget')?.val));
  const conditions = [inner.whereClause, all.of(outer.whereClause)].filter((one) => one !== undefined);
  const statement: SelectStmt = {
    ...outer,
    fromClause: inner.fromClause ?? [],
    targetList: isAll ? (inner.targetList ?? []) : (outer.targetList ?? []).map((node) => all.ofTarget(node)),
    ...(conditions.length === 0 ? {} : { whereClause: bothOf(conditions) }),
  };
  const { groupClause, havingClause } = outer;
  const sorted = names.of(outer.sortClause) ?? innerOrder(outer, inner, isAll);
  const flat: SelectStmt = {
    ...statement,
    ...(groupClause === undefined ? {} : { groupClause: names.of(groupClause) }),
    ...(havingClause === undefined ? {} : { havingClause: all.of(havingClause) }),
    ...(sorted === undefined ? {} : { sortClause: sorted }),
  };
  return { statement: flat, shown: null, limit: undefined };
}

function bothOf(conditions: readonly Node[]): Node {
  const [first] = conditions;
  if (conditions.length === 1 && first !== undefined) return first;
  return { BoolExpr: { boolop: 'AND_EXPR', args: [...conditions] } } as unknown as Node;
}

function project(outer: SelectStmt, inner: SelectStmt, { outputs, alias }: Inner): Flattened {
  const { whereClause, groupClause, havingClause, distinctClause, sortClause, limitOffset, limitCount } = outer;
  const other = whereClause ?? groupClause?.[0] ?? havingClause ?? distinctClause?.[0];
  const isLimited = inner.limitCount !== undefined || inner.limitOffset !== undefined;
  if (other !== undefined || (isLimited && (sortClause !== undefined || limitOffset !== undefined))) {
    throw unsupported(
      'A calculation over a grouped or limited subquery',
      'Select its columns alone, or group once, in one SELECT.',
      locationOf(other),
    );
  }
  const unqualified = new Substitution(null, alias);
  const shown = (outer.targetList ?? []).map((node) => {
    const { name, val } = asKind(node, 'ResTarget') ?? {};
    if (isStar(val)) return null;
    const from = namesOf(asKind(val, 'ColumnRef')?.fields).at(-1);
    if (from === undefined || outputs?.has(from) === false) throw noColumn(from ?? '', alias, locationOf(val));
    return { from, name: name ?? from };
  });
  const columns = shown.filter((one) => one !== null);
  const isAll = shown.includes(null);
  if (isAll && shown.length > 1) throw unsupported('A star beside columns', 'Select either.');
  const statement: SelectStmt = isLimited
    ? inner
    : {
        ...inner,
        ...(sortClause === undefined
          ? {}
          : { sortClause: unqualified.of(sortClause.map((term) => byName(term, columns))) }),
        ...(limitOffset === undefined ? {} : { limitOffset }),
        ...(limitCount === undefined ? {} : { limitCount }),
      };
  return { statement, shown: isAll ? null : columns, limit: isLimited ? limitCount : undefined };
}

/** A term of the outer order, whose positions and names are those of the outer columns, by the name of its inner column. */
function byName(term: Node, columns: readonly { readonly from: string; readonly name: string }[]): Node {
  const sort = asKind(term, 'SortBy');
  const position = asKind(sort?.node, 'A_Const')?.ival?.ival;
  const named = namesOf(asKind(sort?.node, 'ColumnRef')?.fields);
  const found =
    position === undefined
      ? columns.find(({ name }) => named.length === 1 && name === named[0])
      : columns[position - 1];
  if (found === undefined) return term;
  const node = { ColumnRef: { fields: [{ String: { sval: found.from } }], location: locationOf(sort?.node) } };
  return { SortBy: { ...sort, node } } as unknown as Node;
}

function noColumn(name: string, alias: string, location: number | undefined): SqlError {
  return new SqlError(SQLSTATE.undefinedColumn, `The column "${name.slice(0, 100)}" does not exist in ${alias}.`, {
    hint: 'Select it in the subquery, too.',
    location,
  });
}

/** Puts the expressions of the inner SELECT instead of their names. */
class Substitution {
  readonly #outputs: Outputs;
  readonly #alias: string;
  readonly #left: ReadonlySet<string>;
  #nodes = 0;

  /** @param left names of the outer SELECT's own columns, which stay */
  constructor(outputs: Outputs, alias: string, left: ReadonlySet<string> = new Set()) {
    this.#outputs = outputs;
    this.#alias = alias;
    this.#left = left;
  }

  ofTarget(node: Node): Node {
    const target = asKind(node, 'ResTarget');
    const name = target?.name ?? namesOf(asKind(target?.val, 'ColumnRef')?.fields).at(-1);
    return { ResTarget: { ...target, ...(name === undefined ? {} : { name }), val: this.of(target?.val) } } as Node;
  }

  of<T>(value: T): T {
    if (Array.isArray(value)) return value.map((one: unknown) => this.of(one)) as T;
    if (typeof value !== 'object' || value === null) return value;
    const ref = asKind(value as unknown as Node, 'ColumnRef');
    if (ref !== undefined) return this.#replaced(namesOf(ref.fields), ref.location) as T;
    return Object.fromEntries(Object.entries(value).map(([key, content]) => [key, this.of(content as unknown)])) as T;
  }

  #replaced(names: readonly string[], location: number | undefined): Node {
    const name = names.at(-1) ?? '';
    const isOther = names.length > 2 || (names.length === 2 && names[0] !== this.#alias);
    if (isOther) {
      throw new SqlError(SQLSTATE.undefinedTable, `The query has no table "${names[0] ?? ''}".`, { location });
    }
    const bare = { ColumnRef: { fields: [{ String: { sval: name } }], location } } as unknown as Node;
    if (this.#outputs === null) return bare;
    const found = this.#outputs.get(name);
    if (found === undefined && names.length === 1 && this.#left.has(name)) return bare;
    if (found === undefined) throw noColumn(name, this.#alias, location);
    visit(found, () => {
      this.#nodes += 1;
    });
    if (this.#nodes <= COPIED_NODES_MAX) return found;
    throw new SqlError(SQLSTATE.programLimit, 'The outer SELECT repeats too many expressions of the subquery.', {
      hint: 'Write one SELECT over the table.',
      location,
    });
  }
}
