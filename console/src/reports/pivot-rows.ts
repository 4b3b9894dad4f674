import { groupKey, type ReportRow } from './report-rows.ts';

/** Most columns of a pivot; the rest of the values stay unpivoted and are said to be left out. */
export const PIVOT_COLUMNS_MAX = 50;

/** A table whose columns are the values of one member. */
export interface PivotTable {
  /** Values of the pivot, in the order of their totals. */
  readonly columns: readonly (string | boolean | null)[];
  readonly rows: readonly {
    readonly group: ReportRow;
    readonly cells: ReadonlyMap<string, ReportRow>;
    readonly total: ReportRow | null;
  }[];
  /** Totals of the columns, by column key. */
  readonly columnTotals: ReadonlyMap<string, ReportRow>;
  readonly columnsLeftOut: number;
}

/** Rows and totals that a pivot is built from. Totals come from the server. */
export interface PivotInput {
  readonly rows: readonly ReportRow[];
  readonly rowTotals: readonly ReportRow[];
  readonly columnTotals: readonly ReportRow[];
  /** Key of the pivoted member in rows. */
  readonly pivotKey: string;
  /** Keys that the rows of the pivot differ by. */
  readonly groupKeys: readonly string[];
}

/** A column's key: its value as text. */
export function columnKey(value: ReportRow[string] | undefined): string {
  return JSON.stringify(value ?? null);
}

/** Turns rows into a pivot. Row order is that of the row totals. */
export function pivotRows({ rows, rowTotals, columnTotals, pivotKey, groupKeys }: PivotInput): PivotTable {
  const values = columnTotals.map((row) => row[pivotKey] ?? null);
  const columns = values.slice(0, PIVOT_COLUMNS_MAX);
  const cellsByGroup = new Map<string, Map<string, ReportRow>>();
  for (const row of rows) {
    const group = groupKey(row, groupKeys);
    const cells = cellsByGroup.get(group) ?? new Map<string, ReportRow>();
    cells.set(columnKey(row[pivotKey]), row);
    cellsByGroup.set(group, cells);
  }
  return {
    columns,
    rows: rowTotals.map((total) => ({
      group: total,
      cells: cellsByGroup.get(groupKey(total, groupKeys)) ?? new Map(),
      total,
    })),
    columnTotals: new Map(columnTotals.map((row) => [columnKey(row[pivotKey]), row])),
    columnsLeftOut: values.length - columns.length,
  };
}
