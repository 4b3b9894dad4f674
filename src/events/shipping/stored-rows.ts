import { open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../domain/log/log.ts';
import { DEDUPLICATION_WINDOW } from '../../storage/olap/olap-dialect.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { readCounted } from '../spool/count-spool-file.ts';
import { openedAtMs, type SpoolFile, spoolFilePath } from '../spool/spool-files.ts';
import { syncFolder } from '../../storage/disk-file.ts';
import { readEntries, rowsOf, splitRows, type SpoolEntry } from '../spool/spool-line.ts';
import { eventIdOf, nameColumns } from '../spool/spool-row.ts';
import { dropList, fixFiles, isListDamaged, renameBatch, syncBatch } from './batch-folders.ts';
import type { ShipBatch } from './ship-batch.ts';
import { countInsertsSince, readStoredIds } from './stored-events.olap.ts';

/** How long and for how many later inserts the store surely remembers a token. */
export interface TokenWindow {
  /** Within this time no number of machines makes so many inserts. */
  readonly ageMs: number;
  /** Of all machines. An insert whose events are of several months counts several times. */
  readonly inserts: number;
  /** A store of several servers also forgets tokens by their age. */
  readonly ageMsMax: number;
}

/** Far inside the window of `olapDialect`. */
export const TOKEN_WINDOW: TokenWindow = {
  ageMs: 600_000,
  inserts: DEDUPLICATION_WINDOW / 4,
  ageMsMax: 5 * 86_400_000,
};
/** Clocks of machines and of the store may differ by this much. */
const CLOCK_MARGIN_MS = 3_600_000;
const LINE_FEED = Buffer.from('\n');

/** The dependencies of {@link prepareBatch}. */
export interface PrepareBatchDeps {
  readonly olap: Olap;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly window?: TokenWindow;
}

/**
 * What comes before every insert of a batch: its token is valid, and its files are fixed and on stable storage.
 * @returns the batch itself, or the one that replaces it
 * @throws OlapError when the store cannot say whether it has the batch
 */
export async function prepareBatch(batch: ShipBatch, deps: PrepareBatchDeps): Promise<ShipBatch> {
  const fixed = await fixFiles(isListDamaged(batch) ? await replaceList(batch, deps) : batch);
  const renewed = await renewToken(fixed, deps);
  await syncBatch(renewed);
  return renewed;
}

/** Nobody knows which files were sent under the token: the batch gets a new one, and a new list. */
async function replaceList(batch: ShipBatch, { olap, log, nowMs }: PrepareBatchDeps): Promise<ShipBatch> {
  const renewed = await leaveOutAndRename(batch, { olap, log, nowMs });
  await dropList(renewed);
  return renewed;
}

/**
 * When the store may have forgotten its token, the rows that the store has are left out and the batch gets
 * a new token. A repeat after a crash has the same result.
 */
async function renewToken(batch: ShipBatch, deps: PrepareBatchDeps): Promise<ShipBatch> {
  const { olap, log, nowMs, window = TOKEN_WINDOW } = deps;
  if (!(await isTokenLost(batch, { olap, nowMs, window }))) return batch;
  return leaveOutAndRename(batch, { olap, log, nowMs });
}

async function leaveOutAndRename(
  batch: ShipBatch,
  { olap, log, nowMs }: Omit<PrepareBatchDeps, 'window'>,
): Promise<ShipBatch> {
  for (const file of batch.files) await leaveOutStored(file, olap);
  const renewed = await renameBatch(batch, nowMs());
  log.event('spool.token_renewed', { batch: batch.name, renewed: renewed.name });
  return renewed;
}

async function isTokenLost(
  { name }: ShipBatch,
  { olap, nowMs, window }: Required<Pick<PrepareBatchDeps, 'olap' | 'nowMs' | 'window'>>,
): Promise<boolean> {
  const ageMs = nowMs() - openedAtMs(name);
  if (ageMs < window.ageMs) return false;
  if (ageMs > window.ageMsMax) return true;
  return (await countInsertsSince(olap, openedAtMs(name) - CLOCK_MARGIN_MS)) >= window.inserts;
}

/** Removes the rows that the store has from a counted file. @throws OlapError when the store cannot say */
export async function leaveOutStored(file: SpoolFile, olap: Olap): Promise<void> {
  const entries = readEntries(await readCounted(file)).flatMap(splitRows);
  const events = entries.map(({ isWhole, bytes }) => (isWhole ? storedEventOf(bytes) : null));
  const stored = await readStoredIds(
    olap,
    events.filter((event) => event !== null),
  );
  if (stored.size === 0) return;
  await writeEntries(
    file,
    entries.filter((_one, index) => !stored.has(events[index]?.id ?? '')),
  );
}

/** Writes a counted file again, with these of its lines. */
export async function writeEntries(file: SpoolFile, kept: readonly SpoolEntry[]): Promise<void> {
  const body = Buffer.concat(kept.flatMap(({ bytes }) => [bytes, LINE_FEED]));
  const aside = join(file.dir, `${file.fileId}.tmp`);
  const handle = await open(aside, 'w', 0o600);
  try {
    await handle.writeFile(body);
    await handle.sync();
  } finally {
    await handle.close();
  }
  const mended = spoolFilePath(file.dir, file.fileId, 'settled', body.length);
  await rename(aside, mended);
  await syncFolder(file.dir);
  if (mended !== file.path) await unlink(file.path);
}

function storedEventOf(line: Buffer): { readonly id: string; readonly time: string } | null {
  const [row] = rowsOf(line);
  const id = row === undefined ? null : eventIdOf(row);
  if (row === undefined || id === null) return null;
  const { time } = JSON.parse(nameColumns(row.toString('utf8'))) as { time?: unknown };
  return { id, time: typeof time === 'string' ? time : '' };
}
