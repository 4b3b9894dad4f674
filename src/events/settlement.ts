import { open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { checkApplyOnce } from '../storage/hot/hot-bounds.ts';
import type { ApplyOnce, HotStore } from '../storage/hot/hot-store.ts';
import { decodeSpoolLine, splitLines } from './spool-line.ts';
import type { Claim, SpoolLine } from './spool-line.ts';
import { openedAtMs, segmentPath, syncFolder } from './spool-segments.ts';
import type { SegmentFile } from './spool-segments.ts';

/** How long it is known of a segment that its lines were counted as they came; it is deleted when the segment settles. */
export const COUNTED_SEGMENT_TTL_MS = 60 * 86_400_000;

/**
 * The value that stands in the hot store once the request path has counted a line of a segment, and until it is settled. When claims
 * have expired before that, it tells what was counted from what a killed worker, or a store that was away, left to be counted.
 * @param segment `<slot>/<segment>`
 */
export function countedSegmentKey(segment: string): string {
  return `sc/${segment}`;
}

/** Claims of one transaction: small enough that the requests of other workers need not wait long. */
const CLAIMS_PER_CALL = 500;

/** What a settlement did with the lines of a segment. */
export interface Settled {
  readonly kept: number;
  /** Lines whose event was already counted at another position. */
  readonly duplicates: number;
  /** Lines that cannot be read: the tail of a write that a power cut tore, or rot. They are kept in `rejected/`. */
  readonly unreadable: number;
  /** Lines whose claim the hot store takes from nobody, out of its bounds. They are kept in `rejected/`. */
  readonly uncountable: number;
}

/** The claim of the line at a position, as the hot store takes it. Request and shipping path build it by this one function. */
export function claimAt(claim: Claim, position: string): ApplyOnce {
  return { key: claim.key, value: position, ttlMs: claim.ttlMs, increments: claim.increments, pushes: claim.pushes };
}

/**
 * Settles a sealed segment: claims the key of each line (a repeat of what the request path did, or the first time when its
 * worker was killed before) and leaves out lines whose key another position holds, and those that can never be counted. Then the
 * claims are on stable storage and the segment is renamed to `.settled`. Repeating it after a crash anywhere gives the same lines.
 * Lines whose claims may have expired meanwhile, of a segment that was counted as it came, are claimed but not counted again.
 */
export async function settleSegment(
  file: SegmentFile,
  hot: HotStore,
  rejectedDir: string,
  nowMs = Date.now(),
): Promise<Settled> {
  const lines = splitLines(await readCounted(file));
  const decoded = lines.map(decodeSpoolLine);
  const position = `${file.slot.slice(1)}/${file.segment}`;
  const hasClaims = decoded.some((line) => line !== null && line.claim !== null);
  const isCounted = hasClaims && (await hot.get(countedSegmentKey(position))) !== null;
  const countedMs = isCounted ? nowMs - openedAtMs(file.segment) : 0;
  const standings = await claimAll(hot, decoded, { position, countedMs });
  await hot.flushed();
  const linesOf = (standing: Standing): string[] => lines.filter((_line, index) => standings[index] === standing);
  const kept = linesOf('kept');
  for (const standing of ['unreadable', 'uncountable'] as const) {
    const aside = linesOf(standing);
    if (aside.length > 0) await keepRejected(rejectedDir, `${file.segment}.${standing}`, aside);
  }
  await moveToSettled(file, kept.length === lines.length ? null : kept);
  if (isCounted) await hot.delete(countedSegmentKey(position)).catch(() => {});
  return {
    kept: kept.length,
    duplicates: linesOf('duplicate').length,
    unreadable: linesOf('unreadable').length,
    uncountable: linesOf('uncountable').length,
  };
}

/** The bytes of a segment that count (a failed disk may have left more behind them). */
export async function readCounted(file: SegmentFile): Promise<Buffer> {
  const handle = await open(file.path, 'r');
  try {
    const bytes = Buffer.alloc(file.bytes);
    const { bytesRead } = await handle.read(bytes, 0, file.bytes, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Writes lines to a file in the folder for what could not be shipped (whole, so a repeat changes nothing); an operator looks at them.
 * Nobody deletes them by the clock, so readers' hashes are zeros there.
 */
export async function keepRejected(dir: string, name: string, lines: readonly string[]): Promise<void> {
  await writeWhole(join(dir, `${name}.ndjson`), lines.map(withoutReader));
  syncFolder(dir);
}

/** Without the hash in the row and in the keys of the claim, also where the line is torn or rotten in other places. */
function withoutReader(line: string): string {
  return line
    .replaceAll(/"user_hash"\s*:\s*"?\d+"?/g, '"user_hash":"0"')
    .replaceAll(/\/[0-9a-f]{16}(?=[/"])/g, `/${'0'.repeat(16)}`);
}

type Standing = 'kept' | 'duplicate' | 'unreadable' | 'uncountable';

/** @param at.countedMs since when the lines may have been counted: claims that live no longer may have expired, and count nothing */
async function claimAll(
  hot: HotStore,
  lines: readonly (SpoolLine | null)[],
  at: { readonly position: string; readonly countedMs: number },
): Promise<readonly Standing[]> {
  const standings: Standing[] = [];
  const claims: { readonly index: number; readonly op: ApplyOnce }[] = [];
  for (const [index, line] of lines.entries()) {
    const claim = line?.claim ?? null;
    const isOver = claim !== null && claim.ttlMs <= at.countedMs;
    const counted = isOver ? { ...claim, increments: [], pushes: [] } : claim;
    const op = counted === null ? null : claimAt(counted, `${at.position}/${index}`);
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

function isWithinBounds(op: ApplyOnce): boolean {
  try {
    checkApplyOnce(op);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** With `lines` the settled segment holds these; without, it is the sealed file itself. */
async function moveToSettled(file: SegmentFile, lines: readonly string[] | null): Promise<void> {
  if (lines === null) {
    await rename(file.path, segmentPath(file.dir, file.segment, 'settled', file.bytes));
    return;
  }
  const aside = join(file.dir, `${file.segment}.tmp`);
  const bytes = await writeWhole(aside, lines);
  await rename(aside, segmentPath(file.dir, file.segment, 'settled', bytes));
  syncFolder(file.dir);
  await unlink(file.path);
}

async function writeWhole(path: string, lines: readonly string[]): Promise<number> {
  const body = Buffer.from(lines.map((line) => `${line}\n`).join(''), 'utf8');
  const handle = await open(path, 'w', 0o600);
  try {
    await handle.writeFile(body);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return body.length;
}
