import { LEAD_ON_CODE } from '../../domain/booking/ad-frame.ts';
import { FOUND_BYTES_MAX, readPieces } from './code-pieces.ts';
import { bundleTypeOf, type Bundle, openBundle } from './open-bundle.ts';
import { findHeadStart, HEAD_BYTES_MAX } from './page-tags.ts';

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

const ADDRESS_BYTES_MAX = FOUND_BYTES_MAX / 2;
const addressIn = (quote: string): string =>
  `${quote}(?:(?:https?:|%%)[^${quote}\\\\\\n]{0,${ADDRESS_BYTES_MAX}}|#?)${quote}`;
/** An assignment of an address to a click tag, such as `var clickTag = "https://…"`: its name, and the text. Shorter than a piece of code. */
const ASSIGNED = new RegExp(
  `(\\bclick_?tag\\d{0,2}[ \\t\\r\\n]{0,100}=[ \\t\\r\\n]{0,100})(${addressIn('"')}|${addressIn("'")})`,
  'gi',
);
/** How many of them are changed in a file: each makes it longer. Usual bundles have a few. */
const ASSIGNED_MAX = 1_000;
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

const HEAD_CODE = Buffer.from(`<script>${SET_CLICK_TAG}${RUN_LINKS}${LEAD_ON_CODE}</script>`);

/** Unpacks a bundle and prepares it. @throws BundleRefused */
export async function prepareBundle(packed: Buffer): Promise<ServedBundle> {
  const bundle = await openBundle(packed);
  const files = new Map<string, ServedFile>();
  let bytes = 0;
  for (const [path, content] of bundle.files) {
    const served = {
      contentType: bundleTypeOf(path) ?? 'application/octet-stream',
      bytes: await prepareFile(bundle, path, content),
    };
    bytes += served.bytes.length;
    files.set(path, served);
  }
  return { entry: bundle.entry, files, bytes };
}

async function prepareFile(bundle: Bundle, path: string, content: Buffer): Promise<Buffer> {
  if (!/\.(?:html?|m?js)$/i.test(path)) return content;
  const code = await replaceAssigned(content);
  if (path !== bundle.entry) return code;
  const at = findHeadStart(code.toString('latin1', 0, HEAD_BYTES_MAX));
  return Buffer.concat([code.subarray(0, at), HEAD_CODE, code.subarray(at)]);
}

/** Lets each click tag take the click address; the code without one is not copied. */
async function replaceAssigned(content: Buffer): Promise<Buffer> {
  const parts: Buffer[] = [];
  let copied = 0;
  for await (const { text, offset, start, end } of readPieces(content)) {
    ASSIGNED.lastIndex = Math.max(start, copied) - offset;
    for (let found = ASSIGNED.exec(text); found !== null; found = ASSIGNED.exec(text)) {
      const [all, name, address] = found;
      const at = offset + found.index;
      if (at >= end || parts.length >= 2 * ASSIGNED_MAX) break;
      parts.push(content.subarray(copied, at), Buffer.from(`${name}(${HELD}||${address})`, 'latin1'));
      copied = at + all.length;
    }
  }
  return copied === 0 ? content : Buffer.concat([...parts, content.subarray(copied)]);
}
