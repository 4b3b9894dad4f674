import { Readable } from 'node:stream';
import { PlacardError } from '../../domain/errors.ts';
import type { ReportFileFormat } from '../../domain/reporting/report-file-formats.ts';
import type { TenantScope } from '../compile/compile-query.olap.ts';
import { exportColumn, type ExportColumn } from '../load/export-columns.ts';
import type { QuerySlots } from '../load/query-slots.ts';
import type { RowValue } from '../load/row-format.ts';
import type { MemberIndex } from '../model/member-index.ts';
import type { ByteRange } from './byte-range.ts';
import type { ReportFile, ReportFileId, ReportFiles } from './report-files.ts';
import type { StoredPlan } from './report-plan.ts';
import { compileStored } from './report-query.ts';

/** The stored reports, and what converts them. */
export interface ConvertedReports {
  readonly files: ReportFiles;
  /** The members that a workspace can query: they say which columns are numbers and times. */
  readonly indexOf: (workspaceId: number) => Promise<MemberIndex>;
  /** Workbooks are written in these slots: each takes a processor while it is read. */
  readonly slots: QuerySlots;
}

/** A finished report. */
export interface FinishedReport {
  readonly plan: StoredPlan;
  readonly tenant: TenantScope;
  readonly file: ReportFileId;
  /** When its task was created, in Unix milliseconds. */
  readonly madeAtMs: number;
}

/** A finished report in one form. */
export interface OpenedReport {
  /** Null: it is only known at the end, so no part of it can be asked for. */
  readonly sizeBytes: number | null;
  /**
   * A stream of its bytes, or of a range of them; null when it was deleted meanwhile. The signal ends the conversion.
   * @throws PlacardError `overloaded` when too many conversions wait
   */
  read(range: ByteRange | null, signal: AbortSignal): Promise<Readable | null>;
}

type Open = (reports: ConvertedReports, report: FinishedReport) => Promise<OpenedReport | null>;

/** How the file of each form comes from the two that are stored. */
const OPENERS: Readonly<Record<ReportFileFormat, Open>> = {
  CSV: ({ files }, { file }) => files.open(file, 'csv'),
  CSV_BOM: async ({ files }, { file }) => withMark(await files.open(file, 'csv')),
  XLSX: openWorkbook,
};

/** Opens a report in a form; null when its files are missing. */
export function openReport(
  reports: ConvertedReports,
  report: FinishedReport,
  format: ReportFileFormat,
): Promise<OpenedReport | null> {
  return OPENERS[format](reports, report);
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF', 'utf8');

function withMark(file: ReportFile | null): OpenedReport | null {
  if (file === null) return null;
  const mark = BYTE_ORDER_MARK.length;
  const sizeBytes = file.sizeBytes + mark;
  return {
    sizeBytes,
    read: async (range) => {
      const { first, last } = range ?? { first: 0, last: sizeBytes - 1 };
      const start = BYTE_ORDER_MARK.subarray(first, last + 1);
      if (last < mark) return Readable.from([start]);
      const rest = await file.read({ first: Math.max(0, first - mark), last: last - mark });
      return rest === null ? null : Readable.from(joined(start, rest), { objectMode: false });
    },
  };
}

async function* joined(start: Buffer, rest: Readable): AsyncGenerator<Buffer> {
  if (start.length > 0) yield start;
  yield* rest as AsyncIterable<Buffer>;
}

async function openWorkbook(reports: ConvertedReports, report: FinishedReport): Promise<OpenedReport | null> {
  const file = await reports.files.open(report.file, 'ndjson');
  if (file === null) return null;
  const read = async (_range: ByteRange | null, signal: AbortSignal): Promise<Readable | null> => {
    const columns = await columnsOf(reports, report);
    const release = await reports.slots.hold(String(report.tenant.workspaceId), signal);
    try {
      const lines = await file.read(null);
      if (lines === null) {
        release();
        return null;
      }
      const body = Readable.from(workbook(lines, columns), { objectMode: false, signal });
      // Also when nobody has read any of it.
      return body.once('close', () => {
        lines.destroy();
        release();
      });
    } catch (error) {
      release();
      throw error;
    }
  };
  return { sizeBytes: null, read };
}

async function* workbook(lines: Readable, known: readonly SheetColumn[] | null): AsyncGenerator<Uint8Array> {
  const { writeXlsx } = await import('../load/write-xlsx.ts');
  const slices = readSlices(lines);
  const first = await slices.next();
  const columns = known ?? Object.keys(first.value?.[0] ?? {}).map((name) => ({ name, kind: 'text' as const }));
  yield* writeXlsx(columns, valuesOf(columns, first, slices));
}

type SheetColumn = Pick<ExportColumn, 'name' | 'kind'>;
type Row = Readonly<Record<string, RowValue>>;

/** The columns with their kinds, as the report was compiled; null when its members are no longer there: then every column is a text. */
async function columnsOf(
  { indexOf }: ConvertedReports,
  { plan, tenant, madeAtMs }: FinishedReport,
): Promise<SheetColumn[] | null> {
  try {
    const index = await indexOf(tenant.workspaceId);
    const { columns, compiled } = compileStored(plan, { tenant, index, nowMs: madeAtMs });
    return columns.map(({ name, key }) => {
      const found = compiled.columns.find((column) => column.key === key);
      return { name, kind: found === undefined ? 'text' : exportColumn(found, '').kind };
    });
  } catch (error) {
    if (error instanceof PlacardError) return null;
    throw error;
  }
}

/** Rows that are turned into cells between two turns of the event loop: some 5 ms. */
const SLICE_ROWS = 500;

/** The rows of a file of newline-delimited JSON, at most `SLICE_ROWS` at a time. */
async function* readSlices(lines: Readable): AsyncGenerator<readonly Row[], void> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of lines as AsyncIterable<Buffer>) {
    const whole = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = whole.pop() ?? '';
    for (let start = 0; start < whole.length; start += SLICE_ROWS) {
      yield whole.slice(start, start + SLICE_ROWS).map((line) => JSON.parse(line) as Row);
    }
  }
  if (rest !== '') throw new Error('The file of a report ends in the middle of a row');
}

async function* valuesOf(
  columns: readonly SheetColumn[],
  first: IteratorResult<readonly Row[], void>,
  rest: AsyncGenerator<readonly Row[], void>,
): AsyncGenerator<readonly (readonly RowValue[])[]> {
  const values = (rows: readonly Row[]) => rows.map((row) => columns.map(({ name }) => row[name] ?? null));
  if (first.done === true) return;
  yield values(first.value);
  for await (const rows of rest) yield values(rows);
}
