import type { Size } from '../../../domain/booking/inventory.ts';
import { isTimeZone } from '../../../domain/time/calendar.ts';
import { LocalClock } from './local-clock.ts';
import { RecentChanges } from './recent-changes.ts';

const BANNER_FITS_MAX = 10_000;
const SIDE_MAX = 65_536;
const ZONES_MAX = 1_000;

/** Caches that make decisions fast and never change them. A process has one, which its workspaces share. */
export class DecisionMemory {
  readonly clock = new LocalClock();
  /** For explanations. */
  readonly changes = new RecentChanges();
  /** Texts of requested sizes, by width and height: a map finds a known string object faster than a new one. */
  readonly #bannerFits = new Map<number, string>();

  /** Time zones that line items have used, and whether the runtime knows them: asking it takes microseconds. */
  readonly #zones = new Map<string, boolean>();

  isTimeZone(name: string): boolean {
    const known = this.#zones.get(name);
    if (known !== undefined) return known;
    const is = isTimeZone(name);
    if (this.#zones.size >= ZONES_MAX) this.#zones.clear();
    this.#zones.set(name, is);
    return is;
  }

  /** The name of a banner size in the index. */
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
