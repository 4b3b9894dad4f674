import { readFileSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Olap } from '../../storage/olap/olap.ts';
import { textOf } from '../spool/dead-letters.ts';
import type { DeadLetter, DeadLetters } from '../spool/dead-letters.ts';
import { letRequestsPass } from './batch-pace.ts';
import { BINARY_FORMAT, BinaryRows } from './binary-rows.ts';
import type { BodyThread } from './body-thread.ts';
import { EVENT_COLUMNS, EVENTS_INTAKE_TABLE } from './events.olap.ts';
import { letterOf, lostEnd, readCounted } from '../spool/count-spool-file.ts';
import { listShipWork } from './ship-batches.ts';
import type { ShipBatch } from './ship-batch.ts';
import { copyRows, readEntries, rowsOf } from '../spool/spool-line.ts';
import { openedAtMs } from '../spool/spool-files.ts';
import { syncFolder } from '../../storage/disk-file.ts';
import { leaveOutStored } from './stored-rows.ts';
import { nameColumns, ROW_COLUMNS, toForm } from '../spool/spool-row.ts';
import type { RowForm } from '../spool/spool-row.ts';

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
      rows.push(...rowsInForm(formOf(batch), isWhole ? line : null).map((row) => ({ offset, bytes: row })));
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
export async function insertBatchRows(
  olap: Olap,
  rows: readonly BatchRow[],
  into: Pick<ShipBatch, 'table' | 'token'>,
): Promise<void> {
  await insertBody(olap, { body: joinRows(rows), isBinary: false }, into);
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
  if (formOf(batch) !== 'array') return null;
  const converted = await thread.convert(batch.files);
  return converted === null ? null : { ...converted, isBinary: true, damaged: 0 };
}

async function readBinaryBody(batch: ShipBatch, bytesMax: number): Promise<BatchBody | null> {
  if (formOf(batch) !== 'array') return null;
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
    const copied = bytes.length < file.bytes ? null : copyRows(bytes, formOf(batch), { bytes: body, at: length });
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
  { table, token }: Pick<ShipBatch, 'table' | 'token'>,
): Promise<void> {
  if (body.length === 0) return;
  const form = isBinary ? 'binary' : formOf({ table });
  await olap.insertRaw({ table, body, token, ...INSERT_FORMS[form] });
}

const INSERT_FORMS = {
  binary: { columns: ROW_COLUMNS, format: BINARY_FORMAT },
  array: { columns: ROW_COLUMNS, format: 'JSONCompactEachRow' },
  object: { columns: EVENT_COLUMNS, format: 'JSONEachRow' },
} as const;

/** Batches that an older program began are shipped in its way. */
function formOf({ table }: Pick<ShipBatch, 'table'>): RowForm {
  return table === EVENTS_INTAKE_TABLE ? 'array' : 'object';
}

/** One null for a line that cannot be read, or that has no row. */
function rowsInForm(form: RowForm, line: Buffer | null): (Buffer | null)[] {
  const rows = line === null ? [] : rowsOf(line);
  return rows.length === 0 ? [null] : rows.map((row) => toForm(form, row));
}

/**
 * Turns an unreadable manifest into a dead letter. Asks the store which rows it has of the files that the manifest may have named, and
 * removes them from the files, so that nothing is inserted twice. A repeat after a crash has the same result.
 * @throws OlapError when the store cannot say
 */
export async function repairManifest(deps: {
  readonly dir: string;
  readonly path: string;
  readonly olap: Olap;
  readonly deadLetters: DeadLetters;
}): Promise<void> {
  const { dir, path, olap, deadLetters } = deps;
  const name = basename(path);
  const before = listShipWork(dir).unnamed.filter(({ fileId }) => openedAtMs(fileId) <= openedAtMs(name));
  for (const file of before) await leaveOutStored(file, olap);
  const content = readFileSync(path);
  const letter = { reason: 'manifest', offset: 0, length: content.length, text: textOf(content) } as const;
  deadLetters.record({ file: `${basename(dir)}/${name}`, step: 'batch' }, [letter]);
  await unlink(path);
  await syncFolder(dir);
}

const LINE_FEED = Buffer.from('\n');
