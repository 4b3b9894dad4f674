import { randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { hmacSha256 } from '../../domain/ids/keyed-hash.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Bytes from here on are drawn again, so that every character is equally likely. */
const UNBIASED_BYTES = 248;
const CHECKSUM_LENGTH = 6;

/** `length` random base62 characters (5.95 bits each). */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < UNBIASED_BYTES && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

/** CRC-32 of a text as six base62 characters: tells a mistyped secret from a wrong one without a look-up. */
export function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    checksum = ALPHABET[rest % 62] + checksum;
    rest = Math.floor(rest / 62);
  }
  return checksum;
}

/** A new secret: the prefix, `length` random characters, and the checksum of both. */
export function newSecretText(prefix: string, length: number): string {
  const body = prefix + randomBase62(length);
  return body + checksumOf(body);
}

/** Whether the last six characters are the checksum of those before them. */
export function hasValidChecksum(text: string): boolean {
  return checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** The purpose of a secret: digests of one purpose are useless for another. */
export type SecretPurpose =
  | 'api-key'
  | 'header-credential'
  | 'session'
  | 'invitation'
  | 'recovery-code'
  | 'device'
  | 'sign-in-attempt'
  | 'passkey-user'
  | 'sign-in-place'
  | 'sign-in-address';

/** HMAC-SHA-256 of a secret under the installation's pepper, 32 bytes: all that is ever stored of it. */
export function digestSecret(pepper: Buffer, purpose: SecretPurpose, secret: string): Buffer {
  return Buffer.from(hmacSha256(pepper, `${purpose}\0${secret}`, 'latin1'), 'latin1');
}

/** Compares two digests in constant time; false when their lengths differ. */
export function isSameDigest(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
