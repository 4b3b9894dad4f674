import type { PlannedCreative, PlannedFile, Remark } from '../plan/import-plan.ts';
import { nameOf } from '../plan/name-of.ts';
import type { Fields } from './fields.ts';
import type { GamAssociation, GamCreative, GamSize } from './gam-data.ts';
import { lineItemKey } from './plan-line-items.ts';

type Input = Readonly<Record<string, unknown>>;
type RemarkOf = (kind: Remark['kind'], text: string) => void;

export const creativeKey = (creative: string, lineItem: string): string => `gam-creative-${creative}-${lineItem}`;

interface Content {
  readonly content: Input;
  readonly file?: PlannedFile;
  readonly size?: GamSize;
}

/** A kind of creative: recognised by a member that only it has, because JSON of SOAP clients often lacks the type. */
interface Kind {
  readonly member: string;
  readonly read: (details: Fields, creative: GamCreative, remark: RemarkOf) => Content | null;
}

const ANY_SIZE: GamSize = { width: 0, height: 0 };
const TRACKERS_MAX = 10;
const HTML_MAX = 200_000;

const KINDS: readonly Kind[] = [
  { member: 'primaryImageAsset', read: hostedImage },
  { member: 'imageUrl', read: (details, { name }) => imageAt(details.textOr('imageUrl'), details, name) },
  { member: 'html5Asset', read: html5 },
  { member: 'vastXmlUrl', read: vast },
  {
    member: 'vastInfo',
    read: (details, creative, remark) => vast(details.child('vastInfo') ?? details, creative, remark),
  },
  {
    member: 'snippet',
    read: (details, _creative, remark) => html(details.textOr('expandedSnippet', 'snippet'), remark),
  },
  { member: 'htmlSnippet', read: (details, _creative, remark) => html(details.textOr('htmlSnippet'), remark) },
];

/** The creative of an association; null: it cannot come over, and a remark says why. */
export function planCreative(
  creative: GamCreative,
  { lineItemId, isActive, weight }: GamAssociation,
  remark: RemarkOf,
): PlannedCreative | null {
  const { details } = creative;
  const kind = KINDS.find(({ member }) => details.has(member));
  if (kind === undefined) {
    remark('left out', `its kind ${creative.kind ?? `with the members ${details.names.slice(0, 8).join(', ')}`}`);
    return null;
  }
  const content = kind.read(details, creative, remark);
  if (content === null) return null;
  const clickUrl = landingOf(details, remark);
  const impressionUrls = details.texts('thirdPartyImpressionTrackingUrls').filter((url) => /^https?:\/\//i.test(url));
  if (impressionUrls.length > TRACKERS_MAX)
    remark('left out', `${impressionUrls.length - TRACKERS_MAX} of its tracking addresses`);
  const key = creativeKey(creative.id, lineItemId);
  return {
    key,
    file: content.file ?? null,
    input: {
      name: nameOf(creative.name, `Creative ${creative.id}`),
      lineItemExternalId: lineItemKey(lineItemId),
      externalId: key,
      ...(content.size ?? creative.size),
      clickUrl,
      content: content.content,
      weight: Math.min(1_000, Math.max(1, Math.round(weight ?? 100))),
      status: isActive ? 'ACTIVE' : 'PAUSED',
      ...(impressionUrls.length === 0 ? {} : { trackers: { impressionUrls: impressionUrls.slice(0, TRACKERS_MAX) } }),
    },
  };
}

const NO_LANDING = 'https://landing-page.invalid/';

function landingOf(details: Fields, remark: RemarkOf): string {
  const url = details.textOr('destinationUrl', 'clickThroughUrl');
  if (/^https?:\/\/\S+$/i.test(url)) return url;
  // Tags of third parties lead elsewhere themselves.
  if (!details.has('snippet') && !details.has('vastXmlUrl') && !details.has('html5Asset'))
    remark('approximated', `it has no landing page; clicks lead to ${NO_LANDING}`);
  return NO_LANDING;
}

/** The file is read from the folder of pictures: the address on the old ad server ends with the contract there. */
function hostedImage(details: Fields, { name }: GamCreative, remark: RemarkOf): Content | null {
  const asset = details.child('primaryImageAsset');
  const file = asset?.textOr('fileName') ?? '';
  if (/\.(?:gif|jpe?g|png|webp|avif)$/i.test(file))
    return { content: { image: { alt: altOf(details, name), imageUrl: '' } }, file: { name: file, bytes: null } };
  const address = asset?.textOr('assetUrl') ?? '';
  if (!/^https?:\/\//i.test(address)) {
    remark('left out', `its file "${file}" is not a picture`);
    return null;
  }
  remark('approximated', `its picture has no file name: it stays at ${address}`);
  return imageAt(address, details, name);
}

const imageAt = (imageUrl: string, details: Fields, name: string): Content => ({
  content: { image: { alt: altOf(details, name), imageUrl } },
});

const altOf = (details: Fields, name: string): string => (details.text('altText') ?? name).slice(0, 500);

function html5(details: Fields, _creative: GamCreative, remark: RemarkOf): Content | null {
  const file = details.child('html5Asset')?.textOr('fileName') ?? '';
  if (/\.zip$/i.test(file)) return { content: { html5: { zipUrl: '' } }, file: { name: file, bytes: null } };
  remark('left out', `its bundle "${file}" is not a ZIP`);
  return null;
}

const SECOND_MS = 1_000;

function vast(details: Fields, { name }: GamCreative, remark: RemarkOf): Content | null {
  const address = details.textOr('vastXmlUrl', 'vastTagUrl');
  const durationMs = durationOf(details);
  if (!/^https?:\/\/\S+$/i.test(address)) {
    remark('left out', 'a film that Ad Manager hosts: upload its files again');
    return null;
  }
  if (durationMs === null) {
    remark('left out', 'its VAST address comes without a duration');
    return null;
  }
  return { content: { video: { title: name, durationMs, vastTagUrl: address } }, size: ANY_SIZE };
}

/** Milliseconds of SOAP, or `15s` of REST. */
function durationOf(details: Fields): number | null {
  const text = details.text('duration');
  const seconds = /^(\d{1,5}(?:\.\d{1,9})?)s$/.exec(text ?? '')?.[1];
  const milliseconds = seconds === undefined ? Number(text ?? Number.NaN) : Number(seconds) * SECOND_MS;
  return Number.isFinite(milliseconds) && milliseconds >= 1 ? Math.round(milliseconds) : null;
}

/** Macros that Placard fills are left as they are; see docs/macros.md. */
const KNOWN_MACROS = /^(?:CLICK_URL_(?:UNESC|ESC|ENC)|CLICK_URL|CACHEBUSTER|WIDTH|HEIGHT|GDPR|GDPR_CONSENT_755)$/;

function html(markup: string, remark: RemarkOf): Content | null {
  if (markup.length > HTML_MAX) {
    remark('left out', `its HTML has more than ${HTML_MAX} characters`);
    return null;
  }
  if (/%%FILE:/.test(markup)) {
    remark('left out', 'its HTML shows files of Ad Manager; upload it again as an HTML5 bundle');
    return null;
  }
  const macros = [...markup.matchAll(/%%([A-Za-z_:0-9]+)%%/g)].map(([, name]) => name ?? '');
  const unknown = [...new Set(macros.filter((name) => !KNOWN_MACROS.test(name)))];
  if (unknown.length > 0)
    remark(
      'approximated',
      `nothing fills its macros ${unknown
        .slice(0, 5)
        .map((name) => `%%${name}%%`)
        .join(', ')}`,
    );
  if (!macros.some((name) => name.startsWith('CLICK_URL')))
    remark('approximated', 'its HTML has no macro of clicks, so that its clicks are not counted');
  return { content: { html: { html: markup } } };
}
