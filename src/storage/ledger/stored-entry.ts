/** Offsets of an entry's fields: flags, length of the key with its kind, length of the value, expiry; then kind, key and value. */
export const FLAGS_AT = 0;
export const KEY_BYTES_AT = 2;
export const VALUE_BYTES_AT = 4;
export const EXPIRY_AT = 8;
export const ENTRY_HEAD_BYTES = 16;
/** Instead of the length of a value: the entry was removed. */
const REMOVED = 0xffff_ffff;

/** An entry that was removed. */
export interface RemovedEntry {
  readonly kind: number;
  /** As text of its bytes. */
  readonly key: string;
}

/** The stored form of a removal. */
export function removalOf({ kind, key: text }: RemovedEntry): Buffer {
  const bytes = Buffer.alloc(ENTRY_HEAD_BYTES + 1 + text.length);
  bytes.writeUInt16LE(1 + text.length, KEY_BYTES_AT);
  bytes.writeUInt32LE(REMOVED, VALUE_BYTES_AT);
  bytes[ENTRY_HEAD_BYTES] = kind;
  bytes.write(text, ENTRY_HEAD_BYTES + 1, 'latin1');
  return bytes;
}

/** A key as text of its UTF-8 bytes, one character each. Most keys are ASCII and stay as they are. */
export function toByteText(key: string): string {
  for (let at = 0; at < key.length; at += 1) if (key.charCodeAt(at) > 0x7f) return Buffer.from(key).toString('latin1');
  return key;
}

/** An entry, or a removal, in its stored form. */
export interface StoredEntry {
  readonly kind: number;
  readonly text: string;
  /** Null: the entry was removed. */
  readonly value: Buffer | null;
  readonly expiresAtMs: number;
}

/** Entries and removals, one behind the other. @throws RangeError when the bytes are none */
export function* entriesOf(bytes: Buffer): Generator<StoredEntry> {
  for (let at = 0; at < bytes.length; ) {
    if (at + ENTRY_HEAD_BYTES > bytes.length) throw cut();
    const keyBytes = bytes.readUInt16LE(at + KEY_BYTES_AT);
    const valueBytes = bytes.readUInt32LE(at + VALUE_BYTES_AT);
    const valueAt = at + ENTRY_HEAD_BYTES + keyBytes;
    const end = valueBytes === REMOVED ? valueAt : valueAt + valueBytes;
    if (end > bytes.length || keyBytes === 0) throw cut();
    yield {
      kind: bytes[at + ENTRY_HEAD_BYTES] ?? 0,
      text: bytes.toString('latin1', at + ENTRY_HEAD_BYTES + 1, valueAt),
      value: valueBytes === REMOVED ? null : bytes.subarray(valueAt, end),
      expiresAtMs: bytes.readDoubleLE(at + EXPIRY_AT),
    };
    at = end;
  }
}

function cut(): RangeError {
  return new RangeError('An entry of the ledger is cut');
}
