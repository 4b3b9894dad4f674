import type { CreatedCreative, NewCreative, Size, UploadedAsset } from '../api/bookings/creative-files.ts';
import { sizesInName } from './match-line-items.ts';

/** What a file becomes. */
export const FILE_KINDS = ['image', 'bundle', 'video', 'audio', 'markup'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** What is known of the content of a file once it was uploaded or read. */
export interface ReadyContent {
  readonly kind: FileKind;
  /** `/assets/…`; null for markup, which is part of the creative. */
  readonly url: string | null;
  readonly content: object;
}

/** A file on its way to become a creative. */
export interface StudioFile {
  readonly key: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  /** 0…1. */
  readonly sent: number;
  /** Why it cannot be used; null: nothing is wrong so far. */
  readonly failure: string | null;
  readonly ready: ReadyContent | null;
  readonly name: string;
  readonly size: Size;
  /** Whether its bytes say the size; otherwise a person does. */
  readonly isMeasured: boolean;
  readonly lineItemIds: readonly string[];
  readonly checked: CreatedCreative | null;
  /** The library creative that it became; null: not yet. */
  readonly creativeId: string | null;
  readonly isDone: boolean;
}

const MARKUP = /\.(?:html?|txt)$/i;

/** Whether a file is the code of a tag: it becomes part of the creative, and is not uploaded. */
export const isMarkup = (fileName: string): boolean => MARKUP.test(fileName);

/** The name that a creative gets from its file: without the ending. */
export function nameOfFile(fileName: string): string {
  return fileName.replace(/\.[a-z0-9]{2,5}$/i, '').slice(0, 200) || fileName.slice(0, 200);
}

/** A file that was just chosen. */
export function newFile(key: string, file: { readonly name: string; readonly size: number }): StudioFile {
  return {
    key,
    fileName: file.name,
    sizeBytes: file.size,
    sent: 0,
    failure: null,
    ready: null,
    name: nameOfFile(file.name),
    size: sizesInName(file.name)[0] ?? { width: 0, height: 0 },
    isMeasured: false,
    lineItemIds: [],
    checked: null,
    creativeId: null,
    isDone: false,
  };
}

/** The content of a creative from an uploaded file; null for a film or a sound whose length is not known. */
export function contentOf(asset: UploadedAsset, name: string): ReadyContent | null {
  const { url, contentType, width, height, durationMs, bitrateKbps } = asset;
  if (contentType === 'application/zip') return { kind: 'bundle', url, content: { html5: { zipUrl: url } } };
  if (contentType.startsWith('audio/')) {
    if (durationMs === null) return null;
    const mediaFiles = [{ url, mimeType: contentType, bitrateKbps }];
    return { kind: 'audio', url, content: { audio: { title: name, durationMs, mediaFiles } } };
  }
  if (!contentType.startsWith('video/')) return { kind: 'image', url, content: { image: { imageUrl: url, alt: '' } } };
  if (durationMs === null || width === null || height === null) return null;
  const mediaFiles = [{ url, mimeType: contentType, width, height }];
  return { kind: 'video', url, content: { video: { title: name, durationMs, mediaFiles } } };
}

const hasNoSize = ({ ready }: StudioFile): boolean => ready?.kind === 'video' || ready?.kind === 'audio';

/** What of a file is still to be done before it can be saved; null: nothing. */
export function missingOf(file: StudioFile, clickUrl: string): 'size' | 'click' | 'name' | null {
  if (file.name.trim() === '') return 'name';
  if (!hasNoSize(file) && (file.size.width === 0 || file.size.height === 0)) return 'size';
  return clickUrl.trim() === '' ? 'click' : null;
}

/** The creative of a file, as the API takes it; null while something is missing. */
export function creativeOf(file: StudioFile, advertiserId: string, clickUrl: string): NewCreative | null {
  if (file.ready === null || file.creativeId !== null || missingOf(file, clickUrl) !== null) return null;
  const { name, size, ready } = file;
  return { advertiserId, name: name.trim(), clickUrl: clickUrl.trim(), content: ready.content, ...size };
}
