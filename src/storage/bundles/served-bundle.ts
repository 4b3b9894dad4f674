import { bundleTypeOf, type Bundle, openBundle } from './open-bundle.ts';

/** One file of a bundle, ready to be served. */
export interface ServedFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** The files of a bundle as they are served: its code takes the click address from the address of its page. */
export interface ServedBundle {
  readonly entry: string;
  readonly files: ReadonlyMap<string, ServedFile>;
  readonly bytes: number;
}

/** An assignment of an address to a click tag, such as `var clickTag = "https://…"`: its name, and the text. */
const ASSIGNED =
  /(\bclick_?tag\d{0,2}\s*=\s*)("(?:https?:[^"\\\n]*|#?|%%[^"\\\n]*)"|'(?:https?:[^'\\\n]*|#?|%%[^'\\\n]*)')/gi;
/** Where the click address is while the page runs. */
const HELD = 'window.__placardClickTag';

/** Sets the click tag before any code of the page, from the query: only web addresses. */
const SET_CLICK_TAG = `(function(){var u=new URLSearchParams(location.search).get("clickTag");if(u&&/^https?:\\/\\//i.test(u)){${HELD}=window.clickTag=window.clickTAG=u}})();`;

/**
 * Runs the code of links such as `javascript:window.open(window.clickTag)`, the most usual click of a bundle: browsers of Chromium do not run them
 * in a frame whose sandbox gives it an origin of its own. The code is the page's own, and runs in the same sandbox.
 */
const RUN_LINKS =
  'addEventListener("click",function(e){var t=e.target,a=t&&t.closest&&t.closest("a,area");' +
  'var h=a?a.getAttribute("href")||a.getAttribute("xlink:href")||"":"",m=/^\\s*javascript:/i.exec(h);' +
  'if(!m||e.defaultPrevented||e.button)return;e.preventDefault();var c=h.slice(m[0].length);' +
  'try{c=decodeURIComponent(c)}catch(_){}(0,eval)(c)});';

const HEAD_CODE = `<script>${SET_CLICK_TAG}${RUN_LINKS}</script>`;

/** Unpacks a bundle and prepares it. @throws BundleRefused */
export async function prepareBundle(packed: Buffer): Promise<ServedBundle> {
  const bundle = await openBundle(packed);
  const files = new Map<string, ServedFile>();
  let bytes = 0;
  for (const [path, content] of bundle.files) {
    const served = {
      contentType: bundleTypeOf(path) ?? 'application/octet-stream',
      bytes: prepareFile(bundle, path, content),
    };
    bytes += served.bytes.length;
    files.set(path, served);
  }
  return { entry: bundle.entry, files, bytes };
}

function prepareFile(bundle: Bundle, path: string, content: Buffer): Buffer {
  if (!/\.(?:html?|m?js)$/i.test(path)) return content;
  const text = content
    .toString('utf8')
    .replace(ASSIGNED, (_all, name: string, address: string) => `${name}(${HELD}||${address})`);
  if (path !== bundle.entry) return Buffer.from(text);
  const head = /<head(?:\s[^>]*)?>/i.exec(text) ?? /<html(?:\s[^>]*)?>/i.exec(text) ?? /<!doctype[^>]*>/i.exec(text);
  const at = head === null ? 0 : head.index + head[0].length;
  return Buffer.from(text.slice(0, at) + HEAD_CODE + text.slice(at));
}
