import { setTimeout as sleep } from 'node:timers/promises';
import { fillAddress, type MacroFacts } from '../../domain/booking/macros.ts';
import { PlacardError } from '../../domain/errors.ts';
import { CLICK_WINDOW_MS } from '../../domain/events/served-ad.ts';
import type { ServedAd } from '../../domain/events/served-ad.ts';
import { ENVIRONMENTS, pathPrefix } from '../../domain/tenancy/workspace.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import type { HttpReply, HttpRequest, Route } from '../../http/shared/route.ts';
import type { ClickQueue } from './click-queue.ts';
import { endedAdReply } from './ended-ad-page.ts';
import { isSpeculative, openTrackedAd } from './tracked-ad.ts';
import type { TrackingDeps } from './tracking.routes.ts';

/** A user waits for the redirect: when the disk takes longer than this, the redirect goes out before the event is on disk. */
const CLICK_WAIT_MS = 1_000;

/** Dependencies of the click routes. */
export interface ClickDeps extends TrackingDeps {
  readonly clicks: ClickQueue;
}

/**
 * Click links: `/<network>/click/<token>`. They redirect (302) to the landing address that the creative has now, whether or not it is still
 * shown, and nowhere else: the link does not hold the address. Text after the token (native ads append the landing address) changes
 * nothing. A link that has expired (30 days after the decision), or whose creative was rejected or archived, gets a page that says that the
 * ad has ended (410). A forged token is a JSON 404.
 */
export function createClickRoutes(deps: ClickDeps): Route[] {
  return ENVIRONMENTS.flatMap((environment) =>
    ['/:network/click/:token', '/:network/click/:token/*target'].map(
      (pattern): Route => ({
        method: 'GET',
        pattern: `${pathPrefix(environment)}${pattern}`,
        name: 'click',
        handler: (request) => redirectClick(request, environment, deps),
      }),
    ),
  );
}

async function redirectClick(request: HttpRequest, environment: Environment, deps: ClickDeps): Promise<HttpReply> {
  const ad = openTrackedAd(request, environment, deps);
  if (ad === null) {
    deps.metrics.countForged('click');
    throw new PlacardError('not_found', 'This click link is unknown, or it was changed on its way.');
  }
  const landing = findLanding(ad, deps);
  if (!isSpeculative(request)) await recordClick(request, ad, deps);
  if (landing === null) {
    const offered = deps.catalog.findWorkspaceById(ad.workspaceId)?.whyLanguages;
    return endedAdReply(request.headers['accept-language'] ?? '', offered);
  }
  return { status: 302, headers: { location: landing, 'cache-control': 'no-store' }, body: null };
}

/** A disk that is full or slow never keeps the user from the landing page: the click then waits in the queue. */
async function recordClick(request: HttpRequest, ad: ServedAd, deps: ClickDeps): Promise<void> {
  const reason = deps.filter({
    userAgent: request.headers['user-agent'],
    remoteAddress: request.remoteAddress,
    kind: 'click',
    creativeId: ad.creativeId,
    nowMs: deps.nowMs(),
  });
  const timer = new AbortController();
  const recorded = deps.clicks.record({ ad, reason, timeMs: deps.nowMs() }).finally(() => timer.abort());
  await Promise.race([recorded, sleep(CLICK_WAIT_MS, undefined, { signal: timer.signal }).catch(() => undefined)]);
}

/** Null when the ad has ended. Snapshots hold the creatives of all links that have not expired (`STOPPED_KEPT_MS`). */
function findLanding(ad: ServedAd, deps: ClickDeps): string | null {
  if (deps.nowMs() - ad.decidedAtMs > CLICK_WINDOW_MS) return null;
  const creative = deps.catalog.findCreative(ad.workspaceId, ad.creativeId);
  if (creative === undefined || creative.status === 'ARCHIVED' || creative.reviewState === 'REJECTED') return null;
  return toLocation(fillAddress(creative.clickUrl, factsOf(ad, deps.nowMs())));
}

/** A click link knows nothing of consent: those macros are left empty. */
function factsOf(ad: ServedAd, timeMs: number): MacroFacts {
  const { creativeId, width, height, impressionId: cacheBuster } = ad;
  return { creativeId, width, height, cacheBuster, timeMs, clickUrl: '', landingUrl: '', privacy: null, ids: ad };
}

/** An http(s) address as a header may hold it; null for any other. Plain ASCII stays unchanged. */
function toLocation(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return /^https?:\/\/[\x21-\x7e]+$/i.test(address) ? address : url.href;
}
