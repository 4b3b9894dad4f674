import type { PlannedCreative, PlannedFile, Remark } from '../plan/import-plan.ts';
import { nameOf } from '../plan/name-of.ts';
import type { ReviveRow } from './revive-tables.ts';
import { numberOf, textOf } from './text.ts';

const FITTING_TYPES = /\.(?:gif|jpe?g|png|webp)$/i;

/** What Revive's macros are here. */
const MACROS: readonly (readonly [RegExp, string])[] = [
  [/\{clickurl_enc\}/gi, '${CLICK_URL_ENC}'],
  [/\{clickurl(?:_html)?\}/gi, '${CLICK_URL}'],
  [/\{random(?::\d+)?\}|INSERT_RANDOM_NUMBER_HERE/gi, '${CACHEBUSTER}'],
  [/\{timestamp\}/gi, '${TIMESTAMP}'],
  [/\{zoneid\}/gi, '${AD_UNIT_ID}'],
  [/\{width\}/gi, '${WIDTH}'],
  [/\{height\}/gi, '${HEIGHT}'],
];

/** What is known around a banner. */
export interface BannerSurroundings {
  readonly lineItemKey: string;
  /** The sizes of the zones that it is linked to. */
  readonly zoneSizes: readonly { readonly width: number; readonly height: number }[];
  /** Where clicks go if the banner does not say. */
  readonly website: string;
  readonly pictures: ReadonlyMap<string, Buffer>;
  readonly frequencyCaps: readonly Readonly<Record<string, unknown>>[];
  readonly remark: (kind: Remark['kind'], text: string) => void;
}

/** The creative of a banner; null: it cannot come over, and a remark says why. */
export function planBanner(row: ReviveRow, around: BannerSurroundings): PlannedCreative | null {
  const { remark, lineItemKey, frequencyCaps } = around;
  const content = contentOf(row, around);
  if (content === null) return null;
  const size = sizeOf(row, around);
  if (size === null) return null;
  const id = row['bannerid'] ?? '';
  const weight = numberOf(row, 'weight');
  const url = landingOf(row, around);
  for (const column of ['prepend', 'append'] as const)
    if (textOf(row, column) !== '') remark('left out', `its code to ${column}`);
  return {
    key: `revive-banner-${id}`,
    file: content.file,
    input: {
      name: nameOf(textOf(row, 'description') || textOf(row, 'alt'), `Banner ${id}`),
      lineItemExternalId: lineItemKey,
      externalId: `revive-banner-${id}`,
      ...size,
      clickUrl: url,
      content: content.content,
      weight: Math.min(1_000, Math.max(1, weight)),
      status: numberOf(row, 'status') === 0 && weight > 0 ? 'ACTIVE' : 'PAUSED',
      ...(frequencyCaps.length === 0 ? {} : { frequencyCaps }),
    },
  };
}

interface Content {
  readonly content: Readonly<Record<string, unknown>>;
  readonly file: PlannedFile | null;
}

function contentOf(row: ReviveRow, around: BannerSurroundings): Content | null {
  const { remark } = around;
  const storage = row['storagetype'] ?? '';
  const filename = textOf(row, 'filename');
  const alt = textOf(row, 'alt');
  if ((row['ext_bannertype'] ?? '').endsWith(':html5')) {
    remark('left out', 'its HTML5 bundle was unpacked there; upload its ZIP again as a creative');
    return null;
  }
  if (/vast/i.test(row['ext_bannertype'] ?? '')) {
    remark('left out', 'a video is not read from its settings; create it with its files or its VAST address');
    return null;
  }
  if (storage === 'sql' || storage === 'web') {
    const bytes = storage === 'sql' ? (around.pictures.get(filename) ?? null) : null;
    if (filename === '' || !FITTING_TYPES.test(filename)) remark('left out', `its file "${filename}" is not a picture`);
    else if (storage === 'sql' && bytes === null) remark('left out', `its file "${filename}" is not in the database`);
    else return { content: { image: { alt, imageUrl: '' } }, file: { name: filename, bytes } };
    return null;
  }
  if (storage === 'url') {
    const imageUrl = textOf(row, 'imageurl');
    if (/^https?:\/\//i.test(imageUrl)) return { content: { image: { alt, imageUrl } }, file: null };
    remark('left out', `its picture has no web address: "${imageUrl}"`);
    return null;
  }
  if (storage === 'txt') return { content: { html: { html: textBanner(row) } }, file: null };
  if (storage === 'html') return htmlOf(row, remark);
  remark('left out', `Placard does not know its kind "${storage}"`);
  return null;
}

function textBanner(row: ReviveRow): string {
  const escape = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const title = textOf(row, 'statustext');
  return `<a href="\${CLICK_URL}" target="_blank"${title === '' ? '' : ` title="${escape(title)}"`}>${escape(textOf(row, 'bannertext'))}</a>`;
}

function htmlOf(row: ReviveRow, remark: BannerSurroundings['remark']): Content | null {
  let html = textOf(row, 'htmltemplate') || textOf(row, 'htmlcache');
  if (html.trim() === '') {
    remark('left out', 'it has no HTML');
    return null;
  }
  for (const [pattern, macro] of MACROS) html = html.replace(pattern, () => macro);
  html = html.replace(/\{bannerid\}/gi, row['bannerid'] ?? '').replace(/\{campaignid\}/gi, row['campaignid'] ?? '');
  const others = new Set([...html.matchAll(/(?<!\$)\{([a-z_]+)\}/gi)].map(([macro]) => macro));
  if (others.size > 0)
    remark('approximated', `its HTML keeps ${[...others].slice(0, 5).join(', ')}, which nothing fills`);
  if (!html.includes('${CLICK_URL'))
    remark('approximated', 'its HTML has no macro of clicks, so that its clicks are not counted');
  return { content: { html: { html } }, file: null };
}

function sizeOf(row: ReviveRow, { zoneSizes, remark }: BannerSurroundings): { width: number; height: number } | null {
  const own = { width: numberOf(row, 'width'), height: numberOf(row, 'height') };
  if (own.width > 0 && own.height > 0) return own;
  const [first] = zoneSizes;
  if (first !== undefined) {
    remark('approximated', `it fits any size; here it has the size of its first zone, ${first.width}x${first.height}`);
    return first;
  }
  if (row['storagetype'] === 'txt') {
    remark('approximated', 'a text has no size; here it has 300x50');
    return { width: 300, height: 50 };
  }
  remark('left out', 'neither it nor its zones have a size');
  return null;
}

function landingOf(row: ReviveRow, { website, remark }: BannerSurroundings): string {
  const url = textOf(row, 'url').trim();
  if (/^https?:\/\/[^\s]+$/i.test(url)) return url;
  remark('approximated', `its landing page "${url.slice(0, 100)}" is not a web address; here it is ${website}`);
  return website;
}
