import { dirname, join, normalize } from 'node:path';
import { Marked } from 'marked';
import { createAnchors } from './anchors.ts';
import { GUIDE_ADDRESS, type Guide, type GuidePage } from './pages.ts';

/** A heading of a page: `id` is its anchor, as forges make anchors; `html` is its text. */
export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly html: string;
}

/** A page as HTML, with its headings in order. */
export interface RenderedText {
  readonly html: string;
  readonly headings: readonly Heading[];
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const plain = (html: string): string => html.replace(/&(?:amp|lt|gt|quot|#39);/g, (one) => ENTITIES[one] ?? one);

/**
 * Renders a page. Links to other pages of the guide lead there; other files of the repository are named without a link. The HTML of a page
 * stays: pages are files of this program.
 */
export function renderText(page: GuidePage, guide: Guide): RenderedText {
  const anchorOf = createAnchors();
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        const id = anchorOf(plain(text));
        headings.push({ level: depth, id, html: text });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = pointLink(href, page, guide);
        return target === null ? text : `<a href="${target}">${text}</a>`;
      },
      html: ({ text }) => text.replaceAll(/src="(?:docs\/)?images\//g, `src="${GUIDE_ADDRESS}/images/`),
    },
  });
  const html = marked
    .parse(page.text, { async: false })
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">');
  return { html, headings };
}

/** @returns null for a file that the guide has not */
function pointLink(href: string, page: GuidePage, guide: Guide): string | null {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = normalize(join(dirname(page.file), path));
  const found = guide.byFile.get(target) ?? guide.byFile.get(join(target, 'README.md'));
  if (found === undefined) return null;
  return anchor === undefined ? found.address : `${found.address}#${anchor}`;
}
