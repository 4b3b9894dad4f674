import type { AdLinks, VideoEvent } from '../../domain/events/ad-links.ts';
import type { MacroIds, MacroPrivacy } from '../../domain/booking/macros.ts';
import type { AudioFile, Creative, MediaFile, PlayedContent } from '../../domain/booking/creative.ts';
import { isStreamed, playableFiles, type VastVersion } from '../decision/creative-fit.ts';
import type { PlayerOffer } from '../../domain/requests/opportunity.ts';
import { contentAddress, type MacroInput, trackerAddresses } from './macros.ts';
import { cdata, escapeMarkup } from './markup.ts';
import { renderCompanion } from './vast-companion.ts';
import type { VastCompanions } from './vast-companion.ts';

/** The input of an ad that a player plays. */
export interface VastInput {
  readonly creative: Creative;
  readonly content: PlayedContent;
  readonly links: AdLinks;
  readonly version: VastVersion;
  readonly impressionId: string;
  readonly advertiserName: string;
  readonly categories: readonly string[];
  /** The CPM as decimal text, and its currency, shown to players; null where the caller may not see prices. */
  readonly price: { readonly decimal: string; readonly currency: string } | null;
  /** Media files that the slot does not accept are left out; null = all are accepted. */
  readonly offer: PlayerOffer | null;
  readonly companions: VastCompanions;
  /** Absent: consent macros are left empty. */
  readonly privacy?: MacroPrivacy;
  /** Absent in a preview. */
  readonly ids?: MacroIds;
}

/** Our link names → VAST's event names. Errors have their own element. */
const TRACKED: readonly (readonly [VideoEvent, string])[] = [
  ['start', 'start'],
  ['first_quartile', 'firstQuartile'],
  ['midpoint', 'midpoint'],
  ['third_quartile', 'thirdQuartile'],
  ['complete', 'complete'],
  ['mute', 'mute'],
  ['unmute', 'unmute'],
  ['pause', 'pause'],
  ['resume', 'resume'],
  ['skip', 'skip'],
];

/** Validity of a response that is not shown yet, in seconds. */
const EXPIRES_S = 3_600;

/** Before a document that stands alone; a VMAP document holds others without it. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/**
 * A VAST document (4.2, or an older version with only its elements): InLine for own media files, Wrapper for a third party's tag.
 */
export function renderVast(input: VastInput): string {
  return `${XML_DECLARATION}${renderVastRoot(input.version, renderAd(input))}`;
}

/** The root element of a VAST document. @param content nodes of ads; '' is the form of "no ad" */
export function renderVastRoot(version: VastVersion, content: string): string {
  const namespace = isModernVersion(version) ? ' xmlns="http://www.iab.com/VAST"' : '';
  return `<VAST version="${version}"${namespace}>${content}</VAST>`;
}

/** The element `Ad` of a VAST document. @param sequence its number in a pod; null = it is in none */
export function renderAd(input: VastInput, sequence: number | null = null): string {
  const { content, version } = input;
  const isModern = isModernVersion(version);
  const body =
    content.vastTagUrl === null ? renderInline(input, isModern) : renderWrapper(input, content.vastTagUrl, isModern);
  return wrapAd(input, sequence, body);
}

/** An element `Ad` around its `InLine` or `Wrapper`. @param sequence as of {@link renderAd} */
export function wrapAd({ creative, content, version }: VastInput, sequence: number | null, body: string): string {
  const type = content.format === 'AUDIO' && (version === '4.1' || version === '4.2') ? ' adType="audio"' : '';
  const numbered = sequence === null || version === '2.0' ? '' : ` sequence="${sequence}"`;
  return `<Ad id="${escapeMarkup(creative.id)}"${numbered}${type}>${body}</Ad>`;
}

/** Whether a version has the elements and the order of VAST 4. */
export function isModernVersion(version: VastVersion): boolean {
  return version.startsWith('4');
}

function renderInline(input: VastInput, isModern: boolean): string {
  const { creative, content, advertiserName, categories, impressionId, version } = input;
  const id = `id="${escapeMarkup(creative.id)}" ${isModern ? 'adId' : 'AdID'}="${escapeMarkup(creative.id)}"`;
  const registered = isModern ? universalAdId(input) : '';
  const creativeNodes =
    `<Creative ${id}>${renderLinear(input)}${registered}</Creative>` + companionsNode(input, registered);
  if (!isModern) {
    return (
      `<InLine>${adSystem()}<AdTitle>${escapeMarkup(content.title)}</AdTitle>` +
      (version === '3.0' ? `<Advertiser>${escapeMarkup(advertiserName)}</Advertiser>${pricing(input)}` : '') +
      `${errorNode(input)}${impressions(input)}<Creatives>${creativeNodes}</Creatives>${extensions(input)}</InLine>`
    );
  }
  return (
    `<InLine>${base(input)}` +
    (version === '4.0' ? '' : `<AdServingId>${escapeMarkup(impressionId)}</AdServingId>`) +
    `<AdTitle>${escapeMarkup(content.title)}</AdTitle><Advertiser>${escapeMarkup(advertiserName)}</Advertiser>` +
    categories
      .map(
        (code) => `<Category authority="http://www.iabtechlab.com/categoryauthority">${escapeMarkup(code)}</Category>`,
      )
      .join('') +
    `<Creatives>${creativeNodes}</Creatives>${version === '4.0' ? '' : `<Expires>${EXPIRES_S}</Expires>`}</InLine>`
  );
}

/** A separate creative, as players expect since VAST 2.0. */
function companionsNode({ companions, version }: VastInput, registered: string): string {
  if (companions.ads.length === 0) return '';
  const required = version === '2.0' ? '' : ` required="${companions.required}"`;
  const nodes = companions.ads.map((one) => renderCompanion(one, version));
  return `<Creative><CompanionAds${required}>${nodes.join('')}</CompanionAds>${registered}</Creative>`;
}

/** Ids are unique in this installation only. Until 4.1 the id was in an attribute, too. */
export function universalAdId({ creative, version }: VastInput): string {
  const id = escapeMarkup(creative.id);
  return `<UniversalAdId idRegistry="placard"${version === '4.2' ? '' : ` idValue="${id}"`}>${id}</UniversalAdId>`;
}

function renderWrapper(input: VastInput, tagUrl: string, isModern: boolean): string {
  const linear = `<Linear>${trackingEvents(input)}${wrapperClicks(input)}</Linear>`;
  const tracking = `<Creatives><Creative>${linear}</Creative>${companionsNode(input, '')}</Creatives>`;
  const uri = `<VASTAdTagURI>${cdata(tagAddress(input, tagUrl))}</VASTAdTagURI>`;
  if (!isModern)
    return `<Wrapper>${adSystem()}${uri}${errorNode(input)}${impressions(input)}${tracking}${extensions(input)}</Wrapper>`;
  return `<Wrapper>${base(input)}${tracking}${uri}</Wrapper>`;
}

/** The address of another ad server with its macros filled; '' unless it is a web address. */
export function tagAddress(input: VastInput, tagUrl: string): string {
  return contentAddress(tagUrl, macroInput(input));
}

/** What every document of an ad asks a player to tell us and the trackers of its creative. */
export interface OwnTracking {
  readonly impressions: readonly string[];
  /** Holds the macro of the code, which the player fills. */
  readonly error: string;
  readonly viewable: readonly string[];
  readonly clicks: readonly string[];
  /** By VAST's names of events. */
  readonly events: readonly (readonly [event: string, url: string])[];
}

/** The addresses of an ad's own events. */
export function ownTracking(input: VastInput): OwnTracking {
  const { links, version } = input;
  return {
    impressions: [links.impressionUrl, ...trackersOf(input, 'impressionUrls')],
    error: `${links.videoEventUrl('error')}?code=[ERRORCODE]`,
    viewable: [links.viewableUrl, ...trackersOf(input, 'viewableUrls')],
    clicks: [links.clickUrl, ...trackersOf(input, 'clickUrls')],
    events: eventsOf(version).map(([name, event]) => [event, links.videoEventUrl(name)]),
  };
}

/** The events that a version knows. */
function eventsOf(version: VastVersion): typeof TRACKED {
  return version === '2.0' ? TRACKED.filter(([name]) => name !== 'skip') : TRACKED;
}

/** The elements that inline ads and wrappers share, in the order of the 4.2 schema. */
function base(input: VastInput): string {
  const { links } = input;
  const viewable = [links.viewableUrl, ...trackersOf(input, 'viewableUrls')].map(
    (url) => `<Viewable>${cdata(url)}</Viewable>`,
  );
  return (
    adSystem() +
    errorNode(input) +
    extensions(input) +
    impressions(input) +
    pricing(input) +
    `<ViewableImpression id="${escapeMarkup(input.impressionId)}">${viewable.join('')}</ViewableImpression>`
  );
}

function adSystem(): string {
  return '<AdSystem version="1.0">Placard</AdSystem>';
}

function errorNode({ links }: VastInput): string {
  return `<Error>${cdata(`${links.videoEventUrl('error')}?code=[ERRORCODE]`)}</Error>`;
}

function extensions(input: VastInput): string {
  return `<Extensions>${dsaExtension(input)}</Extensions>`;
}

/** Players that show the transparency facts find the page here. */
export function dsaExtension({ links }: VastInput): string {
  return `<Extension type="placard.dsa"><DsaUrl>${cdata(links.whyUrl)}</DsaUrl></Extension>`;
}

function impressions(input: VastInput): string {
  const urls = [input.links.impressionUrl, ...trackersOf(input, 'impressionUrls')];
  return urls.map((url) => `<Impression>${cdata(url)}</Impression>`).join('');
}

/** What a player plays has no one size: macros for it are 0. */
function macroInput({ creative, links, privacy, ids }: VastInput): MacroInput {
  return { creative, links, width: 0, height: 0, ...(privacy && { privacy }), ...(ids && { ids }) };
}

function trackersOf(input: VastInput, kind: keyof Creative['trackers']): string[] {
  return trackerAddresses(input.creative.trackers[kind], macroInput(input));
}

function pricing({ price }: VastInput): string {
  if (price === null) return '';
  return `<Pricing model="CPM" currency="${escapeMarkup(price.currency)}">${escapeMarkup(price.decimal)}</Pricing>`;
}

function renderLinear(input: VastInput): string {
  const { content, links } = input;
  const skip =
    content.skipOffsetMs === null || input.version === '2.0' ? '' : ` skipoffset="${formatTime(content.skipOffsetMs)}"`;
  const clickTracking = trackersOf(input, 'clickUrls').map((url) => `<ClickTracking>${cdata(url)}</ClickTracking>`);
  const through = `<ClickThrough>${cdata(links.clickUrl)}</ClickThrough>`;
  const isModern = input.version.startsWith('4');
  const clicks = isModern ? clickTracking.join('') + through : through + clickTracking.join('');
  const duration = `<Duration>${formatTime(content.durationMs)}</Duration>`;
  const playable = playableFiles<AudioFile | MediaFile>(content, input.offer);
  const files = `<MediaFiles>${playable.map((file) => renderMediaFile(file, input)).join('')}</MediaFiles>`;
  const videoClicks = `<VideoClicks>${clicks}</VideoClicks>`;
  const parts = isModern
    ? trackingEvents(input) + duration + files + videoClicks
    : duration + trackingEvents(input) + videoClicks + files;
  return `<Linear${skip}>${parts}</Linear>`;
}

/** VAST wants a size of every file: that of audio is 0. */
function renderMediaFile(file: AudioFile | MediaFile, input: VastInput): string {
  const { width, height } = 'width' in file ? file : { width: 0, height: 0 };
  const bitrate = file.bitrateKbps === null ? '' : ` bitrate="${Math.round(file.bitrateKbps)}"`;
  return (
    `<MediaFile delivery="${isStreamed(file) ? 'streaming' : 'progressive'}" type="${escapeMarkup(file.mimeType)}" width="${width}" height="${height}"${bitrate}>` +
    `${cdata(contentAddress(file.url, macroInput(input)))}</MediaFile>`
  );
}

function trackingEvents({ links, version }: VastInput): string {
  const nodes = eventsOf(version).map(
    ([name, event]) => `<Tracking event="${event}">${cdata(links.videoEventUrl(name))}</Tracking>`,
  );
  return `<TrackingEvents>${nodes.join('')}</TrackingEvents>`;
}

/** A wrapper's click is counted by a tracker: the third party provides the landing page. */
function wrapperClicks(input: VastInput): string {
  const urls = [input.links.clickUrl, ...trackersOf(input, 'clickUrls')];
  return `<VideoClicks>${urls.map((url) => `<ClickTracking>${cdata(url)}</ClickTracking>`).join('')}</VideoClicks>`;
}

/** `HH:MM:SS.mmm`, the format of VAST durations. */
export function formatTime(durationMs: number): string {
  const rounded = Math.max(0, Math.round(durationMs));
  const two = (value: number) => String(value).padStart(2, '0');
  const seconds = Math.floor(rounded / 1_000);
  const clock = `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return rounded % 1_000 === 0 ? clock : `${clock}.${String(rounded % 1_000).padStart(3, '0')}`;
}
