import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { PrivacyVerdict } from './privacy.ts';
import type { PrivacySignals } from '../openrtb/privacy-signals.ts';
import type { UserIds } from '../openrtb/bid-request.ts';

/** Half a year, never extended: then the browser gets another id. */
const MAX_AGE_S = 180 * 86_400;
const ID_BYTES = 16;

/** The user ids of a request, and what the response does to the browser's cookie. */
export interface RecognisedUser {
  readonly userIds: UserIds;
  /** A `Set-Cookie` header; null = leave the cookie unchanged. */
  readonly setCookie: string | null;
}

/** The input of recognising a user. */
export interface UserSignals {
  readonly userIds: UserIds;
  readonly signals: Pick<PrivacySignals, 'gdpr'>;
  readonly verdict: Pick<PrivacyVerdict, 'npa'>;
  readonly headers: IncomingHttpHeaders;
  readonly workspaceId: number;
}

/**
 * The user ids of a bid request. A browser whose page sends no id (`ids.lu`, `ids.aid`) gets a random one as a cookie, but only when the
 * request explicitly allows it: it states that GDPR does not apply, or has consent, and no signal opts out (npa, COPPA, US opt-out,
 * lmt/dnt, Global Privacy Control). A cookie counts once the browser returns it, not when it is set. When personalisation is off, an
 * incoming cookie is deleted unread. The cookie is partitioned, so that the id differs on every site that the user visits, and it belongs
 * to this workspace alone.
 */
export function recogniseUser({ userIds, signals, verdict, headers, workspaceId }: UserSignals): RecognisedUser {
  const name = `__Host-placard-user-${workspaceId}`;
  const known = headers.cookie === undefined ? '' : readUserCookie(headers.cookie, name);
  if (verdict.npa || headers['sec-gpc'] === '1')
    return { userIds, setCookie: known === '' ? null : formatUserCookie(name, '', 0) };
  if (userIds.lu !== '' || userIds.aid !== '' || signals.gdpr === null || !isBrowser(headers))
    return { userIds, setCookie: null };
  if (known !== '') return { userIds: { ...userIds, lu: known }, setCookie: null };
  return { userIds, setCookie: formatUserCookie(name, randomBytes(ID_BYTES).toString('base64url'), MAX_AGE_S) };
}

/** Servers in between store no cookies for users. */
function isBrowser(headers: IncomingHttpHeaders): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

/** The value of a cookie in a `Cookie` header; '' when the header has no such cookie. */
export function readCookie(header: string, name: string): string {
  const at = `; ${header}`.indexOf(`; ${name}=`);
  return at === -1 ? '' : (header.slice(at + name.length + 1).split(';', 1)[0] ?? '');
}

/** The id in our cookie; '' when there is none or it is invalid. */
function readUserCookie(header: string, name: string): string {
  const value = readCookie(header, name);
  return /^[\w-]{22}$/.test(value) ? value : '';
}

/** Browsers return it from third-party pages to this host only, and no script can read it. A `maxAgeS` of 0 deletes it. */
function formatUserCookie(name: string, value: string, maxAgeS: number): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; Secure; SameSite=None; Partitioned`;
}
