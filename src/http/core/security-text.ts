import type { Route } from '../shared/route.ts';

/** How long the file is valid: RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;
const DAY_MS = 86_400_000;

/**
 * The route `/.well-known/security.txt` (RFC 9116), for either server: whom to tell of a vulnerability. `Expires` lies between 179 and
 * 180 days ahead, at midnight. Without contacts there is no such file (404). It is also served over plain HTTP behind a proxy.
 */
export function securityTextRoutes(options: { readonly contacts: readonly string[]; nowMs(): number }): Route[] {
  const { contacts } = options;
  if (contacts.length === 0) return [];
  const handler = () => {
    const expires = new Date((Math.floor(options.nowMs() / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString();
    const lines = [
      ...contacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${expires.replace('.000Z', 'Z')}`,
      'Preferred-Languages: en',
    ];
    return {
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' },
      body: `${lines.join('\n')}\n`,
    };
  };
  return [{ method: 'GET', pattern: '/.well-known/security.txt', name: 'security-text', plainAllowed: true, handler }];
}
