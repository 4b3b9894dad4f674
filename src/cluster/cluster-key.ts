import { createHash, createHmac, randomBytes } from 'node:crypto';
import { hasValidChecksum, newSecretText } from '../access/secrets/secret-text.ts';
import { openBytes, sealBytes } from '../storage/sealed-bytes.ts';
import type { StoredMarks } from '../storage/sql/cluster-schema.ts';

/** Hexadecimal digits of a mark: 64 bits, of a keyed hash. */
const MARK_DIGITS = 16;
const TOKEN_PREFIX = 'plc_join_';
const TOKEN_ID_LENGTH = 8;
/** 43 base62 characters: 256 bits. */
const TOKEN_SECRET_LENGTH = 43;
const TOKEN = /^plc_join_([0-9A-Za-z]{8})([0-9A-Za-z]{43})[0-9A-Za-z]{6}$/;

/** A new cluster key. */
export function newClusterKey(): Buffer {
  return randomBytes(32);
}

/**
 * The mark (fingerprint) of a text: the same on every node that has the cluster key. Testing a guess of the text takes that key.
 */
export function markOf(clusterKey: Buffer, name: string, text: string): string {
  const key = createHmac('sha256', clusterKey).update('cluster-mark').digest();
  return createHmac('sha256', key).update(`${name}\0${text}`).digest('hex').slice(0, MARK_DIGITS);
}

/** The mark of the cluster key itself. */
export function markOfKey(clusterKey: Buffer): string {
  return markOf(clusterKey, 'cluster-key', '');
}

/** The marks of a secret's text: one of each link key, else a single one. */
export function marksOf(clusterKey: Buffer, name: string, text: string): StoredMarks {
  if (name !== 'link-keys') return { [name]: markOf(clusterKey, name, text.trim()) };
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(lines.map((line) => [line.split(':', 1)[0] ?? '', markOf(clusterKey, name, line.trim())]));
}

/** Where a sealed secret belongs: it opens nowhere else. */
export interface SecretLabel {
  readonly clusterId: string;
  readonly name: string;
  readonly revision: number;
}

function ownerOf({ clusterId, name, revision }: SecretLabel): string {
  return `${clusterId}/${name}/${revision}`;
}

/** Seals a secret for PostgreSQL: AES-256-GCM, bound to its cluster, name and revision. */
export function sealSecret(clusterKey: Buffer, label: SecretLabel, text: string): Buffer {
  return sealBytes(clusterKey, { purpose: 'cluster-secret', owner: ownerOf(label) }, Buffer.from(text));
}

/** Opens what `sealSecret` made. @throws Error for another key or label, or changed bytes */
export function openSecret(clusterKey: Buffer, label: SecretLabel, sealed: Buffer): string {
  return openBytes(clusterKey, { purpose: 'cluster-secret', owner: ownerOf(label) }, sealed).toString();
}

/** Seals a cluster key under another secret that nodes have: the pepper, or the key that it replaces. */
export function sealKey(under: Buffer, clusterId: string, clusterKey: Buffer): Buffer {
  return sealBytes(under, { purpose: 'cluster-key', owner: clusterId }, clusterKey);
}

/** Opens what `sealKey` made; null when it was sealed under another secret. */
export function openKey(under: Buffer, clusterId: string, sealed: Buffer): Buffer | null {
  try {
    return openBytes(under, { purpose: 'cluster-key', owner: clusterId }, sealed);
  } catch {
    return null;
  }
}

/** The two halves of a join token: PostgreSQL finds it by its id; only its holder has the secret. */
export interface JoinToken {
  readonly id: string;
  readonly secret: string;
}

/** A new join token, as text. */
export function newJoinToken(): string {
  return newSecretText(TOKEN_PREFIX, TOKEN_ID_LENGTH + TOKEN_SECRET_LENGTH);
}

/** The parts of a token; null for text that is none, such as a mistyped one. */
export function parseJoinToken(text: string): JoinToken | null {
  const [, id, secret] = TOKEN.exec(text) ?? [];
  if (id === undefined || secret === undefined || !hasValidChecksum(text)) return null;
  return { id, secret };
}

/** What PostgreSQL holds to check a token. A secret of 256 random bits needs no slow hash. */
export function digestJoinToken({ id, secret }: JoinToken): Buffer {
  return createHash('sha256').update(`placard join token\0${id}\0${secret}`).digest();
}

/** Seals the cluster key under a token. */
export function sealForToken(token: JoinToken, clusterKey: Buffer): Buffer {
  return sealBytes(Buffer.from(token.secret), { purpose: 'join-token', owner: token.id }, clusterKey);
}

/** Opens what `sealForToken` made. @throws Error for another token */
export function openWithToken(token: JoinToken, sealed: Buffer): Buffer {
  return openBytes(Buffer.from(token.secret), { purpose: 'join-token', owner: token.id }, sealed);
}
