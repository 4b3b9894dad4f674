import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { floatOf, unscaled, wallClockMs } from './export-columns.ts';
import type { ColumnKind, ExportColumn } from './export-columns.ts';
import { batchRows, inBatches } from './row-batches.ts';
import type { RowValue } from './row-format.ts';

const GROUP_ROWS_MAX = 20_000;
type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

const DECIMAL_BYTES = 16;
const DECIMAL_DIGITS = 38;

/** How one kind of column becomes Parquet. */
interface ParquetKind {
  elementOf(column: ExportColumn): Omit<SchemaElement, 'name' | 'repetition_type'>;
  valueOf(value: RowValue, column: ExportColumn): string | boolean | number | bigint | null;
}

const KINDS: Readonly<Record<ColumnKind, ParquetKind>> = {
  text: {
    elementOf: () => ({ type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }),
    valueOf: (value) => (value === null ? null : String(value)),
  },
  boolean: { elementOf: () => ({ type: 'BOOLEAN' }), valueOf: (value) => (value === null ? null : value === true) },
  // Without a time zone: what clocks of the query's time zone show.
  time: {
    elementOf: () => ({
      type: 'INT64',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' },
    }),
    valueOf: (value) => {
      const ms = wallClockMs(value);
      return ms === null ? null : BigInt(ms);
    },
  },
  integer: { elementOf: () => ({ type: 'INT64' }), valueOf: unscaled },
  decimal: {
    elementOf: ({ scale }) => ({
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: DECIMAL_BYTES,
      converted_type: 'DECIMAL',
      logical_type: { type: 'DECIMAL', precision: DECIMAL_DIGITS, scale },
      precision: DECIMAL_DIGITS,
      scale,
    }),
    valueOf: unscaled,
  },
  float: { elementOf: () => ({ type: 'DOUBLE' }), valueOf: (value) => floatOf(value) },
};

/** A Parquet file. It has its footer at the end, so that a file that breaks off cannot be read. */
export async function* writeParquet(
  columns: readonly ExportColumn[],
  slices: AsyncIterable<readonly (readonly RowValue[])[]>,
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const written = (): Uint8Array => {
    const piece = bytes.getBytes().slice();
    bytes.index = 0;
    return piece;
  };
  const schema: SchemaElement[] = [
    { name: 'report', num_children: columns.length },
    ...columns.map((column) => ({
      ...KINDS[column.kind].elementOf(column),
      name: column.name,
      repetition_type: 'OPTIONAL' as const,
    })),
  ];
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'placard' });
  const groupRows = batchRows(columns.length, GROUP_ROWS_MAX);
  for await (const rows of inBatches(slices, groupRows)) {
    const columnData = columns.map((column, position) => ({
      name: column.name,
      data: rows.map((row) => KINDS[column.kind].valueOf(row[position] ?? null, column)),
      // Nobody looks for single rows of a report.
      offsetIndex: false,
    }));
    await writer.write({ columnData, rowGroupSize: groupRows });
    yield written();
  }
  await writer.finish();
  yield written();
}
