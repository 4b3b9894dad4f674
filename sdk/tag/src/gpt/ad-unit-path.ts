import type { Size } from '../settings.ts';

/** A size as GPT takes it: a pair, or a word such as `fluid`. */
export type GptSize = readonly [number, number] | string;
/** One size, or several. */
export type GptSizes = GptSize | readonly GptSize[];
/** Rows of a size mapping: the least width and height of the viewport, and the sizes from there on. */
export type GptMapping = readonly (readonly [readonly [number, number], GptSizes])[];

/** The ad unit of a GPT path: `/1234,56/news/top` is `news/top`. A path without a network code is the ad unit itself. */
export function adUnitOf(path: string): string {
  return path.replace(/^\/[\d,]+\//, '').replace(/^\//, '');
}

/** The sizes of a slot, one by one. A pair of numbers is one size. */
export function listSizes(sizes: GptSizes | undefined): readonly GptSize[] {
  if (sizes === undefined) return [];
  if (typeof sizes === 'string') return [sizes];
  return typeof sizes[0] === 'number' ? [sizes as Size] : (sizes as readonly GptSize[]);
}

/** What `data-sizes` says for these sizes: `300x250,300x600`. Words have no size. */
export function sizesText(sizes: GptSizes | undefined): string {
  return listSizes(sizes)
    .filter((size) => typeof size !== 'string')
    .map((size) => size.join('x'))
    .join();
}

/** A native ad fills the width that it finds, as `fluid` asks. */
export function mediaOf(sizes: GptSizes | undefined): string {
  const list = listSizes(sizes);
  if (!list.includes('fluid')) return 'banner';
  return list.some((size) => typeof size !== 'string') ? 'banner,native' : 'native';
}

/** What `data-sizes` says for a size mapping: rows by width; a row that needs a higher viewport than this one is left out. */
export function mappingText(mapping: GptMapping, viewportHeight: number): string {
  return mapping
    .filter(([[, height]]) => height <= viewportHeight)
    .map(([[width], sizes]) => `${width}:${sizesText(sizes)}`)
    .join(';');
}
