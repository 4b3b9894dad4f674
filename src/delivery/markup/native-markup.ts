import type { AdLinks } from '../../domain/events/ad-links.ts';
import type { MacroIds, MacroPrivacy } from '../../domain/booking/macros.ts';
import type { Creative, NativeContent } from '../../domain/booking/creative.ts';
import { fillsAsset } from '../decision/creative-fit.ts';
import { contentAddress, type MacroInput, trackerAddresses } from './macros.ts';
import type { NativeAsset, NativeRequest } from '../../domain/requests/opportunity.ts';

/** The input of a native ad. */
export interface NativeInput {
  readonly creative: Creative;
  readonly content: NativeContent;
  readonly links: AdLinks;
  readonly advertiserName: string;
  readonly adUnitName: string;
  /** Absent: consent macros are left empty. */
  readonly privacy?: MacroPrivacy;
  /** Absent in a preview. */
  readonly ids?: MacroIds;
}

const EVENT_IMPRESSION = 1;
const EVENT_VIEWABLE_MRC50 = 2;
const METHOD_IMAGE = 1;

/**
 * The `adm` (a JSON text) for callers that leave its form to us: the form that Prebid's `das` adapter reads. It joins `meta.adclick` and
 * `fields.url` to the click address, and fires `ext.ems_link` of the bid as impression tracker itself.
 */
export function renderFreeNative(input: NativeInput): string {
  const { creative, content, links, advertiserName, adUnitName } = input;
  const [impression, impression1] = trackersOf(input, 'impressionUrls');
  const [click1, click2] = trackersOf(input, 'clickUrls');
  const shown = macroInput(input);
  const fields = {
    title: content.title,
    leadtext: content.body,
    Calltoaction: content.callToAction,
    adInfo: content.sponsoredBy,
    image: contentAddress(content.imageUrl, shown),
    ...(content.iconUrl === null ? {} : { partner_logo: contentAddress(content.iconUrl, shown) }),
    url: contentAddress(creative.clickUrl, shown),
    ...(impression === undefined ? {} : { Thirdpartyimpressiontracker: impression }),
    ...(impression1 === undefined ? {} : { Thirdpartyimpressiontracker2: impression1 }),
    ...(click1 === undefined ? {} : { Thirdpartyclicktracker: click1 }),
    ...(click2 === undefined ? {} : { thirdPartyClickTracker2: click2 }),
  };
  const meta = {
    adclick: `${links.clickUrl}/`,
    dsaurl: links.whyUrl,
    width: content.imageWidth,
    height: content.imageHeight,
    advertiser_name: advertiserName,
    adid: creative.id,
    slot: adUnitName,
  };
  return JSON.stringify({ tplCode: 'native', fields, meta });
}

/** The `adm` (a JSON text) of a Native 1.0–1.2 response. */
export function renderNative(input: NativeInput, request: NativeRequest): string {
  const { content, links } = input;
  const assets = request.assets.filter((asset) => fillsAsset(asset, content)).map((asset) => fillAsset(asset, input));
  const impressionUrls = [links.impressionUrl, ...trackersOf(input, 'impressionUrls')];
  const native = {
    ver: request.version,
    assets,
    link: { url: links.clickUrl, clicktrackers: trackersOf(input, 'clickUrls'), fallback: links.clickUrl },
    ...(request.eventMethods.size === 0
      ? { imptrackers: impressionUrls }
      : { eventtrackers: eventTrackers(input, request, impressionUrls) }),
    privacy: links.whyUrl,
  };
  return JSON.stringify(request.isWrapped ? { native } : native);
}

function eventTrackers(input: NativeInput, request: NativeRequest, impressionUrls: readonly string[]): object[] {
  const offersImage = (event: number) => request.eventMethods.get(event)?.includes(METHOD_IMAGE) === true;
  // The impression has to be counted: when the request offers no image tracker for it, one is sent all the same.
  const trackers = impressionUrls.map((url) => ({ event: EVENT_IMPRESSION, method: METHOD_IMAGE, url }));
  if (!offersImage(EVENT_VIEWABLE_MRC50)) return trackers;
  const viewableUrls = [input.links.viewableUrl, ...trackersOf(input, 'viewableUrls')];
  return [...trackers, ...viewableUrls.map((url) => ({ event: EVENT_VIEWABLE_MRC50, method: METHOD_IMAGE, url }))];
}

function trackersOf(input: NativeInput, kind: keyof Creative['trackers']): string[] {
  return trackerAddresses(input.creative.trackers[kind], macroInput(input));
}

function macroInput({ creative, content, links, privacy, ids }: NativeInput): MacroInput {
  const { imageWidth: width, imageHeight: height } = content;
  return { creative, links, width, height, ...(privacy && { privacy }), ...(ids && { ids }) };
}

function fillAsset(asset: NativeAsset, input: NativeInput): object {
  const { content } = input;
  const common = { id: asset.id, ...(asset.required ? { required: 1 } : {}) };
  const cut = (text: string) => (asset.lengthMax > 0 ? Array.from(text).slice(0, asset.lengthMax).join('') : text);
  switch (asset.kind) {
    case 'title':
      return { ...common, title: { text: cut(content.title) } };
    case 'mainImage':
      return {
        ...common,
        img: {
          type: 3,
          url: contentAddress(content.imageUrl, macroInput(input)),
          w: content.imageWidth,
          h: content.imageHeight,
        },
      };
    case 'icon':
      return { ...common, img: { type: 1, url: contentAddress(content.iconUrl ?? '', macroInput(input)) } };
    case 'sponsoredBy':
      return { ...common, data: { type: 1, value: cut(content.sponsoredBy) } };
    case 'body':
      return { ...common, data: { type: 2, value: cut(content.body) } };
    case 'callToAction':
      return { ...common, data: { type: 12, value: cut(content.callToAction) } };
    case 'other':
      return common;
  }
}
