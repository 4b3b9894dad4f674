import { PlacardError } from '../../domain/errors.ts';
import { newUlid } from '../../domain/ids/ids.ts';
import type { AdUnit } from '../../domain/booking/inventory.ts';
import type { Principal } from '../../domain/tenancy/principal.ts';
import { ENVIRONMENTS, pathPrefix } from '../../domain/tenancy/workspace.ts';
import { parseJsonBody } from '../../http/shared/json.ts';
import type { ProtectedRoute } from '../../http/shared/protected-route.ts';
import type { HttpReply, HttpRequest } from '../../http/shared/route.ts';
import { parseAdsRequest } from '../ad-request/ads-request.ts';
import type { AdsRequest } from '../ad-request/ads-request.ts';
import { renderAdsAnswer } from './ads-response.ts';
import { findById } from '../decision/index/sorted-by-id.ts';
import { targetable } from '../ad-request/bid-opportunity.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import { readDevice, readPlace } from '../ad-request/device.ts';
import { readDsaRequest } from '../openrtb/dsa.ts';
import type { DsaRequest } from '../openrtb/dsa.ts';
import type { FindPlace } from '../ad-request/geo-lookup.ts';
import type { Opportunity, Slot } from '../../domain/requests/opportunity.ts';
import { judgePrivacy } from '../ad-request/privacy.ts';
import type { PrivacyVerdict } from '../ad-request/privacy.ts';
import { serveOpportunity } from './ad-server.ts';
import type { ServeDeps, Served } from './ad-server.ts';
import { hashUserIds } from '../ad-request/user-identity.ts';
import { textOf } from '../openrtb/lenient-json.ts';

/** The ad request API (conformance A): named ad units, bearer key, the decision engine of the bid endpoint. */
export function createAdsRoutes(deps: ServeDeps): ProtectedRoute[] {
  const deliveryHost = new URL(deps.deliveryUrl).hostname;
  return ENVIRONMENTS.map((environment) => ({
    method: 'POST',
    pattern: `${pathPrefix(environment)}/api/v1/ads`,
    name: environment === 'staging' ? 'ads.staging' : 'ads',
    operation: 'ads.request',
    handler: (http, principal) => answerAds({ ...deps, deliveryHost }, http, principal),
  }));
}

interface AdsDoor extends ServeDeps {
  readonly deliveryHost: string;
}

function answerAds(door: AdsDoor, http: HttpRequest, principal: Principal): HttpReply | Promise<HttpReply> {
  const request = parseAdsRequest(parseJsonBody(http.body, { mendsText: true }));
  if (request.networkId !== principal.networkId) {
    throw new PlacardError(
      'insufficient_permissions',
      `The key belongs to network ${principal.networkId}, not to ${request.networkId}.`,
    );
  }
  const explain = request.explain;
  if (explain && principal.permission !== 'admin') {
    throw new PlacardError(
      'insufficient_permissions',
      'explain shows prices and why others lost: it needs an admin key.',
    );
  }
  const compiled = door.current().findById(principal.workspaceId);
  if (compiled === undefined)
    throw new PlacardError('unavailable', 'The network is not known here yet; retry shortly.');
  const adUnit = compiled.inventory.adUnitsByName.get(request.adUnitName);
  if (adUnit === undefined)
    throw new PlacardError(
      'unknown_ad_unit',
      `The network has no ad unit ${JSON.stringify(request.adUnitName.slice(0, 100))}.`,
    );
  const { workspace } = compiled.snapshot;
  const privacy = judgePrivacy(request.privacy);
  const dsa = readDsaRequest(request.dsa);
  const userHash = privacy.npa ? '' : hashUserIds(request.userIds, workspace.workspaceId, door.userHashSecret);
  const opportunity = toOpportunity(request, adUnit, { compiled, privacy, dsa, userHash, findPlace: door.findPlace });
  const nowMs = door.nowMs();
  const requestId = newUlid(nowMs);
  const reply = (served: Served): HttpReply => ({
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: JSON.stringify(
      renderAdsAnswer({
        requestId,
        request,
        workspace,
        privacy,
        dsa,
        deliveryHost: door.deliveryHost,
        nowMs,
        served,
        explain,
      }),
    ),
  });
  const served = serveOpportunity(door, compiled, opportunity, { userIds: request.userIds, explain });
  return served instanceof Promise ? served.then(reply) : reply(served);
}

interface AdsContext {
  readonly findPlace: FindPlace;
  readonly compiled: CompiledWorkspace;
  readonly privacy: PrivacyVerdict;
  readonly dsa: DsaRequest | null;
  readonly userHash: string;
}

/** As many equal slots as ads were asked for. The caller is a server: its own headers say nothing of the reader's device. */
function toOpportunity(
  request: AdsRequest,
  adUnit: AdUnit,
  { compiled, privacy, dsa, userHash, findPlace }: AdsContext,
): Opportunity {
  const { snapshot } = compiled;
  return {
    workspaceId: snapshot.workspace.workspaceId,
    pageUrl: request.pageUrl.toLowerCase(),
    domain: request.domain || (findById(snapshot.sites, adUnit.siteId)?.domain.toLowerCase() ?? ''),
    keywords: request.keywords,
    keyValues: request.keyValues,
    ...targetable(readDevice(request.device, null), readPlace(request.device, '', findPlace)),
    language: textOf(request.device['language'], 16).toLowerCase(),
    segments: [],
    npa: privacy.npa,
    userHash,
    blockedCategories: new Set(),
    blockedDomains: new Set(),
    allowedSeats: new Set(),
    blockedSeats: new Set(),
    creativeLanguages: new Set(),
    dsaRequired: dsa?.required ?? 0,
    test: false,
    slots: Array.from({ length: request.count }, (_slot, index) => toSlot(request, adUnit, index)),
  };
}

function toSlot(request: AdsRequest, adUnit: AdUnit, index: number): Slot {
  return {
    slotId: String(index + 1),
    siteId: adUnit.siteId,
    areaId: adUnit.areaId ?? '',
    adUnitId: adUnit.id,
    position: '',
    sizes: request.sizes.length > 0 ? request.sizes : adUnit.sizes,
    mediaTypes: adUnit.mediaTypes,
    video: null,
    native: null,
    floorMicros: 0,
    deals: null,
    privateAuction: false,
    secure: request.secure,
    blockedAttributes: [],
  };
}
