import { AD_SANDBOX, LEAD_ON_CODE } from '../../domain/booking/ad-frame.ts';
import type { AdLinks } from '../../domain/events/ad-links.ts';
import type { MacroIds, MacroPrivacy } from '../../domain/booking/macros.ts';
import type { Creative, HtmlContent, ImageContent } from '../../domain/booking/creative.ts';
import { contentAddress, fillMacros, trackerAddresses } from './macros.ts';
import { escapeMarkup } from './markup.ts';

/** The input of a banner's markup. */
export interface BannerInput {
  readonly creative: Creative;
  readonly links: AdLinks;
  readonly width: number;
  readonly height: number;
  /** With pixels and the "Why this ad?" link (bids) or without (callers that fire links themselves). */
  readonly withTracking: boolean;
  /** Absent: consent macros are left empty. */
  readonly privacy?: MacroPrivacy;
  /** Absent in a preview. */
  readonly ids?: MacroIds;
}

const WHY_TEXT = 'Why this ad?';
const WHY_STYLE =
  'position:absolute;right:0;bottom:0;padding:1px 5px;font:10px/1.4 sans-serif;color:#222;background:rgba(255,255,255,.85)';

/** The HTML of an IMAGE or HTML creative; '' for other formats. All external text is escaped for its context. */
export function renderBanner(input: BannerInput): string {
  const { content } = input.creative;
  switch (content.format) {
    case 'IMAGE':
      return addTracking(renderImage(content, input), input);
    case 'HTML':
      return addTracking(renderFrame(content, input), input);
    case 'NATIVE':
    case 'VIDEO':
    case 'AUDIO':
      return '';
  }
}

function renderImage(content: ImageContent, input: BannerInput): string {
  const { creative, links, width, height } = input;
  const source = escapeMarkup(contentAddress(content.imageUrl, input));
  const trackers = trackerAddresses(creative.trackers.clickUrls, input);
  const ping = trackers.length === 0 ? '' : ` ping="${escapeMarkup(trackers.join(' '))}"`;
  return (
    `<a href="${escapeMarkup(links.clickUrl)}" target="_blank" rel="noopener"${ping}>` +
    `<img src="${source}"${sizeAttributes(width, height)} alt="${escapeMarkup(content.alt)}" style="border:0;display:block"></a>`
  );
}

/** Foreign HTML runs in a frame with a separate origin, without access to the page around it. */
function renderFrame(content: HtmlContent, input: BannerInput): string {
  const html = `${fillMacros(content.html, input)}<script>${LEAD_ON_CODE}</script>`;
  return (
    `<iframe sandbox="${AD_SANDBOX}" srcdoc="${escapeMarkup(html)}"` +
    `${sizeAttributes(input.width, input.height)} style="border:0;display:block" scrolling="no" title="Advertisement"></iframe>`
  );
}

function sizeAttributes(width: number, height: number): string {
  return width > 0 && height > 0 ? ` width="${width}" height="${height}"` : '';
}

/** Pixels, and "Why this ad?" over the ad's own corner: below the ad, a frame of exactly its size would hide it. */
function addTracking(drawn: string, input: BannerInput): string {
  const { creative, links, width, height, withTracking } = input;
  if (!withTracking) return drawn;
  const pixels = [links.impressionUrl, ...trackerAddresses(creative.trackers.impressionUrls, input)].map(
    (url) => `<img src="${escapeMarkup(url)}" width="1" height="1" alt="" style="position:absolute;visibility:hidden">`,
  );
  const why = `<a href="${escapeMarkup(links.whyUrl)}" target="_blank" rel="noopener" style="${WHY_STYLE}">${WHY_TEXT}</a>`;
  const size = width > 0 && height > 0 ? `width:${width}px;height:${height}px;` : '';
  return `<div style="position:relative;${size}overflow:hidden">${drawn}${pixels.join('')}${why}</div>`;
}
