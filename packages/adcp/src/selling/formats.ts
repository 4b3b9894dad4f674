import type { FormatId } from '../protocol/parts.ts';

/** Sizes of banners that the list of formats names. A format of any other size is found by its id. */
const COMMON_SIZES = [
  [300, 250],
  [728, 90],
  [160, 600],
  [300, 600],
  [970, 250],
  [320, 50],
  [320, 100],
  [336, 280],
  [970, 90],
] as const;
const SIDE_MAX = 10_000;

/** Formats of creatives of Placard. */
export type PlacardFormat = 'IMAGE' | 'HTML' | 'NATIVE' | 'VIDEO' | 'AUDIO';

interface AssetSlot {
  readonly id: string;
  readonly type: 'image' | 'html' | 'video' | 'audio' | 'vast' | 'url' | 'text' | 'zip';
  readonly isOptional?: true;
}

/** One kind of creative that buyers send. A sized kind has a format for each size of a slot. */
interface FormatKind {
  /** The id of the format, or its first part where it has a size. */
  readonly id: string;
  readonly format: PlacardFormat;
  readonly name: string;
  readonly description: string;
  readonly isSized: boolean;
  readonly channel: 'display' | 'video' | 'audio';
  readonly assets: readonly AssetSlot[];
}

const CLICK: AssetSlot = { id: 'click_url', type: 'url', isOptional: true };

/** Every kind of creative that agents can send. */
const KINDS: readonly FormatKind[] = [
  {
    id: 'display_image',
    format: 'IMAGE',
    name: 'Image banner',
    description: 'A picture with a landing page.',
    isSized: true,
    channel: 'display',
    assets: [{ id: 'image', type: 'image' }, CLICK],
  },
  {
    id: 'display_html',
    format: 'HTML',
    name: 'HTML banner or third-party tag',
    description: 'Markup that fills the slot, such as the tag of a third-party ad server.',
    isSized: true,
    channel: 'display',
    assets: [{ id: 'html', type: 'html' }, CLICK],
  },
  {
    id: 'native',
    format: 'NATIVE',
    name: 'Native ad',
    description: 'Headline, text and picture that the page assembles.',
    isSized: false,
    channel: 'display',
    assets: [
      { id: 'title', type: 'text' },
      { id: 'body', type: 'text' },
      { id: 'image', type: 'image' },
      { id: 'sponsored_by', type: 'text' },
      { id: 'cta', type: 'text' },
      { id: 'icon', type: 'image', isOptional: true },
      CLICK,
    ],
  },
  {
    id: 'video_hosted',
    format: 'VIDEO',
    name: 'Video file',
    description: 'A video that the ad server wraps in VAST.',
    isSized: false,
    channel: 'video',
    assets: [{ id: 'video', type: 'video' }, CLICK],
  },
  {
    id: 'video_vast',
    format: 'VIDEO',
    name: 'Video by VAST tag',
    description: 'The address of a VAST tag of a third party.',
    isSized: false,
    channel: 'video',
    assets: [{ id: 'vast_tag', type: 'vast' }, CLICK],
  },
  {
    id: 'audio_hosted',
    format: 'AUDIO',
    name: 'Audio file',
    description: 'An audio ad that the ad server wraps in VAST.',
    isSized: false,
    channel: 'audio',
    assets: [{ id: 'audio', type: 'audio' }, CLICK],
  },
];

/** A format of this seller: its kind, and its size where it has one. */
export interface SellerFormat {
  readonly id: string;
  readonly kind: FormatKind;
  readonly size: { readonly width: number; readonly height: number } | null;
}

/** Formats that are listed without a question for one: each kind, in the common sizes. */
export function listFormats(): SellerFormat[] {
  return KINDS.flatMap((kind) =>
    kind.isSized
      ? COMMON_SIZES.map(([width, height]) => sized(kind, { width, height }))
      : [{ id: kind.id, kind, size: null }],
  );
}

/** The format with an id; null where this seller has none. */
export function findFormat(id: string): SellerFormat | null {
  const plain = KINDS.find((kind) => !kind.isSized && kind.id === id);
  if (plain !== undefined) return { id, kind: plain, size: null };
  const match = /^(\w+)_(\d{1,5})x(\d{1,5})$/.exec(id);
  const kind = KINDS.find((one) => one.isSized && one.id === match?.[1]);
  const [width, height] = [Number(match?.[2]), Number(match?.[3])];
  if (kind === undefined || !isSide(width) || !isSide(height)) return null;
  const found = sized(kind, { width, height });
  // `display_image_0300x250` is not a second name.
  return found.id === id ? found : null;
}

/** The formats in which a creative of Placard's format and size can be sent. A product without sizes accepts the common ones. */
export function formatsFor(
  format: PlacardFormat,
  sizes: readonly { readonly width: number; readonly height: number }[],
): SellerFormat[] {
  return KINDS.filter((kind) => kind.format === format).flatMap((kind) => {
    if (!kind.isSized) return [{ id: kind.id, kind, size: null }];
    const wanted = sizes.length > 0 ? sizes : COMMON_SIZES.map(([width, height]) => ({ width, height }));
    return wanted.map((size) => sized(kind, size));
  });
}

/** Whether a reference names a format of this seller. Other sellers' formats with the same id are others. */
export function isOwnFormat({ agent_url: url }: FormatId, agentUrl: string): boolean {
  return withoutSlash(url) === withoutSlash(agentUrl);
}

/** A format as `core/format.json` of the protocol has it. */
export function renderFormat({ id, kind, size }: SellerFormat, agentUrl: string): Record<string, unknown> {
  return {
    format_id: { agent_url: agentUrl, id },
    name: size === null ? kind.name : `${kind.name} ${size.width} × ${size.height}`,
    description: kind.description,
    ...(size === null ? {} : { renders: [{ role: 'primary', dimensions: { ...size, unit: 'px' } }] }),
    assets: kind.assets.map((asset) => ({
      item_type: 'individual',
      asset_id: asset.id,
      asset_type: asset.type,
      required: asset.isOptional !== true,
      ...(asset.type === 'image' && size !== null ? { requirements: exactSize(size) } : {}),
    })),
  };
}

function sized(kind: FormatKind, size: { readonly width: number; readonly height: number }): SellerFormat {
  return { id: `${kind.id}_${size.width}x${size.height}`, kind, size };
}

function exactSize({ width, height }: { readonly width: number; readonly height: number }): object {
  return { min_width: width, max_width: width, min_height: height, max_height: height };
}

function isSide(side: number): boolean {
  return Number.isInteger(side) && side >= 1 && side <= SIDE_MAX;
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '').toLowerCase();
}
