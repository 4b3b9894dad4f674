import { SET_MEMBERS } from './event-location.ts';

const BITMAP_BYTES = SET_MEMBERS / 8;
const LISTED_BYTES = 2;

/**
 * Members of a set of events as they are stored: a bitmap of 512 bytes, or while it is shorter, the members in rising order, 16 bits each.
 * The length says which.
 */
export type EventSet = Buffer;

/** A set without members. */
export const EMPTY_SET: EventSet = Buffer.alloc(0);

/** Whether a member is in a set. */
export function hasMember(set: EventSet, member: number): boolean {
  if (set.length === BITMAP_BYTES) return ((set[member >> 3] ?? 0) & (1 << (member & 7))) !== 0;
  const at = offsetIn(set, member);
  return at < set.length && set.readUInt16LE(at) === member;
}

/** The set with one more member. A bitmap is changed itself. */
export function addMember(set: EventSet, member: number): EventSet {
  if (set.length < BITMAP_BYTES - LISTED_BYTES) return insertMember(set, member);
  const bitmap = set.length === BITMAP_BYTES ? set : toBitmap(set);
  bitmap[member >> 3] = (bitmap[member >> 3] ?? 0) | (1 << (member & 7));
  return bitmap;
}

function insertMember(set: EventSet, member: number): EventSet {
  const longer = Buffer.allocUnsafe(set.length + LISTED_BYTES);
  const at = offsetIn(set, member);
  set.copy(longer, 0, 0, at);
  longer.writeUInt16LE(member, at);
  set.copy(longer, at + LISTED_BYTES, at);
  return longer;
}

function toBitmap(listed: EventSet): EventSet {
  const bitmap = Buffer.alloc(BITMAP_BYTES);
  for (let at = 0; at < listed.length; at += LISTED_BYTES) {
    const member = listed.readUInt16LE(at);
    bitmap[member >> 3] = (bitmap[member >> 3] ?? 0) | (1 << (member & 7));
  }
  return bitmap;
}

/** The offset of a member in a list, or where it would be inserted. */
function offsetIn(listed: EventSet, member: number): number {
  let low = 0;
  let high = listed.length / LISTED_BYTES;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (listed.readUInt16LE(middle * LISTED_BYTES) < member) low = middle + 1;
    else high = middle;
  }
  return low * LISTED_BYTES;
}
