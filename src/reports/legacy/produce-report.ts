import { PlacardError } from '../../domain/errors.ts';
import { OlapError, type Olap, type OlapSettings } from '../../storage/olap/olap.ts';
import type { TenantScope } from '../compile/compile-query.olap.ts';
import type { MemberIndex } from '../model/member-index.ts';
import { formatRows, type RowValue } from '../load/row-format.ts';
import { csvHeader, csvLine, type ReportColumn } from '../load/csv-line.ts';
import type { ReportFileId, ReportFiles, ReportFileWriter } from './report-files.ts';
import type { StoredPlan } from './report-plan.ts';
import { compileStored, REPORT_ROWS_MAX, type ReportQuery } from './report-query.ts';

/** Dependencies of the report producer. */
export interface ReportProducer {
  readonly olap: Olap;
  readonly files: ReportFiles;
  /** The bytes left for a report of a workspace; see `reportBytesLeft`. */
  readonly bytesLeft: (workspaceId: number, reportBytes: number) => Promise<number>;
  /** Checks that the disk has space for this many more bytes. @throws PlacardError `disk_space_low` */
  readonly requireSpace: (bytes: number) => Promise<void>;
  /** The members that a workspace can query. */
  readonly indexOf: (workspaceId: number) => Promise<MemberIndex>;
  readonly nowMs: () => number;
}

/** One report to be made. */
export interface ReportJob {
  readonly plan: StoredPlan;
  readonly tenant: TenantScope;
  readonly file: ReportFileId;
  readonly signal: AbortSignal;
  /** Called with 1…99 as the report grows, never with less than before. */
  onProgress(percent: number): void;
}

/** The finished report; its files have their final names and are on disk. */
export interface ProducedReport {
  readonly rowCount: number;
  readonly csvBytes: number;
  readonly rawBytes: number;
}

/** One report takes one thread and little memory: it may take long, but must not slow down other work. */
const READ_SETTINGS: OlapSettings = {
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_64bit_floats: 1,
  output_format_json_quote_decimals: 1,
  output_format_decimal_trailing_zeros: 0,
  max_memory_usage: 1_500_000_000,
  max_bytes_before_external_group_by: 300_000_000,
  max_bytes_before_external_sort: 300_000_000,
  max_threads: 1,
  max_block_size: 8_192,
};
const STATEMENT_TIMEOUT_MS = 600_000;
const FILE_BYTES_MAX = 4_000_000_000;
/** Rows that are turned into text between two turns of the event loop: some 5 ms. */
const SLICE_ROWS = 1_000;
const LINE_BYTES_MAX = 16_000_000;
/** Progress when the rows are counted, and so the writing begins. */
const COUNTED_PERCENT = 10;

/**
 * Computes a report and writes it as CSV and as newline-delimited JSON in one pass, in memory that does not grow with it.
 * @throws PlacardError `query_too_complex` for a report that is too large, `report_space_used_up` for one that does not fit beside
 *   the stored ones, `unavailable` when the bucket is unavailable; OlapError of the analytics store; errors of the disk.
 * Nothing is left on disk after a failure.
 */
export async function produceReport(producer: ReportProducer, job: ReportJob): Promise<ProducedReport> {
  const { plan, tenant } = job;
  await producer.requireSpace(0);
  const index = await producer.indexOf(tenant.workspaceId);
  const query = compileStored(plan, { tenant, index, nowMs: producer.nowMs() });
  job.onProgress(1);
  const expected = await countRows(producer.olap, query, job.signal);
  job.onProgress(COUNTED_PERCENT);
  const csv = await producer.files.create(job.file, 'csv');
  const raw = await producer.files.create(job.file, 'ndjson').catch(async (error: unknown) => {
    await csv.discard();
    throw error;
  });
  try {
    const bytesLeft = await producer.bytesLeft(tenant.workspaceId, 0);
    const ensureSpace = async (bytes: number): Promise<void> => {
      await producer.requireSpace(0);
      if (bytes > bytesLeft) await producer.bytesLeft(tenant.workspaceId, bytes);
    };
    const rowCount = await writeRows(producer.olap, query, { csv, raw, job, expected, ensureSpace });
    await csv.finish();
    await raw.finish();
    job.signal.throwIfAborted();
    await producer.files.publish(job.file);
    return { rowCount, csvBytes: csv.bytes, rawBytes: raw.bytes };
  } catch (error) {
    // Files that cannot be deleted now are deleted when the task has failed, or before its next try.
    await Promise.allSettled([csv.discard(), raw.discard(), producer.files.remove(job.file)]);
    throw error;
  }
}

async function countRows(olap: Olap, { compiled }: ReportQuery, signal: AbortSignal): Promise<number> {
  const [row] = await olap.query<{ total: string }>({
    sql: compiled.totalSql ?? '',
    params: compiled.params,
    settings: READ_SETTINGS,
    timeoutMs: STATEMENT_TIMEOUT_MS,
    isFinal: true,
    signal,
  });
  const total = Number(row?.total ?? 0);
  if (total <= REPORT_ROWS_MAX) return total;
  throw new PlacardError(
    'query_too_complex',
    `The report would have ${total} rows; at most ${REPORT_ROWS_MAX} are allowed. Split or filter it, or take a shorter date_range.`,
  );
}

interface Writing {
  readonly csv: ReportFileWriter;
  readonly raw: ReportFileWriter;
  readonly job: ReportJob;
  readonly expected: number;
  /** Throws when files of this many bytes do not fit. */
  readonly ensureSpace: (bytes: number) => Promise<void>;
}

async function writeRows(olap: Olap, query: ReportQuery, writing: Writing): Promise<number> {
  const { csv, raw, job, expected, ensureSpace } = writing;
  const { columns } = query;
  const shape = new RowShape(query);
  await csv.write(csvHeader(columns));
  let rowCount = 0;
  for await (const lines of readSlices(olap, query, job.signal)) {
    const rows = shape.read(lines);
    let csvText = '';
    let rawText = '';
    for (const row of rows) {
      csvText += csvLine(columns, row);
      rawText += rawLine(columns, row);
    }
    await csv.write(csvText);
    await raw.write(rawText);
    rowCount += rows.length;
    if (csv.bytes > FILE_BYTES_MAX || raw.bytes > FILE_BYTES_MAX) {
      throw new PlacardError('query_too_complex', `The report is over ${FILE_BYTES_MAX} bytes; split or filter it.`);
    }
    await ensureSpace(csv.bytes + raw.bytes);
    const part = expected === 0 ? 1 : Math.min(1, rowCount / expected);
    job.onProgress(COUNTED_PERCENT + Math.floor(part * (99 - COUNTED_PERCENT)));
  }
  return rowCount;
}

/** The result's lines, `SLICE_ROWS` at most at a time, each a JSON array. */
async function* readSlices(olap: Olap, { compiled }: ReportQuery, signal: AbortSignal): AsyncGenerator<string[]> {
  const chunks = olap.stream({
    sql: compiled.sql,
    params: compiled.params,
    settings: READ_SETTINGS,
    timeoutMs: STATEMENT_TIMEOUT_MS,
    isFinal: true,
    signal,
    format: 'JSONCompactEachRow',
  });
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(10);
    if (end === -1) {
      rest.push(chunk);
      restBytes += chunk.length;
      if (restBytes > LINE_BYTES_MAX) throw new Error('A row of a report is too long');
      continue;
    }
    const lines = Buffer.concat([...rest, chunk.subarray(0, end)])
      .toString('utf8')
      .split('\n');
    rest = end + 1 < chunk.length ? [Buffer.from(chunk.subarray(end + 1))] : [];
    restBytes = chunk.length - end - 1;
    for (let start = 0; start < lines.length; start += SLICE_ROWS) yield lines.slice(start, start + SLICE_ROWS);
  }
  if (restBytes > 0) throw cutShort(Buffer.concat(rest).toString('utf8'));
}

/** A server that fails half-way writes its reason behind the rows, or ends in the middle of one. */
function cutShort(line: string): OlapError {
  return new OlapError('failed', `The result ended early: ${line.slice(0, 300)}`, { retryable: true });
}

/** Turns lines of the store into rows of values in the order of the report's columns. */
class RowShape {
  readonly #query: ReportQuery;
  readonly #aliases: readonly string[];
  #positions: readonly number[] | null = null;

  constructor(query: ReportQuery) {
    this.#query = query;
    this.#aliases = query.compiled.columns.map(({ alias }) => alias);
  }

  read(lines: readonly string[]): (readonly RowValue[])[] {
    const rows = lines.map((line) => this.#parse(line));
    const data = formatRows(rows, this.#query.compiled.columns, [], 'compact');
    if (!('dataset' in data)) throw new Error('The store sent rows in another format than requested');
    this.#positions ??= this.#query.columns.map(({ key }) => data.members.indexOf(key));
    const positions = this.#positions;
    const { columns } = this.#query;
    return data.dataset.map((row) =>
      positions.map((position, index) => {
        const value = row[position] ?? null;
        return columns[index]?.kind === 'time' && typeof value === 'string' ? writeTime(value) : value;
      }),
    );
  }

  #parse(line: string): Record<string, unknown> {
    if (!line.startsWith('[')) throw cutShort(line);
    const values = JSON.parse(line) as unknown[];
    const row: Record<string, unknown> = {};
    for (let position = 0; position < this.#aliases.length; position += 1) {
      row[this.#aliases[position] ?? ''] = values[position];
    }
    return row;
  }
}

/** `YYYY-MM-DD HH:MM:SS`, the form of dates in a task's attributes. */
function writeTime(value: string): string {
  return `${value.slice(0, 10)} ${value.slice(11, 19)}`;
}

function rawLine(columns: readonly ReportColumn[], row: readonly RowValue[]): string {
  const object: Record<string, RowValue> = {};
  for (const [position, { name }] of columns.entries()) object[name] = row[position] ?? null;
  return `${JSON.stringify(object)}\n`;
}
