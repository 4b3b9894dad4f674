import type { Node } from 'libpg-query';
import { asKind, kindOf, locationOf, namesOf } from '../parse/nodes.ts';
import { SQLSTATE, SqlError, unsupported } from '../wire/sql-error.ts';
import type { Parameters, ParamUse } from './parameters.ts';
import { shortText } from './short-text.ts';
import { readFormatted } from './time-formats.ts';
import { type Bin, readBin } from './bins.ts';
import { readInterval } from './intervals.ts';
import { readTime, readUnit, readZone, truncate, type WrittenTime } from './times.ts';

/** The value of an expression without columns. */
export type Constant =
  | { readonly kind: 'null' }
  | { readonly kind: 'text' | 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'local'; readonly local: Temporal.PlainDateTime }
  | { readonly kind: 'instant'; readonly instant: Temporal.Instant }
  | { readonly kind: 'interval'; readonly duration: Temporal.Duration };

/** What expressions depend on. */
export interface ConstantScope {
  readonly parameters: Parameters;
  readonly nowMs: number;
  /** The zone of the session, IANA. */
  readonly timezone: string;
}

/** The value of an expression. @param use what a parameter in it is compared with. @throws SqlError */
export function evaluate(node: Node | undefined, use: ParamUse, scope: ConstantScope): Constant {
  const location = locationOf(node);
  const constant = asKind(node, 'A_Const');
  if (constant !== undefined) return literalOf(constant);
  const param = asKind(node, 'ParamRef');
  if (param !== undefined) {
    const text = scope.parameters.valueOf(param.number ?? 0, use, location);
    return text === null ? { kind: 'null' } : { kind: 'text', text };
  }
  const cast = asKind(node, 'TypeCast');
  if (cast !== undefined) {
    const type = namesOf(cast.typeName?.names).at(-1) ?? '';
    const mask = asKind(cast.typeName?.typmods?.[0], 'A_Const')?.ival?.ival;
    return convert(evaluate(cast.arg, castUse(type, use), scope), { type, mask, location }, scope);
  }
  const now = asKind(node, 'SQLValueFunction');
  if (now !== undefined) return valueFunction(now.op ?? '', scope, location);
  if (asKind(node, 'FuncCall') !== undefined) return call(node, use, scope);
  if (asKind(node, 'A_Expr') !== undefined) return compute(node, use, scope);
  throw unsupported('This expression', 'Compare a column with a literal, a parameter or a time.', location);
}

function castUse(type: string, use: ParamUse): ParamUse {
  if (type.startsWith('timestamp') || type === 'date') return 'time';
  if (type === 'interval') return 'interval';
  return type === 'text' || type === 'varchar' ? 'text' : use;
}

type LiteralNode = NonNullable<ReturnType<typeof asKind<'A_Const'>>>;

function literalOf(constant: LiteralNode): Constant {
  if (constant.isnull === true) return { kind: 'null' };
  if (constant.ival !== undefined) return { kind: 'number', text: String(constant.ival.ival ?? 0) };
  if (constant.fval !== undefined) return { kind: 'number', text: constant.fval.fval ?? '0' };
  if (constant.boolval !== undefined) return { kind: 'boolean', value: constant.boolval.boolval ?? false };
  return { kind: 'text', text: constant.sval?.sval ?? '' };
}

interface CastTo {
  readonly type: string;
  readonly mask: number | undefined;
  readonly location: number | undefined;
}

const NUMBER_TYPES: readonly string[] = ['int2', 'int4', 'int8', 'numeric', 'float4', 'float8'];
const TEXT_TYPES: readonly string[] = ['text', 'varchar', 'bpchar', 'unknown'];

function convert(value: Constant, { type, mask, location }: CastTo, scope: ConstantScope): Constant {
  if (value.kind === 'null') return value;
  if (type === 'timestamp') return { kind: 'local', local: toLocal(value, scope.timezone, location) };
  if (type === 'date') return { kind: 'local', local: truncate('day', toLocal(value, scope.timezone, location)) };
  if (type === 'timestamptz') return { kind: 'instant', instant: toInstant(value, scope.timezone, location) };
  if (type === 'interval' && value.kind === 'text') {
    return { kind: 'interval', duration: readInterval(timeText(value.text, location), mask, location) };
  }
  if (NUMBER_TYPES.includes(type)) return { kind: 'number', text: numberText(value, location) };
  if (TEXT_TYPES.includes(type)) return { kind: 'text', text: plainText(value, location) };
  if (type === 'bool') return { kind: 'boolean', value: booleanOf(value, location) };
  throw unsupported(`A cast to ${type}`, 'Cast to a time, a number or a text.', location);
}

function valueFunction(op: string, scope: ConstantScope, location: number | undefined): Constant {
  const instant = Temporal.Instant.fromEpochMilliseconds(scope.nowMs);
  const local = instant.toZonedDateTimeISO(scope.timezone).toPlainDateTime();
  if (op === 'SVFOP_CURRENT_DATE') return { kind: 'local', local: truncate('day', local) };
  if (op.startsWith('SVFOP_CURRENT_TIMESTAMP')) return { kind: 'instant', instant };
  if (op.startsWith('SVFOP_LOCALTIMESTAMP')) return { kind: 'local', local };
  throw unsupported('This function', 'Use CURRENT_DATE, CURRENT_TIMESTAMP or now().', location);
}

const NOW_FUNCTIONS: readonly string[] = ['now', 'transaction_timestamp', 'statement_timestamp', 'clock_timestamp'];

function call(node: Node | undefined, use: ParamUse, scope: ConstantScope): Constant {
  const { funcname, args = [], location } = asKind(node, 'FuncCall') ?? {};
  const name = namesOf(funcname).at(-1) ?? '';
  const [first, second] = args;
  if (NOW_FUNCTIONS.includes(name)) {
    return { kind: 'instant', instant: Temporal.Instant.fromEpochMilliseconds(scope.nowMs) };
  }
  if (name === 'date_trunc') {
    const unit = readUnit(plainText(evaluate(first, 'text', scope), location), location);
    const value = evaluate(second, 'time', scope);
    return value.kind === 'null'
      ? value
      : { kind: 'local', local: truncate(unit, toLocal(value, scope.timezone, location)) };
  }
  if (name === 'date_bin') {
    const bin = evaluateBin(args, scope.timezone, scope, location);
    const value = evaluate(second, 'time', scope);
    return bin === null || value.kind === 'null'
      ? { kind: 'null' }
      : { kind: 'local', local: truncate(bin, toLocal(value, scope.timezone, location)) };
  }
  if (name === 'timezone') {
    const zone = readZone(plainText(evaluate(first, 'text', scope), location), location);
    const value = evaluate(second, 'time', scope);
    if (value.kind === 'null') return value;
    if (value.kind === 'instant') return { kind: 'local', local: toLocal(value, zone, location) };
    return { kind: 'instant', instant: toInstant(value, zone, location) };
  }
  if ((name === 'to_timestamp' || name === 'to_date') && args.length === 2) {
    const [text, format] = args.map((one) => evaluate(one, 'text', scope));
    if (text === undefined || format === undefined || text.kind === 'null' || format.kind === 'null')
      return { kind: 'null' };
    const local = readFormatted(plainText(text, location), plainText(format, location), location);
    return name === 'to_date' ? { kind: 'local', local: truncate('day', local) } : { kind: 'local', local };
  }
  if (name === 'to_timestamp' && args.length === 1) {
    const seconds = Number(numberText(evaluate(first, 'number', scope), location));
    return { kind: 'instant', instant: instantOfMs(Math.round(seconds * 1000), location) };
  }
  if (name === 'lower' || name === 'upper') {
    const value = evaluate(first, use, scope);
    if (value.kind === 'null') return value;
    const text = plainText(value, location);
    return { kind: 'text', text: name === 'lower' ? text.toLowerCase() : text.toUpperCase() };
  }
  throw unsupported(`The function ${name}()`, 'Use now(), date_trunc(), to_timestamp() or a literal.', location);
}

/** What date_bin() cuts times by, on the clocks of `zone`; null: an argument is NULL. @throws SqlError */
export function evaluateBin(
  args: readonly Node[],
  zone: string,
  scope: ConstantScope,
  location: number | undefined,
): Bin | null {
  const [first, , third] = args;
  if (args.length !== 3)
    throw unsupported('This form of date_bin()', "Write date_bin('15 minutes', time, origin).", location);
  const [stride, origin] = [evaluate(first, 'interval', scope), evaluate(third, 'time', scope)];
  if (stride.kind === 'null' || origin.kind === 'null') return null;
  const duration =
    stride.kind === 'interval'
      ? stride.duration
      : readInterval(timeText(plainText(stride, location), location), undefined, location);
  return readBin(duration, toLocal(origin, zone, location), location);
}

function instantOfMs(ms: number, location: number | undefined): Temporal.Instant {
  try {
    return Temporal.Instant.fromEpochMilliseconds(ms);
  } catch {
    throw new SqlError(SQLSTATE.invalidDatetime, 'The time is out of range.', { location });
  }
}

function compute(node: Node | undefined, use: ParamUse, scope: ConstantScope): Constant {
  const { name, lexpr, rexpr, location } = asKind(node, 'A_Expr') ?? {};
  const operator = namesOf(name).at(-1) ?? '';
  if (lexpr === undefined && (operator === '-' || operator === '+')) {
    const value = evaluate(rexpr, 'number', scope);
    if (value.kind === 'null') return value;
    const text = numberText(value, location);
    return { kind: 'number', text: operator === '+' ? text : text.startsWith('-') ? text.slice(1) : `-${text}` };
  }
  if (operator === '*') return multiply([lexpr, rexpr], scope, location);
  if (operator !== '+' && operator !== '-') {
    throw unsupported(`The operator ${operator} in a constant`, 'Write the result itself.', location);
  }
  const [left, right] = [evaluate(lexpr, use, scope), addendOf(rexpr, use, scope)];
  if (left.kind === 'null' || right.kind === 'null') return { kind: 'null' };
  // A date and a number: days.
  if (left.kind === 'local' && right.kind === 'number' && /^-?\d{1,6}$/.test(right.text)) {
    const days = Number(right.text) * (operator === '+' ? 1 : -1);
    return { kind: 'local', local: shift(left.local, Temporal.Duration.from({ days }), location) };
  }
  if (right.kind !== 'interval') {
    throw unsupported('This calculation', "Add an interval to a time, as in now() - INTERVAL '7 days'.", location);
  }
  const duration = operator === '+' ? right.duration : right.duration.negated();
  if (left.kind !== 'instant') {
    return { kind: 'local', local: shift(toLocal(left, scope.timezone, location), duration, location) };
  }
  try {
    const instant = left.instant.toZonedDateTimeISO(scope.timezone).add(duration).toInstant();
    return { kind: 'instant', instant };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SqlError(SQLSTATE.invalidDatetime, 'The time is out of range.', { location });
  }
}

/** What is added to a time. A parameter is an interval, or the digits of a number of days. */
function addendOf(node: Node | undefined, use: ParamUse, scope: ConstantScope): Constant {
  if (use !== 'time' || asKind(node, 'ParamRef') === undefined) return evaluate(node, use, scope);
  const value = evaluate(node, 'interval', scope);
  if (value.kind !== 'text') return value;
  if (/^-?\d{1,6}$/.test(value.text)) return { kind: 'number', text: value.text };
  const location = locationOf(node);
  return { kind: 'interval', duration: readInterval(timeText(value.text, location), undefined, location) };
}

/** A number of intervals. */
function multiply(sides: readonly (Node | undefined)[], scope: ConstantScope, location: number | undefined): Constant {
  const values = sides.map((side) => evaluate(side, 'number', scope));
  const number = values.find((value) => value.kind === 'number' || value.kind === 'text');
  const interval = values.find((value) => value.kind === 'interval');
  const times = number === undefined ? Number.NaN : Number(numberText(number, location));
  if (values.some(({ kind }) => kind === 'null')) return { kind: 'null' };
  if (interval === undefined || !Number.isInteger(times) || Math.abs(times) > 1_000_000) {
    throw unsupported(
      'This calculation',
      "Multiply an interval by a whole number, as in 7 * INTERVAL '1 day'.",
      location,
    );
  }
  const { years, months, weeks, days, hours, minutes, seconds, milliseconds, microseconds } = interval.duration;
  const parts = { years, months, weeks, days, hours, minutes, seconds, milliseconds, microseconds };
  const product = Object.entries(parts).map(([field, value]) => [field, value * times || 0]);
  return { kind: 'interval', duration: Temporal.Duration.from(Object.fromEntries(product) as typeof parts) };
}

function shift(
  local: Temporal.PlainDateTime,
  duration: Temporal.Duration,
  location: number | undefined,
): Temporal.PlainDateTime {
  try {
    return local.add(duration);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SqlError(SQLSTATE.invalidDatetime, 'The time is out of range.', { location });
  }
}

function timeText(text: string, location: number | undefined): string {
  return shortText(text, SQLSTATE.invalidDatetime, location);
}

/** A value as a time. @throws SqlError `22007` */
export function toTime(value: Constant, location?: number): WrittenTime {
  const time = value.kind === 'text' ? readTime(timeText(value.text, location), location) : value;
  if (time.kind === 'local' || time.kind === 'instant') return time;
  throw new SqlError(SQLSTATE.invalidDatetime, 'A time is needed here.', {
    hint: "Write one as '2026-01-31' or '2026-01-31 10:00:00'.",
    location,
  });
}

/** A value as a wall clock reading. @throws SqlError `22007` */
export function toLocal(value: Constant, timezone: string, location?: number): Temporal.PlainDateTime {
  const time = toTime(value, location);
  return time.kind === 'local' ? time.local : time.instant.toZonedDateTimeISO(timezone).toPlainDateTime();
}

function toInstant(value: Constant, timezone: string, location: number | undefined): Temporal.Instant {
  const time = toTime(value, location);
  return time.kind === 'instant' ? time.instant : time.local.toZonedDateTime(timezone).toInstant();
}

const NUMBER = /^\s*[+-]?(?:\d{1,40}(?:\.\d{0,18})?|\.\d{1,18})(?:e[+-]?\d{1,2})?\s*$/i;

/** A value as the text of a number. @throws SqlError `22P02` */
export function numberText(value: Constant, location?: number): string {
  const given = value.kind === 'number' || value.kind === 'text' ? value.text : '';
  const text = shortText(given, SQLSTATE.invalidText, location);
  if (NUMBER.test(text)) return text.trim().replace(/^\./, '0.').replace(/\.$/, '');
  throw new SqlError(SQLSTATE.invalidText, `"${text.slice(0, 100)}" is not a number.`, { location });
}

/** A value as text. @throws SqlError `22P02` for an interval */
export function plainText(value: Constant, location?: number): string {
  if (value.kind === 'text' || value.kind === 'number') return value.text;
  if (value.kind === 'boolean') return String(value.value);
  if (value.kind === 'local') return value.local.toString();
  if (value.kind === 'instant') return value.instant.toString();
  throw new SqlError(SQLSTATE.invalidText, 'A text is needed here.', { location });
}

const TRUE_TEXTS: readonly string[] = ['t', 'true', 'y', 'yes', 'on', '1'];
const FALSE_TEXTS: readonly string[] = ['f', 'false', 'n', 'no', 'off', '0'];

/** @throws SqlError `22P02` */
export function booleanOf(value: Constant, location?: number): boolean {
  if (value.kind === 'boolean') return value.value;
  const text = plainText(value, location).toLowerCase();
  if (TRUE_TEXTS.includes(text)) return true;
  if (FALSE_TEXTS.includes(text)) return false;
  throw new SqlError(SQLSTATE.invalidText, `"${text.slice(0, 100)}" is not a boolean.`, { location });
}

/** Whether an expression holds a column. */
export function hasColumn(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(hasColumn);
  if (typeof node !== 'object' || node === null) return false;
  return kindOf(node as Node) === 'ColumnRef' || Object.values(node).some(hasColumn);
}
