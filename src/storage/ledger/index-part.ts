const PART_SLOTS_MIN = 16;
/** A part is at most this full, in sixteenths. */
const FULL_SIXTEENTHS = 11;

/** A part of the index of a table: an open hash table that doubles when it is full. */
export interface IndexPart {
  /** Position of an entry; 0: the slot is free. */
  positions: Uint32Array;
  hashes: Uint32Array;
  used: number;
}

/** A part without entries. */
export function emptyPart(): IndexPart {
  return { positions: new Uint32Array(PART_SLOTS_MIN), hashes: new Uint32Array(PART_SLOTS_MIN), used: 0 };
}

/** Adds a position, which the part does not hold yet. */
export function addToPart(part: IndexPart, hash: number, position: number): void {
  if ((part.used + 1) * 16 > part.positions.length * FULL_SIXTEENTHS) grow(part);
  putInPart(part, hash, position);
  part.used += 1;
}

/** The slot of a position that is in the index. */
export function slotOf(positions: Uint32Array, hash: number, position: number): number {
  const mask = positions.length - 1;
  let slot = hash & mask;
  while (positions[slot] !== position) slot = (slot + 1) & mask;
  return slot;
}

/** The caller has made space. */
function putInPart({ positions, hashes }: IndexPart, hash: number, position: number): void {
  const mask = positions.length - 1;
  let slot = hash & mask;
  while (positions[slot] !== 0) slot = (slot + 1) & mask;
  positions[slot] = position;
  hashes[slot] = hash;
}

function grow(part: IndexPart): void {
  const { positions, hashes } = part;
  part.positions = new Uint32Array(positions.length * 2);
  part.hashes = new Uint32Array(positions.length * 2);
  for (let slot = 0; slot < positions.length; slot += 1) {
    const position = positions[slot] ?? 0;
    if (position !== 0) putInPart(part, hashes[slot] ?? 0, position);
  }
}

/** Frees a slot. Entries behind the slot move up, so that none is hidden behind a free slot. */
export function removeFromPart(part: IndexPart, slot: number): void {
  const { positions, hashes } = part;
  const mask = positions.length - 1;
  let free = slot;
  for (let next = (slot + 1) & mask; positions[next] !== 0; next = (next + 1) & mask) {
    const home = (hashes[next] ?? 0) & mask;
    const isReachable = free <= next ? home > free && home <= next : home > free || home <= next;
    if (isReachable) continue;
    positions[free] = positions[next] ?? 0;
    hashes[free] = hashes[next] ?? 0;
    free = next;
  }
  positions[free] = 0;
  part.used -= 1;
}
