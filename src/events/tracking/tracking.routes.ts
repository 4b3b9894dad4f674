import { VIDEO_EVENTS } from '../../domain/events/ad-links.ts';
import type { VideoEvent } from '../../domain/events/ad-links.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { ServedAd } from '../../domain/events/served-ad.ts';
import { ENVIRONMENTS, pathPrefix } from '../../domain/tenancy/workspace.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import { PIXEL_REPLY } from '../../http/fast/pixel-reply.ts';
import type { HttpReply, HttpRequest, Route } from '../../http/shared/route.ts';
import type { AdEvents } from './ad-events.ts';
import type { EventAdmission } from '../recording/admission.ts';
import type { EventMetrics } from '../recording/event-metrics.ts';
import type { InvalidReason } from '../recording/event-rows.ts';
import { isSpeculative, openTrackedAd } from './tracked-ad.ts';
import type { LinkOpener } from './tracked-ad.ts';
import type { TrafficFilter } from './traffic-filter.ts';
import { parseErrorCode } from './video-errors.ts';

/** Dependencies of the tracking routes. */
export interface TrackingDeps extends LinkOpener {
  readonly adEvents: AdEvents;
  readonly admission: EventAdmission;
  readonly filter: TrafficFilter;
  readonly metrics: EventMetrics;
  readonly nowMs: () => number;
}

/** `sendBeacon` may send a body, which is ignored. */
const BEACON_BODY_BYTES_MAX = 4_096;

interface PixelSpec {
  readonly name: string;
  /** After the environment's prefix. */
  readonly pattern: string;
  readonly filterKind: 'impression' | 'other';
  record(ad: ServedAd, reason: InvalidReason, request: HttpRequest): Promise<void>;
  /** Absent: the pixel. */
  reply?(ad: ServedAd, request: HttpRequest): HttpReply;
}

/**
 * The pixels of served ads: impression, viewable, measurable and video events, by GET and (for `sendBeacon`) POST, under each
 * environment's prefix. They respond once the event is on disk; forged links get the pixel too, and record nothing.
 */
export function createTrackingRoutes(deps: TrackingDeps): Route[] {
  const { adEvents } = deps;
  const specs: readonly PixelSpec[] = [
    {
      name: 'impression',
      pattern: '/:network/imp/:token',
      filterKind: 'impression',
      record: (ad, reason) => adEvents.impression(ad, reason),
      reply: (ad, request) => (isForPicture(request) ? pictureReply(ad, deps.catalog) : PIXEL_REPLY),
    },
    {
      name: 'viewable',
      pattern: '/:network/view/:token',
      filterKind: 'other',
      record: (ad, reason) => adEvents.viewable(ad, reason),
    },
    {
      name: 'measurable',
      pattern: '/:network/measurable/:token',
      filterKind: 'other',
      record: (ad, reason) => adEvents.measurable(ad, reason),
    },
    {
      name: 'video',
      pattern: '/:network/video/:event/:token',
      filterKind: 'other',
      record: (ad, reason, request) => adEvents.video(ad, videoEventOf(request), reason, parseErrorCode(request.query)),
    },
  ];
  return ENVIRONMENTS.flatMap((environment) =>
    specs.flatMap((spec) => (['GET', 'POST'] as const).map((method) => pixelRoute(spec, method, environment, deps))),
  );
}

function pixelRoute(spec: PixelSpec, method: 'GET' | 'POST', environment: Environment, deps: TrackingDeps): Route {
  return {
    method,
    pattern: `${pathPrefix(environment)}${spec.pattern}`,
    name: spec.name,
    bodyBytesMax: BEACON_BODY_BYTES_MAX,
    contentTypes: null,
    corsCredentials: true,
    admit: () => deps.admission.check(),
    handler: (request) => {
      if (request.params['event'] !== undefined) videoEventOf(request);
      if (isSpeculative(request) && !isForPicture(request)) return PIXEL_REPLY;
      // Again: requests that were read together were admitted before any of them was recorded.
      deps.admission.check();
      const ad = openTrackedAd(request, environment, deps);
      if (ad === null) {
        deps.metrics.countForged(spec.name);
        return PIXEL_REPLY;
      }
      const reply = spec.reply?.(ad, request) ?? PIXEL_REPLY;
      if (isSpeculative(request)) return reply;
      const reason = deps.filter({
        userAgent: request.headers['user-agent'],
        remoteAddress: request.remoteAddress,
        kind: spec.filterKind,
        creativeId: ad.creativeId,
        nowMs: deps.nowMs(),
      });
      return spec.record(ad, reason, request).then(() => reply);
    },
  };
}

/** A picture without markup around it, as in `<a><img></a>`, is loaded at the address that counts its impression. */
function isForPicture({ query }: HttpRequest): boolean {
  return query === 'image=1';
}

/** Leads to the picture that the creative has now, and nowhere else; other formats get the pixel. */
function pictureReply(ad: ServedAd, catalog: TrackingDeps['catalog']): HttpReply {
  const content = catalog.findCreative(ad.workspaceId, ad.creativeId)?.content;
  const location = content?.format === 'IMAGE' ? pictureAddress(content.imageUrl) : null;
  if (location === null) return PIXEL_REPLY;
  const headers = { location, 'cache-control': 'no-store', 'cross-origin-resource-policy': 'cross-origin' };
  return { status: 302, headers, body: null };
}

/** An address of this server's own file, or a web address; plain ASCII, as a header holds it. Null for any other. */
function pictureAddress(address: string): string | null {
  if (address.startsWith('/assets/')) return address;
  if (!URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}

function videoEventOf(request: HttpRequest): VideoEvent {
  const event = VIDEO_EVENTS.find((one) => one === request.params['event']);
  if (event === undefined)
    throw new PlacardError('not_found', `No such video event; there are: ${VIDEO_EVENTS.join(', ')}.`);
  return event;
}
