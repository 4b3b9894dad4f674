import type { Node } from 'libpg-query';
import { asKind, namesOf } from '../parse/nodes.ts';
import { type SqlError, unsupported } from '../wire/sql-error.ts';
import { binOf } from './bins.ts';
import { type ColumnExpression, type QueryScope, timeOf } from './column-expression.ts';
import { evaluate, numberText, plainText } from './constants.ts';
import { readUnit, type TimeUnit, type TruncUnit } from './times.ts';

/** Reads the expression inside of a calculation. */
type ReadInner = (node: Node | undefined) => ColumnExpression;

/**
 * Groups of times as tools calculate them: in Grafana `floor(extract(epoch from time)/300)*300`, in Superset
 * `date_trunc('hour', time) + INTERVAL '5 minutes' * floor(extract(minute from time)/5)`.
 * @throws SqlError for any other calculation
 */
export function readCalculatedTime(node: Node | undefined, scope: QueryScope, readInner: ReadInner): ColumnExpression {
  const outer = asKind(node, 'A_Expr');
  const found = operatorOf(outer) === '+' ? readSteps(node, scope, readInner) : readEpochGroup(node, scope, readInner);
  if (found !== null) return { ...found, location: outer?.location };
  throw refusal(outer?.location);
}

function refusal(location: number | undefined): SqlError {
  return unsupported(
    'This calculation',
    'Select the measures and compute in your tool; group times by date_trunc() or date_bin().',
    location,
  );
}

/** `floor(extract(part from time)/divisor)`; null: the node is another one. */
function readFloor(
  node: Node | undefined,
  scope: QueryScope,
): { readonly part: string; readonly divisor: number; readonly time: Node | undefined } | null {
  const floor = asKind(node, 'FuncCall');
  const quotient = asKind(floor?.args?.[0], 'A_Expr');
  const extract = asKind(quotient?.lexpr, 'FuncCall');
  const isExtract = nameOf(extract) === 'extract' || nameOf(extract) === 'date_part';
  if (nameOf(floor) !== 'floor' || operatorOf(quotient) !== '/' || !isExtract) return null;
  return {
    part: plainText(evaluate(extract?.args?.[0], 'text', scope)),
    divisor: Number(numberText(evaluate(quotient?.rexpr, 'number', scope))),
    time: extract?.args?.[1],
  };
}

function readEpochGroup(node: Node | undefined, scope: QueryScope, readInner: ReadInner): ColumnExpression | null {
  const outer = asKind(node, 'A_Expr');
  const floor = operatorOf(outer) === '*' ? readFloor(outer?.lexpr, scope) : null;
  if (floor?.part !== 'epoch') return null;
  if (Number(numberText(evaluate(outer?.rexpr, 'number', scope))) !== floor.divisor) return null;
  const inner = timeOf(readInner(floor.time), 'extract');
  return { ...inner, unit: secondsUnit(floor.divisor, outer?.location), isEpoch: true, type: 'float8' };
}

const UNITS: Readonly<Record<number, TruncUnit>> = { 1: 'second', 60: 'minute', 3600: 'hour', 86400: 'day' };

function secondsUnit(seconds: number, location: number | undefined): TimeUnit {
  return UNITS[seconds] ?? binOf(seconds, 0, location);
}

/** The part of a unit that steps count, and its seconds. */
const STEPS: Readonly<Partial<Record<TruncUnit, readonly [part: string, seconds: number, ofUnit: number]>>> = {
  minute: ['second', 1, 60],
  hour: ['minute', 60, 60],
  day: ['hour', 3600, 24],
};

function readSteps(node: Node | undefined, scope: QueryScope, readInner: ReadInner): ColumnExpression | null {
  const sum = asKind(node, 'A_Expr');
  const [start, product] = [asKind(sum?.lexpr, 'FuncCall'), asKind(sum?.rexpr, 'A_Expr')];
  const floor = operatorOf(product) === '*' ? readFloor(product?.rexpr, scope) : null;
  if (nameOf(start) !== 'date_trunc' || floor === null) return null;
  const step = evaluate(product?.lexpr, 'interval', scope);
  const unit = readUnit(plainText(evaluate(start?.args?.[0], 'text', scope)), start?.location);
  const [part, seconds, ofUnit] = STEPS[unit] ?? ['', 0, 0];
  const isWhole = step.kind === 'interval' && step.duration.total('seconds') === floor.divisor * seconds;
  if (floor.part !== part || !isWhole || ofUnit % floor.divisor !== 0) return null;
  const [inner, counted] = [
    timeOf(readInner(start?.args?.[1]), 'date_trunc'),
    timeOf(readInner(floor.time), 'extract'),
  ];
  if (inner.column !== counted.column) return null;
  return { ...inner, unit: secondsUnit(floor.divisor * seconds, sum?.location) };
}

function operatorOf(expression: { readonly name?: Node[] } | undefined): string {
  return namesOf(expression?.name).at(-1) ?? '';
}

function nameOf(fn: { readonly funcname?: Node[] } | undefined): string {
  return namesOf(fn?.funcname).at(-1) ?? '';
}
