import type { ResultColumn } from '../compile/order-sql.olap.ts';
import type { RowValue } from './row-format.ts';

/** What the values of a column are. `time` is that of the clocks in the query's time zone. */
export type ColumnKind = 'text' | 'boolean' | 'time' | 'integer' | 'decimal' | 'float';

/** A column of a result, with the type that the store gives it. */
export interface ExportColumn {
  readonly column: ResultColumn;
  readonly name: string;
  readonly kind: ColumnKind;
  /** Digits behind the point of a decimal; otherwise 0. */
  readonly scale: number;
}

const WRAPPED = /^(?:LowCardinality\()?(?:Nullable\()?/;
const INTEGER = /^U?Int(?:8|16|32|64)\b/;
const DECIMAL = /^Decimal\(\d+, ?(\d+)\)/;

/** A column of a result. @param storeType as ClickHouse names it, such as `Nullable(Decimal(38, 9))` */
export function exportColumn(column: ResultColumn, storeType: string): ExportColumn {
  const { key: name, type } = column;
  if (type !== 'number') return { column, name, kind: type === 'string' ? 'text' : type, scale: 0 };
  const bare = storeType.replace(WRAPPED, '');
  if (INTEGER.test(bare)) return { column, name, kind: 'integer', scale: 0 };
  const scale = DECIMAL.exec(bare)?.[1];
  return { column, name, kind: scale === undefined ? 'float' : 'decimal', scale: Number(scale ?? 0) };
}

const PLAIN_NUMBER = /^-?\d+(?:\.(\d+))?$/;

/** The most that a whole number of 64 bits and a decimal of 38 digits can hold. */
const INTEGER_MAX = 2n ** 63n - 1n;
const DECIMAL_MAX = 10n ** 38n - 1n;

/** A number of the store times 10 to the power of its column's scale. Null: there is none. @throws Error: it does not fit */
export function unscaled(value: RowValue, { kind, scale }: Pick<ExportColumn, 'kind' | 'scale'>): bigint | null {
  if (typeof value !== 'string') return null;
  const match = PLAIN_NUMBER.exec(value);
  if (match === null) throw new Error(`The store gave a number that is none: ${value.slice(0, 50)}`);
  const digits = match[1] ?? '';
  if (digits.length > scale) throw new Error(`The store gave more than ${scale} digits behind the point`);
  const number = BigInt(value.replace('.', '')) * 10n ** BigInt(scale - digits.length);
  const most = kind === 'integer' ? INTEGER_MAX : DECIMAL_MAX;
  if (number > most || number < -most)
    throw new Error(`The store gave a number that is too large: ${value.slice(0, 50)}`);
  return number;
}

/** Null: there is none, or it is not finite. */
export function floatOf(value: RowValue): number | null {
  if (typeof value !== 'string') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** Milliseconds from 1970-01-01T00:00:00 by the same clocks. */
export function wallClockMs(value: RowValue): number | null {
  if (typeof value !== 'string') return null;
  const ms = Date.parse(`${value}Z`);
  return Number.isNaN(ms) ? null : ms;
}
