import { GUIDE_ADDRESS, type Guide, type GuidePage } from './pages.ts';
import type { RenderedText } from './render-text.ts';
import type { FoundSection } from './search.ts';

/** The address of the reference of the REST API, and its name in the contents. */
export const REFERENCE = { address: `${GUIDE_ADDRESS}/api`, title: 'REST reference' };
const SEARCH_ADDRESS = `${GUIDE_ADDRESS}/search`;
/** Pages with fewer headings need no list of them. */
const HEADINGS_MIN = 3;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (one) => ESCAPES[one] ?? one);

/** What a page of the guide shows beside the contents. */
interface Shown {
  readonly title: string;
  readonly main: string;
  /** The list of the page's headings, or nothing. */
  readonly aside?: string;
  /** The address of the page that the contents mark. */
  readonly current?: string;
  readonly question?: string;
}

/** Writes a whole HTML document; it runs no script. @param styleAddress of the style sheet */
function layOut(guide: Guide, styleAddress: string, shown: Shown): string {
  const { title, main, aside = '', current, question = '' } = shown;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Placard guide</title><link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="${styleAddress}"></head>
<body><a class="skip" href="#content">Skip to the page</a>
<header><a class="brand" href="${GUIDE_ADDRESS}">Placard guide</a>
<form role="search" action="${SEARCH_ADDRESS}"><input type="search" name="q" value="${escapeHtml(question)}" aria-label="Search the guide" placeholder="Search the guide" maxlength="200"><button>Search</button></form>
<a href="/desk">Console</a></header>
<div class="columns"><nav aria-label="Contents"><details open><summary>Contents</summary>${contents(guide, current)}</details></nav>
<main id="content" tabindex="-1">${main}</main>${aside}</div></body></html>`;
}

function contents(guide: Guide, current: string | undefined): string {
  const item = (address: string, title: string): string =>
    `<li><a href="${address}"${address === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`;
  return guide.sections
    .map(({ title, pages }, at) => {
      const items = pages.map((page) => item(page.address, page.title));
      if (at === 0) items.push(item(REFERENCE.address, REFERENCE.title));
      return `<h2>${escapeHtml(title)}</h2><ul>${items.join('')}</ul>`;
    })
    .join('');
}

/** Writes a page, with the pages before and after it in the contents. */
export function writePage(guide: Guide, styleAddress: string, page: GuidePage, text: RenderedText): string {
  const inOrder = guide.sections.flatMap(({ pages }) => pages);
  const at = inOrder.indexOf(page);
  const link = (to: GuidePage | undefined, rel: string, label: string): string =>
    to === undefined ? '<span></span>' : `<a rel="${rel}" href="${to.address}">${label}: ${escapeHtml(to.title)}</a>`;
  const steps = at < 0 ? '' : link(inOrder[at - 1], 'prev', 'Before') + link(inOrder[at + 1], 'next', 'Next');
  const headings = text.headings.filter(({ level }) => level === 2);
  const outline = headings.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`).join('');
  return layOut(guide, styleAddress, {
    title: page.title,
    main: `<article>${text.html}</article>${steps === '' ? '' : `<footer>${steps}</footer>`}`,
    aside:
      headings.length < HEADINGS_MIN
        ? ''
        : `<nav class="outline" aria-label="On this page"><h2>On this page</h2><ul>${outline}</ul></nav>`,
    current: page.address,
  });
}

/** Writes the sections that a search found. */
export function writeResults(
  guide: Guide,
  styleAddress: string,
  question: string,
  found: readonly FoundSection[],
): string {
  const items = found.map(
    ({ address, page, title, excerpt }) =>
      `<li><a href="${address}">${escapeHtml(title)}</a>${title === page ? '' : ` <small>${escapeHtml(page)}</small>`}<p>${escapeHtml(excerpt)}</p></li>`,
  );
  const none =
    question.trim() === ''
      ? 'Type what you look for: a word of the console, a parameter, an error code.'
      : 'No page has all of these words. Try fewer or other words.';
  const title = question.trim() === '' ? 'Search' : `Pages about “${question}”`;
  return layOut(guide, styleAddress, {
    title,
    main: `<article><h1>${escapeHtml(title)}</h1>${items.length === 0 ? `<p>${none}</p>` : `<ol class="results">${items.join('')}</ol>`}</article>`,
    question,
  });
}

/** Writes what stands at an address that has no page. */
export function writeMissing(guide: Guide, styleAddress: string): string {
  return layOut(guide, styleAddress, {
    title: 'There is no such page',
    main: '<article><h1>There is no such page</h1><p>Choose a page from the contents, or search.</p></article>',
  });
}
