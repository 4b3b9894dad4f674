import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { HttpReply, HttpRequest, Route } from '../../http/shared/route.ts';

/** The page tag as it was built (`node sdk/tag/build.ts`). */
const TAG = readFileSync(new URL('../../../sdk/tag/tag.min.js', import.meta.url), 'utf8');

/**
 * The empty document that the tag draws a banner in. It accepts one message from its parent page, and shows the content of it. Its policy
 * gives it a separate origin wherever it is opened, so that nothing in it can use this one.
 */
const FRAME =
  '<!doctype html><meta charset="utf-8"><title>Advertisement</title><script>' +
  "onmessage=e=>{if(e.source!==parent||!e.data||typeof e.data.placard!=='string')return;document.open();" +
  'document.write(\'<!doctype html><meta charset="utf-8"><style>body{margin:0;overflow:hidden}</style>\'+e.data.placard);document.close()}' +
  '</script>';

/** Cached for a day, then for a week the old one is used while the new one is fetched. */
const CACHING = 'public, max-age=86400, stale-while-revalidate=604800';

/** `GET /tag.js` and the frame that it uses, for any page. */
export function createTagRoutes(): Route[] {
  return [
    fileRoute('/tag.js', 'tag', TAG, {
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'timing-allow-origin': '*',
    }),
    fileRoute('/tag-frame.html', 'tag.frame', FRAME, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': 'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
    }),
  ];
}

function fileRoute(pattern: string, name: string, body: string, own: Readonly<Record<string, string>>): Route {
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const headers = { ...own, etag, 'cache-control': CACHING, 'cross-origin-resource-policy': 'cross-origin' };
  const bytes = Buffer.from(body);
  return {
    method: 'GET',
    pattern,
    name,
    handler: (request: HttpRequest): HttpReply =>
      isKnown(request.headers['if-none-match'], etag)
        ? { status: 304, headers: { etag, 'cache-control': CACHING } }
        : { status: 200, headers, body: bytes },
  };
}

function isKnown(known: string | undefined, etag: string): boolean {
  return known !== undefined && known.split(',').some((one) => one.trim() === '*' || one.trim() === etag);
}
