import { OlapError, type Olap } from '../../storage/olap/olap.ts';
import type { CompiledQuery, ResultColumn } from '../compile/compile-query.olap.ts';
import { exportColumn } from './export-columns.ts';
import { EXPORT_FORMS } from './export-formats.ts';
import type { ExportFormat } from './export-formats.ts';
import { READ_SETTINGS, toPlacardError, type PreparedQuery } from './load-query.ts';
import type { QuerySlots, SlotLimits } from './query-slots.ts';
import { readColumn, type RowValue } from './row-format.ts';

/** Rows of one export without a limit: far more than 90 days of a network have. */
export const EXPORT_ROWS_MAX = 20_000_000;

/** Exports take long: few at once, one a network, apart from the queries that people wait for. */
export const EXPORT_SLOT_LIMITS: SlotLimits = {
  runningMax: 2,
  runningPerNetworkMax: 1,
  waitingPerNetworkMax: 4,
  waitingMax: 32,
};

/** The dependencies of an export. */
export interface ExportEngine {
  readonly olap: Olap;
  readonly slots: QuerySlots;
}

/** One export. */
export interface ExportJob {
  readonly one: PreparedQuery;
  readonly format: ExportFormat;
  readonly workspaceId: number;
  /** Aborted when the client disconnects: ends the statement. */
  readonly gone: AbortSignal;
}

const STATEMENT_TIMEOUT_MS = 600_000;
/** A client that reads nothing for this time is disconnected, so that others do not wait for it. */
const STALL_MS = 60_000;
/** Rows that are written between two turns of the event loop: some 3 ms. */
const SLICE_ROWS = 500;
const LINE_BYTES_MAX = 16_000_000;
/** The names of the columns, and their types. */
const HEAD_LINES = 2;

/**
 * The whole result of a query, piece by piece, in memory that does not grow with it.
 * @throws PlacardError as `readRows`, on the first piece; an error on a later one means that the result is cut short
 */
export async function* exportRows(
  engine: ExportEngine,
  job: ExportJob,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  const release = await engine.slots.hold(String(job.workspaceId), job.gone);
  const stalled = new AbortController();
  const signal = AbortSignal.any([job.gone, stalled.signal]);
  const { compiled } = job.one;
  try {
    const write = await EXPORT_FORMS[job.format].load();
    const slices = readSlices(engine.olap, compiled, signal);
    // The first rows come before the first piece, so that a query that fails gets a response of its own.
    const [types, first] = [await slices.next(), await slices.next()];
    const columns = compiled.columns.map((column, position) => exportColumn(column, typeAt(types, position)));
    for await (const piece of write(columns, rowsOf(compiled.columns, first, slices))) {
      const timer = setTimeout(() => stalled.abort(new Error('The client does not read the export')), STALL_MS);
      try {
        yield piece;
      } finally {
        clearTimeout(timer);
      }
    }
  } catch (error) {
    throw toPlacardError(error);
  } finally {
    release();
  }
}

type Slice = IteratorResult<readonly (readonly unknown[])[], void>;

function typeAt(types: Slice, position: number): string {
  const type = types.done === true ? '' : types.value[1]?.[position];
  return typeof type === 'string' ? type : '';
}

/** Values as they go out. */
async function* rowsOf(
  columns: readonly ResultColumn[],
  first: Slice,
  rest: AsyncGenerator<readonly (readonly unknown[])[], void>,
): AsyncGenerator<readonly (readonly RowValue[])[]> {
  try {
    if (first.done === true) return;
    yield first.value.map((raw) => readRow(raw, columns));
    for await (const rows of rest) yield rows.map((raw) => readRow(raw, columns));
  } finally {
    await rest.return();
  }
}

/** First the names and the types of the columns, then the rows. */
async function* readSlices(
  olap: Olap,
  compiled: CompiledQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly (readonly unknown[])[], void> {
  const chunks = olap.stream({
    sql: compiled.sql,
    params: compiled.params,
    settings: { ...READ_SETTINGS, max_threads: 1, max_block_size: 8_192 },
    timeoutMs: STATEMENT_TIMEOUT_MS,
    signal,
    isFinal: true,
    format: 'JSONCompactEachRowWithNamesAndTypes',
  });
  let rest: Buffer = Buffer.alloc(0);
  let head: string[] = [];
  let isHead = true;
  for await (const chunk of chunks) {
    const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = all.lastIndexOf(10);
    rest = Buffer.from(all.subarray(end + 1));
    if (rest.length > LINE_BYTES_MAX) throw new Error('A row of a result is too long');
    if (end === -1) continue;
    let lines = all.toString('utf8', 0, end).split('\n');
    if (isHead) {
      const missing = HEAD_LINES - head.length;
      head = [...head, ...lines.slice(0, missing)];
      lines = lines.slice(missing);
      if (head.length < HEAD_LINES) continue;
      yield head.map(parseLine);
      isHead = false;
    }
    for (let start = 0; start < lines.length; start += SLICE_ROWS)
      yield lines.slice(start, start + SLICE_ROWS).map(parseLine);
  }
  if (rest.length > 0) throw cutShort(rest.toString('utf8'));
}

/** A server that fails half-way writes its reason behind the rows, or ends in the middle of one. */
function cutShort(line: string): OlapError {
  return new OlapError('failed', `The result ended early: ${line.slice(0, 300)}`, { retryable: true });
}

function parseLine(line: string): readonly unknown[] {
  if (!line.startsWith('[')) throw cutShort(line);
  return JSON.parse(line) as unknown[];
}

function readRow(raw: readonly unknown[], columns: readonly ResultColumn[]): RowValue[] {
  return columns.map((column, position) => readColumn(raw[position], column));
}
