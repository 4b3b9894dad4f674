import { readFileSync } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Olap } from '../../storage/olap/olap.ts';
import { textOf } from '../spool/dead-letters.ts';
import type { DeadLetter, DeadLetters } from '../spool/dead-letters.ts';
import { EVENT_COLUMNS, EVENTS_TABLE } from './events.olap.ts';
import { letterOf, lostEnd, readCounted } from '../spool/settlement.ts';
import { listShipWork } from './ship-batches.ts';
import type { ShipBatch } from './ship-batches.ts';
import { readEntries, rowBytesOf } from '../spool/spool-line.ts';
import { openedAtMs, segmentPath, syncFolder } from '../spool/spool-segments.ts';
import type { SegmentFile } from '../spool/spool-segments.ts';
import { readStoredIds } from './stored-events.olap.ts';

/** One row of a batch. */
export interface BatchRow {
  /** Of its line in its spool file. */
  readonly offset: number;
  /** JSON; null = the line cannot be read. Its place is kept, so that parts of a batch are the same rows at every try. */
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
      rows.push({ offset, bytes: isWhole ? rowBytesOf(line) : null });
    const unreadable = entries.filter(({ isWhole }) => !isWhole);
    const letters = [...unreadable.map((entry) => letterOf('damaged', entry)), ...lostEnd(file, bytes)];
    deadLetters.keep({ file: `${file.slot}/${file.segment}`, step: 'settled' }, letters);
    damaged += unreadable.length;
  }
  return { rows, damaged };
}

/** Rows that the store refuses, as dead letters. */
export function refusedLetters(rows: readonly BatchRow[]): DeadLetter[] {
  return rows.flatMap(({ offset, bytes }) =>
    bytes === null ? [] : [{ reason: 'refused' as const, offset, length: bytes.length, text: textOf(bytes) }],
  );
}

/** Inserts rows under a token, without those that cannot be read. @throws OlapError */
export async function insertBatchRows(olap: Olap, rows: readonly BatchRow[], token: string): Promise<void> {
  const parts = rows.flatMap(({ bytes }) => (bytes === null ? [] : [bytes, LINE_FEED]));
  if (parts.length === 0) return;
  await olap.insertRaw({ table: EVENTS_TABLE, columns: EVENT_COLUMNS, body: Buffer.concat(parts), token });
}

/**
 * Makes a manifest that cannot be read a dead letter. The store is asked which rows it has of the files that it may have named; they
 * are taken out of the files, so that nothing is inserted twice. Repeating it after a crash has the same result.
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
  const before = listShipWork(dir).unnamed.filter(({ segment }) => openedAtMs(segment) <= openedAtMs(name));
  for (const file of before) await leaveOutStored(file, olap);
  const content = readFileSync(path);
  const letter = { reason: 'manifest', offset: 0, length: content.length, text: textOf(content) } as const;
  deadLetters.keep({ file: `${basename(dir)}/${name}`, step: 'batch' }, [letter]);
  await unlink(path);
  syncFolder(dir);
}

async function leaveOutStored(file: SegmentFile, olap: Olap): Promise<void> {
  const entries = readEntries(await readCounted(file));
  const ids = entries.map(({ isWhole, bytes }) => (isWhole ? eventIdOf(rowBytesOf(bytes)) : null));
  const stored = await readStoredIds(
    olap,
    ids.filter((id) => id !== null),
  );
  if (stored.size === 0) return;
  const kept = entries.filter((_one, index) => !stored.has(ids[index] ?? ''));
  const body = Buffer.concat(kept.flatMap(({ bytes }) => [bytes, LINE_FEED]));
  const aside = join(file.dir, `${file.segment}.tmp`);
  const handle = await open(aside, 'w', 0o600);
  try {
    await handle.writeFile(body);
    await handle.sync();
  } finally {
    await handle.close();
  }
  const mended = segmentPath(file.dir, file.segment, 'settled', body.length);
  await rename(aside, mended);
  syncFolder(file.dir);
  if (mended !== file.path) await unlink(file.path);
}

const LINE_FEED = Buffer.from('\n');

function eventIdOf(row: Buffer | null): string | null {
  if (row === null) return null;
  try {
    const { event_id: id } = JSON.parse(row.toString('utf8')) as { event_id?: unknown };
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}
