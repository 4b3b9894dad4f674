import { open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApplyOnce, HotStore } from '../storage/hot/hot-store.ts';
import { decodeSpoolLine, splitLines } from './spool-line.ts';
import type { Claim, SpoolLine } from './spool-line.ts';
import { segmentPath, syncFolder } from './spool-segments.ts';
import type { SegmentFile } from './spool-segments.ts';

/** Claims of one transaction: small enough that the requests of other workers need not wait long. */
const CLAIMS_PER_CALL = 500;

/** What a settlement did with the lines of a segment. */
export interface Settled {
  readonly kept: number;
  /** Lines whose event was already counted at another position. */
  readonly duplicates: number;
  /** Lines that cannot be read: the tail of a write that a power cut tore, or rot. They are kept in `rejected/`. */
  readonly unreadable: number;
}

/** The claim of the line at a position, as the hot store takes it. Request and shipping path build it by this one function. */
export function claimAt(claim: Claim, position: string): ApplyOnce {
  return { key: claim.key, value: position, ttlMs: claim.ttlMs, increments: claim.increments, pushes: claim.pushes };
}

/**
 * Settles a sealed segment: claims the key of each line (a repeat of what the request path did, or the first time when its
 * worker was killed before) and leaves out lines whose key another position holds. Then the claims are on stable storage and
 * the segment is renamed to `.settled`. Repeating it after a crash anywhere gives the same lines.
 */
export async function settleSegment(file: SegmentFile, hot: HotStore, rejectedDir: string): Promise<Settled> {
  const lines = splitLines(await readCounted(file));
  const decoded = lines.map(decodeSpoolLine);
  const slotNumber = file.slot.slice(1);
  const standing = await claimAll(decoded, `${slotNumber}/${file.segment}`, hot);
  await hot.flushed();
  const kept = lines.filter((_line, index) => standing[index] === 'kept');
  const unreadable = lines.filter((_line, index) => decoded[index] === null);
  if (unreadable.length > 0) await keepRejected(rejectedDir, `${file.segment}.unreadable`, unreadable);
  await moveToSettled(file, kept.length === lines.length ? null : kept);
  return {
    kept: kept.length,
    duplicates: lines.length - kept.length - unreadable.length,
    unreadable: unreadable.length,
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

/** Writes lines to a file in the folder for what could not be shipped (whole, so a repeat changes nothing); an operator looks at them. */
export async function keepRejected(dir: string, name: string, lines: readonly string[]): Promise<void> {
  await writeWhole(join(dir, `${name}.ndjson`), lines);
  syncFolder(dir);
}

async function claimAll(
  lines: readonly (SpoolLine | null)[],
  segmentPosition: string,
  hot: HotStore,
): Promise<readonly ('kept' | 'left out')[]> {
  const standing: ('kept' | 'left out')[] = lines.map((line) => (line === null ? 'left out' : 'kept'));
  const claims = lines.flatMap((line, index) =>
    line === null || line.claim === null ? [] : [{ index, op: claimAt(line.claim, `${segmentPosition}/${index}`) }],
  );
  for (let start = 0; start < claims.length; start += CLAIMS_PER_CALL) {
    const part = claims.slice(start, start + CLAIMS_PER_CALL);
    const results = await hot.applyOnceAll(part.map((one) => one.op));
    for (const [at, { index, op }] of part.entries()) {
      if (results[at]?.value !== op.value) standing[index] = 'left out';
    }
  }
  return standing;
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
