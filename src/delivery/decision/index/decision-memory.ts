import type { Size } from '../../../domain/booking/inventory.ts';
import { LocalClock } from './local-clock.ts';

const BANNER_FITS_MAX = 10_000;
const SIDE_MAX = 65_536;

/** What decisions remember to be fast. It changes no decision; one per process, shared by its workspaces. */
export class DecisionMemory {
  readonly clock = new LocalClock();
  /** Texts of requested sizes, by width and height: the index finds a text that it has met sooner than a new one. */
  readonly #bannerFits = new Map<number, string>();

  /** How the index names a banner of this size. */
  fitOfBanner({ width, height }: Size): string {
    const key = width * SIDE_MAX + height;
    const known = height < SIDE_MAX ? this.#bannerFits.get(key) : undefined;
    if (known !== undefined) return known;
    const text = `banner:${width}x${height}`;
    if (this.#bannerFits.size >= BANNER_FITS_MAX) this.#bannerFits.clear();
    if (height < SIDE_MAX) this.#bannerFits.set(key, text);
    return text;
  }
}
