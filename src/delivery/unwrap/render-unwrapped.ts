import { cdata, escapeMarkup } from '../markup/markup.ts';
import { renderCompanion } from '../markup/vast-companion.ts';
import {
  dsaExtension,
  formatTime,
  isModernVersion,
  ownTracking,
  type OwnTracking,
  universalAdId,
  type VastInput,
  wrapAd,
} from '../markup/vast-markup.ts';
import { creativesOf, filmOf, linearsOf, playableFilesOf } from './vast-level.ts';
import { childrenOf, findElement, textsOf, type XmlElement } from './xml-tree.ts';

/** The documents of a third party's tag, from the outermost wrapper to the ad itself. */
export interface VastChain {
  readonly wrappers: readonly XmlElement[];
  readonly inline: XmlElement;
}

interface Rendering {
  readonly input: VastInput;
  readonly own: OwnTracking;
  readonly isModern: boolean;
  /** Wrappers, then the ad. */
  readonly levels: readonly XmlElement[];
  readonly inline: XmlElement;
}

/**
 * The element `Ad` of a third party's ad: its InLine, with the trackers of all wrappers and our own. What a version of VAST does not know is left out.
 */
export function renderUnwrapped(input: VastInput, { wrappers, inline }: VastChain, sequence: number | null): string {
  const isModern = isModernVersion(input.version);
  const of: Rendering = { input, own: ownTracking(input), isModern, levels: [...wrappers, inline], inline };
  const head = copies(of, [adSystemOf(inline)]) + errors(of);
  const impressions = nodes('Impression', [...of.own.impressions, ...textsOfAll(of, 'Impression')]);
  const title = `<AdTitle>${escapeMarkup(textsOf(inline, 'AdTitle')[0] ?? input.content.title)}</AdTitle>`;
  const description = copies(of, childrenOf(inline, 'Description').slice(0, 1));
  const advertiser = `<Advertiser>${escapeMarkup(input.advertiserName)}</Advertiser>`;
  const creatives = `<Creatives>${film(of)}${companions(of)}</Creatives>`;
  if (!isModern) {
    const named = input.version === '3.0' ? advertiser : '';
    return wrapAd(input, sequence, inlineOf(head, title, description, named, impressions, creatives, extensions(of)));
  }
  return wrapAd(
    input,
    sequence,
    inlineOf(
      head,
      extensions(of),
      impressions,
      viewable(of),
      servingId(of),
      title,
      verifications(of),
      advertiser,
      copies(of, childrenOf(inline, 'Category')),
      creatives,
      description,
      expires(of),
    ),
  );
}

const inlineOf = (...parts: readonly string[]): string => `<InLine>${parts.join('')}</InLine>`;

function adSystemOf(inline: XmlElement): XmlElement {
  return findElement(inline, 'AdSystem') ?? { name: 'AdSystem', attributes: new Map(), children: [], text: '' };
}

function textsOfAll({ levels }: Rendering, name: string): string[] {
  return levels.flatMap((level) => textsOf(level, name));
}

function nodes(name: string, urls: readonly string[]): string {
  return urls.map((url) => `<${name}>${cdata(url)}</${name}>`).join('');
}

function errors(of: Rendering): string {
  return nodes('Error', [of.own.error, ...textsOfAll(of, 'Error')]);
}

const VERIFICATIONS = 'AdVerifications';

/** Until 4.0, verification stood in an extension. */
function verificationElements({ levels }: Rendering): XmlElement[] {
  const holders = levels.flatMap((level) => [
    ...childrenOf(level, VERIFICATIONS),
    ...extensionsOf(level)
      .filter(isVerification)
      .flatMap((one) => [one, ...childrenOf(one, VERIFICATIONS)]),
  ]);
  return holders.flatMap((holder) => childrenOf(holder, 'Verification'));
}

function extensionsOf(level: XmlElement): readonly XmlElement[] {
  return childrenOf(findElement(level, 'Extensions'), 'Extension');
}

function isVerification({ attributes }: XmlElement): boolean {
  return attributes.get('type') === VERIFICATIONS;
}

function verifications(of: Rendering): string {
  const found = copies(of, verificationElements(of));
  return found === '' ? '' : `<${VERIFICATIONS}>${found}</${VERIFICATIONS}>`;
}

function extensions(of: Rendering): string {
  const theirs = of.levels.flatMap((level) => extensionsOf(level).filter((one) => !isVerification(one)));
  const verified = of.isModern ? '' : verifications(of);
  const moved = verified === '' ? '' : `<Extension type="${VERIFICATIONS}">${verified}</Extension>`;
  return `<Extensions>${dsaExtension(of.input)}${moved}${copies(of, theirs)}</Extensions>`;
}

function viewable({ input, own, levels }: Rendering): string {
  const theirs = (name: string): string[] =>
    levels.flatMap((level) => textsOf(findElement(level, 'ViewableImpression'), name));
  return (
    `<ViewableImpression id="${escapeMarkup(input.impressionId)}">` +
    nodes('Viewable', [...own.viewable, ...theirs('Viewable')]) +
    nodes('NotViewable', theirs('NotViewable')) +
    nodes('ViewUndetermined', theirs('ViewUndetermined')) +
    '</ViewableImpression>'
  );
}

/** That of the ad server which has the film: trackers of all levels compare by it. */
function servingId({ input, inline }: Rendering): string {
  if (input.version === '4.0') return '';
  return `<AdServingId>${escapeMarkup(textsOf(inline, 'AdServingId')[0] ?? input.impressionId)}</AdServingId>`;
}

function expires({ input, inline }: Rendering): string {
  const seconds = textsOf(inline, 'Expires')[0] ?? '';
  return input.version === '4.0' || !/^\d{1,9}$/.test(seconds) ? '' : `<Expires>${seconds}</Expires>`;
}

function film(of: Rendering): string {
  const { creative, linear } = filmOf(of.inline);
  const { input, isModern } = of;
  const ids = ['id', 'adId', 'AdID']
    .filter((name) => creative.attributes.has(name))
    .map((name) => [name === 'id' ? name : isModern ? 'adId' : 'AdID', creative.attributes.get(name) ?? ''] as const);
  const named = [...new Map(ids)].map(([name, value]) => ` ${name}="${escapeMarkup(value)}"`).join('');
  const offset = linear.attributes.get('skipoffset') ?? '';
  const skip = /^(?:\d{2}:\d{2}:\d{2}(?:\.\d{3})?|\d{1,3}%)$/.test(offset) ? offset : ownSkip(input);
  const skippable = skip === '' || input.version === '2.0' ? '' : ` skipoffset="${skip}"`;
  const duration = copies(of, childrenOf(linear, 'Duration').slice(0, 1));
  const parameters = copies(of, childrenOf(linear, 'AdParameters').slice(0, 1));
  const shown = input.version === '2.0' ? '' : icons(of);
  const parts = isModern
    ? [shown, trackingEvents(of), parameters, duration, mediaFiles(of, linear), clicks(of)]
    : [duration, trackingEvents(of), parameters, clicks(of), mediaFiles(of, linear), shown];
  return `<Creative${named}>${`<Linear${skippable}>${parts.join('')}</Linear>`}${registered(of, creative)}</Creative>`;
}

function ownSkip({ content }: VastInput): string {
  return content.skipOffsetMs === null ? '' : formatTime(content.skipOffsetMs);
}

/** The schema asks for one. */
function registered(of: Rendering, creative: XmlElement): string {
  if (!of.isModern) return '';
  const theirs = childrenOf(creative, 'UniversalAdId').map((one) => {
    const { attributes } = one;
    const registry = attributes.get('idRegistry') ?? 'unknown';
    const value = one.text.trim() || (attributes.get('idValue') ?? 'unknown');
    const old = of.input.version === '4.2' ? '' : ` idValue="${escapeMarkup(value)}"`;
    return `<UniversalAdId idRegistry="${escapeMarkup(registry)}"${old}>${escapeMarkup(value)}</UniversalAdId>`;
  });
  return theirs.length === 0 ? universalAdId(of.input) : theirs.join('');
}

/** Events that VAST 4 has under another name. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['fullscreen', 'playerExpand'],
  ['expand', 'playerExpand'],
  ['exitFullscreen', 'playerCollapse'],
  ['collapse', 'playerCollapse'],
  ['acceptInvitationLinear', 'acceptInvitation'],
]);
const MODERN_EVENTS: ReadonlySet<string> = new Set(
  (
    'mute unmute pause resume rewind skip playerExpand playerCollapse loaded start firstQuartile midpoint thirdQuartile ' +
    'complete progress closeLinear creativeView acceptInvitation adExpand adCollapse minimize close overlayViewDuration ' +
    'otherAdInteraction interactiveStart'
  ).split(' '),
);

function trackingEvents({ own, levels, isModern }: Rendering): string {
  const theirs = levels
    .flatMap(linearsOf)
    .flatMap((linear) => childrenOf(findElement(linear, 'TrackingEvents'), 'Tracking'))
    .map(({ attributes, text }) => ({
      event: attributes.get('event') ?? '',
      offset: attributes.get('offset'),
      url: text.trim(),
    }))
    .map(({ event, ...rest }) => ({ event: isModern ? (RENAMED.get(event) ?? event) : event, ...rest }))
    .filter(({ event, url }) => url !== '' && (isModern ? MODERN_EVENTS.has(event) : event !== ''))
    .map(({ event, offset, url }) => {
      const at = offset === undefined ? '' : ` offset="${escapeMarkup(offset)}"`;
      return `<Tracking event="${escapeMarkup(event)}"${at}>${cdata(url)}</Tracking>`;
    });
  const ours = own.events.map(([event, url]) => `<Tracking event="${event}">${cdata(url)}</Tracking>`);
  return `<TrackingEvents>${ours.join('')}${theirs.join('')}</TrackingEvents>`;
}

function clicks({ own, levels, inline, isModern }: Rendering): string {
  const at = (level: XmlElement, name: string): string[] =>
    linearsOf(level).flatMap((linear) => textsOf(findElement(linear, 'VideoClicks'), name));
  const all = (name: string): string[] => levels.flatMap((level) => at(level, name));
  const through = nodes('ClickThrough', at(inline, 'ClickThrough').slice(0, 1));
  const tracking = nodes('ClickTracking', [...own.clicks, ...all('ClickTracking')]);
  const custom = nodes('CustomClick', all('CustomClick'));
  return `<VideoClicks>${isModern ? tracking + through + custom : through + tracking + custom}</VideoClicks>`;
}

/** Of a program, the icon nearest to the film counts. */
function icons(of: Rendering): string {
  const found = [...of.levels]
    .reverse()
    .flatMap(linearsOf)
    .flatMap((linear) => childrenOf(findElement(linear, 'Icons'), 'Icon'));
  const byProgram = new Map<unknown, XmlElement>();
  for (const icon of found) {
    const program = icon.attributes.get('program') ?? icon;
    if (!byProgram.has(program)) byProgram.set(program, icon);
  }
  const kept = copies(of, [...byProgram.values()]);
  return kept === '' ? '' : `<Icons>${kept}</Icons>`;
}

/** Kinds of files that only VAST 4 has. */
const MODERN_FILES: ReadonlySet<string> = new Set(['ClosedCaptionFiles', 'Mezzanine', 'InteractiveCreativeFile']);

function mediaFiles(of: Rendering, linear: XmlElement): string {
  const files = findElement(linear, 'MediaFiles')?.children ?? [];
  const playable = playableFilesOf(linear, of.input.offer);
  const others = of.isModern ? files.filter(({ name }) => MODERN_FILES.has(name)) : [];
  return `<MediaFiles>${copies(of, inOrder('MediaFiles', [...playable, ...others]))}</MediaFiles>`;
}

function companions(of: Rendering): string {
  const { input } = of;
  const ours = input.companions.ads.map((one) => renderCompanion(one, input.version));
  const groups = of.levels.flatMap(creativesOf).flatMap((creative) => childrenOf(creative, 'CompanionAds'));
  const theirs = copies(
    of,
    groups.flatMap((group) => childrenOf(group, 'Companion')),
  );
  if (ours.length === 0 && theirs === '') return '';
  const wanted =
    ours.length > 0
      ? input.companions.required
      : groups.map((one) => one.attributes.get('required')).find(isRequirement);
  const required = input.version === '2.0' || wanted === undefined ? '' : ` required="${wanted}"`;
  const node = `<CompanionAds${required}>${ours.join('')}${theirs}</CompanionAds>`;
  return `<Creative>${node}${of.isModern ? universalAdId(input) : ''}</Creative>`;
}

function isRequirement(text: string | undefined): boolean {
  return text === 'all' || text === 'any' || text === 'none';
}

/** The order of children in VAST 4; older versions are not read in an order. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  MediaFiles: ['ClosedCaptionFiles', 'MediaFile', 'Mezzanine', 'InteractiveCreativeFile'],
  Icon: ['HTMLResource', 'IFrameResource', 'StaticResource', 'IconClicks', 'IconViewTracking'],
  IconClicks: ['IconClickFallbackImages', 'IconClickThrough', 'IconClickTracking'],
  Companion: [
    'HTMLResource',
    'IFrameResource',
    'StaticResource',
    'AdParameters',
    'AltText',
    'CompanionClickThrough',
    'CompanionClickTracking',
    'CreativeExtensions',
    'TrackingEvents',
  ],
  Verification: ['ExecutableResource', 'JavaScriptResource', 'TrackingEvents', 'VerificationParameters'],
};

function inOrder(name: string, children: readonly XmlElement[]): readonly XmlElement[] {
  const order = ORDERS[name];
  if (order === undefined) return children;
  const rankOf = ({ name: child }: XmlElement): number => (order.includes(child) ? order.indexOf(child) : order.length);
  return [...children].sort((one, other) => rankOf(one) - rankOf(other));
}

function copies(of: Rendering, elements: readonly XmlElement[]): string {
  return elements.map((one) => copy(one, of.isModern)).join('');
}

/** An element as it came, without prefixed attributes. */
function copy({ name, attributes, children, text }: XmlElement, isModern: boolean): string {
  const given = [...attributes]
    .filter(([key]) => !key.includes(':') && key !== 'xmlns')
    .map(([key, value]) => ` ${key}="${escapeMarkup(value)}"`);
  const own = text.trim();
  const written = own === '' ? '' : /[<>&]/.test(own) ? cdata(own) : escapeMarkup(own);
  const within = (isModern ? inOrder(name, children) : children).map((child) => copy(child, isModern));
  return `<${name}${given.join('')}>${written}${within.join('')}</${name}>`;
}
