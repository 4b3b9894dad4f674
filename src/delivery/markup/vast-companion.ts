import type { MacroIds, MacroPrivacy } from '../../domain/booking/macros.ts';
import type { Creative } from '../../domain/booking/creative.ts';
import type { AdLinks } from '../../domain/events/ad-links.ts';
import { renderBanner } from './banner-markup.ts';
import type { VastVersion } from '../decision/creative-fit.ts';
import { contentAddress, trackerAddresses } from './macros.ts';
import { cdata, escapeMarkup } from './markup.ts';
import type { ServedPlacement } from './served-placement.ts';

/** The companions of a video or audio ad, and how many of them the player has to show. */
export interface VastCompanions {
  readonly required: 'all' | 'any' | 'none';
  /** Banners, each with its own links. */
  readonly ads: readonly {
    readonly creative: Creative;
    readonly links: AdLinks;
    readonly privacy?: MacroPrivacy;
    readonly ids?: MacroIds;
  }[];
}

/** MIME types of pictures by the end of their address. */
const PICTURE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
};
const USUAL_PICTURE_TYPE = 'image/jpeg';

/**
 * A companion banner of a video or audio ad. Its impression counts by `creativeView`; a click on a picture goes through our own link, one in HTML
 * through the macros of the HTML itself.
 */
export function renderCompanion(
  { creative, links, privacy, ids }: VastCompanions['ads'][number],
  version: VastVersion,
): string {
  const { id, width, height, trackers, content } = creative;
  const shown = { creative, links, width, height, ...(privacy && { privacy }), ...(ids && { ids }) };
  const isPicture = content.format === 'IMAGE';
  const resource = isPicture
    ? `<StaticResource creativeType="${pictureType(content.imageUrl)}">${cdata(contentAddress(content.imageUrl, shown))}</StaticResource>`
    : `<HTMLResource>${cdata(renderBanner({ ...shown, withTracking: false }))}</HTMLResource>`;
  const alt = isPicture ? `<AltText>${escapeMarkup(content.alt)}</AltText>` : '';
  const clicks = isPicture ? `<CompanionClickThrough>${cdata(links.clickUrl)}</CompanionClickThrough>` : '';
  const clickTrackers = version === '2.0' ? [] : trackerAddresses(trackers.clickUrls, shown);
  const clickTracking = clickTrackers.map(
    (url, at) => `<CompanionClickTracking id="${at + 1}">${cdata(url)}</CompanionClickTracking>`,
  );
  const impressions = [links.impressionUrl, ...trackerAddresses(trackers.impressionUrls, shown)].map(
    (url) => `<Tracking event="creativeView">${cdata(url)}</Tracking>`,
  );
  const tracking = `<TrackingEvents>${impressions.join('')}</TrackingEvents>`;
  const clicked = clicks + clickTracking.join('');
  const parts = version.startsWith('4') ? resource + alt + clicked + tracking : resource + tracking + clicked + alt;
  return `<Companion id="${escapeMarkup(id)}" width="${width}" height="${height}">${parts}</Companion>`;
}

function pictureType(address: string): string {
  const [, ending = ''] = /\.([a-z0-9]{3,4})(?:[?#]|$)/i.exec(address) ?? [];
  return PICTURE_TYPES[ending.toLowerCase()] ?? USUAL_PICTURE_TYPE;
}

/** The companions of a response, as the input of VAST. */
export function vastCompanions({ placement, companions }: ServedPlacement, privacy: MacroPrivacy): VastCompanions {
  return {
    required: placement.companions.required,
    ads: companions.map(({ placement: { creative }, links, ad: ids }) => ({
      creative: creative.creative,
      links,
      privacy,
      ids,
    })),
  };
}
