/** The session's cookie. The `__Host-` prefix binds it to this very host, to HTTPS, and to the path `/`. */
export const SESSION_COOKIE = '__Host-placard';
/** Marks a browser in which a member has signed in before, so that guesses of others cannot lock that member out of it. */
export const DEVICE_COOKIE = '__Host-placard-device';

/** Binds a sign-in by another service to the browser in which it began. */
export const ATTEMPT_COOKIE = '__Host-placard-attempt';

/** The value of a cookie of the `Cookie` header; null when there is none (or it is longer than 512 characters). */
export function readCookie(header: string | undefined, name: string): string | null {
  if (header === undefined) return null;
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) {
      const value = pair.slice(at + 1).trim();
      return value === '' || value.length > 512 ? null : value;
    }
  }
  return null;
}

/** A `Set-Cookie` of ours: HttpOnly, Secure, SameSite=Lax. A `maxAgeSeconds` of 0 deletes it. */
export function formatCookie(name: string, value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Lax`;
}
