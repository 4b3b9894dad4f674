/**
 * Who is in which audience segment, as the hot store keeps it: one list a user, newest entry first, so that an ad request reads one
 * key whatever the number of segments. An entry says until when it holds; one that holds no longer (or never did: a removal) hides
 * older entries of its segment. A segment's generation counts up when its members are replaced; entries of older ones are void.
 */
export interface SegmentEntry {
  /** Decimal id. */
  readonly segmentId: string;
  readonly generation: number;
  /** Unix time in milliseconds; 0 for a removal. */
  readonly expiresAtMs: number;
}

/** Entries that a user's list keeps; the oldest give way. */
export const SEGMENT_ENTRIES_MAX = 200;

/** Key of the list of a user (hash as in `user-hash.ts`). */
export function segmentListKey(workspaceId: number, userHash: string): string {
  return `g/${workspaceId}/${userHash}`;
}

/** A segment that saw a user, to be counted once. */
interface SeenUser {
  readonly workspaceId: number;
  readonly userHash: string;
  readonly segment: { readonly id: string; readonly generation: number };
}

/** Key of the mark that a segment has counted a user: once for as long as the membership. */
export function segmentMemberKey({ workspaceId, userHash, segment }: SeenUser): string {
  return `gm/${workspaceId}/${userHash}/${segment.id}.${segment.generation}`;
}

/** Key of the mark that a membership was written: once a minute, however many processes see the user. */
export function segmentPushKey({ workspaceId, userHash, segment }: SeenUser, timeMs: number): string {
  return `gp/${workspaceId}/${userHash}/${segment.id}.${segment.generation}/${Math.floor(timeMs / 60_000)}`;
}

/** The prefix of all keys of a user's memberships; the user's list is the first. */
export function segmentUserPrefixes(workspaceId: number, userHash: string): readonly [string, string, string] {
  const user = `${workspaceId}/${userHash}`;
  return [segmentListKey(workspaceId, userHash), `gm/${user}/`, `gp/${user}/`];
}

/** An entry of the list: `<segment>.<generation>.<expiry in seconds>`. */
export function writeSegmentEntry(entry: SegmentEntry): string {
  return `${entry.segmentId}.${entry.generation}.${Math.ceil(entry.expiresAtMs / 1000)}`;
}

/**
 * The ids of the segments that a user is in. `generations` has the present generation of every segment in use; others do not count.
 * Unreadable entries are skipped.
 */
export function readSegments(
  entries: readonly string[],
  generations: ReadonlyMap<string, number>,
  nowMs: number,
): string[] {
  const decided = new Set<string>();
  const segments: string[] = [];
  for (const entry of entries) {
    const [segmentId = '', generation, expirySeconds] = entry.split('.');
    if (generations.get(segmentId) !== Number(generation) || decided.has(segmentId)) continue;
    decided.add(segmentId);
    if (Number(expirySeconds) * 1000 > nowMs) segments.push(segmentId);
  }
  return segments;
}

/**
 * Counts the users that a rule saw on one UTC day and had not seen in the segment's days before: their sum over the last
 * `membershipDays` days estimates how many members there are.
 */
export function segmentDayKey(workspaceId: number, segment: { id: string; generation: number }, day: number): string {
  return `gd/${workspaceId}/${segment.id}.${segment.generation}/${day}`;
}

/** The UTC day of an instant, counted from 1970-01-01. */
export function segmentDay(timeMs: number): number {
  return Math.floor(timeMs / 86_400_000);
}
