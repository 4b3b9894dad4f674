import type { Size, StudioLineItem } from '../api/bookings/creative-files.ts';
import type { TargetingTree } from '../api/bookings/targeting.ts';

/** Any number of "300x250" or "300 × 250" within a name. */
const SIZE_IN_NAME = /(?<!\d)(\d{2,4})\s?[x×]\s?(\d{2,4})(?!\d)/gi;

/** The sizes that a name mentions. */
export function sizesInName(name: string): Size[] {
  return [...name.matchAll(SIZE_IN_NAME)].map(([, width, height]) => ({
    width: Number(width),
    height: Number(height),
  }));
}

/** The ids of the ad units that a tree asks for; those that it excludes are left out. */
export function targetedAdUnits(tree: TargetingTree | null): string[] {
  if (tree === null) return [];
  const { test, any, all } = tree;
  if (test !== null && test !== undefined)
    return test.dimension === 'AD_UNIT' && test.operator === 'IS' ? [...test.values] : [];
  return [...(any ?? []), ...(all ?? [])].flatMap(targetedAdUnits);
}

/** The sizes that a line item needs creatives of: those of its ad units, else those that its name mentions; empty: not known. */
export function wantedSizes(
  { name, targeting }: Pick<StudioLineItem, 'name' | 'targeting'>,
  sizesOf: ReadonlyMap<string, readonly Size[]>,
): Size[] {
  const ofUnits = targetedAdUnits(targeting).flatMap((id) => sizesOf.get(id) ?? []);
  return ofUnits.length > 0 ? ofUnits : sizesInName(name);
}

const isSame = (one: Size) => (other: Size) => one.width === other.width && one.height === other.height;

/**
 * The line items that a file suits: those that need its size. Where none says so, those whose sizes are not known and that have no creative yet.
 * What has ended gets none.
 */
export function matchLineItems(
  size: Size,
  lineItems: readonly StudioLineItem[],
  sizesOf: ReadonlyMap<string, readonly Size[]>,
): string[] {
  const open = lineItems.filter(({ status }) => status !== 'ARCHIVED' && status !== 'COMPLETED');
  const fitting = open.filter((one) => wantedSizes(one, sizesOf).some(isSame(size)));
  const chosen =
    fitting.length > 0
      ? fitting
      : open.filter((one) => wantedSizes(one, sizesOf).length === 0 && one.creatives.nodes.length === 0);
  return chosen.map(({ id }) => id);
}

/** The sizes that line items need and have no creative of, each once. */
export function missingSizes(
  lineItems: readonly StudioLineItem[],
  sizesOf: ReadonlyMap<string, readonly Size[]>,
  files: readonly { readonly size: Size; readonly lineItemIds: readonly string[] }[],
): { readonly lineItem: StudioLineItem; readonly sizes: readonly Size[] }[] {
  return lineItems.flatMap((lineItem) => {
    const has = [
      ...lineItem.creatives.nodes.filter(({ status }) => status !== 'ARCHIVED'),
      ...files.filter(({ lineItemIds }) => lineItemIds.includes(lineItem.id)).map(({ size }) => size),
    ];
    const wanted = wantedSizes(lineItem, sizesOf);
    const sizes = wanted.filter((size, at) => wanted.findIndex(isSame(size)) === at && !has.some(isSame(size)));
    return sizes.length === 0 ? [] : [{ lineItem, sizes }];
  });
}

/** The line items that were read, and behind them those that were found besides, each once. */
export function joinLineItems(
  read: readonly StudioLineItem[],
  found: readonly StudioLineItem[],
): readonly StudioLineItem[] {
  const ids = new Set(read.map(({ id }) => id));
  return [...read, ...found.filter(({ id }) => !ids.has(id))];
}
