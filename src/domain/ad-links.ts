import { pathPrefix } from './workspace.ts';
import type { Environment } from './workspace.ts';

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

/** The addresses of one served ad. All hold the same token. */
export interface AdLinks {
  /** Fire when the ad is shown; answers a 1×1 GIF. Repeats count once. */
  readonly impressionUrl: string;
  /** Fire when half of the ad was seen for a second. */
  readonly viewableUrl: string;
  /** Fire when the page tag is able to measure viewability at all. */
  readonly measurableUrl: string;
  /** Redirects to the landing address of the creative; with `/` and an address behind it, to that one if the token covers it. */
  readonly clickUrl: string;
  /** The page "Why this ad?". */
  readonly whyUrl: string;
  /** The link of a video event. */
  videoEventUrl(event: VideoEvent): string;
}

/**
 * Builds the addresses of a served ad.
 * @param deliveryUrl public base address of delivery, without a trailing slash
 * @param token from `sealServedAd`
 */
export function buildAdLinks(deliveryUrl: string, environment: Environment, networkId: string, token: string): AdLinks {
  const base = `${deliveryUrl}${pathPrefix(environment)}/${networkId}`;
  return {
    impressionUrl: `${base}/imp/${token}`,
    viewableUrl: `${base}/view/${token}`,
    measurableUrl: `${base}/measurable/${token}`,
    clickUrl: `${base}/click/${token}`,
    whyUrl: `${base}/why/${token}`,
    videoEventUrl: (event) => `${base}/video/${event}/${token}`,
  };
}
