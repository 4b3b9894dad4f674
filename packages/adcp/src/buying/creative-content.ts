import { z } from 'zod';
import { AdcpError } from '../protocol/adcp-error.ts';
import { FormatId, Id, LIST_MAX, Name, Url } from '../protocol/parts.ts';
import { findFormat, isOwnFormat, type SellerFormat } from '../selling/formats.ts';

/** Longest markup of a banner, in characters. */
const HTML_MAX = 200_000;
/** Longest id of a creative: the ad server's has the account's before it. */
const CREATIVE_ID_MAX = 150;
const TRACKERS_MAX = 10;
const SIDE_MAX = 10_000;
const DURATION_MAX = 3_600_000;

const Asset = z.looseObject({
  asset_type: z.string().max(40),
  url: Url.optional(),
  url_type: z.string().max(40).optional(),
  content: z.string().max(HTML_MAX).optional(),
  delivery_type: z.string().max(40).optional(),
  width: z.int().min(1).max(SIDE_MAX).optional(),
  height: z.int().min(1).max(SIDE_MAX).optional(),
  duration_ms: z.int().min(1).max(DURATION_MAX).optional(),
  mime_type: z.string().max(100).optional(),
  alt_text: Name.optional(),
});
type Asset = z.infer<typeof Asset>;

/** A creative, as buyers send it. */
export const CreativeAsset = z.looseObject({
  creative_id: Id.max(CREATIVE_ID_MAX),
  name: Name.max(200),
  format_id: FormatId.optional(),
  format_kind: z.string().max(60).optional(),
  assets: z.record(z.string().max(100), z.union([Asset, z.array(Asset).min(1).max(LIST_MAX)])),
  tags: z.array(z.string().max(100)).max(LIST_MAX).optional(),
});
export type CreativeAsset = z.infer<typeof CreativeAsset>;

/** The fields of a creative that follow from its assets. */
export interface CreativeFields {
  readonly name: string;
  readonly clickUrl: string;
  readonly width: number;
  readonly height: number;
  readonly content: Readonly<Record<string, unknown>>;
  readonly trackers: { readonly impressionUrls: readonly string[] };
}

interface Slot extends Asset {
  readonly id: string;
}

/**
 * Translates a creative of a buyer. Without a landing page, its clicks lead to the brand's site.
 *
 * @throws AdcpError that names the asset
 */
export function readCreative(
  creative: CreativeAsset,
  { agentUrl, brandDomain }: { readonly agentUrl: string; readonly brandDomain: string | null },
): CreativeFields {
  const format = formatOf(creative, agentUrl);
  const slots = Object.entries(creative.assets).flatMap(([id, value]): Slot[] =>
    (Array.isArray(value) ? value : [value]).map((one) => ({ ...one, id })),
  );
  const links = slots.filter(({ asset_type: type }) => type === 'url' || type === 'pixel_tracker');
  const landing = links.find(({ id, url_type: type }) => type === 'clickthrough' || /click|landing/.test(id))?.url;
  if (landing === undefined && brandDomain === null) throw missing('click_url', 'A creative has a landing page.');
  const trackers = links.filter(
    ({ asset_type: type, url_type: kind }) => type === 'pixel_tracker' || kind === 'tracker_pixel',
  );
  const content = contentOf(format, creative.name, slots);
  return {
    name: creative.name,
    clickUrl: landing ?? `https://${brandDomain}/`,
    width: format.size?.width ?? 0,
    height: format.size?.height ?? 0,
    content,
    trackers: { impressionUrls: trackers.flatMap(({ url }) => url ?? []).slice(0, TRACKERS_MAX) },
  };
}

function formatOf({ format_id: id, format_kind: kind }: CreativeAsset, agentUrl: string): SellerFormat {
  if (kind !== undefined || id === undefined)
    throw new AdcpError('UNSUPPORTED_FEATURE', 'This seller takes creatives by format_id.', { field: 'format_id' });
  const found = isOwnFormat(id, agentUrl) ? findFormat(id.id) : null;
  if (found === null)
    throw new AdcpError('CREATIVE_REJECTED', 'This seller has no such format.', {
      field: 'format_id',
      suggestion: 'Call list_creative_formats for the formats of this seller.',
    });
  return found;
}

function missing(id: string, message: string): AdcpError {
  return new AdcpError('CREATIVE_REJECTED', message, { field: `assets.${id}` });
}

/** The slot of a type; the one with the format's own id where there are several. */
function slotOf(slots: readonly Slot[], type: string, id: string): Slot | undefined {
  const fitting = slots.filter((one) => one.asset_type === type);
  return fitting.find((one) => one.id === id) ?? fitting[0];
}

function required<T>(value: T | undefined, id: string, name: string): T {
  if (value === undefined) throw missing(id, `The format needs ${name} of the asset ${id}.`);
  return value;
}

function contentOf(
  { kind, size }: SellerFormat,
  name: string,
  slots: readonly Slot[],
): Readonly<Record<string, unknown>> {
  switch (kind.id) {
    case 'display_image': {
      const image = slotOf(slots, 'image', 'image');
      if (size !== null && image?.width !== undefined && (image.width !== size.width || image.height !== size.height))
        throw missing(
          'image',
          `The format is ${size.width} × ${size.height}; the image is ${image.width} × ${image.height}.`,
        );
      return { image: { imageUrl: required(image?.url, 'image', 'the url'), alt: image?.alt_text ?? name } };
    }
    case 'display_html':
      return { html: { html: required(slotOf(slots, 'html', 'html')?.content, 'html', 'the content') } };
    case 'native':
      return nativeContent(slots);
    case 'audio_hosted':
      return mediaContent('audio', name, slots);
    case 'video_vast': {
      const tag = slotOf(slots, 'vast', 'vast_tag');
      return {
        video: {
          title: name,
          durationMs: required(tag?.duration_ms, 'vast_tag', 'the duration_ms'),
          vastTagUrl: required(tag?.url, 'vast_tag', 'the url'),
        },
      };
    }
    default:
      return mediaContent('video', name, slots);
  }
}

function nativeContent(slots: readonly Slot[]): Readonly<Record<string, unknown>> {
  const text = (id: string) =>
    required(slots.find((one) => one.asset_type === 'text' && one.id === id)?.content, id, 'the content');
  const image = slotOf(slots, 'image', 'image');
  const icon = slots.find((one) => one.asset_type === 'image' && one.id === 'icon')?.url;
  return {
    native: {
      title: text('title'),
      body: text('body'),
      sponsoredBy: text('sponsored_by'),
      callToAction: text('cta'),
      imageUrl: required(image?.url, 'image', 'the url'),
      imageWidth: required(image?.width, 'image', 'the width'),
      imageHeight: required(image?.height, 'image', 'the height'),
      ...(icon === undefined ? {} : { iconUrl: icon }),
    },
  };
}

function mediaContent(
  type: 'audio' | 'video',
  name: string,
  slots: readonly Slot[],
): Readonly<Record<string, unknown>> {
  const file = slotOf(slots, type, type);
  const url = required(file?.url, type, 'the url');
  const mimeType = file?.mime_type ?? (type === 'video' ? 'video/mp4' : 'audio/mpeg');
  const size =
    type === 'video'
      ? { width: required(file?.width, type, 'the width'), height: required(file?.height, type, 'the height') }
      : {};
  return {
    [type]: {
      title: name,
      durationMs: required(file?.duration_ms, type, 'the duration_ms'),
      mediaFiles: [{ url, mimeType, ...size }],
    },
  };
}
