import { randomInt } from 'node:crypto';
import { addToPart, emptyPart, type IndexPart, removeFromPart, slotOf } from './index-part.ts';
import { Slabs } from './slabs.ts';
import {
  ENTRY_HEAD_BYTES,
  entriesOf,
  EXPIRY_AT,
  FLAGS_AT,
  KEY_BYTES_AT,
  removalOf,
  type RemovedEntry,
  toByteText,
  VALUE_BYTES_AT,
} from './stored-entry.ts';

/** The flag of an entry that has changed since the last `collectChanges`. */
const CHANGED = 1;

/** Parts of the index, each of which grows by itself: one that doubles holds at most some thousand entries. A power of two. */
export const TABLE_PARTS = 4_096;
const PART_SHIFT = 20;
const FNV_PRIME = 0x01000193;
const NOT_ASCII = -1;

/** The length of a new entry's value, and its expiry in epoch milliseconds. */
export interface NewEntry {
  readonly valueBytes: number;
  readonly expiresAtMs: number;
}

/**
 * A hash table from a kind (one byte) and a key to bytes with an expiry, outside of the heap: millions of entries cost the garbage collector
 * nothing. An entry is known by its place, which is valid until the entry is removed or its value is resized. Places are never 0.
 */
export class ByteTable {
  readonly #slabs = new Slabs();
  readonly #seed = randomInt(2 ** 32);
  readonly #parts: IndexPart[] = Array.from({ length: TABLE_PARTS }, emptyPart);
  #changed: number[] = [];
  #removed: RemovedEntry[] = [];
  #entries = 0;

  get entries(): number {
    return this.#entries;
  }

  /** Memory of entries, free space among them included, without the index. */
  get bytes(): number {
    return this.#slabs.bytes;
  }

  /** Memory of the entries alone. */
  get usedBytes(): number {
    return this.#slabs.usedBytes;
  }

  /** @returns the place of an entry; 0: there is none */
  find(kind: number, key: string): number {
    const hash = this.#hash(kind, key);
    if (hash !== NOT_ASCII) return this.#findHashed(kind, key, hash);
    const text = toByteText(key);
    return this.#findHashed(kind, text, this.#hashBytes(kind, text));
  }

  #findText(kind: number, text: string): number {
    return this.#findHashed(kind, text, this.#hashBytes(kind, text));
  }

  #findHashed(kind: number, text: string, hash: number): number {
    const { places, hashes } = this.#part(hash);
    const mask = places.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const place = places[slot] ?? 0;
      if (place === 0) return 0;
      if (hashes[slot] === hash && this.#isAt(place, kind, text)) return place;
    }
  }

  /**
   * Adds an entry; its value is not initialised. The caller knows that the key has none.
   * @returns its place
   */
  insert(kind: number, key: string, of: NewEntry): number {
    return this.#insertText(kind, toByteText(key), of);
  }

  #insertText(kind: number, text: string, of: NewEntry): number {
    const keyBytes = text.length + 1;
    const place = this.#slabs.acquire(ENTRY_HEAD_BYTES + keyBytes + of.valueBytes);
    const { bytes, view } = this.#slabs.at(place);
    const from = Slabs.offsetOf(place);
    view.setUint8(from + FLAGS_AT, 0);
    view.setUint16(from + KEY_BYTES_AT, keyBytes, true);
    view.setUint32(from + VALUE_BYTES_AT, of.valueBytes, true);
    view.setFloat64(from + EXPIRY_AT, of.expiresAtMs, true);
    bytes[from + ENTRY_HEAD_BYTES] = kind;
    bytes.write(text, from + ENTRY_HEAD_BYTES + 1, 'latin1');
    this.#link(this.#hashBytes(kind, text), place);
    this.#entries += 1;
    return place;
  }

  /** @returns the new place, where the value begins with what fits of the old one */
  resize(place: number, valueBytes: number): number {
    const { bytes, view } = this.#slabs.at(place);
    const from = Slabs.offsetOf(place);
    const headBytes = ENTRY_HEAD_BYTES + view.getUint16(from + KEY_BYTES_AT, true);
    const before = view.getUint32(from + VALUE_BYTES_AT, true);
    view.setUint32(from + VALUE_BYTES_AT, valueBytes, true);
    if (this.#slabs.fits(place, headBytes + before, headBytes + valueBytes)) return place;
    const moved = this.#slabs.acquire(headBytes + valueBytes);
    const to = this.#slabs.at(moved);
    bytes.copy(to.bytes, Slabs.offsetOf(moved), from, from + headBytes + Math.min(before, valueBytes));
    const isChanged = this.#isChanged(place);
    to.view.setUint8(Slabs.offsetOf(moved) + FLAGS_AT, 0);
    this.#relink(place, moved);
    this.#free(place, headBytes + before);
    if (isChanged) this.change(moved);
    return moved;
  }

  /** Removes an entry. @param isExpired nothing need tell that: it has expired wherever it is read again */
  remove(place: number, isExpired: boolean): void {
    if (!isExpired) this.#removed.push({ kind: this.kindOf(place), key: this.keyOf(place) });
    this.#unlink(place);
    this.#free(place, this.lengthOf(place));
    this.#entries -= 1;
  }

  /** Marks an entry as changed: the next `collectChanges` holds it. */
  change(place: number): void {
    const { view } = this.#slabs.at(place);
    const at = Slabs.offsetOf(place) + FLAGS_AT;
    if (view.getUint8(at) === CHANGED) return;
    view.setUint8(at, CHANGED);
    this.#changed.push(place);
  }

  get hasChanges(): boolean {
    return this.#changed.length > 0 || this.#removed.length > 0;
  }

  /** What has changed since the last call, in the form that `load` reads. */
  collectChanges(): Buffer {
    const [changed, removed] = [this.#changed, this.#removed];
    this.#changed = [];
    this.#removed = [];
    const removals = removed.map(removalOf);
    let length = 0;
    for (const removal of removals) length += removal.length;
    for (const place of changed) if (this.#isChanged(place)) length += this.lengthOf(place);
    const bytes = Buffer.allocUnsafe(length);
    let at = 0;
    for (const removal of removals) at += removal.copy(bytes, at);
    for (const place of changed) {
      // A freed place names no entry. A place that was freed and taken again may stand in the list twice.
      if (!this.#isChanged(place)) continue;
      this.#slabs.at(place).view.setUint8(Slabs.offsetOf(place) + FLAGS_AT, 0);
      at += this.copyEntry(place, bytes, at);
    }
    return bytes.subarray(0, at);
  }

  /** Marks what `collectChanges` gave as changed again: it could not be written. */
  restoreChanges(taken: Buffer): void {
    const removed: RemovedEntry[] = [];
    for (const { kind, text, value } of entriesOf(taken)) {
      const place = this.#findText(kind, text);
      if (value === null) removed.push({ kind, key: text });
      else if (place !== 0) this.change(place);
    }
    this.#removed = [...removed, ...this.#removed];
  }

  /** Length of an entry in the form that `load` reads. */
  lengthOf(place: number): number {
    const from = Slabs.offsetOf(place);
    const { view } = this.#slabs.at(place);
    return ENTRY_HEAD_BYTES + view.getUint16(from + KEY_BYTES_AT, true) + view.getUint32(from + VALUE_BYTES_AT, true);
  }

  /** Copies an entry in that form. @returns its length */
  copyEntry(place: number, to: Buffer, at: number): number {
    const from = Slabs.offsetOf(place);
    return this.#slabs.at(place).bytes.copy(to, at, from, from + this.lengthOf(place));
  }

  /**
   * Takes over entries and removals as `collectChanges` and `copyEntry` give them, without marking them as changed.
   * @throws RangeError when the bytes have another form
   */
  load(bytes: Buffer): void {
    for (const { kind, text, value, expiresAtMs } of entriesOf(bytes)) {
      const place = this.#findText(kind, text);
      if (value === null) {
        if (place !== 0) this.remove(place, true);
        continue;
      }
      const of = { valueBytes: value.length, expiresAtMs };
      const loaded = place === 0 ? this.#insertText(kind, text, of) : this.resize(place, value.length);
      this.setExpiry(loaded, expiresAtMs);
      value.copy(this.valueOf(loaded));
    }
  }

  /** Calls `visit` with the place of each entry in a part of the index. It may remove that entry. @returns how many there are */
  visitPart(part: number, visit: (place: number) => void): number {
    const places = [...(this.#parts[part]?.places ?? [])].filter((place) => place !== 0);
    for (const place of places) visit(place);
    return places.length;
  }

  kindOf(place: number): number {
    return this.#slabs.at(place).bytes[Slabs.offsetOf(place) + ENTRY_HEAD_BYTES] ?? 0;
  }

  /** The key, as text of its UTF-8 bytes, one character each. */
  keyOf(place: number): string {
    const from = Slabs.offsetOf(place);
    const { bytes, view } = this.#slabs.at(place);
    const start = from + ENTRY_HEAD_BYTES;
    return bytes.toString('latin1', start + 1, start + view.getUint16(from + KEY_BYTES_AT, true));
  }

  expiryOf(place: number): number {
    return this.#slabs.at(place).view.getFloat64(Slabs.offsetOf(place) + EXPIRY_AT, true);
  }

  setExpiry(place: number, expiresAtMs: number): void {
    this.#slabs.at(place).view.setFloat64(Slabs.offsetOf(place) + EXPIRY_AT, expiresAtMs, true);
  }

  /** The value, in the memory of the table: valid until the next change of any entry. */
  valueOf(place: number): Buffer {
    const from = Slabs.offsetOf(place);
    const { bytes, view } = this.#slabs.at(place);
    const start = from + ENTRY_HEAD_BYTES + view.getUint16(from + KEY_BYTES_AT, true);
    return bytes.subarray(start, start + view.getUint32(from + VALUE_BYTES_AT, true));
  }

  /** The value of an entry of eight bytes. */
  readInt64(place: number): bigint {
    return this.#slabs.at(place).view.getBigInt64(this.#valueAt(place), true);
  }

  writeInt64(place: number, value: bigint): void {
    this.#slabs.at(place).view.setBigInt64(this.#valueAt(place), value, true);
  }

  #valueAt(place: number): number {
    const from = Slabs.offsetOf(place);
    return from + ENTRY_HEAD_BYTES + this.#slabs.at(place).view.getUint16(from + KEY_BYTES_AT, true);
  }

  #isChanged(place: number): boolean {
    return this.#slabs.at(place).view.getUint8(Slabs.offsetOf(place) + FLAGS_AT) === CHANGED;
  }

  /** A freed entry is not marked as changed: takers of changes pass over it. */
  #free(place: number, length: number): void {
    this.#slabs.at(place).view.setUint8(Slabs.offsetOf(place) + FLAGS_AT, 0);
    this.#slabs.free(place, length);
  }

  #isAt(place: number, kind: number, text: string): boolean {
    const from = Slabs.offsetOf(place);
    const { bytes, view } = this.#slabs.at(place);
    if (view.getUint16(from + KEY_BYTES_AT, true) !== text.length + 1) return false;
    const start = from + ENTRY_HEAD_BYTES;
    if (bytes[start] !== kind) return false;
    // Keys differ most towards their ends.
    for (let at = text.length; at > 0; at -= 1) if (bytes[start + at] !== text.charCodeAt(at - 1)) return false;
    return true;
  }

  /** @returns `NOT_ASCII` for a key that has bytes of its own */
  #hash(kind: number, key: string): number {
    let hash = Math.imul(this.#seed ^ kind, FNV_PRIME);
    let codes = 0;
    for (let at = 0; at < key.length; at += 1) {
      const code = key.charCodeAt(at);
      codes |= code;
      hash = Math.imul(hash ^ code, FNV_PRIME);
    }
    return codes > 0x7f ? NOT_ASCII : mixBits(hash);
  }

  #hashBytes(kind: number, text: string): number {
    let hash = Math.imul(this.#seed ^ kind, FNV_PRIME);
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
    return mixBits(hash);
  }

  #hashAt(place: number): number {
    return this.#hashBytes(this.kindOf(place), this.keyOf(place));
  }

  #part(hash: number): IndexPart {
    return this.#parts[hash >>> PART_SHIFT] as IndexPart;
  }

  #link(hash: number, place: number): void {
    addToPart(this.#part(hash), hash, place);
  }

  #relink(place: number, moved: number): void {
    const hash = this.#hashAt(place);
    const { places } = this.#part(hash);
    places[slotOf(places, hash, place)] = moved;
  }

  #unlink(place: number): void {
    const hash = this.#hashAt(place);
    const part = this.#part(hash);
    removeFromPart(part, slotOf(part.places, hash, place));
  }
}

function mixBits(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
