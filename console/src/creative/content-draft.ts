import type { CreativeContent } from '../api/bookings/creatives/creative-detail.ts';
import { MARKUP_LENGTH_MAX } from './file-content.ts';

/** Content that a person types: the tag of a third party, the address of a VAST document, a native ad. */
export const TYPED_KINDS = ['markup', 'vast', 'native'] as const;
export type TypedKind = (typeof TYPED_KINDS)[number];

/** Content while it is typed. */
export interface ContentDraft {
  readonly kind: TypedKind;
  readonly html: string;
  readonly vastTagUrl: string;
  readonly seconds: number | null;
  readonly title: string;
  readonly body: string;
  readonly callToAction: string;
  readonly sponsoredBy: string;
  readonly imageUrl: string;
  readonly imageWidth: number | null;
  readonly imageHeight: number | null;
  readonly iconUrl: string;
}

/** The length that a film is sold with most often. */
const USUAL_SECONDS = 15;
const MS = 1_000;

/** Content of a kind of which nothing is typed yet. */
export function newDraft(kind: TypedKind): ContentDraft {
  return {
    kind,
    html: '',
    vastTagUrl: '',
    seconds: USUAL_SECONDS,
    title: '',
    body: '',
    callToAction: '',
    sponsoredBy: '',
    imageUrl: '',
    imageWidth: null,
    imageHeight: null,
    iconUrl: '',
  };
}

/** The content of a creative as a draft; null for the content of a file. */
export function draftOf({
  html,
  bundle,
  vastTagUrl,
  durationMs,
  mediaFiles,
  ...native
}: CreativeContent): ContentDraft | null {
  if (html !== undefined && (bundle ?? null) === null) return { ...newDraft('markup'), html };
  if (typeof vastTagUrl === 'string' && mediaFiles?.length === 0)
    return { ...newDraft('vast'), vastTagUrl, seconds: durationMs === undefined ? null : durationMs / MS };
  const { title, body, callToAction, sponsoredBy, imageUrl } = native;
  if (title === undefined || body === undefined || callToAction === undefined || sponsoredBy === undefined) return null;
  const { imageWidth = null, imageHeight = null, iconUrl } = native;
  const texts = { title, body, callToAction, sponsoredBy, imageUrl: imageUrl ?? '', iconUrl: iconUrl ?? '' };
  return { ...newDraft('native'), ...texts, imageWidth, imageHeight };
}

/** The content of a draft as the API takes it; null while something is missing. @param name of the creative: the title of a film */
export function contentOfDraft(draft: ContentDraft, name: string): object | null {
  switch (draft.kind) {
    case 'markup': {
      const { html } = draft;
      return html.trim() === '' || html.length > MARKUP_LENGTH_MAX ? null : { html: { html } };
    }
    case 'vast': {
      const { seconds } = draft;
      const vastTagUrl = draft.vastTagUrl.trim();
      if (vastTagUrl === '' || seconds === null) return null;
      return { video: { title: name.trim(), durationMs: Math.round(seconds * MS), vastTagUrl } };
    }
    case 'native':
      return nativeOf(draft);
  }
}

function nativeOf(draft: ContentDraft): object | null {
  const { imageWidth, imageHeight, iconUrl } = draft;
  const texts = {
    title: draft.title.trim(),
    body: draft.body.trim(),
    callToAction: draft.callToAction.trim(),
    sponsoredBy: draft.sponsoredBy.trim(),
    imageUrl: draft.imageUrl.trim(),
  };
  if (imageWidth === null || imageHeight === null || Object.values(texts).includes('')) return null;
  const icon = iconUrl.trim() === '' ? {} : { iconUrl: iconUrl.trim() };
  return { native: { ...texts, ...icon, imageWidth, imageHeight } };
}
