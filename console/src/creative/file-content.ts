import { type Size, type UploadedAsset, uploadAsset } from '../api/bookings/creative-files.ts';
import type { Scope } from '../api/transport/scope.ts';
import { say } from '../messages/say.ts';

/** The content that a file becomes, or that is typed without a file. */
export const FILE_KINDS = ['image', 'bundle', 'video', 'audio', 'markup', 'vast', 'native'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** The facts of a file's content, from its upload or its bytes. */
export interface ReadyContent {
  readonly kind: FileKind;
  /** `/assets/…`; null for content that is part of the creative. */
  readonly url: string | null;
  readonly content: object;
}

/** A file that is ready to be the content of a creative. `failure`: why it cannot be. */
export interface PreparedFile {
  readonly ready: ReadyContent | null;
  readonly failure: string | null;
  /** Absent: its bytes do not say it. */
  readonly size?: Size;
}

/** The files that a person may choose. */
export const ACCEPTED_FILES = 'image/*,video/mp4,video/webm,.mp3,.m4a,.aac,.ogg,.opus,.wav,.zip,.html,.htm,.txt';
/** A creative has at most so much code. */
export const MARKUP_LENGTH_MAX = 200_000;
const MARKUP = /\.(?:html?|txt)$/i;

/** Whether a file is the code of a tag: it becomes part of the creative, and is not uploaded. */
export const isMarkup = (fileName: string): boolean => MARKUP.test(fileName);

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

/** Uploads a file, or reads its markup. @throws ApiProblem */
export async function prepareFile(
  scope: Scope,
  file: File,
  onSent: (share: number) => void = () => undefined,
): Promise<PreparedFile> {
  if (isMarkup(file.name)) {
    const html = await file.text();
    const failure = html.length > MARKUP_LENGTH_MAX ? say('studio.markup_too_long') : null;
    return { ready: { kind: 'markup', url: null, content: { html: { html } } }, failure };
  }
  const asset = await uploadAsset(scope, file, onSent);
  const ready = contentOf(asset, file.name);
  const isSound = asset.contentType.startsWith('audio/');
  const failure = ready === null ? say(isSound ? 'studio.audio_unmeasured' : 'studio.video_unmeasured') : null;
  if (isSound) return { ready, failure, size: { width: 0, height: 0 } };
  const { width, height } = asset;
  return { ready, failure, ...(width === null || height === null ? {} : { size: { width, height } }) };
}
