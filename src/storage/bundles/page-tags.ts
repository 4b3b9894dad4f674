/** How far into a page its head is looked for, in bytes. */
export const HEAD_BYTES_MAX = 256 * 1024;

/**
 * Where code that runs before the page's own is put in: behind `<head>`, else behind `<html>`, else behind the doctype, else at the start.
 * One pass: comments are skipped, and the first other element ends the search, because no head comes after it.
 */
export function findHeadStart(page: string): number {
  let found = 0;
  for (let at = page.indexOf('<'); at !== -1; at = page.indexOf('<', at)) {
    if (page.startsWith('<!--', at)) {
      // `<!-->` is a whole comment.
      const end = page.indexOf('-->', at + 2);
      if (end === -1) return found;
      at = end + 3;
    } else if (page[at + 1] === '!' || page[at + 1] === '?') {
      const end = page.indexOf('>', at);
      if (end === -1) return found;
      if (/^<!doctype/i.test(page.slice(at, at + 9))) found = end + 1;
      at = end + 1;
    } else {
      const name = /^<(html|head)[\s/>]/i.exec(page.slice(at, at + 6))?.[1]?.toLowerCase();
      if (name !== undefined) {
        const end = findTagEnd(page, at);
        if (end === -1) return found;
        if (name === 'head') return end;
        found = end;
        at = end;
      } else if (/^<[a-z/]/i.test(page.slice(at, at + 2))) return found;
      else at += 1;
    }
  }
  return found;
}

/** Behind the `>` of a start tag; -1 when it has none. A quoted value may hold one. */
function findTagEnd(page: string, from: number): number {
  let isBeforeValue = false;
  for (let at = from; at < page.length; at += 1) {
    const sign = page.charAt(at);
    if (sign === '>') return at + 1;
    if (isBeforeValue && (sign === '"' || sign === "'")) {
      at = page.indexOf(sign, at + 1);
      if (at === -1) return -1;
      isBeforeValue = false;
    } else if (sign === '=') isBeforeValue = true;
    else if (!/\s/.test(sign)) isBeforeValue = false;
  }
  return -1;
}

/** The pixels that `<meta name="ad.size" content="width=300,height=250">` states, as ad servers have it. One pass, like {@link findHeadStart}. */
export function findStatedSize(page: string): { readonly width: number; readonly height: number } | null {
  const meta = /<meta\s/gi;
  for (let found = meta.exec(page); found !== null; found = meta.exec(page)) {
    const end = page.indexOf('>', found.index);
    if (end === -1) return null;
    meta.lastIndex = end;
    const tag = page.slice(found.index, end);
    if (!/\bname\s*=\s*["']?ad\.size(?![\w.-])/i.test(tag)) continue;
    const [, width, height] = /width\s*=\s*(\d{1,5})\s*,\s*height\s*=\s*(\d{1,5})/i.exec(tag) ?? [];
    return width === undefined || height === undefined ? null : { width: Number(width), height: Number(height) };
  }
  return null;
}
