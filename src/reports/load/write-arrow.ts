import {
  AsyncByteQueue,
  Bool,
  type Data,
  type DataType,
  Decimal,
  Field,
  Float64,
  Int64,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMillisecond,
  Utf8,
} from 'apache-arrow';
import { floatOf, unscaled, wallClockMs } from './export-columns.ts';
import type { ColumnKind, ExportColumn } from './export-columns.ts';
import { batchRows, inBatches } from './row-batches.ts';
import type { RowValue } from './row-format.ts';

const BATCH_ROWS_MAX = 8_000;
const DECIMAL_DIGITS = 38;

type Values = readonly RowValue[];

/** How one kind of column becomes Arrow. */
interface ArrowKind {
  typeOf(column: ExportColumn): DataType;
  dataOf(values: Values, column: ExportColumn, nulls: Nulls): Data;
}

interface Nulls {
  readonly nullCount: number;
  /** A bit for each value, 1 = there is one. */
  readonly nullBitmap: Uint8Array;
}

const decimalType = ({ scale }: ExportColumn) => new Decimal(scale, DECIMAL_DIGITS, 128);

const KINDS: Readonly<Record<ColumnKind, ArrowKind>> = {
  text: { typeOf: () => new Utf8(), dataOf: (values, _column, nulls) => textData(values, nulls) },
  boolean: {
    typeOf: () => new Bool(),
    dataOf: (values, _column, nulls) =>
      makeData({ type: new Bool(), length: values.length, data: bitsOf(values, (value) => value === true), ...nulls }),
  },
  // Without a time zone: what clocks of the query's time zone show.
  time: {
    typeOf: () => new TimestampMillisecond(null),
    dataOf: (values, _column, nulls) =>
      makeData({
        type: new TimestampMillisecond(null),
        length: values.length,
        data: BigInt64Array.from(values, (value) => BigInt(wallClockMs(value) ?? 0)),
        ...nulls,
      }),
  },
  integer: {
    typeOf: () => new Int64(),
    dataOf: (values, column, nulls) =>
      makeData({
        type: new Int64(),
        length: values.length,
        data: BigInt64Array.from(values, (value) => unscaled(value, column) ?? 0n),
        ...nulls,
      }),
  },
  decimal: {
    typeOf: decimalType,
    dataOf: (values, column, nulls) =>
      makeData({ type: decimalType(column), length: values.length, data: decimals(values, column), ...nulls }),
  },
  float: {
    typeOf: () => new Float64(),
    dataOf: (values, _column, nulls) =>
      makeData({
        type: new Float64(),
        length: values.length,
        data: Float64Array.from(values, (value) => floatOf(value) ?? 0),
        ...nulls,
      }),
  },
};

/** Collects what the writer writes: its own streams leave rejections behind when a source fails. */
class Pieces extends AsyncByteQueue {
  #pieces: Uint8Array[] = [];

  override write(piece: Parameters<AsyncByteQueue['write']>[0]): void {
    this.#pieces.push(new Uint8Array(piece as Uint8Array));
  }

  collect(): Uint8Array {
    const all = Buffer.concat(this.#pieces);
    this.#pieces = [];
    return all;
  }
}

/** An Arrow IPC stream: the schema, record batches, and an end mark, so that a stream that breaks off is noticed. */
export async function* writeArrow(
  columns: readonly ExportColumn[],
  slices: AsyncIterable<readonly (readonly RowValue[])[]>,
): AsyncGenerator<Uint8Array> {
  const schema = new Schema(columns.map((column) => new Field(column.name, KINDS[column.kind].typeOf(column), true)));
  const pieces = new Pieces();
  const writer = new RecordBatchStreamWriter().reset(pieces, schema);
  for await (const rows of inBatches(slices, batchRows(columns.length, BATCH_ROWS_MAX))) {
    writer.write(toBatch(schema, columns, rows));
    yield pieces.collect();
  }
  writer.finish();
  yield pieces.collect();
}

function toBatch(
  schema: Schema,
  columns: readonly ExportColumn[],
  rows: readonly (readonly RowValue[])[],
): RecordBatch {
  const children = columns.map((column, position) => {
    const { kind } = column;
    const values = rows.map((row) => valueOf(row[position] ?? null, kind));
    return KINDS[kind].dataOf(values, column, nullsOf(values));
  });
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: rows.length, children }));
}

/** A value that the kind cannot hold counts as none. */
function valueOf(value: RowValue, kind: ColumnKind): RowValue {
  if (kind === 'float') return floatOf(value) === null ? null : value;
  if (kind === 'time') return wallClockMs(value) === null ? null : value;
  return value;
}

function nullsOf(values: Values): Nulls {
  const nullCount = values.reduce((count: number, value) => (value === null ? count + 1 : count), 0);
  return { nullCount, nullBitmap: bitsOf(values, (value) => value !== null) };
}

function bitsOf(values: Values, isSet: (value: RowValue) => boolean): Uint8Array {
  const bits = new Uint8Array(Math.ceil(values.length / 8));
  for (let at = 0; at < values.length; at += 1)
    if (isSet(values[at] ?? null)) bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
  return bits;
}

function textData(values: Values, nulls: Nulls): Data {
  const texts = values.map((value) => Buffer.from(value === null ? '' : String(value)));
  const valueOffsets = new Int32Array(values.length + 1);
  for (const [at, text] of texts.entries()) valueOffsets[at + 1] = (valueOffsets[at] as number) + text.length;
  return makeData({ type: new Utf8(), length: values.length, data: Buffer.concat(texts), valueOffsets, ...nulls });
}

/** 128-bit numbers in two's complement, the lowest 64 bits first. */
function decimals(values: Values, column: ExportColumn): Uint32Array {
  const data = new BigInt64Array(2 * values.length);
  for (const [at, value] of values.entries()) {
    const number = unscaled(value, column) ?? 0n;
    data[2 * at] = BigInt.asIntN(64, number);
    data[2 * at + 1] = BigInt.asIntN(64, number >> 64n);
  }
  return new Uint32Array(data.buffer);
}
