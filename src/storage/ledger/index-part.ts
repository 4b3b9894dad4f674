const PART_SLOTS_MIN = 16;
/** A part is at most this full, in sixteenths. */
const FULL_SIXTEENTHS = 11;

/** A part of the index of a table: an open hash table that doubles when it is full. */
export interface IndexPart {
  /** Place of an entry; 0: the slot is free. */
  places: Uint32Array;
  hashes: Uint32Array;
  used: number;
}

/** A part without entries. */
export function emptyPart(): IndexPart {
  return { places: new Uint32Array(PART_SLOTS_MIN), hashes: new Uint32Array(PART_SLOTS_MIN), used: 0 };
}

/** Adds a place, which the part does not hold yet. */
export function addToPart(part: IndexPart, hash: number, place: number): void {
  if ((part.used + 1) * 16 > part.places.length * FULL_SIXTEENTHS) grow(part);
  putInPart(part, hash, place);
  part.used += 1;
}

/** The slot of a place that is in the index. */
export function slotOf(places: Uint32Array, hash: number, place: number): number {
  const mask = places.length - 1;
  let slot = hash & mask;
  while (places[slot] !== place) slot = (slot + 1) & mask;
  return slot;
}

/** The caller has made space. */
function putInPart({ places, hashes }: IndexPart, hash: number, place: number): void {
  const mask = places.length - 1;
  let slot = hash & mask;
  while (places[slot] !== 0) slot = (slot + 1) & mask;
  places[slot] = place;
  hashes[slot] = hash;
}

function grow(part: IndexPart): void {
  const { places, hashes } = part;
  part.places = new Uint32Array(places.length * 2);
  part.hashes = new Uint32Array(places.length * 2);
  for (let slot = 0; slot < places.length; slot += 1) {
    const place = places[slot] ?? 0;
    if (place !== 0) putInPart(part, hashes[slot] ?? 0, place);
  }
}

/** Frees a slot. Entries behind the slot move up, so that none is hidden behind a free slot. */
export function removeFromPart(part: IndexPart, slot: number): void {
  const { places, hashes } = part;
  const mask = places.length - 1;
  let free = slot;
  for (let next = (slot + 1) & mask; places[next] !== 0; next = (next + 1) & mask) {
    const home = (hashes[next] ?? 0) & mask;
    const isReachable = free <= next ? home > free && home <= next : home > free || home <= next;
    if (isReachable) continue;
    places[free] = places[next] ?? 0;
    hashes[free] = hashes[next] ?? 0;
    free = next;
  }
  places[free] = 0;
  part.used -= 1;
}
