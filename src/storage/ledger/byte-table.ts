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
const NO_POSITIONS = new Uint32Array(0);

/** The length of a new entry's value, and its expiry in epoch milliseconds. */
export interface NewEntry {
  readonly valueBytes: number;
  readonly expiresAtMs: number;
}

/**
 * A hash table from a kind (one byte) and a key to bytes with an expiry, outside of the heap: millions of entries cost the garbage collector
 * nothing. An entry is known by its position, which is valid until the entry is removed or its value is resized. Positions are never 0.
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

  /** @returns the position of an entry; 0: there is none */
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
    const { positions, hashes } = this.#part(hash);
    const mask = positions.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const position = positions[slot] ?? 0;
      if (position === 0) return 0;
      if (hashes[slot] === hash && this.#isAt(position, kind, text)) return position;
    }
  }

  /**
   * Adds an entry; its value is not initialised. The caller knows that the key has none.
   * @returns its position
   */
  insert(kind: number, key: string, of: NewEntry): number {
    return this.#insertText(kind, toByteText(key), of);
  }

  #insertText(kind: number, text: string, of: NewEntry): number {
    const keyBytes = text.length + 1;
    const position = this.#slabs.acquire(ENTRY_HEAD_BYTES + keyBytes + of.valueBytes);
    const { bytes, view } = this.#slabs.at(position);
    const from = Slabs.offsetOf(position);
    view.setUint8(from + FLAGS_AT, 0);
    view.setUint16(from + KEY_BYTES_AT, keyBytes, true);
    view.setUint32(from + VALUE_BYTES_AT, of.valueBytes, true);
    view.setFloat64(from + EXPIRY_AT, of.expiresAtMs, true);
    bytes[from + ENTRY_HEAD_BYTES] = kind;
    bytes.write(text, from + ENTRY_HEAD_BYTES + 1, 'latin1');
    this.#link(this.#hashBytes(kind, text), position);
    this.#entries += 1;
    return position;
  }

  /** @returns the new position, where the value begins with what fits of the old one */
  resize(position: number, valueBytes: number): number {
    const { bytes, view } = this.#slabs.at(position);
    const from = Slabs.offsetOf(position);
    const headBytes = ENTRY_HEAD_BYTES + view.getUint16(from + KEY_BYTES_AT, true);
    const before = view.getUint32(from + VALUE_BYTES_AT, true);
    view.setUint32(from + VALUE_BYTES_AT, valueBytes, true);
    if (this.#slabs.fits(position, headBytes + before, headBytes + valueBytes)) return position;
    const moved = this.#slabs.acquire(headBytes + valueBytes);
    const to = this.#slabs.at(moved);
    bytes.copy(to.bytes, Slabs.offsetOf(moved), from, from + headBytes + Math.min(before, valueBytes));
    const isChanged = this.#isChanged(position);
    to.view.setUint8(Slabs.offsetOf(moved) + FLAGS_AT, 0);
    this.#relink(position, moved);
    this.#free(position, headBytes + before);
    if (isChanged) this.change(moved);
    return moved;
  }

  /** Removes an entry. @param isExpired nothing need tell that: it has expired wherever it is read again */
  remove(position: number, isExpired: boolean): void {
    if (!isExpired) this.#removed.push({ kind: this.kindOf(position), key: this.keyOf(position) });
    this.#unlink(position);
    this.#free(position, this.lengthOf(position));
    this.#entries -= 1;
  }

  /** Marks an entry as changed: the next `collectChanges` holds it. */
  change(position: number): void {
    const { view } = this.#slabs.at(position);
    const at = Slabs.offsetOf(position) + FLAGS_AT;
    if (view.getUint8(at) === CHANGED) return;
    view.setUint8(at, CHANGED);
    this.#changed.push(position);
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
    for (const position of changed) if (this.#isChanged(position)) length += this.lengthOf(position);
    const bytes = Buffer.allocUnsafe(length);
    let at = 0;
    for (const removal of removals) at += removal.copy(bytes, at);
    for (const position of changed) {
      // The list may hold positions that were freed, and twice those that were freed and used again.
      if (!this.#isChanged(position)) continue;
      this.#slabs.at(position).view.setUint8(Slabs.offsetOf(position) + FLAGS_AT, 0);
      at += this.copyEntry(position, bytes, at);
    }
    return bytes.subarray(0, at);
  }

  /** Marks what `collectChanges` gave as changed again: it could not be written. */
  restoreChanges(taken: Buffer): void {
    const removed: RemovedEntry[] = [];
    for (const { kind, text, value } of entriesOf(taken)) {
      const position = this.#findText(kind, text);
      if (value === null) removed.push({ kind, key: text });
      else if (position !== 0) this.change(position);
    }
    this.#removed = [...removed, ...this.#removed];
  }

  /** Length of an entry in the form that `load` reads. */
  lengthOf(position: number): number {
    const from = Slabs.offsetOf(position);
    const { view } = this.#slabs.at(position);
    return ENTRY_HEAD_BYTES + view.getUint16(from + KEY_BYTES_AT, true) + view.getUint32(from + VALUE_BYTES_AT, true);
  }

  /** Copies an entry in that form. @returns its length */
  copyEntry(position: number, to: Buffer, at: number): number {
    const from = Slabs.offsetOf(position);
    return this.#slabs.at(position).bytes.copy(to, at, from, from + this.lengthOf(position));
  }

  /**
   * Takes over entries and removals as `collectChanges` and `copyEntry` give them, without marking them as changed.
   * @throws RangeError when the bytes have another form
   */
  load(bytes: Buffer): void {
    for (const { kind, text, value, expiresAtMs } of entriesOf(bytes)) {
      const position = this.#findText(kind, text);
      if (value === null) {
        if (position !== 0) this.remove(position, true);
        continue;
      }
      const of = { valueBytes: value.length, expiresAtMs };
      const loaded = position === 0 ? this.#insertText(kind, text, of) : this.resize(position, value.length);
      this.setExpiry(loaded, expiresAtMs);
      value.copy(this.valueOf(loaded));
    }
  }

  /** Calls `visit` with the position of each entry in a part of the index. It may remove that entry. @returns how many there are */
  visitPart(part: number, visit: (position: number) => void): number {
    // A removal moves entries of its part.
    const positions = this.#parts[part]?.positions.slice() ?? NO_POSITIONS;
    let entries = 0;
    for (const position of positions) {
      if (position === 0) continue;
      visit(position);
      entries += 1;
    }
    return entries;
  }

  kindOf(position: number): number {
    return this.#slabs.at(position).bytes[Slabs.offsetOf(position) + ENTRY_HEAD_BYTES] ?? 0;
  }

  /** The key, as text of its UTF-8 bytes, one character each. */
  keyOf(position: number): string {
    const from = Slabs.offsetOf(position);
    const { bytes, view } = this.#slabs.at(position);
    const start = from + ENTRY_HEAD_BYTES;
    return bytes.toString('latin1', start + 1, start + view.getUint16(from + KEY_BYTES_AT, true));
  }

  expiryOf(position: number): number {
    return this.#slabs.at(position).view.getFloat64(Slabs.offsetOf(position) + EXPIRY_AT, true);
  }

  setExpiry(position: number, expiresAtMs: number): void {
    this.#slabs.at(position).view.setFloat64(Slabs.offsetOf(position) + EXPIRY_AT, expiresAtMs, true);
  }

  /** The value, in the memory of the table: valid until the next change of any entry. */
  valueOf(position: number): Buffer {
    const from = Slabs.offsetOf(position);
    const { bytes, view } = this.#slabs.at(position);
    const start = from + ENTRY_HEAD_BYTES + view.getUint16(from + KEY_BYTES_AT, true);
    return bytes.subarray(start, start + view.getUint32(from + VALUE_BYTES_AT, true));
  }

  /** The value of an entry of eight bytes. */
  readInt64(position: number): bigint {
    return this.#slabs.at(position).view.getBigInt64(this.#valueAt(position), true);
  }

  writeInt64(position: number, value: bigint): void {
    this.#slabs.at(position).view.setBigInt64(this.#valueAt(position), value, true);
  }

  #valueAt(position: number): number {
    const from = Slabs.offsetOf(position);
    return from + ENTRY_HEAD_BYTES + this.#slabs.at(position).view.getUint16(from + KEY_BYTES_AT, true);
  }

  #isChanged(position: number): boolean {
    return this.#slabs.at(position).view.getUint8(Slabs.offsetOf(position) + FLAGS_AT) === CHANGED;
  }

  /** A freed entry is not marked as changed: takers of changes pass over it. */
  #free(position: number, length: number): void {
    this.#slabs.at(position).view.setUint8(Slabs.offsetOf(position) + FLAGS_AT, 0);
    this.#slabs.free(position, length);
  }

  #isAt(position: number, kind: number, text: string): boolean {
    const from = Slabs.offsetOf(position);
    const { bytes, view } = this.#slabs.at(position);
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

  #hashAt(position: number): number {
    return this.#hashBytes(this.kindOf(position), this.keyOf(position));
  }

  #part(hash: number): IndexPart {
    return this.#parts[hash >>> PART_SHIFT] as IndexPart;
  }

  #link(hash: number, position: number): void {
    addToPart(this.#part(hash), hash, position);
  }

  #relink(position: number, moved: number): void {
    const hash = this.#hashAt(position);
    const { positions } = this.#part(hash);
    positions[slotOf(positions, hash, position)] = moved;
  }

  #unlink(position: number): void {
    const hash = this.#hashAt(position);
    const part = this.#part(hash);
    removeFromPart(part, slotOf(part.positions, hash, position));
  }
}

function mixBits(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
