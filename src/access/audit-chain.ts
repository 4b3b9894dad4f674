import { createHash } from 'node:crypto';

/** What happened, to what, by whom. `details` must be JSON without secrets; {@link redact} is the belt to that brace. */
export interface AuditRecord {
  /** Decimal id; '0' stands for the installation. */
  readonly networkId: string;
  readonly sequence: bigint;
  readonly at: Date;
  readonly workspaceId: number | null;
  readonly actor: string;
  readonly remoteAddress: string;
  readonly action: string;
  readonly objectKind: string;
  readonly objectId: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The hash that stands before the first entry of a network. */
export const GENESIS_HASH: Buffer = Buffer.alloc(32);
/** Longest JSON of one entry's details, in characters; longer ones are replaced by their SHA-256. */
const DETAILS_LENGTH_MAX = 65_536;
const DEPTH_MAX = 32;
const SECRET_NAME = /pass(?:word|phrase)|secret|token|digest|pepper|authorization|cookie|recovery.?code/i;

/** SHA-256 over the entry before and this one: changing, removing or moving any entry breaks every later hash. */
export function hashAuditRecord(previousHash: Uint8Array, record: AuditRecord): Buffer {
  const { networkId, workspaceId, actor, remoteAddress, action, objectKind, objectId, details } = record;
  const facts = { networkId, workspaceId, actor, remoteAddress, action, objectKind, objectId, details };
  const text = canonicalJson({ ...facts, sequence: String(record.sequence), at: record.at.toISOString() });
  return createHash('sha256').update(previousHash).update(text).digest();
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
  return { tooLong: { characters: text.length, sha256: createHash('sha256').update(text).digest('hex') } };
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

/** PostgreSQL takes neither U+0000 nor half a surrogate pair. */
export function cleanText(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}
