/** The parts of a link that previews a creative on a page of the publisher. */
export interface PagePreview {
  /** The page, as a person typed it. */
  readonly page: string;
  /** The signed address of the preview. */
  readonly previewUrl: string;
  readonly size: { readonly width: number; readonly height: number };
  /** The name of the ad unit on the page. */
  readonly adUnit: string;
}

/** Of a creative that fits any size. */
const USUAL_SIZE = { width: 300, height: 250 } as const;

/**
 * The address of a page whose tag shows a creative in one of its ad units; null for a text that names none. The fragment stays in the browser, so that no
 * log of the page's server has the token. `sdk/tag/src/preview.ts` reads the fragment.
 */
export function pagePreviewUrl({ page, previewUrl, size, adUnit }: PagePreview): string | null {
  const typed = page.trim();
  const address = URL.parse(/^https?:\/\//i.test(typed) ? typed : `https://${typed}`);
  const token = previewUrl.split('/').at(-1) ?? '';
  if (typed === '' || address === null || adUnit === '') return null;
  const { width, height } = size.width === 0 || size.height === 0 ? USUAL_SIZE : size;
  address.hash = `placard-preview=${[token, width, height, encodeURIComponent(adUnit)].join(',')}`;
  return address.href;
}
