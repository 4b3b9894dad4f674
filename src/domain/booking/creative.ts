import { type CreativeFormat, isPlayedFormat, type PlayedFormat } from '../creative-format.ts';
import type { FrequencyCap } from '../frequency/frequency-cap.ts';

/** Picture banner. */
export interface ImageContent {
  readonly imageUrl: string;
  readonly alt: string;
}

/** What the code of a creative does, as far as its text says. A scan reads the text; it runs nothing. */
export interface CreativeScan {
  /** Addresses without https, at most 50: browsers block them on secure pages. */
  readonly insecureUrls: readonly string[];
  /** Hosts that it names, in the order of the alphabet, at most 50. */
  readonly hosts: readonly string[];
  readonly usesCookies: boolean;
  /** localStorage, sessionStorage or IndexedDB. */
  readonly usesStorage: boolean;
  readonly usesDocumentWrite: boolean;
  /** A click macro or click tag, without which no click is counted; null where a click needs none. */
  readonly hasClickMacro: boolean | null;
}

/** Longest markup of a creative, in characters. */
export const HTML_LENGTH_MAX = 200_000;

/** HTML5 or third-party tag; shown in a sandboxed frame. Macros such as `${CLICK_URL}` are replaced when served. */
export interface HtmlContent {
  /** Of a bundle: empty as stored; the frame that shows it, as served. */
  readonly html: string;
  /** The uploaded archive that is shown instead of markup. */
  readonly bundle?: HtmlBundle;
}

/** An HTML5 bundle: a page with its files in a ZIP archive. The last three come from the archive, when the creative is stored. */
export interface HtmlBundle {
  /** The uploaded archive, `/assets/<hash>.zip`. */
  readonly zipUrl: string;
  readonly entry?: string;
  readonly clickTag?: string;
  readonly scan?: CreativeScan;
}

/** The parts of a native ad. */
export interface NativeContent {
  readonly title: string;
  readonly body: string;
  readonly callToAction: string;
  readonly sponsoredBy: string;
  readonly imageUrl: string;
  readonly imageWidth: number;
  readonly imageHeight: number;
  readonly iconUrl: string | null;
}

/** One encoding of an audio ad. */
export interface AudioFile {
  readonly url: string;
  readonly mimeType: string;
  readonly bitrateKbps: number | null;
}

/** One encoding of a video. */
export interface MediaFile extends AudioFile {
  readonly width: number;
  readonly height: number;
}

/** Own media files, or the address of a third party's VAST tag (then `mediaFiles` is empty). */
interface Played<File> {
  readonly title: string;
  readonly durationMs: number;
  readonly mediaFiles: readonly File[];
  readonly vastTagUrl: string | null;
  readonly skipOffsetMs: number | null;
}

export type VideoContent = Played<MediaFile>;
export type AudioContent = Played<AudioFile>;

interface ContentShapes {
  readonly IMAGE: ImageContent;
  readonly HTML: HtmlContent;
  readonly NATIVE: NativeContent;
  readonly VIDEO: VideoContent;
  readonly AUDIO: AudioContent;
}

type ContentOf<Format extends CreativeFormat> = {
  [Each in Format]: { readonly format: Each } & ContentShapes[Each];
}[Format];

/** The content, with one shape for each format. */
export type CreativeContent = ContentOf<CreativeFormat>;
/** A content that a player plays. */
export type PlayedContent = ContentOf<PlayedFormat>;

export function isPlayed(content: CreativeContent): content is PlayedContent {
  return isPlayedFormat(content.format);
}

/** The content as the input of the management API has it: one member, named after its shape. */
export function contentInput({ format, ...content }: CreativeContent): Readonly<Record<string, unknown>> {
  if ('bundle' in content && content.bundle !== undefined) return { html5: { zipUrl: content.bundle.zipUrl } };
  return { [format.toLowerCase()]: content };
}

/** Addresses of third parties that want to know; https only. */
export interface ThirdPartyTrackers {
  readonly impressionUrls: readonly string[];
  readonly clickUrls: readonly string[];
  readonly viewableUrls: readonly string[];
}

/** A creative as delivery sees it. width × height are CSS pixels; 0 × 0 fits any size (native, video). */
export interface Creative {
  readonly id: string;
  readonly lineItemId: string;
  /** The creative of the same line item beside which this banner stands as a companion; null = it is shown by itself. */
  readonly masterCreativeId: string | null;
  readonly name: string;
  readonly status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED';
  readonly reviewState: 'PENDING' | 'APPROVED' | 'REJECTED';
  readonly width: number;
  readonly height: number;
  readonly content: CreativeContent;
  /** Landing address, http(s). */
  readonly clickUrl: string;
  readonly trackers: ThirdPartyTrackers;
  /** Share of the draw among its siblings, 1…1000. */
  readonly weight: number;
  readonly startsAtMs: number | null;
  readonly endsAtMs: number | null;
  /** Every address in its markup is https. */
  readonly secure: boolean;
  /** OpenRTB creative attributes, for `battr`. */
  readonly attributes: readonly number[];
  readonly language: string | null;
  readonly frequencyCaps: readonly FrequencyCap[];
}
