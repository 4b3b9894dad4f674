import { contentInput, HTML_LENGTH_MAX } from '../../../domain/booking/creative.ts';
import type {
  AudioContent,
  AudioFile,
  CreativeContent,
  HtmlBundle,
  HtmlContent,
  ImageContent,
  MediaFile,
  NativeContent,
  VideoContent,
} from '../../../domain/booking/creative.ts';
import type { CreativeFormat } from '../../../domain/creative-format.ts';
import { builder } from '../../kernel/builder.ts';
import type { Field, StoredRow } from '../../kernel/field.ts';
import { checkContent, type GivenContent, isSecureContent } from './content-checks.ts';

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

const AudioFileRef = builder.objectRef<AudioFile>('AudioFile').implement({
  description: 'One encoding of an audio ad.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Its address.' }),
    mimeType: t.exposeString('mimeType', { description: 'Its type, such as "audio/mpeg".' }),
    bitrateKbps: t.exposeInt('bitrateKbps', { nullable: true, description: 'Bit rate in kbit/s.' }),
  }),
});

const AudioContentRef = builder.objectRef<AudioContent>('AudioContent').implement({
  description: "An audio ad: own media files, or the address of a third party's VAST tag.",
  fields: (t) => ({
    title: t.exposeString('title', { description: 'Title.' }),
    durationMs: t.exposeInt('durationMs', { description: 'Length in milliseconds.' }),
    mediaFiles: t.field({
      type: [AudioFileRef],
      description: 'The encodings; empty with a VAST tag.',
      resolve: (audio) => [...audio.mediaFiles],
    }),
    vastTagUrl: t.exposeString('vastTagUrl', { nullable: true, description: "Address of a third party's VAST tag." }),
    skipOffsetMs: t.exposeInt('skipOffsetMs', {
      nullable: true,
      description: 'When it can be skipped, in milliseconds; null = never.',
    }),
  }),
});

const CONTENT_TYPES = {
  IMAGE: ImageContentRef,
  HTML: HtmlContentRef,
  NATIVE: NativeContentRef,
  VIDEO: VideoContentRef,
  AUDIO: AudioContentRef,
} as const satisfies Record<CreativeFormat, unknown>;

const CreativeContentRef = builder.unionType('CreativeContent', {
  description: 'The content, with one shape per format.',
  types: Object.values(CONTENT_TYPES),
  resolveType: (content) => CONTENT_TYPES[(content as CreativeContent).format].name,
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

const AudioFileInput = builder.inputType('AudioFileInput', {
  description: 'One encoding of an audio ad.',
  fields: (t) => ({
    url: t.string({ required: true, description: 'Its address.' }),
    mimeType: t.string({ required: true, description: 'Its type, such as "audio/mpeg".' }),
    bitrateKbps: t.int({ description: 'Bit rate in kbit/s.' }),
  }),
});

const AudioContentInput = builder.inputType('AudioContentInput', {
  description: 'An audio ad: media files, or a VAST tag; not both.',
  fields: (t) => ({
    title: t.string({ required: true, description: 'Title.' }),
    durationMs: t.int({ required: true, description: 'Length in milliseconds, up to an hour.' }),
    mediaFiles: t.field({ type: [AudioFileInput], description: 'The encodings.' }),
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
    audio: t.field({ type: AudioContentInput, description: 'An audio ad.' }),
  }),
});

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
