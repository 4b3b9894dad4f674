import type { CreativeContent, CreativeScan } from './creative.ts';

/** What is inside an HTML5 bundle. */
export interface BundleFacts {
  /** Path of the page that is shown. */
  readonly entry: string;
  /** The click tag as it is written in the code, such as `clickTag`. */
  readonly clickTag: string;
  readonly files: number;
  /** All files, unpacked. */
  readonly unpackedBytes: number;
  /** Paths of files that are not served. Absent in facts of older programs. */
  readonly leftOut?: readonly string[];
  readonly scan: CreativeScan;
}

/** What an upload found in a file; null where its bytes do not say it. */
export interface AssetFacts {
  readonly contentType: string;
  /** Pixels; of a bundle, those that its `ad.size` states. */
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  /** Mean of a sound, kbit/s. Absent: the file is not a sound. */
  readonly bitrateKbps?: number | null;
  readonly bundle: BundleFacts | null;
}

/** A file that a creative names. */
export interface ContentFile {
  /** Where the content names it, as the management API calls it. */
  readonly path: string;
  readonly url: string;
  /** The first part of the type that it must have, such as `image/`. */
  readonly type: 'image/' | 'video/' | 'audio/' | 'application/zip';
  /** Pixels that it is shown in; 0 × 0 = any. */
  readonly width: number;
  readonly height: number;
  readonly durationMs: number | null;
}

/** The files that a content names, hosted here or elsewhere. */
export function filesOf(
  content: CreativeContent,
  size: { readonly width: number; readonly height: number },
): ContentFile[] {
  const picture = { type: 'image/', durationMs: null } as const;
  switch (content.format) {
    case 'IMAGE':
      return [{ ...picture, ...sizeOf(size), path: 'image.imageUrl', url: content.imageUrl }];
    case 'NATIVE': {
      const main = { width: content.imageWidth, height: content.imageHeight };
      const icon = { ...picture, path: 'native.iconUrl', width: 0, height: 0 };
      return [
        { ...picture, ...main, path: 'native.imageUrl', url: content.imageUrl },
        ...(content.iconUrl === null ? [] : [{ ...icon, url: content.iconUrl }]),
      ];
    }
    case 'VIDEO':
      return content.mediaFiles.map(({ url, width, height }, index) => ({
        path: `video.mediaFiles.${index}.url`,
        url,
        type: 'video/',
        width,
        height,
        durationMs: content.durationMs,
      }));
    case 'AUDIO':
      return content.mediaFiles.map(({ url }, index) => ({
        path: `audio.mediaFiles.${index}.url`,
        url,
        type: 'audio/',
        width: 0,
        height: 0,
        durationMs: content.durationMs,
      }));
    case 'HTML':
      return content.bundle === undefined
        ? []
        : [
            {
              path: 'html5.zipUrl',
              url: content.bundle.zipUrl,
              type: 'application/zip',
              durationMs: null,
              ...sizeOf(size),
            },
          ];
  }
}

const sizeOf = ({ width, height }: { readonly width: number; readonly height: number }) => ({ width, height });
