import type { Creative, NativeContent, PlayedContent } from '../../domain/booking/creative.ts';
import { AdLinks } from '../../domain/events/ad-links.ts';
import { renderBanner } from '../markup/banner-markup.ts';
import { resolveContent } from '../markup/hosted-assets.ts';
import { escapeMarkup, webAddress } from '../markup/markup.ts';
import type { Previewed } from './preview.sql.ts';

/** How a preview is shown. */
export interface PreviewOptions {
  readonly deliveryUrl: string;
  readonly expiresAtMs: number;
  /** Without a caption, for a frame of exactly its size. */
  readonly isBare: boolean;
}

/** Stands for the end of a token where markup wants one. */
const NO_TOKEN = 'preview00000';

/** Links that count nothing: a click goes to the landing page. */
class UncountedLinks extends AdLinks {
  readonly #landing: string;

  constructor(landing: string) {
    super('', NO_TOKEN);
    this.#landing = landing;
  }

  override get clickUrl(): string {
    return this.#landing;
  }
}

const STYLE =
  'html{color-scheme:light dark}body{margin:0;font:14px/1.5 system-ui,sans-serif}.page{margin:1rem}.ad{position:relative;overflow:hidden}' +
  '.native{max-width:22rem;border:1px solid #8888;padding:.75rem}.native img{max-width:100%;height:auto;display:block}' +
  '.caption{margin:0 0 1rem}video{max-width:100%}';

/** The page of a preview. All text of the creative is escaped; its code runs in a frame. */
export function renderPreview(creative: Previewed, options: PreviewOptions): string {
  const { name, width, height, reviewState } = creative;
  const size = width > 0 && height > 0 ? `${width} × ${height}` : 'any size';
  const until = new Date(options.expiresAtMs).toISOString().slice(0, 16).replace('T', ' ');
  const caption = options.isBare
    ? ''
    : `<p class="caption"><strong>${escapeMarkup(name)}</strong><br>${size}, ${reviewState}. Preview until ${until} UTC; nothing is counted.</p>`;
  const box = width > 0 && height > 0 ? ` style="width:${width}px;height:${height}px"` : '';
  return (
    `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<title>${escapeMarkup(name)} – preview</title><style>${STYLE}</style></head>` +
    `<body><div${options.isBare ? '' : ' class="page"'}>${caption}<div class="ad"${box}>${renderAd(creative, options)}</div></div></body></html>`
  );
}

function renderAd(creative: Previewed, { deliveryUrl }: PreviewOptions): string {
  const content = resolveContent(creative.content, (url) => (url.startsWith('/assets/') ? deliveryUrl + url : url));
  const landing = webAddress(creative.clickUrl) ?? '';
  switch (content.format) {
    case 'IMAGE':
    case 'HTML': {
      const { width, height } = creative;
      const shown: Creative = { ...UNUSED, ...creative, content };
      return renderBanner({ creative: shown, links: new UncountedLinks(landing), width, height, withTracking: false });
    }
    case 'NATIVE':
      return renderNative(content, landing);
    case 'VIDEO':
      return renderPlayed(content, 'video controls muted playsinline', landing);
    case 'AUDIO':
      return renderPlayed(content, 'audio controls', landing);
  }
}

/** What markup does not look at, and the trackers, which a preview does not call. */
const UNUSED = {
  lineItemId: '',
  masterCreativeId: null,
  status: 'ACTIVE',
  trackers: { impressionUrls: [], clickUrls: [], viewableUrls: [] },
  weight: 1,
  startsAtMs: null,
  endsAtMs: null,
  secure: true,
  attributes: [],
  language: null,
  frequencyCaps: [],
} as const;

function renderNative(content: NativeContent, landing: string): string {
  const image = escapeMarkup(webAddress(content.imageUrl) ?? '');
  return (
    `<a class="native" style="display:block;color:inherit;text-decoration:none" href="${escapeMarkup(landing)}" target="_blank" rel="noopener">` +
    `<img src="${image}" alt=""><small>${escapeMarkup(content.sponsoredBy)}</small><br>` +
    `<strong>${escapeMarkup(content.title)}</strong><br>${escapeMarkup(content.body)}<br><b>${escapeMarkup(content.callToAction)}</b></a>`
  );
}

function renderPlayed(content: PlayedContent, player: string, landing: string): string {
  const sources = content.mediaFiles.map(
    ({ url, mimeType }) => `<source src="${escapeMarkup(webAddress(url) ?? '')}" type="${escapeMarkup(mimeType)}">`,
  );
  const tag = content.vastTagUrl === null ? '' : `<p>VAST: <code>${escapeMarkup(content.vastTagUrl)}</code></p>`;
  const [element] = player.split(' ');
  const shown = sources.length === 0 ? '' : `<${player} preload="metadata">${sources.join('')}</${element}>`;
  return `${shown}${tag}<p><a href="${escapeMarkup(landing)}" target="_blank" rel="noopener">${escapeMarkup(content.title)}</a></p>`;
}
