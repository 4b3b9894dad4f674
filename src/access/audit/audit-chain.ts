import { createHash } from 'node:crypto';

/** One action with its object and actor. `details` must be JSON without secrets; {@link redact} removes any that slip in. */
export interface AuditRecord {
  /** Decimal id; '0' is the installation. */
  readonly networkId: string;
  readonly sequence: bigint;
  readonly at: Date;
  /** `at` in full precision, as {@link instantText} gives it. Absent: `at` is exact, as in every entry that this program makes. */
  readonly exactAt?: string;
  readonly workspaceId: number | null;
  readonly actor: string;
  readonly remoteAddress: string;
  readonly action: string;
  readonly objectKind: string;
  readonly objectId: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The hash before the first entry of a network. */
export const GENESIS_HASH: Buffer = Buffer.alloc(32);
/** Longest JSON of one entry's details, in characters; longer ones are replaced by their SHA-256. */
const DETAILS_LENGTH_MAX = 65_536;
const DEPTH_MAX = 32;
const SECRET_NAME = /pass(?:word|phrase)|secret|token|digest|pepper|authorization|cookie|recovery.?code/i;

/** SHA-256 over the entry before and this one: changing, removing or moving any entry breaks every later hash. */
export function hashAuditRecord(previousHash: Uint8Array, record: AuditRecord): Buffer {
  return createHash('sha256').update(previousHash).update(hashedText(record)).digest();
}

/** The hashed text of an entry before and after its sequence number, for a hash that the database works out. */
export function splitHashedText(record: AuditRecord): readonly [before: string, after: string] {
  const text = hashedText({ ...record, sequence: 0n });
  const after = `","workspaceId":${record.workspaceId}}`;
  const end = `"sequence":"0${after}`;
  if (!text.endsWith(end)) throw new Error('The sequence number is not where the hashed text ends');
  return [text.slice(0, -after.length - 1), after];
}

function hashedText(record: AuditRecord): string {
  const { networkId, workspaceId, actor, remoteAddress, action, objectKind, objectId, details } = record;
  const facts = { networkId, workspaceId, actor, remoteAddress, action, objectKind, objectId, details };
  return canonicalJson({
    ...facts,
    sequence: String(record.sequence),
    at: record.exactAt ?? record.at.toISOString(),
  });
}

/** Largest distance from the epoch that a `Date` can hold, in milliseconds. */
const DATE_MS_MAX = 8_640_000_000_000_000n;

/**
 * The text of an instant for the hash, from the database's microseconds since the epoch: ISO 8601 with milliseconds, and with microseconds
 * where there are any. So entries hashed when only milliseconds counted keep their hash, and a change by a microsecond shows. A value that
 * is not an instant of a `Date` stays as it is, and matches no hash.
 */
export function instantText(epochMicros: string): string {
  const date = toDate(epochMicros);
  if (date === null) return epochMicros;
  const rest = BigInt.asUintN(64, BigInt(epochMicros) - BigInt(date.getTime()) * 1_000n);
  const text = date.toISOString();
  return rest === 0n ? text : `${text.slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}

/** The `Date` at or just before an instant; null when there is none, as for infinity. */
export function toDate(epochMicros: string): Date | null {
  if (!/^-?\d{1,30}$/.test(epochMicros)) return null;
  const micros = BigInt(epochMicros);
  const milliseconds = (micros - (((micros % 1_000n) + 1_000n) % 1_000n)) / 1_000n;
  const inRange = milliseconds <= DATE_MS_MAX && milliseconds >= -DATE_MS_MAX;
  return inRange ? new Date(Number(milliseconds)) : null;
}

/** JSON with sorted keys, so that a round trip through the database's jsonb gives the same text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/**
 * Makes details fit for the log: dates and bigints as text, members that are named like secrets cut, at most 32 levels and
 * 64 Ki characters (else only their SHA-256 and length are kept).
 */
export function redact(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = plainValue(details, 0) as Record<string, unknown>;
  const text = JSON.stringify(plain);
  if (text.length <= DETAILS_LENGTH_MAX) return plain;
  const { changeSet } = plain;
  return {
    tooLong: { characters: text.length, sha256: createHash('sha256').update(text).digest('hex') },
    ...(changeSet === undefined ? {} : { changeSet }),
  };
}

/** Whether {@link redact} replaced details that are too long. */
export function isTooLong(details: Readonly<Record<string, unknown>>): boolean {
  return details['tooLong'] !== undefined;
}

function plainValue(value: unknown, depth: number): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') {
    return typeof value === 'string' ? cleanText(value) : value;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return '[bytes]';
  if (typeof value !== 'object') return null;
  if (depth >= DEPTH_MAX) return '[too deep]';
  if (Array.isArray(value)) return value.map((member) => plainValue(member, depth + 1));
  const entries = Object.entries(value).filter(([, member]) => member !== undefined && typeof member !== 'function');
  return Object.fromEntries(
    entries.map(([name, member]) => [
      cleanText(name),
      SECRET_NAME.test(name) && member !== null && typeof member !== 'boolean'
        ? '[redacted]'
        : plainValue(member, depth + 1),
    ]),
  );
}

/** PostgreSQL accepts neither U+0000 nor half a surrogate pair. */
export function cleanText(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}
