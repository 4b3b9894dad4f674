import MiniSearch from 'minisearch';
import { createAnchors } from './anchors.ts';
import type { Guide } from './pages.ts';

/** More words of a question are ignored. */
const WORDS_MAX = 8;
const WORD_LENGTH_MAX = 40;
const RESULTS_MAX = 30;
/** Sections that are indexed before others have their turn on the thread. */
const SECTIONS_AT_ONCE = 5;
const EXCERPT_LENGTH = 220;
/** Decision records come behind pages that say what is. */
const RECORDS = /^\/docs\/adr/;
const RECORD_WEIGHT = 0.3;

/** A part of a page, from one heading to the next. */
interface Section {
  readonly id: number;
  readonly address: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

/** A section that a search found; `address` has its anchor. */
export type FoundSection = Pick<Section, 'address' | 'page' | 'title'> & { readonly excerpt: string };

/** The sections of all pages, and the words that they have. */
export interface GuideIndex {
  find(question: string): FoundSection[];
}

/** Indexes all pages, a few sections at a time. */
export async function indexGuide(guide: Guide): Promise<GuideIndex> {
  const sections = [...guide.byFile.values()].flatMap((page) => {
    const anchorOf = createAnchors();
    return splitSections(page.text).map(({ title, text }, at) => {
      const anchor = anchorOf(title);
      return { address: at === 0 ? page.address : `${page.address}#${anchor}`, page: page.title, title, text };
    });
  });
  const index = new MiniSearch<Section>({ fields: ['title', 'page', 'text'] });
  const numbered = sections.map((section, id) => ({ ...section, id }));
  await index.addAllAsync(numbered, { chunkSize: SECTIONS_AT_ONCE });
  return { find: (question) => findSections(index, numbered, question) };
}

/** The part before the first heading belongs to the title of the page. */
function splitSections(markdown: string): { title: string; text: string }[] {
  const outside = markdown.split(/^( *```[\s\S]*?^ *```)/m).map((part, at) => (at % 2 === 1 ? maskHashes(part) : part));
  return outside
    .join('')
    .split(/^(?=#{1,6} )/m)
    .filter((part) => part.startsWith('#'))
    .map((part) => {
      const [title = '', ...lines] = part.split('\n');
      return { title: plain(title.replace(/^#+ +/, '')), text: plain(lines.join('\n')) };
    });
}

/** Comments in blocks of code are not headings. */
const maskHashes = (code: string): string => code.replace(/^#/gm, ' #');

function plain(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/```\w*|<[^<>]*>|[`*|]|^ *- /gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function findSections(index: MiniSearch<Section>, sections: readonly Section[], question: string): FoundSection[] {
  const words = wordsOf(question);
  if (words.length === 0) return [];
  const options = {
    prefix: true,
    fuzzy: 0.2,
    combineWith: 'AND',
    boost: { title: 5, page: 3 },
    boostDocument: (id: number) => (RECORDS.test(sections[id]?.address ?? '') ? RECORD_WEIGHT : 1),
  } as const;
  return index
    .search(words.join(' '), options)
    .slice(0, RESULTS_MAX)
    .flatMap(({ id }) => {
      const section = sections[Number(id)];
      if (section === undefined) return [];
      const { address, page, title, text } = section;
      return [{ address, page, title, excerpt: excerptOf(text, words) }];
    });
}

/** The words of a question that a search looks for. */
export function wordsOf(question: string): string[] {
  const words = question.toLowerCase().split(/[^\p{L}\p{N}_-]+/u);
  return words.filter((word) => word !== '' && word.length <= WORD_LENGTH_MAX).slice(0, WORDS_MAX);
}

/** The text about the first word that it has. */
function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = Math.max(0, Math.min(...words.map((word) => lower.indexOf(word)).map((found) => (found < 0 ? 0 : found))));
  const start = at < EXCERPT_LENGTH / 2 ? 0 : text.indexOf(' ', at - EXCERPT_LENGTH / 2) + 1;
  const end = start + EXCERPT_LENGTH;
  return `${start === 0 ? '' : '… '}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}
