import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { PrivacyVerdict } from './privacy.ts';
import type { PrivacySignals } from '../openrtb/privacy-signals.ts';
import type { UserIds } from '../openrtb/bid-request.ts';

/** Half a year, and not prolonged: then the browser gets another id. */
const MAX_AGE_S = 180 * 86_400;
const ID_BYTES = 16;

/** Who is asked about, and what the answer does to the browser's cookie. */
export interface RecognisedUser {
  readonly userIds: UserIds;
  /** A `Set-Cookie` header; null = leave things as they are. */
  readonly setCookie: string | null;
}

/** What recognising a user looks at. */
export interface UserSignals {
  readonly userIds: UserIds;
  readonly signals: Pick<PrivacySignals, 'gdpr'>;
  readonly verdict: Pick<PrivacyVerdict, 'npa'>;
  readonly headers: IncomingHttpHeaders;
  readonly workspaceId: number;
}

/**
 * The user ids of a bid request. A browser whose page knows no id (`ids.lu`, `ids.aid`) gets a random one as a cookie, but only where
 * that is allowed in so many words: the request says that GDPR does not apply, or brings consent, and nothing opts out (npa, COPPA,
 * US opt-out, lmt/dnt, Global Privacy Control). A cookie is believed when it comes back, not when it is set. Where personalisation is
 * off a cookie that comes is not read, but deleted. It is partitioned, so the id differs on every site that the reader visits, and
 * of this workspace alone.
 */
export function recogniseUser({ userIds, signals, verdict, headers, workspaceId }: UserSignals): RecognisedUser {
  const name = `__Host-placard-user-${workspaceId}`;
  const known = headers.cookie === undefined ? '' : readUserCookie(headers.cookie, name);
  if (verdict.npa || headers['sec-gpc'] === '1')
    return { userIds, setCookie: known === '' ? null : formatUserCookie(name, '', 0) };
  if (userIds.lu !== '' || userIds.aid !== '' || signals.gdpr === null || !isBrowser(headers))
    return { userIds, setCookie: null };
  if (known !== '') return { userIds: { lu: known, aid: '' }, setCookie: null };
  return { userIds, setCookie: formatUserCookie(name, randomBytes(ID_BYTES).toString('base64url'), MAX_AGE_S) };
}

/** Servers that stand between keep no cookies for readers. */
function isBrowser(headers: IncomingHttpHeaders): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

/** The id in our cookie; '' when there is none, or something else in its place. */
function readUserCookie(header: string, name: string): string {
  const at = `; ${header}`.indexOf(`; ${name}=`);
  if (at === -1) return '';
  const value = header.slice(at + name.length + 1).split(';', 1)[0] ?? '';
  return /^[\w-]{22}$/.test(value) ? value : '';
}

/** Comes back from third-party pages, to this host alone, and no script can read it. A `maxAgeS` of 0 deletes it. */
function formatUserCookie(name: string, value: string, maxAgeS: number): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; Secure; SameSite=None; Partitioned`;
}
