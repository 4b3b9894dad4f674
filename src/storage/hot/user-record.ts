import { counterBytes, expiryBytes, LIST, readInt64, storedKey, within64Bits } from './lmdb-entries.ts';

/**
 * A record holds the counters and lists of one user: `<expiry, 8 bytes> <length of the rest, 4 bytes> <flags, 1 byte>`, then members.
 * It is stored as a list of one value, which older programs find whole and leave alone.
 */
const LENGTH_AT = expiryBytes;
const FLAGS_AT = LENGTH_AT + 4;
const MEMBERS_AT = FLAGS_AT + 1;
/** A member: bytes of its name (2) and of its value (4), its expiry (8), its name, its value. */
const VALUE_LENGTH_AT = 2;
const EXPIRY_AT = 6;
const NAME_AT = 14;
/** A larger record takes no further members, which become separate entries: each change writes the whole record. */
const RECORD_BYTES_MAX = 8_192;
/** Some of the user's entries stand beside the record. */
const FLAG_OTHERS = 1;
const SPARE_BYTES = 512;
const NAME_BYTES_MAX = 1_000;
const NAME = Buffer.alloc(NAME_BYTES_MAX);
const RECORD_PREFIX = 'u/';

/** The key of the record of a user, or the beginning of the keys of several. */
export function recordKey(owner: string): Buffer {
  return storedKey(LIST, RECORD_PREFIX + owner);
}

/** The user of a record, from its key. */
export function ownerOf(stored: Buffer): string {
  return stored.toString('utf8', 1 + RECORD_PREFIX.length);
}

/** Whether a stored key is the key of a record. */
export function isRecordKey(stored: Uint8Array): boolean {
  return stored[0] === LIST && stored[1] === 0x75 && stored[2] === 0x2f;
}

/** Whether an entry can be a record. */
export function isUserRecord(entry: Buffer): boolean {
  try {
    for (let at = firstMember(entry); at < entry.length; ) at = nextMember(entry, at, entry.length);
    return true;
  } catch {
    return false;
  }
}

/** A counter in a stored record. */
export function readRecordCounter(entry: Buffer, name: string, nowMs: number): bigint | null {
  const at = findStanding(entry, name, nowMs);
  if (at === -1) return null;
  if (valueBytesAt(entry, at) !== counterBytes) throw cut();
  return readInt64(entry, at + NAME_AT + nameBytesAt(entry, at));
}

/** The payload of a list in a stored record, which is part of the entry's memory. */
export function readRecordList(entry: Buffer, name: string, nowMs: number): Buffer | null {
  const at = findStanding(entry, name, nowMs);
  if (at === -1) return null;
  const from = at + NAME_AT + nameBytesAt(entry, at);
  return entry.subarray(from, from + valueBytesAt(entry, at));
}

/** Whether some of a user's entries stand beside this record. */
export function hasOthers(entry: Buffer): boolean {
  firstMember(entry);
  return ((entry[FLAGS_AT] ?? 0) & FLAG_OTHERS) !== 0;
}

/** The record of a user while a transaction changes it. */
export class UserRecord {
  readonly stored: Buffer;
  isChanged = false;
  readonly #nowMs: number;
  #bytes: Buffer;
  /** Of the same memory: methods of `Buffer` take ten times as long. */
  #view: DataView;
  #end: number;

  /** @param entry as it is stored; members that have expired are left out */
  constructor(stored: Buffer, entry: Buffer | undefined, nowMs: number) {
    this.stored = stored;
    this.#nowMs = nowMs;
    const length = entry === undefined ? MEMBERS_AT : entry.length;
    this.#bytes = Buffer.allocUnsafe(length + SPARE_BYTES);
    this.#view = viewOf(this.#bytes);
    this.#end = MEMBERS_AT;
    if (entry === undefined) this.#bytes.fill(0, 0, MEMBERS_AT);
    else this.#copyStanding(entry);
  }

  /** The entry to store. */
  get entry(): Buffer {
    this.#bytes.writeUInt32LE(this.#end - FLAGS_AT, LENGTH_AT);
    return this.#bytes.subarray(0, this.#end);
  }

  get isEmpty(): boolean {
    return this.#end === MEMBERS_AT;
  }

  /** Whether entries of the user may stand beside it. */
  get hasOthers(): boolean {
    return ((this.#bytes[FLAGS_AT] ?? 0) & FLAG_OTHERS) !== 0;
  }

  /** Entries of the user stand beside it until then; a change lasts `aheadMs` longer, so that few are needed. */
  setOthers(untilMs: number, aheadMs: number): void {
    if (this.hasOthers && this.#bytes.readDoubleBE(0) >= untilMs) return;
    this.#bytes[FLAGS_AT] = FLAG_OTHERS;
    this.#liveUntil(untilMs + aheadMs);
    this.isChanged = true;
  }

  has(name: string): boolean {
    return this.#find(name) !== -1;
  }

  /** Whether one more member may join. */
  hasSpace(): boolean {
    return this.#end < RECORD_BYTES_MAX;
  }

  /** Adds to a counter; one that is new expires at `expiresAtMs`. @returns the value after it */
  add(name: string, by: bigint, expiresAtMs: number): bigint {
    let at = this.#find(name);
    if (at === -1) {
      at = this.#append(name, counterBytes, expiresAtMs);
      this.#bytes.fill(0, this.#end - counterBytes, this.#end);
    }
    const from = at + NAME_AT + nameBytesAt(this.#bytes, at);
    if (valueBytesAt(this.#bytes, at) !== counterBytes) throw cut();
    const value = within64Bits(readInt64(this.#bytes, from) + by);
    this.#view.setBigInt64(from, value, true);
    this.isChanged = true;
    return value;
  }

  /** The payload of a list, in the memory of this record; null for none. */
  listOf(name: string): Buffer | null {
    const at = this.#find(name);
    return at === -1 ? null : this.#valueAt(at);
  }

  /** When a member expires; 0 for none. */
  expiryOf(name: string): number {
    const at = this.#find(name);
    return at === -1 ? 0 : this.#bytes.readDoubleLE(at + EXPIRY_AT);
  }

  /** @param payload no part of this record's memory */
  setList(name: string, payload: Buffer, expiresAtMs: number): void {
    const at = this.#find(name);
    if (at !== -1 && valueBytesAt(this.#bytes, at) === payload.length) {
      payload.copy(this.#bytes, at + NAME_AT + nameBytesAt(this.#bytes, at));
      this.#bytes.writeDoubleLE(expiresAtMs, at + EXPIRY_AT);
      this.#liveUntil(expiresAtMs);
    } else {
      if (at !== -1) this.#removeAt(at);
      this.#append(name, payload.length, expiresAtMs);
      payload.copy(this.#bytes, this.#end - payload.length);
    }
    this.isChanged = true;
  }

  /** Removes the members whose names begin with a text. @returns how many */
  removeAll(namePrefix: string): number {
    const prefix = Buffer.from(namePrefix);
    let removed = 0;
    for (let at = MEMBERS_AT; at < this.#end; ) {
      const name = this.#bytes.subarray(at + NAME_AT, at + NAME_AT + nameBytesAt(this.#bytes, at));
      if (name.length >= prefix.length && name.subarray(0, prefix.length).equals(prefix)) {
        this.#removeAt(at);
        removed += 1;
      } else at = nextMember(this.#bytes, at, this.#end);
    }
    if (removed > 0) this.isChanged = true;
    return removed;
  }

  /** Removes one member. */
  remove(name: string): void {
    const at = this.#find(name);
    if (at === -1) return;
    this.#removeAt(at);
    this.isChanged = true;
  }

  #copyStanding(entry: Buffer): void {
    const bytes = this.#bytes;
    entry.copy(bytes, 0, 0, MEMBERS_AT);
    let from = firstMember(entry);
    // Adjacent members are copied together.
    let copied = from;
    while (from < entry.length) {
      const next = nextMember(entry, from, entry.length);
      if (entry.readDoubleLE(from + EXPIRY_AT) <= this.#nowMs) {
        this.#end += entry.copy(bytes, this.#end, copied, from);
        copied = next;
      }
      from = next;
    }
    this.#end += entry.copy(bytes, this.#end, copied, from);
  }

  #find(name: string): number {
    return findMember(this.#bytes, name, this.#end);
  }

  #valueAt(at: number): Buffer {
    const from = at + NAME_AT + nameBytesAt(this.#bytes, at);
    return this.#bytes.subarray(from, from + valueBytesAt(this.#bytes, at));
  }

  #append(name: string, valueBytes: number, expiresAtMs: number): number {
    const nameBytes = Buffer.byteLength(name);
    const at = this.#end;
    const end = at + NAME_AT + nameBytes + valueBytes;
    if (end > this.#bytes.length) {
      const longer = Buffer.allocUnsafe(end + SPARE_BYTES);
      this.#bytes.copy(longer, 0, 0, at);
      this.#bytes = longer;
      this.#view = viewOf(longer);
    }
    const bytes = this.#bytes;
    bytes.writeUInt16LE(nameBytes, at);
    bytes.writeUInt32LE(valueBytes, at + VALUE_LENGTH_AT);
    bytes.writeDoubleLE(expiresAtMs, at + EXPIRY_AT);
    bytes.write(name, at + NAME_AT);
    this.#end = end;
    this.#liveUntil(expiresAtMs);
    return at;
  }

  #removeAt(at: number): void {
    const next = nextMember(this.#bytes, at, this.#end);
    this.#bytes.copyWithin(at, next, this.#end);
    this.#end -= next - at;
  }

  #liveUntil(expiresAtMs: number): void {
    if (this.#bytes.readDoubleBE(0) < expiresAtMs) this.#bytes.writeDoubleBE(expiresAtMs, 0);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

function findStanding(entry: Buffer, name: string, nowMs: number): number {
  firstMember(entry);
  const at = findMember(entry, name, entry.length);
  return at === -1 || entry.readDoubleLE(at + EXPIRY_AT) <= nowMs ? -1 : at;
}

/** The bounds of each member are checked: what is read from the store lies in larger memory. @throws RangeError for a damaged record */
function findMember(bytes: Buffer, name: string, end: number): number {
  const nameBytes = NAME.write(name);
  for (let at = MEMBERS_AT; at < end; ) {
    const next = nextMember(bytes, at, end);
    if (nameBytesAt(bytes, at) === nameBytes && isNamed(bytes, at + NAME_AT, nameBytes)) return at;
    at = next;
  }
  return -1;
}

/** Names differ most towards their ends. */
function isNamed(bytes: Buffer, from: number, nameBytes: number): boolean {
  for (let at = nameBytes - 1; at >= 0; at -= 1) if (bytes[from + at] !== NAME[at]) return false;
  return true;
}

function firstMember(entry: Buffer): number {
  if (entry.length < MEMBERS_AT || entry.readUInt32LE(LENGTH_AT) !== entry.length - FLAGS_AT) throw cut();
  return MEMBERS_AT;
}

function nextMember(bytes: Buffer, at: number, end: number): number {
  if (at + NAME_AT > end) throw cut();
  const next = at + NAME_AT + nameBytesAt(bytes, at) + valueBytesAt(bytes, at);
  if (next > end) throw cut();
  return next;
}

function nameBytesAt(bytes: Buffer, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}

function valueBytesAt(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at + VALUE_LENGTH_AT);
}

function cut(): RangeError {
  return new RangeError('The record of a user in the hot store is cut');
}
