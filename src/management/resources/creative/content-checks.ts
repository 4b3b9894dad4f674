import { HTML_LENGTH_MAX } from '../../../domain/booking/creative.ts';
import type {
  AudioFile,
  CreativeContent,
  HtmlContent,
  ImageContent,
  MediaFile,
  NativeContent,
  VideoContent,
} from '../../../domain/booking/creative.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { SIDE_PIXELS_MAX } from '../../fields/sizes.ts';
import { report } from '../../kernel/field.ts';
import { checkFileUrl, checkNumber, checkText, checkUrl } from '../../kernel/scalar-fields.ts';

const MEDIA_FILES_MAX = 20;
const DURATION_MS_MAX = 3_600_000;

/** A content as the API takes it. */
export type GivenContent = {
  image?: ImageContent;
  html?: HtmlContent;
  html5?: { readonly zipUrl: string };
  native?: NativeContent;
  video?: GivenPlayed<MediaFile>;
  audio?: GivenPlayed<AudioFile>;
};

interface GivenPlayed<File> {
  readonly title: string;
  readonly durationMs: number;
  readonly mediaFiles?: readonly File[] | null;
  readonly vastTagUrl?: string | null;
  readonly skipOffsetMs?: number | null;
}

/** Validates content and converts it to the domain's shape. */
export function checkContent(given: GivenContent, path: string, problems: FieldProblem[]): CreativeContent | null {
  if (given.image) return checkImage(given.image, `${path}.image`, problems);
  if (given.html) {
    if (given.html.html.trim() === '' || given.html.html.length > HTML_LENGTH_MAX) {
      report(problems, `${path}.html.html`, 'out_of_range', `Give 1 to ${HTML_LENGTH_MAX} characters of markup.`);
      // Nothing reads markup of any length.
      return { format: 'HTML', html: '' };
    }
    return { format: 'HTML', html: given.html.html };
  }
  if (given.html5) {
    const zipUrl = checkFileUrl(given.html5.zipUrl, `${path}.html5.zipUrl`, problems);
    if (!/^\/assets\/[0-9a-f]{64}\.zip$/.test(zipUrl))
      report(problems, `${path}.html5.zipUrl`, 'not_uploaded', 'Upload the ZIP archive to /assets, and give its url.');
    return { format: 'HTML', html: '', bundle: { zipUrl } };
  }
  if (given.native) return checkNative(given.native, `${path}.native`, problems);
  if (given.video) return { format: 'VIDEO', ...checkPlayed(given.video, `${path}.video`, checkMediaFile, problems) };
  if (given.audio) return { format: 'AUDIO', ...checkPlayed(given.audio, `${path}.audio`, checkAudioFile, problems) };
  report(problems, path, 'empty', 'Give one of image, html, html5, native, video, audio.');
  return null;
}

function checkImage(image: ImageContent, path: string, problems: FieldProblem[]): CreativeContent {
  return {
    format: 'IMAGE',
    imageUrl: checkFileUrl(image.imageUrl, `${path}.imageUrl`, problems),
    alt: image.alt === '' ? '' : checkText(image.alt, `${path}.alt`, { lengthMax: 300 }, problems),
  };
}

function checkNative(native: NativeContent, path: string, problems: FieldProblem[]): CreativeContent {
  const text = (name: 'title' | 'body' | 'callToAction' | 'sponsoredBy', lengthMax: number): string =>
    checkText(native[name], `${path}.${name}`, { lengthMax }, problems);
  const side = { min: 1, max: SIDE_PIXELS_MAX };
  return {
    format: 'NATIVE',
    title: text('title', 200),
    body: text('body', 1_000),
    callToAction: text('callToAction', 100),
    sponsoredBy: text('sponsoredBy', 200),
    imageUrl: checkFileUrl(native.imageUrl, `${path}.imageUrl`, problems),
    imageWidth: checkNumber(native.imageWidth, `${path}.imageWidth`, side, problems),
    imageHeight: checkNumber(native.imageHeight, `${path}.imageHeight`, side, problems),
    iconUrl: native.iconUrl ? checkFileUrl(native.iconUrl, `${path}.iconUrl`, problems) : null,
  };
}

function checkPlayed<File>(
  played: GivenPlayed<File>,
  path: string,
  checkFile: (file: File, path: string, problems: FieldProblem[]) => File,
  problems: FieldProblem[],
): Pick<VideoContent, 'title' | 'durationMs' | 'vastTagUrl' | 'skipOffsetMs'> & {
  readonly mediaFiles: readonly File[];
} {
  const given = played.mediaFiles ?? [];
  const vastTagUrl = played.vastTagUrl ? checkUrl(played.vastTagUrl, `${path}.vastTagUrl`, problems) : null;
  if ((given.length === 0) === (vastTagUrl === null)) {
    report(problems, `${path}.mediaFiles`, 'one_of', 'Give media files, or a VAST tag; one of the two.');
  }
  if (given.length > MEDIA_FILES_MAX)
    report(problems, `${path}.mediaFiles`, 'too_many', `Give at most ${MEDIA_FILES_MAX} media files.`);
  const durationMs = checkNumber(played.durationMs, `${path}.durationMs`, { min: 1, max: DURATION_MS_MAX }, problems);
  const skip = played.skipOffsetMs ?? null;
  return {
    title: checkText(played.title, `${path}.title`, { lengthMax: 200 }, problems),
    durationMs,
    mediaFiles: given
      .slice(0, MEDIA_FILES_MAX)
      .map((file, index) => checkFile(file, `${path}.mediaFiles.${index}`, problems)),
    vastTagUrl,
    skipOffsetMs:
      skip === null ? null : checkNumber(skip, `${path}.skipOffsetMs`, { min: 0, max: durationMs }, problems),
  };
}

function checkMediaFile(file: MediaFile, path: string, problems: FieldProblem[]): MediaFile {
  const side = { min: 1, max: SIDE_PIXELS_MAX };
  return {
    ...checkFile(file, path, VIDEO_TYPE, problems),
    width: checkNumber(file.width, `${path}.width`, side, problems),
    height: checkNumber(file.height, `${path}.height`, side, problems),
  };
}

const VIDEO_TYPE = { pattern: /^(video|application)\/[\w.+-]+$/, wants: 'a type such as "video/mp4"' };
const AUDIO_TYPE = { pattern: /^(audio|application)\/[\w.+-]+$/, wants: 'a type such as "audio/mpeg"' };

function checkAudioFile(file: AudioFile, path: string, problems: FieldProblem[]): AudioFile {
  return checkFile(file, path, AUDIO_TYPE, problems);
}

function checkFile(file: AudioFile, path: string, type: typeof AUDIO_TYPE, problems: FieldProblem[]): AudioFile {
  const bitrate = file.bitrateKbps ?? null;
  return {
    url: checkFileUrl(file.url, `${path}.url`, problems),
    mimeType: checkText(file.mimeType, `${path}.mimeType`, { lengthMax: 100, ...type }, problems),
    bitrateKbps:
      bitrate === null ? null : checkNumber(bitrate, `${path}.bitrateKbps`, { min: 1, max: 1_000_000 }, problems),
  };
}

/** Whether every address in a content is https, as `imp.secure` requires. Markup is searched for `http://` sources. */
export function isSecureContent(content: CreativeContent): boolean {
  switch (content.format) {
    case 'IMAGE':
      return isSecure(content.imageUrl);
    case 'HTML':
      return !/(?:(?:src|href|data|action)\s*=|url\()\s*(?:["']\s*)?http:\/\//i.test(content.html);
    case 'NATIVE':
      return isSecure(content.imageUrl) && isSecure(content.iconUrl);
    case 'VIDEO':
    case 'AUDIO':
      return isSecure(content.vastTagUrl) && content.mediaFiles.every(({ url }) => isSecure(url));
  }
}

function isSecure(address: string | null): boolean {
  return address === null || address.startsWith('https:') || address.startsWith('/assets/');
}
