import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AD_SANDBOX } from '../../../domain/booking/ad-frame.ts';
import type { HttpReply, HttpRequest, Route } from '../../../http/shared/route.ts';

/** The page tag, and the tag with the calls of GPT, as they were built (`node sdk/tag/build.ts`). */
const SCRIPTS = { tag: 'tag.min.js', gpt: 'gpt.min.js' } as const;
const scriptOf = (name: keyof typeof SCRIPTS): string =>
  readFileSync(new URL(`../../../../sdk/tag/${SCRIPTS[name]}`, import.meta.url), 'utf8');

/**
 * The empty document that the tag draws a banner in. It accepts one message from its parent page, and shows the content of it. Its policy
 * gives it a separate origin wherever it is opened, so that nothing in it can use this one.
 */
const FRAME =
  '<!doctype html><meta charset="utf-8"><title>Advertisement</title><script>' +
  "onmessage=e=>{if(e.source!==parent||!e.data||typeof e.data.placard!=='string')return;document.open();" +
  'document.write(\'<!doctype html><meta charset="utf-8"><style>body{margin:0;overflow:hidden}</style>\'+e.data.placard);document.close()}' +
  '</script>';

/**
 * A page with one ad unit, for frames: of AMP pages, and of the console's "Try it". Its address has the attributes of the tag's script
 * (`network`, `site`, …) and of the ad unit (`ad-unit`, `sizes`, …). With `watch`, it tells the page around it of its request and the response; then only the
 * console may frame it, because a request can hold the id of a user.
 */
const PAGE_SCRIPT = `(() => {
  const given = new URLSearchParams(location.search);
  const script = document.createElement('script');
  const adUnit = document.createElement('div');
  const own = new Set(['adUnit', 'sizes', 'media', 'position', 'lazy']);
  for (const [name, value] of given) {
    if (!/^[a-z][a-z-]{0,40}$/.test(name) || name === 'watch') continue;
    const key = name.replace(/-([a-z])/g, (_all, letter) => letter.toUpperCase());
    (own.has(key) || key.startsWith('kv') ? adUnit : script).dataset[key] = value;
  }
  const tell = (told) => { if (given.has('watch')) parent.postMessage({ placard: 'try', ...told }, '*'); };
  const send = window.fetch;
  window.fetch = async (url, init) => {
    const response = await send(url, init);
    // Pixels have no body.
    if (init?.body) tell({ url: String(url), request: String(init.body), status: response.status, response: await response.clone().text() });
    return response;
  };
  for (const name of ['filled', 'empty', 'error'])
    addEventListener('placard:' + name, () => tell({ event: name, height: document.documentElement.scrollHeight }));
  document.body.append(adUnit);
  script.src = 'tag.js';
  document.head.append(script);
})();
`;

const PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Advertisement</title>' +
  '<style>body{margin:0}</style><body><script src="tag-page.js"></script></body></html>';

/** Only this server's scripts run in it; ads are drawn in frames of an origin of their own. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; frame-src 'self'; img-src https: http: data:; " +
  "media-src https: http:; base-uri 'none'; form-action 'none'";

/** Cached for a day, then for a week the old one is used while the new one is fetched. */
const CACHING = 'public, max-age=86400, stale-while-revalidate=604800';

/** Whether the page tells the one around it of its request, as its script decides it. */
const isWatched = (query: string): boolean => new URLSearchParams(query).has('watch');

/**
 * `GET /tag.js` and `/gpt.js`, the frame that they use, a page with one ad unit, for any page, and the way to the previews that the tag draws.
 * @param consoleUrl public address of the console, which alone may watch the page
 */
export function createTagRoutes(consoleUrl: string): Route[] {
  const script = {
    'content-type': 'text/javascript; charset=utf-8',
    'access-control-allow-origin': '*',
    'timing-allow-origin': '*',
  };
  const anywhere = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY };
  const origin = new URL(consoleUrl).origin;
  const watched = { ...anywhere, 'content-security-policy': `${PAGE_POLICY}; frame-ancestors ${origin}` };
  return [
    fileRoute('/tag.js', 'tag', scriptOf('tag'), script),
    fileRoute('/gpt.js', 'gpt', scriptOf('gpt'), script),
    fileRoute('/tag-frame.html', 'tag.frame', FRAME, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `sandbox ${AD_SANDBOX}`,
    }),
    fileRoute('/tag-page.html', 'tag.page', PAGE, ({ query }) => (isWatched(query) ? watched : anywhere)),
    fileRoute('/tag-page.js', 'tag.page_script', PAGE_SCRIPT, { 'content-type': 'text/javascript; charset=utf-8' }),
    {
      method: 'GET',
      pattern: '/preview/:token',
      name: 'tag.preview',
      // The tag knows this server alone; the core has the creatives of previews.
      handler: ({ params: { token = '' } }: HttpRequest): HttpReply => ({
        status: 302,
        headers: { location: `${consoleUrl}/preview/${encodeURIComponent(token)}?page`, 'cache-control': 'no-store' },
      }),
    },
  ];
}

type Headers = Readonly<Record<string, string>>;

/** @param own its headers, or those for a request */
function fileRoute(
  pattern: string,
  name: string,
  body: string,
  own: Headers | ((request: HttpRequest) => Headers),
): Route {
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const shared = { etag, 'cache-control': CACHING, 'cross-origin-resource-policy': 'cross-origin' };
  const bytes = Buffer.from(body);
  return {
    method: 'GET',
    pattern,
    name,
    handler: (request: HttpRequest): HttpReply =>
      isKnown(request.headers['if-none-match'], etag)
        ? { status: 304, headers: { etag, 'cache-control': CACHING } }
        : { status: 200, headers: { ...(typeof own === 'function' ? own(request) : own), ...shared }, body: bytes },
  };
}

function isKnown(known: string | undefined, etag: string): boolean {
  return known !== undefined && known.split(',').some((one) => one.trim() === '*' || one.trim() === etag);
}
