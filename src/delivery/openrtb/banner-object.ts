import type { Size } from '../../domain/booking/inventory.ts';
import type { BannerFormat } from '../../domain/creative-format.ts';
import { arrayOf, asObject } from './lenient-json.ts';
import { listIn, type Parent, PIXELS_MAX, refused, sizeIn, wholeIn, wholesIn } from './restricting-members.ts';

/** Most sizes of one slot that are read. */
export const SIZES_MAX = 50;

/** What an impression's `banner` accepts. */
export interface BannerObject {
  readonly sizes: readonly Size[];
  readonly blockedAttributes: readonly number[];
  readonly blockedForms?: readonly BannerFormat[];
}

/** OpenRTB "Banner Ad Types" of our banners: 2 an image with a link, 3 JavaScript, 4 a frame. */
const BANNER_TYPES: Readonly<Record<BannerFormat, readonly number[]>> = { IMAGE: [2], HTML: [3, 4] };

/**
 * Reads a banner. Null where every format is a ratio, or `w` and `h` give no size: none fits for certain.
 * @throws PlacardError `invalid_request` naming a member that cannot be read
 */
export function parseBanner(banner: Parent): BannerObject | null {
  const formats = arrayOf(listIn(banner, 'format', Number.POSITIVE_INFINITY), SIZES_MAX);
  const sizes = formats.map((format, index) => parseFormat(banner, format, index)).filter((size) => size !== null);
  if (formats.length > 0 && sizes.length === 0) return null;
  const own = formats.length === 0 ? ownSize(banner) : null;
  if (own === 'unknown') return null;
  if (own !== null) sizes.push(own);
  const blockedAttributes = wholesIn(banner, 'battr');
  if (banner.members['btype'] === undefined) return { sizes, blockedAttributes };
  const types = wholesIn(banner, 'btype');
  const blockedForms = (['IMAGE', 'HTML'] as const).filter((form) =>
    types.some((type) => BANNER_TYPES[form].includes(type)),
  );
  return { sizes, blockedAttributes, blockedForms };
}

/** Null for a ratio. */
function parseFormat(banner: Parent, value: unknown, index: number): Size | null {
  const format: Parent = { at: `${banner.at}.format[${index}]`, members: asObject(value) ?? {} };
  const size = sizeIn(format);
  if (size !== null || format.members['wratio'] !== undefined) return size;
  throw refused(format, '', 'an object with w and h');
}

/** Some callers send 0 by 0 for a size that they do not know. */
function ownSize(banner: Parent): Size | 'unknown' | null {
  const width = wholeIn(banner, 'w');
  const height = wholeIn(banner, 'h');
  if ((width ?? 0) === 0 && (height ?? 0) === 0) return null;
  const isSize = [width, height].every((side) => side !== null && side >= 1 && side <= PIXELS_MAX);
  return isSize ? { width: width as number, height: height as number } : 'unknown';
}
