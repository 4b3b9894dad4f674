import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { PlacardError } from '../domain/errors.ts';
import { digestLanding } from '../domain/link-token.ts';
import type { ServedAd } from '../domain/served-ad.ts';
import { ENVIRONMENTS, pathPrefix } from '../domain/workspace.ts';
import type { Environment } from '../domain/workspace.ts';
import type { HttpReply, HttpRequest, Route } from '../http/route.ts';
import { isSpeculative, openTrackedAd } from './tracked-ad.ts';
import type { TrackingDeps } from './tracking.routes.ts';

/** A person waits behind a click: when the disk takes longer than this, the redirect goes out before the event is on it. */
const CLICK_WAIT_MS = 1_000;

const GONE_PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<meta name="color-scheme" content="light dark"><title>Not found</title>' +
  '<body style="font-family:system-ui;margin:15vh auto;max-width:30em;padding:0 1em">' +
  '<h1>This advertisement has ended</h1><p>The page it led to is no longer known here.</p></body></html>';

/** What click routes need. */
export interface ClickDeps extends TrackingDeps {
  readonly log: Logger;
}

/**
 * Click links: `/<network>/click/<token>`, and the same with `/` and a landing address behind it, verbatim. They redirect (302) to
 * that address when the token covers it, else to the landing address of the creative, and nowhere else. A forged token is a
 * JSON 404; an ad whose creative is gone, a 404 page. An expired click still redirects, and is not billed.
 */
export function createClickRoutes(deps: ClickDeps): Route[] {
  return ENVIRONMENTS.flatMap((environment) =>
    ['/:network/click/:token', '/:network/click/:token/*target'].map(
      (pattern): Route => ({
        method: 'GET',
        pattern: `${pathPrefix(environment)}${pattern}`,
        name: 'click',
        handler: (request) => answerClick(request, environment, deps),
      }),
    ),
  );
}

async function answerClick(request: HttpRequest, environment: Environment, deps: ClickDeps): Promise<HttpReply> {
  const ad = openTrackedAd(request, environment, deps);
  if (ad === null) {
    deps.metrics.countForged('click');
    throw new PlacardError('not_found', 'This click link is not one of ours, or it was changed on its way.');
  }
  const landing = findLanding(request, ad, deps);
  if (!isSpeculative(request)) await recordClick(request, ad, deps);
  if (landing === null) {
    return {
      status: 404,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
      body: GONE_PAGE,
    };
  }
  return { status: 302, headers: { location: landing, 'cache-control': 'no-store' }, body: null };
}

/** Never keeps the visitor from the landing page: what fails is logged (the spool counts it too). */
async function recordClick(request: HttpRequest, ad: ServedAd, deps: ClickDeps): Promise<void> {
  const reason = deps.filter({
    userAgent: request.headers['user-agent'],
    remoteAddress: request.remoteAddress,
    kind: 'click',
    creativeId: ad.creativeId,
    nowMs: deps.nowMs(),
  });
  const timer = new AbortController();
  const recorded = deps.adEvents
    .click(ad, reason)
    .catch((error: unknown) => deps.log.error({ err: error, requestId: request.requestId }, 'a click was not recorded'))
    .finally(() => timer.abort());
  await Promise.race([recorded, sleep(CLICK_WAIT_MS, undefined, { signal: timer.signal }).catch(() => undefined)]);
}

function findLanding(request: HttpRequest, ad: ServedAd, deps: ClickDeps): string | null {
  const target = request.params['target'] ?? '';
  const wanted = request.query === '' ? target : `${target}?${request.query}`;
  const covered = [wanted, decodeOnce(wanted)].find((address) => isCovered(address, ad));
  const address = covered ?? deps.catalog.findCreative(ad.workspaceId, ad.creativeId)?.clickUrl;
  return address === undefined ? null : toLocation(address);
}

function isCovered(address: string, ad: ServedAd): boolean {
  return address !== '' && ad.landingDigest !== '' && digestLanding(address) === ad.landingDigest;
}

/** Some clients percent-encode the address that stands behind the prefix. */
function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An http(s) address as it may stand in a header; null for any other. Plain ASCII stays as it is, to the letter. */
function toLocation(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return /^https?:\/\/[\x21-\x7e]+$/i.test(address) ? address : url.href;
}
