import type { EventLine } from '../../storage/hot/event-counts.ts';
import { checkEventLine } from '../../storage/hot/hot-bounds.ts';
import type { SpoolFile } from './spool-files.ts';
import { allIncrements } from './spool-line.ts';
import type { Claim } from './spool-line.ts';

/** `<worker index>/<file id>`: the name of a file where its lines are counted. */
export function countedName({ folder, fileId }: SpoolFile): string {
  return `${folder.slice(1)}/${fileId}`;
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
