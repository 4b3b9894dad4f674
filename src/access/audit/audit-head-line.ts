import { createHash, createHmac, type KeyObject, sign, verify } from 'node:crypto';
import type { AuditVerifyKeys } from './audit-key.ts';
import { isSameDigest } from '../secrets/secret-text.ts';

/** The end of one network's chain, as it was at an instant. `hash` is hex. */
export interface SignedHead {
  readonly networkId: string;
  readonly sequence: string;
  readonly hash: string;
}

/**
 * One line of the heads: the ends of chains at an instant, chained to the line before by its hash, and signed with Ed25519 over
 * everything else in the line.
 */
export interface HeadLine {
  readonly version: 2;
  /** 1, 2, 3, … without a gap. */
  readonly number: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** SHA-256 (hex) of the line before; for line 1, of all lines of older versions, each with its line end. */
  readonly previous: string;
  readonly heads: readonly SignedHead[];
}

/** The text of a line, as a file or the database holds it, and its content. */
export interface KeptHeadLine {
  readonly text: string;
  readonly line: HeadLine;
}

/** A line of versions before the chain: signed by an HMAC, bound by line 1 of the chain. */
export interface LegacyHeadLine {
  readonly at: string;
  readonly heads: readonly SignedHead[];
  readonly signature: string;
}

/** SHA-256 of text, in hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Signs a line; returns its text without a line end. */
export function signHeadLine(key: KeyObject, line: HeadLine): string {
  const signature = sign(null, Buffer.from(signedText(line)), key).toString('base64');
  return JSON.stringify({ ...orderMembers(line), signature });
}

/** Parses a line with any signature; null when it does not belong to the chain. */
export function parseHeadLine(text: string): HeadLine | null {
  const value = parseJson(text) as Partial<HeadLine> | null;
  if (value === null || value.version !== 2 || !Number.isSafeInteger(value.number)) return null;
  if (typeof value.at !== 'string' || typeof value.previous !== 'string' || !areHeads(value.heads)) return null;
  return orderMembers(value as HeadLine);
}

/** Whether the key signed exactly this text. */
export function isSignedBy(publicKey: KeyObject | null, text: string): boolean {
  const line = parseHeadLine(text);
  const signature = (parseJson(text) as { signature?: unknown } | null)?.signature;
  if (publicKey === null || line === null || typeof signature !== 'string') return false;
  // Compares the texts, so that a line holds nothing unsigned.
  if (JSON.stringify({ ...line, signature }) !== text) return false;
  return verify(null, Buffer.from(signedText(line)), publicKey, Buffer.from(signature, 'base64'));
}

/** Parses a line of older versions; null when it is not one, its signature is wrong, or there is no secret to check it. */
export function readLegacyLine(keys: AuditVerifyKeys, text: string): LegacyHeadLine | null {
  const value = parseJson(text) as Partial<LegacyHeadLine> | null;
  if (value === null || typeof value.at !== 'string' || !areHeads(value.heads)) return null;
  if (typeof value.signature !== 'string' || keys.legacySecret === null) return null;
  const heads = value.heads.map(({ networkId, sequence, hash }) => [networkId, sequence, hash]);
  const expected = createHmac('sha256', keys.legacySecret)
    .update(JSON.stringify([value.at, heads]))
    .digest();
  return isSameDigest(expected, Buffer.from(value.signature, 'hex')) ? (value as LegacyHeadLine) : null;
}

/** Whether a line claims to be of the chain: older ones have no version. */
export function isChainLine(text: string): boolean {
  return (parseJson(text) as { version?: unknown } | null)?.version !== undefined;
}

function signedText(line: HeadLine): string {
  return `placard audit head ${JSON.stringify(orderMembers(line))}`;
}

function orderMembers({ version, number, at, previous, heads }: HeadLine): HeadLine {
  const plain = heads.map(({ networkId, sequence, hash }) => ({ networkId, sequence, hash }));
  return { version, number, at, previous, heads: plain };
}

function areHeads(value: unknown): value is SignedHead[] {
  const isHead = (one: Partial<SignedHead> | null): boolean =>
    typeof one?.networkId === 'string' && /^\d{1,19}$/.test(String(one.sequence)) && typeof one.hash === 'string';
  return Array.isArray(value) && value.every(isHead);
}

function parseJson(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
