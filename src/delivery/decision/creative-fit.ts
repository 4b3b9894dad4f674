import type { AudioFile, CreativeContent, NativeContent, PlayedContent } from '../../domain/booking/creative.ts';
import { formatSize } from '../../domain/booking/inventory.ts';
import type { Size } from '../../domain/booking/inventory.ts';
import type { CompiledCreative } from './index/compile-line-items.ts';
import { playerOfferOf } from '../../domain/requests/opportunity.ts';
import type { NativeAsset, Opportunity, PlayerLimits, PlayerOffer, Slot } from '../../domain/requests/opportunity.ts';

/** Why a creative cannot be shown in a slot. */
export type CreativeRefusal =
  | 'format'
  | 'size'
  | 'secure'
  | 'not_in_flight'
  | 'exclusion'
  | 'blocked.attribute'
  | 'blocked.language';

/** The first rule that prevents the creative from being shown in the slot; null when it can be shown. */
export function refuseCreative(
  compiled: CompiledCreative,
  at: {
    readonly opportunity: Opportunity;
    readonly slot: Slot;
    readonly nowMs: number;
    readonly response: { readonly creativeIds: ReadonlySet<string> };
  },
): CreativeRefusal | null {
  const { creative, mediaType } = compiled;
  const { slot, opportunity } = at;
  if (!slot.mediaTypes.includes(mediaType)) return 'format';
  if (compiled.startsAtMs > at.nowMs || compiled.endsAtMs <= at.nowMs) return 'not_in_flight';
  if (mediaType === 'banner' && !fitsSize(compiled, slot.sizes)) return 'size';
  if (slot.secure && !creative.secure) return 'secure';
  if (isBlocked(compiled, slot)) return 'blocked.attribute';
  const languages = opportunity.creativeLanguages;
  if (languages.size > 0 && creative.language !== null && !languages.has(creative.language.toLowerCase()))
    return 'blocked.language';
  if (!fitsContent(creative.content, slot)) return 'format';
  // The first slot of a response has no other ads to compare with.
  return at.response.creativeIds.size > 0 && at.response.creativeIds.has(creative.id) ? 'exclusion' : null;
}

/**
 * Every rule that prevents the creative from being shown in the slot, with what the slot asks for behind a colon. For explanations, not for
 * the hot path.
 */
export function listRefusals(compiled: CompiledCreative, at: Parameters<typeof refuseCreative>[1]): string[] {
  const { creative, mediaType } = compiled;
  const { slot, opportunity, nowMs, response } = at;
  const language = creative.language?.toLowerCase() ?? null;
  const isOffered = slot.mediaTypes.includes(mediaType);
  const rules: readonly (readonly [fails: boolean, test: string])[] = [
    [!isOffered || !fitsContent(creative.content, slot), `format:${slot.mediaTypes.join()}`],
    [compiled.startsAtMs > nowMs || compiled.endsAtMs <= nowMs, 'not_in_flight.creative'],
    [isOffered && mediaType === 'banner' && !fitsSize(compiled, slot.sizes), `size:${describeSize(slot)}`],
    [slot.secure && !creative.secure, 'secure'],
    [isBlocked(compiled, slot), 'blocked.attribute'],
    [
      opportunity.creativeLanguages.size > 0 && language !== null && !opportunity.creativeLanguages.has(language),
      'blocked.language',
    ],
    [response.creativeIds.has(creative.id), 'exclusion.creative'],
  ];
  return rules.flatMap(([fails, test]) => (fails ? [test] : []));
}

function describeSize({ sizes }: Slot): string {
  const [first] = sizes;
  return first === undefined ? '' : formatSize(first);
}

function fitsContent(content: CreativeContent, slot: Slot): boolean {
  switch (content.format) {
    case 'IMAGE':
    case 'HTML':
      return slot.blockedBanners === undefined || !slot.blockedBanners.includes(content.format);
    case 'NATIVE':
      return slot.native === null || slot.native.assets.every((asset) => canFill(asset, content));
    case 'VIDEO':
    case 'AUDIO': {
      const offer = playerOfferOf(slot, content.format);
      return offer === null || fitsPlayer(content, offer);
    }
  }
}

/** Whether a banner has one of the sizes. No sizes = any; a banner of 0 × 0 fits every size. */
export function fitsSize({ width, height }: CompiledCreative, sizes: readonly Size[]): boolean {
  if (sizes.length === 0 || (width === 0 && height === 0)) return true;
  for (const size of sizes) if (size.width === width && size.height === height) return true;
  return false;
}

/** Whether the slot blocks an attribute of the creative, for ads of its media type or of any. */
function isBlocked(compiled: CompiledCreative, { blockedAttributes, blockedByMedia }: Slot): boolean {
  if (hasBlockedAttribute(compiled, blockedAttributes)) return true;
  return blockedByMedia !== undefined && hasBlockedAttribute(compiled, blockedByMedia[compiled.mediaType] ?? []);
}

/** Whether a creative has one of these attributes (AdCOM "Creative Attributes"). */
export function hasBlockedAttribute({ creative }: CompiledCreative, blocked: readonly number[]): boolean {
  return blocked.length > 0 && creative.attributes.some((attribute) => blocked.includes(attribute));
}

/** The VAST versions that we render, newest first, with the OpenRTB protocol numbers of inline responses and wrappers. */
const VAST_PROTOCOLS: readonly { version: VastVersion; inline: number; wrapper: number }[] = [
  { version: '4.2', inline: 13, wrapper: 14 },
  { version: '4.1', inline: 11, wrapper: 12 },
  { version: '4.0', inline: 7, wrapper: 8 },
  { version: '3.0', inline: 3, wrapper: 6 },
  { version: '2.0', inline: 2, wrapper: 5 },
];

export type VastVersion = '4.2' | '4.1' | '4.0' | '3.0' | '2.0';

/** The newest VAST version that a slot accepts; null when it accepts none of ours. */
export function chooseVastVersion(protocols: readonly number[], isWrapper: boolean): VastVersion | null {
  if (protocols.length === 0) return '4.2';
  const found = VAST_PROTOCOLS.find(({ inline, wrapper }) => protocols.includes(isWrapper ? wrapper : inline));
  return found?.version ?? null;
}

/** The OpenRTB protocol number of a version's inline responses. */
export function inlineProtocolOf(version: VastVersion): number {
  return VAST_PROTOCOLS.find((one) => one.version === version)?.inline ?? 0;
}

/** The OpenRTB protocol numbers of a version: inline responses and wrappers. */
export function protocolsOf(version: VastVersion): number[] {
  return VAST_PROTOCOLS.filter((one) => one.version === version).flatMap(({ inline, wrapper }) => [inline, wrapper]);
}

function fitsPlayer(content: PlayedContent, offer: PlayerOffer): boolean {
  if (chooseVastVersion(offer.protocols, content.vastTagUrl !== null) === null) return false;
  if (content.durationMs < offer.minDurationMs || content.durationMs > offer.maxDurationMs) return false;
  const { limits } = offer;
  if (limits?.isNonLinear === true) return false;
  if (limits !== undefined && limits.durationsMs.length > 0 && !limits.durationsMs.includes(content.durationMs))
    return false;
  if (content.vastTagUrl !== null || (offer.mimeTypes.length === 0 && limits === undefined)) return true;
  return playableFiles(content, offer).length > 0;
}

/** The media files that the player of a slot accepts. */
export function playableFiles<File extends AudioFile>(
  { mediaFiles }: { readonly mediaFiles: readonly File[] },
  offer: PlayerOffer | null,
): readonly File[] {
  if (offer === null || (offer.mimeTypes.length === 0 && offer.limits === undefined)) return mediaFiles;
  const { mimeTypes, limits } = offer;
  return mediaFiles.filter(
    (file) =>
      (mimeTypes.length === 0 || mimeTypes.includes(file.mimeType.toLowerCase())) &&
      (limits === undefined || isWithin(file, limits)),
  );
}

function isWithin(file: AudioFile, { minBitrateKbps, maxBitrateKbps, deliveryMethods }: PlayerLimits): boolean {
  if (deliveryMethods.length > 0 && !deliveryMethods.includes(isStreamed(file) ? STREAMING : PROGRESSIVE)) return false;
  const { bitrateKbps } = file;
  return bitrateKbps === null || (bitrateKbps >= minBitrateKbps && bitrateKbps <= maxBitrateKbps);
}

/** AdCOM "Delivery Methods". */
const STREAMING = 1;
const PROGRESSIVE = 2;

/** Whether a file is a playlist of HLS or DASH. */
export function isStreamed({ mimeType }: AudioFile): boolean {
  return /^application\/(?:vnd\.apple\.mpegurl|x-mpegurl|dash\+xml)$/i.test(mimeType);
}

/** Whether a native ad has the content that a required asset needs. Responses leave out optional assets without content. */
export function canFill(asset: NativeAsset, content: NativeContent): boolean {
  return !asset.required || fillsAsset(asset, content);
}

/** Whether the ad has this asset at all. A text that is too long counts as present, because it is cut. */
export function fillsAsset(asset: NativeAsset, content: NativeContent): boolean {
  switch (asset.kind) {
    case 'title':
      return content.title !== '';
    case 'mainImage':
      return content.imageUrl !== '' && content.imageWidth >= asset.minWidth && content.imageHeight >= asset.minHeight;
    case 'icon':
      return content.iconUrl !== null;
    case 'sponsoredBy':
      return content.sponsoredBy !== '';
    case 'body':
      return content.body !== '';
    case 'callToAction':
      return content.callToAction !== '';
    case 'other':
      return false;
  }
}
