import { loadReport } from './reports.ts';
import type { Scope } from '../transport/scope.ts';
import { csvLine } from '../../reports/csv.ts';
import { type CubeQuery, ROWS_MAX } from '../../reports/lens-query.ts';
import type { ReportRow } from '../../reports/report-rows.ts';

/** Most rows of one file: 2 million; past it the range or the dimensions are to be narrowed. */
const PAGES_MAX = 40;

/** One column of the file: the key in rows, and its heading. */
export interface CsvColumn {
  readonly key: string;
  readonly title: string;
}

/**
 * The full result as CSV, page by page, with the values exactly as the Reports API returns them. Returns the pieces of the file.
 *
 * @throws ApiProblem; AbortError when `signal` is aborted
 */
export async function exportCsv(
  scope: Scope,
  query: CubeQuery,
  options: { readonly columns: readonly CsvColumn[]; readonly signal: AbortSignal; onProgress: (rows: number) => void },
): Promise<string[]> {
  const { columns, signal, onProgress } = options;
  const pieces = [csvLine(columns.map((column) => column.title))];
  let rowCount = 0;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { total: _total, ...plain } = query;
    const { rows } = await loadReport(scope, { ...plain, limit: ROWS_MAX, offset: page * ROWS_MAX }, { signal });
    pieces.push(rows.map((row: ReportRow) => csvLine(columns.map((column) => row[column.key]))).join(''));
    rowCount += rows.length;
    onProgress(rowCount);
    if (rows.length < ROWS_MAX) break;
  }
  return pieces;
}
