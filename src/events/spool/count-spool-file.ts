import { open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { checkApplyOnce } from '../../storage/hot/hot-bounds.ts';
import { HOT_KEY_BYTES_MAX } from '../../storage/hot/hot-store.ts';
import type { ApplyOnce, HotStore } from '../../storage/hot/hot-store.ts';
import { textOf } from './dead-letters.ts';
import type { DeadLetter, DeadLetterReason, DeadLetters } from './dead-letters.ts';
import { allIncrements, claimKeyOf, decodeSpoolLine, readEntries } from './spool-line.ts';
import type { Claim, SpoolEntry, SpoolLine } from './spool-line.ts';
import { hasByteOffsets, listSpoolFiles, openedAtMs, spoolFilePath, syncFolder } from './spool-files.ts';
import type { SpoolFile } from './spool-files.ts';
import { deleteMark } from './uncounted-marks.ts';

/** How long the hot store remembers that lines of a spool file were counted on arrival; counting the file deletes the entry. */
export const COUNTED_ON_ARRIVAL_TTL_MS = 60 * 86_400_000;

/**
 * The key that the hot store holds from when the request path counts a line of a spool file until the file is counted. When claims expire
 * before that, it tells lines that were counted on arrival from lines that a killed worker or an unavailable store left uncounted.
 * @param prefix `<worker index>/<file id>`
 */
export function countedOnArrivalKey(prefix: string): string {
  return `sc/${prefix}`;
}

const LINE_FEED = Buffer.from('\n');
/** Claims of one transaction: few enough to keep requests of other workers from waiting long. */
const CLAIMS_PER_CALL = 500;
/** The most bytes that UTF-8 has for a UTF-16 unit. */
const MAX_BYTES_A_UNIT = 3;

/** The result of counting a spool file, by lines. */
export interface CountingResult {
  readonly kept: number;
  /** Lines whose event was already counted at another position. */
  readonly duplicates: number;
  /** Lines that cannot be read, and the lost end of a file; they become dead letters. */
  readonly unreadable: number;
  /** Lines whose claim is outside the bounds of the hot store; they become dead letters. */
  readonly uncountable: number;
}

/** The claim of the line at a position, as the hot store takes it. Both the request path and the shipping path build it here. */
export function claimAt(claim: Claim, position: string): ApplyOnce {
  return {
    key: claim.key,
    value: position,
    ttlMs: claim.ttlMs,
    increments: allIncrements(claim),
    pushes: claim.pushes,
  };
}

/** `<worker index>/<file id>`: what positions begin with, and `countedOnArrivalKey` takes. */
export function positionPrefix({ folder, fileId }: SpoolFile): string {
  return `${folder.slice(1)}/${fileId}`;
}

/** Position of a line in a spool file that is not counted yet: the one assigned when the spool wrote the line. */
export function positionOf(file: SpoolFile, { offset }: SpoolEntry, index: number): string {
  return `${positionPrefix(file)}/${hasByteOffsets(file.fileId) ? offset : index}`;
}

/**
 * Counts a sealed file: claims the key of each line, and leaves out lines whose key another position holds and lines that can never be
 * counted. For most lines the claim repeats that of the request path; it is the first one when the worker was killed before. Then the
 * claims are on stable storage and the file is renamed to `.settled`. A repeat after a crash at any point gives the same lines. When the
 * file was counted on arrival, lines whose claims may have expired since are claimed but not counted again.
 */
export async function countSpoolFile(
  file: SpoolFile,
  hot: HotStore,
  deadLetters: DeadLetters,
  nowMs = Date.now(),
): Promise<CountingResult> {
  if (listSpoolFiles(file.dir).some(({ state, fileId }) => state === 'settled' && fileId === file.fileId)) {
    // An earlier try wrote all of it and died before it deleted this form.
    await unlink(file.path);
    return { kept: 0, duplicates: 0, unreadable: 0, uncountable: 0 };
  }
  const bytes = await readCounted(file);
  const entries = readEntries(bytes);
  const prefix = positionPrefix(file);
  const positions = entries.map((entry, index) => positionOf(file, entry, index));
  const counted = await findCounted(hot, entries, positions);
  const decoded = entries.map((entry, index) => {
    if (counted[index] === true) return 'counted';
    return entry.isWhole ? decodeSpoolLine(entry.bytes.toString('utf8')) : null;
  });
  const hasClaims = decoded.some((line) => line === 'counted' || (line !== null && line.claim !== null));
  const isCounted = hasClaims && (await hot.get(countedOnArrivalKey(prefix))) !== null;
  const countedMs = isCounted ? nowMs - openedAtMs(file.fileId) : 0;
  const standings = await claimAll(hot, decoded, { positions, countedMs });
  await hot.flushed();
  deleteMark(file);
  const entriesOf = (standing: Standing): SpoolEntry[] =>
    entries.filter((_one, index) => standings[index] === standing);
  const [unreadable, uncountable] = [entriesOf('unreadable'), entriesOf('uncountable')];
  const lost = lostEnd(file, bytes);
  deadLetters.record({ file: `${file.folder}/${file.fileId}`, step: 'settle' }, [
    ...unreadable.map((entry) => letterOf('damaged', entry)),
    ...uncountable.map((entry) => letterOf('uncountable', entry)),
    ...lost,
  ]);
  const kept = entriesOf('kept');
  await moveToCounted(file, kept.length === entries.length && lost.length === 0 ? null : kept);
  if (isCounted) await hot.delete(countedOnArrivalKey(prefix)).catch(() => {});
  return {
    kept: kept.length,
    duplicates: entriesOf('duplicate').length,
    unreadable: unreadable.length + lost.length,
    uncountable: uncountable.length,
  };
}

/** The bytes of a spool file that count; a failed disk may have left more after them, and fewer remain where the file lost its end. */
export async function readCounted(file: SpoolFile): Promise<Buffer> {
  const handle = await open(file.path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(file.bytes);
    let read = 0;
    while (read < file.bytes) {
      const { bytesRead } = await handle.read(bytes, read, file.bytes - read, read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return bytes.subarray(0, read);
  } finally {
    await handle.close();
  }
}

/** The missing end of a file, by the size in its name, as a dead letter without text. */
export function lostEnd(file: SpoolFile, read: Buffer): DeadLetter[] {
  if (read.length >= file.bytes) return [];
  return [{ reason: 'missing', offset: read.length, length: file.bytes - read.length, text: '' }];
}

/** An entry of a spool file as a dead letter. */
export function letterOf(reason: DeadLetterReason, { offset, bytes }: SpoolEntry): DeadLetter {
  return { reason, offset, length: bytes.length, text: textOf(bytes) };
}

type Standing = 'kept' | 'duplicate' | 'unreadable' | 'uncountable';

/** Which lines were counted on arrival, as nearly all are: their keys stand at their own positions. Nothing else of them is read. */
async function findCounted(
  hot: HotStore,
  entries: readonly SpoolEntry[],
  positions: readonly string[],
): Promise<readonly boolean[]> {
  const counted: boolean[] = entries.map(() => false);
  const claimed = entries.flatMap(({ isWhole, bytes }, index) => {
    const key = isWhole ? claimKeyOf(bytes) : null;
    return key === null || key.length > HOT_KEY_BYTES_MAX / MAX_BYTES_A_UNIT ? [] : [{ index, key }];
  });
  for (let start = 0; start < claimed.length; start += CLAIMS_PER_CALL) {
    const part = claimed.slice(start, start + CLAIMS_PER_CALL);
    const values = await hot.readValues(part.map(({ key }) => key));
    for (const [at, { index }] of part.entries()) counted[index] = values[at] === positions[index];
  }
  return counted;
}

/**
 * @param at.countedMs earliest time at which the lines may have been counted: claims with a shorter life may have expired, and count
 * nothing
 */
async function claimAll(
  hot: HotStore,
  lines: readonly (SpoolLine | 'counted' | null)[],
  at: { readonly positions: readonly string[]; readonly countedMs: number },
): Promise<readonly Standing[]> {
  const standings: Standing[] = [];
  const claims: { readonly index: number; readonly op: ApplyOnce }[] = [];
  for (const [index, line] of lines.entries()) {
    if (line === 'counted') {
      standings.push('kept');
      continue;
    }
    const claim = line?.claim ?? null;
    const isOver = claim !== null && claim.ttlMs <= at.countedMs;
    const counted = isOver ? { ...claim, increments: [], pushes: [] } : claim;
    const op = counted === null ? null : claimAt(counted, at.positions[index] ?? '');
    const isCountable = op === null || isWithinBounds(op);
    standings.push(line === null ? 'unreadable' : isCountable ? 'kept' : 'uncountable');
    if (op !== null && isCountable) claims.push({ index, op });
  }
  for (let start = 0; start < claims.length; start += CLAIMS_PER_CALL) {
    const part = claims.slice(start, start + CLAIMS_PER_CALL);
    const results = await hot.applyOnceAll(part.map((one) => one.op));
    for (const [at, { index, op }] of part.entries()) {
      if (results[at]?.value !== op.value) standings[index] = 'duplicate';
    }
  }
  return standings;
}

/** Whether the hot store takes a claim at all. */
export function isWithinBounds(op: ApplyOnce): boolean {
  try {
    checkApplyOnce(op);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** With `entries` the counted file holds these; without, it is the sealed file itself. */
async function moveToCounted(file: SpoolFile, entries: readonly SpoolEntry[] | null): Promise<void> {
  if (entries === null) {
    await rename(file.path, spoolFilePath(file.dir, file.fileId, 'settled', file.bytes));
    return;
  }
  const aside = join(file.dir, `${file.fileId}.tmp`);
  const bytes = await writeWhole(aside, entries);
  await rename(aside, spoolFilePath(file.dir, file.fileId, 'settled', bytes));
  await syncFolder(file.dir);
  await unlink(file.path);
}

async function writeWhole(path: string, entries: readonly SpoolEntry[]): Promise<number> {
  const body = Buffer.concat(entries.flatMap(({ bytes }) => [bytes, LINE_FEED]));
  const handle = await open(path, 'w', 0o600);
  try {
    await handle.writeFile(body);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return body.length;
}
