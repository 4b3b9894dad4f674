import type { ResultColumn } from '../compile/compile-query.olap.ts';
import type { MemberType } from '../model/cube.ts';
import type { ResponseFormat } from '../query/query.ts';

/** One value of a row as it goes out. */
export type RowValue = string | boolean | null;

/** Rows in one of the three forms that clients can ask for. */
export type RowData =
  | readonly Readonly<Record<string, RowValue>>[]
  | { readonly members: readonly string[]; readonly dataset: readonly (readonly RowValue[])[] }
  | { readonly members: readonly string[]; readonly columns: readonly (readonly RowValue[])[] };

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2})(?:\.(\d+))?)?\s*(?:Z|UTC|\+00:?00)?$/;

/** A value of the store as clients expect it: texts for everything but booleans and nulls; times `YYYY-MM-DDTHH:mm:ss.SSS`. */
export function formatValue(raw: unknown, type: MemberType): RowValue {
  if (raw === null || raw === undefined) return null;
  if (type === 'time' && typeof raw === 'string') return formatTime(raw);
  if (typeof raw === 'boolean') return raw;
  return typeof raw === 'string' ? raw : String(raw as number | bigint);
}

function formatTime(raw: string): string {
  const match = TIME.exec(raw);
  if (match === null) return raw;
  return `${match[1]}T${match[2] ?? '00:00:00'}.${(match[3] ?? '').padEnd(3, '0').slice(0, 3)}`;
}

/** A value that is the same in every row, under a key of its own (`compareDateRange`), or a copy of another (`time.month`). */
export interface ExtraColumn {
  readonly key: string;
  read(row: Readonly<Record<string, RowValue>>): RowValue;
}

interface OutputColumn {
  readonly key: string;
  read(raw: Readonly<Record<string, unknown>>): RowValue;
}

/** Rows of the store in the requested form. */
export function formatRows(
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly ResultColumn[],
  extras: readonly ExtraColumn[],
  format: ResponseFormat,
): RowData {
  const outputs = columns.flatMap(outputColumns);
  const objects = rows.map((raw) => {
    const row: Record<string, RowValue> = {};
    for (const output of outputs) row[output.key] = output.read(raw);
    for (const extra of extras) row[extra.key] = extra.read(row);
    return row;
  });
  if (format === 'default') return objects;
  const members = [...outputs, ...extras].map((column) => column.key);
  if (format === 'compact') return { members, dataset: objects.map((row) => members.map((key) => row[key] ?? null)) };
  return { members, columns: members.map((key) => objects.map((row) => row[key] ?? null)) };
}

function outputColumns(column: ResultColumn): OutputColumn[] {
  const read = (raw: Readonly<Record<string, unknown>>): RowValue => readColumn(raw[column.alias], column);
  const own = { key: column.key, read };
  return column.bareKey === null ? [own] : [own, { key: column.bareKey, read }];
}

/** One value of a result column as it goes out. */
export function readColumn(raw: unknown, column: ResultColumn): RowValue {
  if (column.nulls === 'zeroSum' && raw === null) return '0';
  if (column.nulls === 'emptyText' && raw === '') return null;
  if (column.nulls === 'zeroId' && (raw === '0' || raw === 0)) return null;
  return formatValue(raw, column.type);
}
