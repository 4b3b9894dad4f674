import { isPlayed } from '../../../domain/booking/creative.ts';
import { buildAdLinks } from '../../../domain/events/ad-links.ts';
import { openServedAd } from '../../../domain/events/link-token.ts';
import { IMPRESSION_WINDOW_MS, type LinkKey } from '../../../domain/events/served-ad.ts';
import type { Environment } from '../../../domain/tenancy/workspace.ts';
import { ENVIRONMENTS, pathPrefix } from '../../../domain/tenancy/workspace.ts';
import type { HttpReply, HttpRequest, Route } from '../../../http/shared/route.ts';
import { resolvePrivacy } from '../../ad-request/privacy.ts';
import { xmlComment } from '../../markup/markup.ts';
import { renderVastRoot, type VastInput, XML_DECLARATION } from '../../markup/vast-markup.ts';
import { PlayerQuery } from '../../players/player-query.ts';
import { NEWEST_VERSION, QUERY_CHARS_MAX, readPrivacy } from '../../players/player-request.ts';
import { type CompiledNetworks, createCatalog } from '../../snapshot/compiled-networks.ts';
import { renderUnwrapped } from '../../unwrap/render-unwrapped.ts';
import { followTag, type UnwrapServingDeps } from './unwrap-served.ts';

/** The dependencies of the route. */
export interface UnwrappedDeps extends UnwrapServingDeps {
  readonly current: () => CompiledNetworks;
  readonly linkKeys: readonly LinkKey[];
  /** Public base address of delivery, without a trailing slash. */
  readonly deliveryUrl: string;
  readonly nowMs: () => number;
}

const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/xml; charset=utf-8',
  'cache-control': 'no-store',
};

/**
 * The document behind the tag of an ad that was served as a wrapper, for clients that follow no wrappers (the page tag): `/<network>/vast/<token>`. It has
 * the links of that ad. A tag that leads to no ad gets an empty document whose comment names the error; the server has reported it.
 */
export function createUnwrappedRoutes(deps: UnwrappedDeps): Route[] {
  return ENVIRONMENTS.map((environment) => ({
    method: 'GET' as const,
    pattern: `${pathPrefix(environment)}/:network/vast/:token`,
    name: 'unwrapped',
    contentTypes: null,
    corsCredentials: true,
    handler: (http: HttpRequest) => respond(deps, environment, http),
  }));
}

async function respond(deps: UnwrappedDeps, environment: Environment, http: HttpRequest): Promise<HttpReply> {
  if (http.query.length > QUERY_CHARS_MAX)
    return empty(400, `invalid_request: The query must have at most ${QUERY_CHARS_MAX} characters.`);
  const found = findAd(deps, environment, http);
  if (found === null) return empty(404, 'not_found: There is no such ad, or it was served more than an hour ago.');
  if (http.method === 'HEAD') return { status: 200, headers: HEADERS };
  const { ad, input, tagUrl } = found;
  const privacy = readPrivacy(new PlayerQuery(http.query));
  // What the ad request said counts, too: an objection cannot be taken back here.
  const npa = ad.npa || resolvePrivacy(privacy).npa;
  const known = { ...input, privacy };
  const chain = await followTag(deps, known, tagUrl, { asked: { http, npa }, workspaceId: ad.workspaceId });
  if ('code' in chain) {
    deps.recordVideoError(ad, chain.code);
    return empty(200, `error ${chain.code}`);
  }
  const body = XML_DECLARATION + renderVastRoot(NEWEST_VERSION, renderUnwrapped(known, chain, null));
  return { status: 200, headers: HEADERS, body };
}

/** The ad of a token, unless it is over: too old, or its creative is archived or rejected. */
function findAd(
  deps: UnwrappedDeps,
  environment: Environment,
  { params }: HttpRequest,
): { ad: NonNullable<ReturnType<typeof openServedAd>>; input: VastInput; tagUrl: string } | null {
  const { network = '', token = '' } = params;
  const ad = openServedAd(token, deps.linkKeys);
  const catalog = createCatalog(deps.current);
  if (ad === null || catalog.findWorkspace(network, environment)?.workspaceId !== ad.workspaceId) return null;
  if (deps.nowMs() - ad.decidedAtMs > IMPRESSION_WINDOW_MS) return null;
  const creative = catalog.findCreative(ad.workspaceId, ad.creativeId);
  if (creative === undefined || creative.status === 'ARCHIVED' || creative.reviewState === 'REJECTED') return null;
  const { content } = creative;
  if (!isPlayed(content) || content.vastTagUrl === null) return null;
  const advertiser = catalog.findAdvertiser(ad.workspaceId, ad.advertiserId);
  const input: VastInput = {
    creative,
    content,
    links: buildAdLinks(deps.deliveryUrl, environment, network, token),
    version: NEWEST_VERSION,
    impressionId: ad.impressionId,
    advertiserName: advertiser?.name ?? '',
    categories: [],
    price: null,
    offer: null,
    companions: { required: 'none', ads: [] },
    ids: ad,
  };
  return { ad, input, tagUrl: content.vastTagUrl };
}

function empty(status: number, note: string): HttpReply {
  return { status, headers: HEADERS, body: XML_DECLARATION + renderVastRoot(NEWEST_VERSION, xmlComment(note)) };
}
