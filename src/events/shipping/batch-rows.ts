import type { Olap } from '../../storage/olap/olap.ts';
import { textOf } from '../spool/dead-letters.ts';
import type { DeadLetter, DeadLetters } from '../spool/dead-letters.ts';
import { letRequestsPass } from './batch-pace.ts';
import { BINARY_FORMAT, BinaryRows } from './binary-rows.ts';
import type { BodyThread } from './body-thread.ts';
import { EVENTS_INTAKE_TABLE } from './events.olap.ts';
import { letterOf, lostEnd, readCounted } from '../spool/count-spool-file.ts';
import type { ShipBatch } from './ship-batch.ts';
import { copyRows, readEntries, rowsOf } from '../spool/spool-line.ts';
import { nameColumns, ROW_COLUMNS, toArray } from '../spool/spool-row.ts';

/** One row of a batch. */
export interface BatchRow {
  /** The position of its line in its spool file. */
  readonly offset: number;
  /** JSON; null = the line cannot be read. It keeps its position, so that parts of a batch are the same rows at every try. */
  readonly bytes: Buffer | null;
}

/**
 * The rows of a batch's files, in order. Lines that cannot be read become dead letters.
 * @returns `damaged` = rows without bytes
 */
export async function readBatchRows(
  batch: ShipBatch,
  deadLetters: DeadLetters,
): Promise<{ readonly rows: readonly BatchRow[]; readonly damaged: number }> {
  const rows: BatchRow[] = [];
  let damaged = 0;
  for (const file of batch.files) {
    const bytes = await readCounted(file);
    const entries = readEntries(bytes);
    for (const { offset, isWhole, bytes: line } of entries)
      rows.push(...arraysOf(isWhole ? line : null).map((row) => ({ offset, bytes: row })));
    const unreadable = entries.filter(({ isWhole }) => !isWhole);
    const letters = [...unreadable.map((entry) => letterOf('damaged', entry)), ...lostEnd(file, bytes)];
    deadLetters.record({ file: `${file.folder}/${file.fileId}`, step: 'settled' }, letters);
    damaged += unreadable.length;
  }
  return { rows, damaged };
}

/** Rows that the store refuses, as dead letters. */
export function refusedLetters(rows: readonly BatchRow[]): DeadLetter[] {
  return rows.flatMap(({ offset, bytes }) =>
    bytes === null
      ? []
      : [{ reason: 'refused' as const, offset, length: bytes.length, text: nameColumns(textOf(bytes)) }],
  );
}

/** Inserts the readable rows of a batch under a token. @throws OlapError */
export async function insertBatchRows(olap: Olap, rows: readonly BatchRow[], token: string): Promise<void> {
  await insertBody(olap, { body: joinRows(rows), isBinary: false }, token);
}

/** A whole batch as it is inserted. */
export interface BatchBody {
  /** Rows that can be read. */
  readonly body: Buffer;
  /** Binary, or JSON: the same bytes as {@link insertBatchRows} makes of {@link readBatchRows}. */
  readonly isBinary: boolean;
  readonly rows: number;
  readonly damaged: number;
}

/** Lines that are converted before requests get a turn: about a millisecond. */
const LINES_PER_TURN = 400;

/** Smaller batches are converted in turns of the event loop: they take a few milliseconds, and a thread its memory. */
const THREAD_BYTES_MIN = 8_000_000;

/**
 * The body of a batch: each row is converted or copied once, without an object. Lines that cannot be read become dead letters. It is binary
 * when all of its rows can be: a token counts once whichever form each try had.
 * @param thread for large batches
 */
export async function readBatchBody(
  batch: ShipBatch,
  deadLetters: DeadLetters,
  thread: BodyThread | null = null,
): Promise<BatchBody> {
  const bytes = batch.files.reduce((sum, file) => sum + file.bytes, 0);
  const read =
    thread?.isUsable === true && bytes >= THREAD_BYTES_MIN ? readInThread(batch, thread) : readBinaryBody(batch, bytes);
  return (await read) ?? (await readTextBody(batch, deadLetters));
}

async function readInThread(batch: ShipBatch, thread: BodyThread): Promise<BatchBody | null> {
  const converted = await thread.convert(batch.files);
  return converted === null ? null : { ...converted, isBinary: true, damaged: 0 };
}

async function readBinaryBody(batch: ShipBatch, bytesMax: number): Promise<BatchBody | null> {
  const binary = new BinaryRows(bytesMax);
  for (const file of batch.files) {
    const bytes = await readCounted(file);
    if (bytes.length < file.bytes) return null;
    for (let start: number | null = 0; start < bytes.length; ) {
      await letRequestsPass();
      start = binary.add(bytes, start, LINES_PER_TURN);
      if (start === null) return null;
    }
  }
  return { body: binary.body(), isBinary: true, rows: binary.rows, damaged: 0 };
}

async function readTextBody(batch: ShipBatch, deadLetters: DeadLetters): Promise<BatchBody> {
  const body = Buffer.allocUnsafeSlow(batch.files.reduce((sum, { bytes }) => sum + bytes, 0));
  let length = 0;
  let rows = 0;
  for (const file of batch.files) {
    const bytes = await readCounted(file);
    await letRequestsPass();
    const copied = bytes.length < file.bytes ? null : copyRows(bytes, { bytes: body, at: length });
    if (copied === null) return bodyOf(await readBatchRows(batch, deadLetters));
    length = copied.end;
    rows += copied.rows;
  }
  return { body: body.subarray(0, length), isBinary: false, rows, damaged: 0 };
}

function bodyOf({ rows, damaged }: Awaited<ReturnType<typeof readBatchRows>>): BatchBody {
  return { body: joinRows(rows), isBinary: false, rows: rows.length - damaged, damaged };
}

function joinRows(rows: readonly BatchRow[]): Buffer {
  return Buffer.concat(rows.flatMap(({ bytes }) => (bytes === null ? [] : [bytes, LINE_FEED])));
}

/** Inserts the body of a batch under its token; an empty one needs no insert. @throws OlapError */
export async function insertBody(
  olap: Olap,
  { body, isBinary }: Pick<BatchBody, 'body' | 'isBinary'>,
  token: string,
): Promise<void> {
  if (body.length === 0) return;
  const format = isBinary ? BINARY_FORMAT : 'JSONCompactEachRow';
  await olap.insertRaw({ table: EVENTS_INTAKE_TABLE, body, token, columns: ROW_COLUMNS, format });
}

/** One null for a line that cannot be read, or that has no row. */
function arraysOf(line: Buffer | null): (Buffer | null)[] {
  const rows = line === null ? [] : rowsOf(line);
  return rows.length === 0 ? [null] : rows.map(toArray);
}

const LINE_FEED = Buffer.from('\n');
