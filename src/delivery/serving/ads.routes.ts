import { PlacardError } from '../../domain/errors.ts';
import { newUlid } from '../../domain/ids/ids.ts';
import type { Principal } from '../../domain/tenancy/principal.ts';
import { ENVIRONMENTS, pathPrefix } from '../../domain/tenancy/workspace.ts';
import { parseJsonBody } from '../../http/shared/json.ts';
import type { ProtectedRoute } from '../../http/shared/protected-route.ts';
import type { HttpReply, HttpRequest } from '../../http/shared/route.ts';
import { buildAdsOpportunity } from '../ad-request/ads-opportunity.ts';
import { resolveContext } from '../ad-request/build-opportunity.ts';
import { checkHeaderCurrency, parseAdsRequest } from '../ad-request/ads-request.ts';
import { renderAdsResponse } from './ads-response.ts';
import { readDsaRequest } from '../openrtb/dsa.ts';
import { resolvePrivacy } from '../ad-request/privacy.ts';
import { fillOpportunity } from './ad-server.ts';
import type { AdServerDeps, FilledOpportunity } from './ad-server.ts';

/** The ad request API (conformance A): named ad units, bearer key, the decision engine of the bid endpoint. */
export function createAdsRoutes(deps: AdServerDeps): ProtectedRoute[] {
  const deliveryHost = new URL(deps.deliveryUrl).hostname;
  return ENVIRONMENTS.map((environment) => ({
    method: 'POST',
    pattern: `${pathPrefix(environment)}/api/v1/ads`,
    name: environment === 'staging' ? 'ads.staging' : 'ads',
    operation: 'ads.request',
    handler: (http, principal) => respondWithAds({ ...deps, deliveryHost }, http, principal),
  }));
}

interface AdsEndpoint extends AdServerDeps {
  readonly deliveryHost: string;
}

function respondWithAds(
  endpoint: AdsEndpoint,
  http: HttpRequest,
  principal: Principal,
): HttpReply | Promise<HttpReply> {
  const request = parseAdsRequest(parseJsonBody(http.body, { mendsText: true }));
  if (request.networkId !== principal.networkId) {
    throw new PlacardError(
      'insufficient_permissions',
      `The key belongs to network ${principal.networkId}, not to ${request.networkId}.`,
    );
  }
  const explain = request.explain;
  if (explain && principal.permission !== 'admin') {
    throw new PlacardError('insufficient_permissions', 'explain shows prices and loss reasons: it needs an admin key.');
  }
  const compiled = endpoint.current().findById(principal.workspaceId);
  if (compiled === undefined)
    throw new PlacardError('unavailable', 'The network is not loaded here yet; retry shortly.');
  const adUnit = compiled.inventory.adUnitsByName.get(request.adUnitName);
  if (adUnit === undefined)
    throw new PlacardError(
      'unknown_ad_unit',
      `The network has no ad unit ${JSON.stringify(request.adUnitName.slice(0, 100))}.`,
    );
  const { workspace } = compiled.snapshot;
  const nowMs = endpoint.nowMs();
  checkHeaderCurrency(request, workspace, nowMs);
  const privacy = resolvePrivacy(request.privacy);
  const dsa = readDsaRequest(request.dsa);
  const { userIds } = request;
  // The caller is a server: its own headers and address say nothing about the user.
  const source = { device: request.device, privacy, dsa, userIds, headers: null, address: '' };
  const context = resolveContext(source, workspace.workspaceId, endpoint);
  const opportunity = buildAdsOpportunity(request, adUnit, compiled, context);
  const requestId = newUlid(nowMs);
  const reply = (served: FilledOpportunity): HttpReply => ({
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: JSON.stringify(
      renderAdsResponse({
        requestId,
        request,
        workspace,
        privacy,
        dsa,
        deliveryHost: endpoint.deliveryHost,
        nowMs,
        served,
        explain,
      }),
    ),
  });
  const served = fillOpportunity(endpoint, compiled, opportunity, { userIds, explain, requestId });
  return served instanceof Promise ? served.then(reply) : reply(served);
}
