/** OpenRTB's kinds of impression, with the number of each in `bid.mtype`. */
export const MEDIA = {
  banner: { markupType: 1, description: 'Pictures and HTML.' },
  video: { markupType: 2, description: 'Video.' },
  native: { markupType: 4, description: 'Parts that the page assembles.' },
  audio: { markupType: 3, description: 'Audio.' },
} as const satisfies Record<string, { readonly markupType: number; readonly description: string }>;

/** OpenRTB's kinds of impression. */
export type MediaType = keyof typeof MEDIA;
export const MEDIA_TYPES = Object.keys(MEDIA) as readonly MediaType[];

interface FormatRow {
  readonly description: string;
  readonly mediaType: MediaType;
  /** It has a size of its own, which a slot must offer. */
  readonly isSized: boolean;
  /** A player plays it: it has a duration, and comes as VAST. */
  readonly isPlayed: boolean;
  /** As a companion of a video or audio ad (AdCOM "Companion Types"); 0 = it cannot be one. */
  readonly companionType: 0 | 1 | 2;
}

/** One row holds all that is known of each format of creatives. Tokens hold the position of a format: a new one goes to the end. */
export const FORMATS = {
  IMAGE: {
    description: 'A picture banner.',
    mediaType: 'banner',
    isSized: true,
    isPlayed: false,
    companionType: 1,
  },
  HTML: {
    description: 'HTML5 or a third-party tag.',
    mediaType: 'banner',
    isSized: true,
    isPlayed: false,
    companionType: 2,
  },
  NATIVE: {
    description: 'The parts of a native ad.',
    mediaType: 'native',
    isSized: false,
    isPlayed: false,
    companionType: 0,
  },
  VIDEO: { description: 'A video.', mediaType: 'video', isSized: false, isPlayed: true, companionType: 0 },
  AUDIO: { description: 'An audio ad.', mediaType: 'audio', isSized: false, isPlayed: true, companionType: 0 },
} as const satisfies Record<string, FormatRow>;

export type CreativeFormat = keyof typeof FORMATS;
export const CREATIVE_FORMATS = Object.keys(FORMATS) as readonly CreativeFormat[];

/** A format of which a fact holds. */
type FormatWith<Fact extends Partial<FormatRow>> = {
  [Format in CreativeFormat]: (typeof FORMATS)[Format] extends Fact ? Format : never;
}[CreativeFormat];
/** A format that a player plays. */
export type PlayedFormat = FormatWith<{ isPlayed: true }>;
/** A format of banners. */
export type BannerFormat = FormatWith<{ mediaType: 'banner' }>;

/** The row of a format. */
export function formatRow(format: CreativeFormat): FormatRow {
  return FORMATS[format];
}

export function isPlayedFormat(format: CreativeFormat): format is PlayedFormat {
  return FORMATS[format].isPlayed;
}

export function isBannerFormat(format: CreativeFormat): format is BannerFormat {
  return FORMATS[format].mediaType === 'banner';
}
