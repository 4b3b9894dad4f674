import { digestSecret, hasValidChecksum, newSecretText, randomBase62 } from '../secrets/secret-text.ts';

const TOKEN_PREFIX = 'plc_token_';
const TOKEN_SHAPE = /^plc_token_[0-9A-Za-z]{42}$/;
const LOGIN_SHAPE = /^[A-Za-z0-9][A-Za-z0-9._@-]{2,99}$/;

/** Request headers of the pair (specification, "Header credentials"). */
export const LOGIN_HEADER = 'x-internal-auth-login';
export const TOKEN_HEADER = 'x-internal-auth-token';

/** A new token of a login/token pair: 36 random base62 characters and a checksum. */
export function newHeaderToken(): string {
  return newSecretText(TOKEN_PREFIX, 36);
}

/** A login when the operator names none. */
export function newLogin(): string {
  return `client-${randomBase62(10).toLowerCase()}`;
}

/** 3 to 100 characters of `A-Z a-z 0-9 . _ @ -`, beginning with a letter or digit. */
export function isLogin(text: string): boolean {
  return LOGIN_SHAPE.test(text);
}

/** Whether a text has the shape and checksum of a token. Looks nothing up. */
export function isHeaderToken(text: string): boolean {
  return TOKEN_SHAPE.test(text) && hasValidChecksum(text);
}

/** The stored digest of a pair: bound to its login, so that a row's digest is worth nothing under another login. */
export function digestHeaderToken(pepper: Buffer, login: string, token: string): Buffer {
  return digestSecret(pepper, 'header-credential', `${login}\0${token}`);
}
