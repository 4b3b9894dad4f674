import type { MediaType } from '../creative-format.ts';

/** A width and height in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A site of the publisher; `code` is what requests call `site.id`. */
export interface Site {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly domain: string;
  readonly status: 'ACTIVE' | 'ARCHIVED';
}

/** A section of a site; `code` is what requests call `site.ext.area`. */
export interface Area {
  readonly id: string;
  readonly siteId: string;
  readonly code: string;
  readonly name: string;
}

/** A placement. `name` is unique in its workspace and is what requests call `adUnit` or `imp.tagid`. */
export interface AdUnit {
  readonly id: string;
  readonly siteId: string;
  readonly areaId: string | null;
  readonly name: string;
  readonly sizes: readonly Size[];
  readonly mediaTypes: readonly MediaType[];
  readonly status: 'ACTIVE' | 'ARCHIVED';
  /** Lowest CPM in micros; 0 = none. */
  readonly floorMicros: number;
}

/** A success that an advertiser counts; `actgid` is its id in pixels. Windows in seconds. */
export interface Activity {
  readonly id: string;
  readonly actgid: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'ARCHIVED';
  readonly clickWindowSeconds: number;
  readonly viewWindowSeconds: number;
  /** Without an order reference, a second event of one user within this time does not count. */
  readonly repeatIntervalSeconds: number;
  /** Only contacts with this advertiser's ads are credited; null = with any advertiser's. */
  readonly advertiserId: string | null;
  /** Whether pages may send its events without a key. */
  readonly acceptsPixel: boolean;
}

/** "300x250". */
export function formatSize(size: Size): string {
  return `${size.width}x${size.height}`;
}
