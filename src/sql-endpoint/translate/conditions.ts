import type { Node } from 'libpg-query';
import { asKind, locationOf, namesOf } from '../parse/nodes.ts';
import { SQLSTATE, SqlError, unsupported } from '../wire/sql-error.ts';
import { booleanOf, type Constant, evaluate, hasColumn, numberText, plainText } from './constants.ts';
import { type ColumnExpression, type QueryScope } from './column-expression.ts';
import { readExpression } from './expressions.ts';
import { countRefusal, isOfRows } from './counts.ts';
import { readArray } from './arrays.ts';
import type { ListUse, ParamUse } from './parameters.ts';
import { ALWAYS, type Condition, join, NEVER, type ReportFilter } from './report-filter.ts';
import { likeCondition } from './patterns.ts';
import { type Comparison, timeCondition } from './time-conditions.ts';

/** The conditions that a clause may hold: on single rows, or on sums. */
export type Clause = 'WHERE' | 'HAVING';

/** Values of all lists in one clause: many conditions can use one parameter with a list, and each has its own copy. */
const LISTED_MAX = 20_000;

interface ConditionScope extends QueryScope {
  readonly clause: Clause;
  /** Values of lists until now. */
  readonly listed: { count: number };
  /** The parameter of a list is an array. */
  readonly isArray?: boolean;
}

/** Reads WHERE or HAVING. @throws SqlError that names what is not understood */
export function readCondition(node: Node | undefined, clause: Clause, scope: QueryScope): Condition {
  return node === undefined ? ALWAYS : read(node, false, { ...scope, clause, listed: { count: 0 } });
}

/**
 * NOT is carried down to the comparisons: each of them is false for a missing value either way, as in SQL, where NOT unknown is unknown.
 */
function read(node: Node, isNegated: boolean, scope: ConditionScope): Condition {
  const bool = asKind(node, 'BoolExpr');
  if (bool !== undefined) {
    const { boolop, args = [] } = bool;
    if (boolop === 'NOT_EXPR') return read(args[0] as Node, !isNegated, scope);
    const isAnd = (boolop === 'AND_EXPR') !== isNegated;
    return join(
      isAnd ? 'and' : 'or',
      args.map((one) => read(one, isNegated, scope)),
    );
  }
  const nullTest = asKind(node, 'NullTest');
  if (nullTest !== undefined) {
    return present(operandOf(nullTest.arg, scope), (nullTest.nulltesttype === 'IS_NOT_NULL') !== isNegated);
  }
  const booleanTest = asKind(node, 'BooleanTest');
  if (booleanTest !== undefined) return readBooleanTest(booleanTest, isNegated, scope);
  if (asKind(node, 'A_Expr') !== undefined) return readComparison(node, isNegated, scope);
  if (asKind(node, 'ColumnRef') !== undefined) return equality(operandOf(node, scope), [String(!isNegated)], false);
  if (!hasColumn(node)) {
    const value = evaluate(node, 'boolean', scope);
    return value.kind === 'null' ? NEVER : constant(booleanOf(value, locationOf(node)) !== isNegated);
  }
  throw unsupported(
    'This condition',
    'Use comparisons, IN, BETWEEN, ILIKE, IS NULL, AND, OR and NOT.',
    locationOf(node),
  );
}

const constant = (value: boolean): Condition => (value ? ALWAYS : NEVER);

function operandOf(node: Node | undefined, scope: ConditionScope): ColumnExpression {
  const expression = readExpression(node, scope);
  const { column, isAggregated, location } = expression;
  if (scope.clause === 'WHERE' && column.kind === 'measure') {
    throw new SqlError(SQLSTATE.groupingError, `The measure ${column.name} cannot be used in WHERE.`, {
      hint: `Write HAVING MEASURE(${column.name}) …`,
      location,
    });
  }
  if (scope.clause === 'HAVING' && !isAggregated) {
    throw unsupported(
      `${column.name} in HAVING`,
      'Write MEASURE(column) in HAVING, and dimensions in WHERE.',
      location,
    );
  }
  return expression;
}

function present({ column }: ColumnExpression, isSet: boolean): Condition {
  return { kind: 'filter', filter: { member: column.member, operator: isSet ? 'set' : 'notSet' } };
}

const BOOLEAN_TESTS: Readonly<Record<string, readonly [value: string, orMissing: boolean]>> = {
  IS_TRUE: ['true', false],
  IS_NOT_TRUE: ['false', true],
  IS_FALSE: ['false', false],
  IS_NOT_FALSE: ['true', true],
};
const OPPOSITE_TESTS: Readonly<Record<string, string>> = {
  IS_TRUE: 'IS_NOT_TRUE',
  IS_NOT_TRUE: 'IS_TRUE',
  IS_FALSE: 'IS_NOT_FALSE',
  IS_NOT_FALSE: 'IS_FALSE',
};

function readBooleanTest(
  test: { readonly arg?: Node; readonly booltesttype?: string },
  isNegated: boolean,
  scope: ConditionScope,
): Condition {
  const type = test.booltesttype ?? '';
  const [value, orMissing] = BOOLEAN_TESTS[isNegated ? (OPPOSITE_TESTS[type] ?? '') : type] ?? [];
  const operand = operandOf(test.arg, scope);
  if (value === undefined) throw unsupported('IS UNKNOWN', 'Write IS NULL.', operand.location);
  const equal = equality(operand, [value], false);
  return orMissing === true ? join('or', [equal, present(operand, false)]) : equal;
}

const OPPOSITES: Readonly<Record<Comparison, Comparison>> = {
  '=': '<>',
  '<>': '=',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};
/** The same comparison with its sides exchanged. */
const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
};

function readComparison(node: Node, isNegated: boolean, scope: ConditionScope): Condition {
  const { kind, name, lexpr, rexpr, location } = asKind(node, 'A_Expr') ?? {};
  const operator = namesOf(name).at(-1) ?? '';
  if (kind === 'AEXPR_IN' || kind === 'AEXPR_OP_ANY' || kind === 'AEXPR_OP_ALL') {
    const isIn = kind === 'AEXPR_OP_ANY' || (kind === 'AEXPR_IN' && operator === '=');
    if (operator !== (isIn ? '=' : '<>')) throw unsupported('This comparison with a list', 'Write IN (…).', location);
    // = ANY has one array, IN a list of values.
    const isArray = kind !== 'AEXPR_IN';
    return among(operandOf(lexpr, scope), listOf(rexpr), isIn !== isNegated, { ...scope, isArray });
  }
  if (kind === 'AEXPR_BETWEEN' || kind === 'AEXPR_NOT_BETWEEN') {
    const [low, high] = asKind(rexpr, 'List')?.items ?? [];
    const isOutside = (kind === 'AEXPR_NOT_BETWEEN') !== isNegated;
    const operand = operandOf(lexpr, scope);
    return join(isOutside ? 'or' : 'and', [
      compare(operand, isOutside ? '<' : '>=', low, scope),
      compare(operand, isOutside ? '>' : '<=', high, scope),
    ]);
  }
  if (kind === 'AEXPR_LIKE' || kind === 'AEXPR_ILIKE') {
    const isNot = operator.startsWith('!') !== isNegated;
    const operand = operandOf(lexpr, scope);
    const value = evaluate(rexpr, 'text', scope);
    return value.kind === 'null'
      ? NEVER
      : likeCondition(operand, { text: plainText(value), isInsensitive: kind === 'AEXPR_ILIKE', isNot });
  }
  const counted = [lexpr, rexpr].find(isOfRows);
  if (counted !== undefined) throw countRefusal(counted, scope.table);
  const comparison = operator === '!=' ? '<>' : operator;
  if (kind !== 'AEXPR_OP' || !isComparison(comparison)) {
    throw unsupported(`The operator ${operator}`, 'Use =, <>, <, <=, >, >=, IN, BETWEEN or ILIKE.', location);
  }
  const wanted = isNegated ? OPPOSITES[comparison] : comparison;
  if (hasColumn(lexpr) && hasColumn(rexpr)) {
    throw unsupported('A comparison of two columns', 'Compare a column with a value.', location);
  }
  if (hasColumn(lexpr)) return compare(operandOf(lexpr, scope), wanted, rexpr, scope);
  if (hasColumn(rexpr)) return compare(operandOf(rexpr, scope), MIRRORED[wanted], lexpr, scope);
  return compareConstants(wanted, [lexpr, rexpr], scope);
}

function isComparison(text: string): text is Comparison {
  return Object.hasOwn(OPPOSITES, text);
}

function compareConstants(
  comparison: Comparison,
  sides: readonly (Node | undefined)[],
  scope: ConditionScope,
): Condition {
  const [left, right] = sides.map((side) => evaluate(side, 'number', scope));
  if (left === undefined || right === undefined || left.kind === 'null' || right.kind === 'null') return NEVER;
  const isEqual = plainText(left) === plainText(right);
  if (comparison === '=' || comparison === '<>') return constant(isEqual === (comparison === '='));
  throw unsupported('A comparison of two values', 'Compare a column with a value.', locationOf(sides[0]));
}

const USES: Readonly<Record<string, ParamUse>> = { string: 'text', number: 'number', time: 'time', boolean: 'boolean' };
const OPERATORS: Readonly<Partial<Record<Comparison, string>>> = { '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' };

function compare(
  operand: ColumnExpression,
  comparison: Comparison,
  node: Node | undefined,
  scope: ConditionScope,
): Condition {
  const use = operand.isEpoch ? 'number' : (USES[operand.column.type] ?? 'text');
  const value = evaluate(node, use, scope);
  if (value.kind === 'null') return NEVER;
  if (operand.column.type === 'time') return timeCondition(operand, comparison, value, scope);
  const text = valueText(operand, value);
  if (comparison === '=' || comparison === '<>') return equality(operand, [text], comparison === '<>');
  if (operand.column.type === 'boolean') {
    throw unsupported('This comparison of a boolean', `Write ${operand.column.name} or NOT …`, operand.location);
  }
  return filter(operand, OPERATORS[comparison] ?? '', [text]);
}

function valueText({ column, location }: ColumnExpression, value: Constant): string {
  if (column.type === 'number') return numberText(value, location);
  return column.type === 'boolean' ? String(booleanOf(value, location)) : plainText(value, location);
}

function filter({ column, isLowered, location }: ColumnExpression, operator: string, values: string[]): Condition {
  if (isLowered) throw unsupported('This comparison with lower()', 'Write column ILIKE …', location);
  return { kind: 'filter', filter: { member: column.member, operator, values } };
}

/** Rows without a value fulfil neither: reports leave them out where null is among the values of a negative operator. */
function equality(operand: ColumnExpression, values: readonly string[], isNot: boolean): Condition {
  if (values.length === 0) return NEVER;
  const { column, isLowered, location } = operand;
  if (isLowered) throw unsupported('This comparison with lower()', 'Write column ILIKE …', location);
  const found: ReportFilter = isNot
    ? { member: column.member, operator: 'notEquals', values: [...values, null] }
    : { member: column.member, operator: 'equals', values };
  if (column.kind === 'measure' && isNot) {
    return { kind: 'filter', filter: { ...found, values } };
  }
  return { kind: 'filter', filter: found };
}

function among(operand: ColumnExpression, nodes: readonly Node[], isIn: boolean, scope: ConditionScope): Condition {
  const values: Constant[] = [];
  for (const node of nodes) {
    const found = expand(node, operand, scope);
    scope.listed.count += found.length;
    if (scope.listed.count > LISTED_MAX) throw tooManyValues(operand);
    for (const one of found) values.push(one);
  }
  const given = values.filter((value) => value.kind !== 'null');
  // x NOT IN (…, NULL) is never true.
  if (!isIn && given.length < values.length) return NEVER;
  if (!isIn && given.length === 0) return present(operand, true);
  if (operand.column.type === 'time') {
    const parts = given.map((value) => timeCondition(operand, isIn ? '=' : '<>', value, scope));
    return join(isIn ? 'or' : 'and', parts);
  }
  return equality(
    operand,
    given.map((value) => valueText(operand, value)),
    !isIn,
  );
}

function tooManyValues({ location }: ColumnExpression): SqlError {
  return new SqlError(SQLSTATE.programLimit, `The lists of a clause may hold ${LISTED_MAX} values together.`, {
    hint: 'Send shorter lists.',
    location,
  });
}

function listOf(node: Node | undefined): readonly Node[] {
  if (asKind(node, 'SubLink') !== undefined) {
    throw unsupported('A subquery', 'Write the values, or ask them first.', locationOf(node));
  }
  return asKind(node, 'List')?.items ?? asKind(node, 'A_ArrayExpr')?.elements ?? (node === undefined ? [] : [node]);
}

const LIST_USES: Readonly<Record<string, ListUse>> = {
  string: 'texts',
  number: 'numbers',
  time: 'times',
  boolean: 'booleans',
};

/** A parameter or a text may hold a whole array, as {1,2}. */
function expand(node: Node, { column }: ColumnExpression, scope: ConditionScope): readonly Constant[] {
  const cast = asKind(node, 'TypeCast');
  const isArray = cast?.typeName?.arrayBounds !== undefined;
  const inner = isArray ? cast.arg : node;
  const list = asKind(inner, 'A_ArrayExpr')?.elements;
  if (list !== undefined) return list.map((one) => evaluate(one, USES[column.type] ?? 'text', scope));
  const param = asKind(inner, 'ParamRef');
  const use = isArray || scope.isArray ? LIST_USES[column.type] : USES[column.type];
  const value = evaluate(inner, use ?? 'text', scope);
  if (value.kind !== 'text' || !/^\{.*\}$/s.test(value.text)) return [value];
  return param === undefined && !isArray && !scope.isArray ? [value] : readArray(value.text, locationOf(node));
}
