import { contentInput, HTML_LENGTH_MAX } from '../../../domain/booking/creative.ts';
import type {
  CreativeContent,
  HtmlBundle,
  HtmlContent,
  ImageContent,
  MediaFile,
  NativeContent,
  VideoContent,
} from '../../../domain/booking/creative.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { builder } from '../../kernel/builder.ts';
import type { Field, StoredRow } from '../../kernel/field.ts';
import { report } from '../../kernel/field.ts';
import { checkFileUrl, checkNumber, checkText, checkUrl } from '../../kernel/scalar-fields.ts';
import { SIDE_PIXELS_MAX } from '../../fields/sizes.ts';

const MEDIA_FILES_MAX = 20;
const DURATION_MS_MAX = 3_600_000;

const ImageContentRef = builder.objectRef<ImageContent>('ImageContent').implement({
  description: 'A picture banner.',
  fields: (t) => ({
    imageUrl: t.exposeString('imageUrl', {
      description: 'Address of the picture; an uploaded file is named by its path.',
    }),
    alt: t.exposeString('alt', { description: 'Alternative text.' }),
  }),
});

const HtmlBundleRef = builder.objectRef<HtmlBundle>('HtmlBundle').implement({
  description: 'An HTML5 bundle: a page with its files in an uploaded ZIP archive.',
  fields: (t) => ({
    zipUrl: t.exposeString('zipUrl', { description: 'The uploaded archive, as `POST /assets` returned it.' }),
    entry: t.string({ description: 'Path of the page that is shown.', resolve: ({ entry }) => entry ?? '' }),
    clickTag: t.string({
      description: 'The click tag as its code has it.',
      resolve: ({ clickTag }) => clickTag ?? '',
    }),
  }),
});

const HtmlContentRef = builder.objectRef<HtmlContent>('HtmlContent').implement({
  description: 'HTML5 or a third-party tag, shown in a sandboxed frame.',
  fields: (t) => ({
    html: t.exposeString('html', {
      description: 'The markup; macros such as ${CLICK_URL} are replaced when it is served. Empty with a bundle.',
    }),
    bundle: t.field({
      type: HtmlBundleRef,
      nullable: true,
      description: 'The uploaded HTML5 bundle that is shown instead; null: the markup is.',
      resolve: ({ bundle }) => bundle ?? null,
    }),
  }),
});

const NativeContentRef = builder.objectRef<NativeContent>('NativeContent').implement({
  description: 'The parts of a native ad.',
  fields: (t) => ({
    title: t.exposeString('title', { description: 'Headline.' }),
    body: t.exposeString('body', { description: 'Text below the headline.' }),
    callToAction: t.exposeString('callToAction', { description: 'Text of the button.' }),
    sponsoredBy: t.exposeString('sponsoredBy', { description: 'Who is named as sponsor.' }),
    imageUrl: t.exposeString('imageUrl', { description: 'Address of the main picture.' }),
    imageWidth: t.exposeInt('imageWidth', { description: 'Its width in pixels.' }),
    imageHeight: t.exposeInt('imageHeight', { description: 'Its height in pixels.' }),
    iconUrl: t.exposeString('iconUrl', { nullable: true, description: 'Address of the icon or logo.' }),
  }),
});

const MediaFileRef = builder.objectRef<MediaFile>('MediaFile').implement({
  description: 'One encoding of a video.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Its address.' }),
    mimeType: t.exposeString('mimeType', { description: 'Its type, such as "video/mp4".' }),
    width: t.exposeInt('width', { description: 'Width in pixels.' }),
    height: t.exposeInt('height', { description: 'Height in pixels.' }),
    bitrateKbps: t.exposeInt('bitrateKbps', { nullable: true, description: 'Bit rate in kbit/s.' }),
  }),
});

const VideoContentRef = builder.objectRef<VideoContent>('VideoContent').implement({
  description: "A video: own media files, or the address of a third party's VAST tag.",
  fields: (t) => ({
    title: t.exposeString('title', { description: 'Title.' }),
    durationMs: t.exposeInt('durationMs', { description: 'Length in milliseconds.' }),
    mediaFiles: t.field({
      type: [MediaFileRef],
      description: 'The encodings; empty with a VAST tag.',
      resolve: (video) => [...video.mediaFiles],
    }),
    vastTagUrl: t.exposeString('vastTagUrl', { nullable: true, description: "Address of a third party's VAST tag." }),
    skipOffsetMs: t.exposeInt('skipOffsetMs', {
      nullable: true,
      description: 'When it can be skipped, in milliseconds; null = never.',
    }),
  }),
});

const CreativeContentRef = builder.unionType('CreativeContent', {
  description: 'The content, with one shape per format.',
  types: [ImageContentRef, HtmlContentRef, NativeContentRef, VideoContentRef],
  resolveType: (content) => {
    const { format } = content as CreativeContent;
    return ({ IMAGE: 'ImageContent', HTML: 'HtmlContent', NATIVE: 'NativeContent', VIDEO: 'VideoContent' } as const)[
      format
    ];
  },
});

const ImageContentInput = builder.inputType('ImageContentInput', {
  description: 'A picture banner.',
  fields: (t) => ({
    imageUrl: t.string({
      required: true,
      description: 'Address of the picture; an uploaded file is named by its path.',
    }),
    alt: t.string({ required: true, description: 'Alternative text.' }),
  }),
});

const HtmlContentInput = builder.inputType('HtmlContentInput', {
  description: 'HTML5 or a third-party tag.',
  fields: (t) => ({
    html: t.string({ required: true, description: `The markup, at most ${HTML_LENGTH_MAX} characters.` }),
  }),
});

const Html5ContentInput = builder.inputType('Html5ContentInput', {
  description: 'An HTML5 bundle.',
  fields: (t) => ({
    zipUrl: t.string({ required: true, description: 'The uploaded archive, as `POST /assets` returned it.' }),
  }),
});

const NativeContentInput = builder.inputType('NativeContentInput', {
  description: 'The parts of a native ad.',
  fields: (t) => ({
    title: t.string({ required: true, description: 'Headline.' }),
    body: t.string({ required: true, description: 'Text below the headline.' }),
    callToAction: t.string({ required: true, description: 'Text of the button.' }),
    sponsoredBy: t.string({ required: true, description: 'Who is named as sponsor.' }),
    imageUrl: t.string({ required: true, description: 'Address of the main picture.' }),
    imageWidth: t.int({ required: true, description: 'Its width in pixels.' }),
    imageHeight: t.int({ required: true, description: 'Its height in pixels.' }),
    iconUrl: t.string({ description: 'Address of the icon or logo.' }),
  }),
});

const MediaFileInput = builder.inputType('MediaFileInput', {
  description: 'One encoding of a video.',
  fields: (t) => ({
    url: t.string({ required: true, description: 'Its address.' }),
    mimeType: t.string({ required: true, description: 'Its type, such as "video/mp4".' }),
    width: t.int({ required: true, description: 'Width in pixels.' }),
    height: t.int({ required: true, description: 'Height in pixels.' }),
    bitrateKbps: t.int({ description: 'Bit rate in kbit/s.' }),
  }),
});

const VideoContentInput = builder.inputType('VideoContentInput', {
  description: 'A video: media files, or a VAST tag; not both.',
  fields: (t) => ({
    title: t.string({ required: true, description: 'Title.' }),
    durationMs: t.int({ required: true, description: 'Length in milliseconds, up to an hour.' }),
    mediaFiles: t.field({ type: [MediaFileInput], description: 'The encodings.' }),
    vastTagUrl: t.string({ description: "Address of a third party's VAST tag." }),
    skipOffsetMs: t.int({ description: 'When it can be skipped, in milliseconds; absent = never.' }),
  }),
});

const CreativeContentInput = builder.inputType('CreativeContentInput', {
  isOneOf: true,
  description: 'The content: set exactly one.',
  fields: (t) => ({
    image: t.field({ type: ImageContentInput, description: 'A picture banner.' }),
    html: t.field({ type: HtmlContentInput, description: 'HTML5 or a third-party tag.' }),
    html5: t.field({ type: Html5ContentInput, description: 'An uploaded HTML5 bundle (ZIP).' }),
    native: t.field({ type: NativeContentInput, description: 'A native ad.' }),
    video: t.field({ type: VideoContentInput, description: 'A video.' }),
  }),
});

type GivenContent = {
  image?: ImageContent;
  html?: HtmlContent;
  html5?: { readonly zipUrl: string };
  native?: NativeContent;
  video?: Partial<VideoContent> & Pick<VideoContent, 'title' | 'durationMs'>;
};

/** The content of a creative. It sets two columns: the content and its format. */
export function contentField(): Field {
  return {
    name: 'content',
    description: 'What is shown; its shape is the format.',
    input: CreativeContentInput,
    output: CreativeContentRef,
    outputNullable: false,
    requiredOnCreate: true,
    updatable: true,
    clearable: false,
    columns: ['content', 'format', 'secure'],
    jsonColumns: ['content'],
    initial: {},
    cleared: {},
    write: (value, path, problems) => {
      const content = checkContent(value as GivenContent, path, problems);
      return { content, format: content?.format ?? 'IMAGE', secure: content !== null && isSecureContent(content) };
    },
    read: (row: StoredRow) => row['content'],
    asInput: (row: StoredRow) => contentInput(row['content'] as CreativeContent),
  };
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
  if (given.video) return checkVideo(given.video, `${path}.video`, problems);
  report(problems, path, 'empty', 'Give one of image, html, html5, native, video.');
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

function checkVideo(
  video: NonNullable<GivenContent['video']>,
  path: string,
  problems: FieldProblem[],
): CreativeContent {
  const given = video.mediaFiles ?? [];
  const vastTagUrl = video.vastTagUrl ? checkUrl(video.vastTagUrl, `${path}.vastTagUrl`, problems) : null;
  if ((given.length === 0) === (vastTagUrl === null)) {
    report(problems, `${path}.mediaFiles`, 'one_of', 'Give media files, or a VAST tag; one of the two.');
  }
  if (given.length > MEDIA_FILES_MAX)
    report(problems, `${path}.mediaFiles`, 'too_many', `Give at most ${MEDIA_FILES_MAX} media files.`);
  const durationMs = checkNumber(video.durationMs, `${path}.durationMs`, { min: 1, max: DURATION_MS_MAX }, problems);
  const skip = video.skipOffsetMs ?? null;
  return {
    format: 'VIDEO',
    title: checkText(video.title, `${path}.title`, { lengthMax: 200 }, problems),
    durationMs,
    mediaFiles: given
      .slice(0, MEDIA_FILES_MAX)
      .map((file, index) => checkMediaFile(file, `${path}.mediaFiles.${index}`, problems)),
    vastTagUrl,
    skipOffsetMs:
      skip === null ? null : checkNumber(skip, `${path}.skipOffsetMs`, { min: 0, max: durationMs }, problems),
  };
}

function checkMediaFile(file: MediaFile, path: string, problems: FieldProblem[]): MediaFile {
  const side = { min: 1, max: SIDE_PIXELS_MAX };
  const bitrate = file.bitrateKbps ?? null;
  return {
    url: checkFileUrl(file.url, `${path}.url`, problems),
    mimeType: checkText(
      file.mimeType,
      `${path}.mimeType`,
      { lengthMax: 100, pattern: /^(video|application)\/[\w.+-]+$/, wants: 'a type such as "video/mp4"' },
      problems,
    ),
    width: checkNumber(file.width, `${path}.width`, side, problems),
    height: checkNumber(file.height, `${path}.height`, side, problems),
    bitrateKbps:
      bitrate === null ? null : checkNumber(bitrate, `${path}.bitrateKbps`, { min: 1, max: 1_000_000 }, problems),
  };
}

/** Whether every address in a content is https, as `imp.secure` requires. Markup is searched for `http://` sources. */
export function isSecureContent(content: CreativeContent): boolean {
  const addresses: (string | null)[] = [];
  if (content.format === 'IMAGE') addresses.push(content.imageUrl);
  if (content.format === 'NATIVE') addresses.push(content.imageUrl, content.iconUrl);
  if (content.format === 'VIDEO') addresses.push(content.vastTagUrl, ...content.mediaFiles.map((file) => file.url));
  if (content.format === 'HTML')
    return !/(?:(?:src|href|data|action)\s*=|url\()\s*(?:["']\s*)?http:\/\//i.test(content.html);
  return addresses.every(
    (address) => address === null || address.startsWith('https:') || address.startsWith('/assets/'),
  );
}
