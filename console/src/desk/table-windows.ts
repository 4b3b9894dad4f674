import type { UseQueryResult } from '@tanstack/react-query';
import type { LineItem, TableWindow } from '../api/bookings/desk-list.ts';

/** Rows of one request. */
export const WINDOW_ROWS = 50;

/** One window's query, loaded or not. */
export type WindowResult = Pick<UseQueryResult<TableWindow<LineItem>>, 'data' | 'error' | 'refetch'>;

/** The rows that are in view, both ends included. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** The windows that hold the rows in view; the first one always, because it is counted. */
export function windowsOf({ first, last }: RowRange): readonly number[] {
  const [from, to] = [Math.floor(first / WINDOW_ROWS), Math.floor(last / WINDOW_ROWS)];
  const all = Array.from({ length: to - from + 1 }, (_none, at) => from + at);
  return from === 0 ? all : [0, ...all];
}

/** A list without rows: holes cost nothing, whatever their number. */
function holes(length: number): (LineItem | undefined)[] {
  const rows: (LineItem | undefined)[] = [];
  rows.length = length;
  return rows;
}

/** The loaded rows of all windows in one list with holes; undefined before the first window is there, because it says how many rows there are. */
export function combineWindows(windows: readonly number[], results: readonly WindowResult[]) {
  const total = results[0]?.data?.total ?? 0;
  const rows = results[0]?.data === undefined ? undefined : holes(total);
  const inView: LineItem[] = [];
  for (const [at, window] of windows.entries()) {
    const data = results[at]?.data;
    if (data === undefined || rows === undefined) continue;
    for (const [index, row] of data.rows.entries()) rows[window * WINDOW_ROWS + index] = row;
    if (at > 0 || windows.length < 3) inView.push(...data.rows);
  }
  return {
    rows,
    inView,
    total,
    error: results.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => void Promise.all(results.map((result) => result.refetch())),
  };
}
