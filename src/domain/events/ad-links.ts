import { pathPrefix } from '../tenancy/workspace.ts';
import type { Environment } from '../tenancy/workspace.ts';

/** The video events that have a link; as event kinds they carry the prefix `video_`. VAST's names are camel-cased. */
export const VIDEO_EVENTS = [
  'start',
  'first_quartile',
  'midpoint',
  'third_quartile',
  'complete',
  'mute',
  'unmute',
  'pause',
  'resume',
  'skip',
  'error',
] as const;
export type VideoEvent = (typeof VIDEO_EVENTS)[number];

/** The addresses of one served ad. All hold the same token; each is put together when it is read. */
export class AdLinks {
  /** As from `sealServedAd`. */
  readonly token: string;
  readonly #base: string;

  /** @param base address below which the network's links stand, without a trailing slash */
  constructor(base: string, token: string) {
    this.token = token;
    this.#base = base;
  }

  /** Fire when the ad is shown; returns a 1×1 GIF. Repeats count once. */
  get impressionUrl(): string {
    return `${this.#base}/imp/${this.token}`;
  }

  /** Fire when half of the ad was seen for a second. */
  get viewableUrl(): string {
    return `${this.#base}/view/${this.token}`;
  }

  /** Fire when the page tag is able to measure viewability at all. */
  get measurableUrl(): string {
    return `${this.#base}/measurable/${this.token}`;
  }

  /** Redirects to the present landing address of the creative, whatever stands behind it (`/` and an address, as native ads join them). */
  get clickUrl(): string {
    return `${this.#base}/click/${this.token}`;
  }

  /** The page "Why this ad?". */
  get whyUrl(): string {
    return `${this.#base}/why/${this.token}`;
  }

  /** The link of a video event. */
  videoEventUrl(event: VideoEvent): string {
    return `${this.#base}/video/${event}/${this.token}`;
  }

  /** The same addresses with another token. */
  withToken(token: string): AdLinks {
    return new AdLinks(this.#base, token);
  }
}

/**
 * Builds the addresses of a served ad.
 * @param deliveryUrl public base address of delivery, without a trailing slash
 * @param token from `sealServedAd`
 */
export function buildAdLinks(deliveryUrl: string, environment: Environment, networkId: string, token: string): AdLinks {
  return new AdLinks(`${deliveryUrl}${pathPrefix(environment)}/${networkId}`, token);
}
