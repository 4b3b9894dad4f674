import { OlapError, type Olap } from '../../storage/olap/olap.ts';
import type { CompiledQuery, ResultColumn } from '../compile/compile-query.olap.ts';
import { csvHeader, csvLine } from './csv-line.ts';
import { READ_SETTINGS, toPlacardError, type PreparedQuery } from './load-query.ts';
import type { QuerySlots, SlotLimits } from './query-slots.ts';
import { readColumn, type RowValue } from './row-format.ts';

/** A form in which whole results are streamed. */
export type ExportFormat = 'csv' | 'ndjson';

/** Rows of one export without a limit: far more than 90 days of a network have. */
export const EXPORT_ROWS_MAX = 20_000_000;

/** Exports take long: few at once, one a network, apart from the queries that people wait for. */
export const EXPORT_SLOT_LIMITS: SlotLimits = {
  runningMax: 2,
  runningPerNetworkMax: 1,
  waitingPerNetworkMax: 4,
  waitingMax: 32,
};

/** `Content-Type` of each form. */
export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

const MEDIA_TYPES: Readonly<Record<string, ExportFormat | 'json'>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/json': 'json',
  'application/*': 'json',
  '*/*': 'json',
};

/** The form that an Accept header prefers; null: JSON, as always when it does not name another one first. */
export function exportFormatOf(accept: string | undefined): ExportFormat | null {
  if (accept === undefined || accept.length > 1_000) return null;
  const named = accept.split(',').flatMap((item) => {
    const [type = '', ...params] = item.split(';').map((part) => part.trim().toLowerCase());
    const format = MEDIA_TYPES[type];
    const quality = Number(params.find((param) => param.startsWith('q='))?.slice(2) ?? 1);
    return format === undefined || !(quality > 0) ? [] : [{ format, quality }];
  });
  const [best] = named.toSorted((a, b) => b.quality - a.quality);
  return best === undefined || best.format === 'json' ? null : best.format;
}

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

/**
 * The whole result of a query as text, piece by piece, in memory that does not grow with it.
 * @throws PlacardError as `readRows`, on the first piece; an error on a later one means that the result is cut short
 */
export async function* exportRows(engine: ExportEngine, job: ExportJob): AsyncGenerator<string, void, undefined> {
  const release = await acquireSlot(engine.slots, job);
  const stalled = new AbortController();
  const signal = AbortSignal.any([job.gone, stalled.signal]);
  const { compiled } = job.one;
  const write = job.format === 'csv' ? writeCsv(compiled.columns) : writeNdjson(compiled.columns);
  try {
    let before = write.header;
    for await (const lines of readSlices(engine.olap, compiled, signal)) {
      const timer = setTimeout(() => stalled.abort(new Error('The client does not read the export')), STALL_MS);
      try {
        yield before + lines.map((line) => write.row(parseLine(line))).join('');
      } finally {
        clearTimeout(timer);
      }
      before = '';
    }
    if (before !== '') yield before;
  } catch (error) {
    throw toPlacardError(error);
  } finally {
    release();
  }
}

/** Waits for a turn that lasts until the returned function is called. */
function acquireSlot(slots: QuerySlots, job: ExportJob): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const hold = (): Promise<void> => new Promise((free) => resolve(free));
    slots.run(String(job.workspaceId), job.gone, hold).catch(reject);
  });
}

async function* readSlices(olap: Olap, compiled: CompiledQuery, signal: AbortSignal): AsyncGenerator<string[]> {
  const chunks = olap.stream({
    sql: compiled.sql,
    params: compiled.params,
    settings: { ...READ_SETTINGS, max_threads: 1, max_block_size: 8_192 },
    timeoutMs: STATEMENT_TIMEOUT_MS,
    signal,
    isFinal: true,
    format: 'JSONCompactEachRow',
  });
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = all.lastIndexOf(10);
    rest = Buffer.from(all.subarray(end + 1));
    if (rest.length > LINE_BYTES_MAX) throw new Error('A row of a result is too long');
    if (end === -1) continue;
    const lines = all.toString('utf8', 0, end).split('\n');
    for (let start = 0; start < lines.length; start += SLICE_ROWS) yield lines.slice(start, start + SLICE_ROWS);
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

interface RowWriter {
  readonly header: string;
  row(raw: readonly unknown[]): string;
}

/** RFC 4180, one column a member; a value that a spreadsheet would take for a formula becomes a text. */
function writeCsv(columns: readonly ResultColumn[]): RowWriter {
  const described = columns.map(({ key, type }) => ({
    name: key,
    key,
    kind: type === 'string' ? ('text' as const) : type === 'time' ? ('time' as const) : ('number' as const),
  }));
  return {
    header: csvHeader(described),
    row: (raw) => csvLine(described, readRow(raw, columns)),
  };
}

function writeNdjson(columns: readonly ResultColumn[]): RowWriter {
  return {
    header: '',
    row: (raw) => {
      const object: Record<string, RowValue> = {};
      for (const [position, column] of columns.entries()) {
        const value = readColumn(raw[position], column);
        object[column.key] = value;
        if (column.bareKey !== null) object[column.bareKey] = value;
      }
      return `${JSON.stringify(object)}\n`;
    },
  };
}

function readRow(raw: readonly unknown[], columns: readonly ResultColumn[]): RowValue[] {
  return columns.map((column, position) => readColumn(raw[position], column));
}
