import type { EventLine } from '../../storage/hot/event-counts.ts';
import { checkEventLine } from '../../storage/hot/hot-bounds.ts';
import { hasByteOffsets } from './spool-files.ts';
import type { SpoolFile } from './spool-files.ts';
import { allIncrements } from './spool-line.ts';
import type { Claim, SpoolEntry } from './spool-line.ts';

/** `<worker index>/<file id>`: the name of a file where its lines are counted. */
export function countedName({ folder, fileId }: SpoolFile): string {
  return `${folder.slice(1)}/${fileId}`;
}

/** The position of a line: the offset of its first byte, or its number in files of older programs. */
export function offsetOf({ fileId }: SpoolFile, { offset }: SpoolEntry, index: number): number {
  return hasByteOffsets(fileId) ? offset : index;
}

/** Where a file ends, counted as its lines are. */
export function endOf({ fileId, bytes }: SpoolFile, entries: readonly SpoolEntry[]): number {
  return hasByteOffsets(fileId) ? bytes : entries.length;
}

/** The line of a claim, as the hot store takes it. Both the request path and the shipping path build it here. */
export function eventLineAt(claim: Claim, offset: number): EventLine {
  const { key, ttlMs, pushes } = claim;
  return { offset, key, ttlMs, increments: allIncrements(claim), pushes };
}

/** Whether the hot store takes a line at all. */
export function isCountable(line: EventLine): boolean {
  try {
    checkEventLine(line);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
