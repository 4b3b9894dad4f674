import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Longest life of a link to a report. */
export const SHARE_DAYS_MAX = 366;

/** A new secret of a link: 256 random bits. It is shown once; only its digest is stored. */
export function newShareToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Whether a text can be the secret of a link. */
export function isShareToken(text: string): boolean {
  return TOKEN.test(text);
}

/** What is stored of a secret. */
export function digestOfShare(token: string): Buffer {
  return createHash('sha256').update(`report share ${token}`).digest();
}

/** The address of a shared report below the public base address. */
export function sharePath(token: string): string {
  return `/shared/${token}`;
}
