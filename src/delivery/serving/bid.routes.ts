import { PlacardError } from '../../domain/errors.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import { ENVIRONMENTS, pathPrefix } from '../../domain/tenancy/workspace.ts';
import { parseJsonBody, parseJsonParameter } from '../../http/shared/json.ts';
import type { HttpReply, HttpRequest, Route } from '../../http/shared/route.ts';
import { buildBidOpportunity } from '../ad-request/bid-opportunity.ts';
import { resolveContext } from '../ad-request/build-opportunity.ts';
import { chooseCurrency } from '../openrtb/currencies.ts';
import type { BidCurrency } from '../openrtb/currencies.ts';
import { parseBidRequest } from '../openrtb/bid-request.ts';
import type { BidRequest } from '../openrtb/bid-request.ts';
import { renderBidResponse } from '../openrtb/bid-response.ts';
import type { WonHeaderBid } from '../openrtb/bid-response.ts';
import type { Decision } from '../decision/decision.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import { readDsaRequest } from '../openrtb/dsa.ts';
import type { DsaRequest } from '../openrtb/dsa.ts';
import { resolvePrivacy } from '../ad-request/privacy.ts';
import type { PrivacyVerdict } from '../ad-request/privacy.ts';
import type { BidRetries } from './retries/bid-retries.ts';
import { RequestIdentities } from './retries/request-identity.ts';
import { fillOpportunity } from './ad-server.ts';
import type { AdServerDeps, FilledOpportunity } from './ad-server.ts';
import { recogniseUser } from '../ad-request/user-cookie.ts';
import type { UserIds } from '../openrtb/bid-request.ts';

/** Prebid's client sends text/plain, so that browsers need no preflight. */
const CONTENT_TYPES = ['application/json', 'text/plain'];

/** The ad decision endpoint (conformance B): POST and GET, production and staging. Needs no credentials. */
export function createBidRoutes(deps: AdServerDeps, retries: BidRetries): Route[] {
  const identities = new RequestIdentities(deps.userHashSecret);
  const deliveryHost = new URL(deps.deliveryUrl).hostname;
  const endpoint: BidEndpoint = { ...deps, retries, identities, deliveryHost };
  return ENVIRONMENTS.flatMap((environment) => {
    const common = {
      pattern: `${pathPrefix(environment)}/:network/bid`,
      corsCredentials: true,
      contentTypes: CONTENT_TYPES,
    } as const;
    const response = (read: (request: HttpRequest) => unknown) => (request: HttpRequest) =>
      respondToBid(endpoint, environment, request, read);
    return [
      {
        ...common,
        method: 'POST',
        name: `bid${environment === 'staging' ? '.staging' : ''}`,
        handler: response(readBody),
      },
      {
        ...common,
        method: 'GET',
        name: `bid.get${environment === 'staging' ? '.staging' : ''}`,
        handler: response(readQuery),
      },
    ] satisfies Route[];
  });
}

interface BidEndpoint extends AdServerDeps {
  readonly retries: BidRetries;
  readonly identities: RequestIdentities;
  readonly deliveryHost: string;
}

function readBody(request: HttpRequest): unknown {
  return parseJsonBody(request.body, { mendsText: true });
}

/** `data` is JSON in percent-encoding, or base64url of it. */
function readQuery(request: HttpRequest): unknown {
  const data = new URLSearchParams(request.query).get('data');
  if (data === null || data === '')
    throw new PlacardError('invalid_request', 'The query parameter data is missing; it must hold the bid request.');
  const isJson = /^\s*[{[]/.test(data);
  return parseJsonParameter(isJson ? data : Buffer.from(data, 'base64url').toString('utf8'), 'data', {
    mendsText: true,
  });
}

function respondToBid(
  endpoint: BidEndpoint,
  environment: Environment,
  http: HttpRequest,
  read: (request: HttpRequest) => unknown,
): HttpReply | Promise<HttpReply> {
  const networkId = http.params['network'] ?? '';
  const compiled = endpoint.current().find(networkId, environment);
  if (compiled === undefined)
    throw new PlacardError('unknown_network', `There is no network ${networkId.slice(0, 40)}.`);
  const request = parseBidRequest(read(http));
  const version = http.headers['x-openrtb-version'];
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  if (typeof version === 'string' && /^[\w.]{1,16}$/.test(version)) headers['x-openrtb-version'] = version;
  nameUnknownAdUnits(headers, request, compiled);
  const currency = chooseCurrency(request.currencies, compiled.snapshot.workspace, endpoint.nowMs());
  if (currency === null) {
    endpoint.reasons.recordAll(compiled.snapshot.workspace.workspaceId, 'currency', endpoint.nowMs());
    return { status: 204, headers };
  }
  const dsa = readDsaRequest(request.dsa);
  const privacy = resolvePrivacy(request.privacy);
  const { workspaceId } = compiled.snapshot.workspace;
  const { userIds, setCookie } = recogniseUser({
    userIds: request.userIds,
    signals: request.privacy,
    verdict: privacy,
    headers: http.headers,
    workspaceId,
  });
  const { remoteAddress } = http;
  const identity = endpoint.identities.of({
    content: http.method === 'POST' ? http.body : http.query,
    id: request.id,
    workspaceId,
    userIds,
    headers: http.headers,
    remoteAddress,
  });
  const responded = endpoint.retries.respondOnce(identity, () => {
    const served = serveBid(endpoint, compiled, { http, request, dsa, privacy, userIds });
    const reply = (result: FilledOpportunity) =>
      toReply(endpoint, compiled, { request, currency, dsa, served: result, headers, startedMs: http.startedMs });
    return served instanceof Promise ? served.then(reply) : reply(served);
  });
  if (setCookie === null) return responded;
  return responded instanceof Promise
    ? responded.then((reply) => withCookie(reply, setCookie))
    : withCookie(responded, setCookie);
}

/** Names the impressions whose ad unit the network does not have, by position: a page cannot tell a wrong name from an ad that did not come. */
function nameUnknownAdUnits(
  headers: Record<string, string>,
  { imps }: BidRequest,
  { inventory }: CompiledWorkspace,
): void {
  const isUnknown = ({ adUnitName }: BidRequest['imps'][number]): boolean =>
    adUnitName !== '' && !inventory.adUnitsByName.has(adUnitName) && !inventory.archivedAdUnitNames.has(adUnitName);
  if (!imps.some(isUnknown)) return;
  headers['placard-unknown-ad-units'] = imps.flatMap((imp, index) => (isUnknown(imp) ? [index] : [])).join(',');
  headers['access-control-expose-headers'] = 'placard-unknown-ad-units';
}

/** A retry does not repeat the cookie: two indistinguishable browsers (one address, one id) must not share one. */
function withCookie(reply: HttpReply, setCookie: string): HttpReply {
  return { ...reply, headers: { ...reply.headers, 'set-cookie': setCookie } };
}

interface BidInput {
  readonly http: HttpRequest;
  readonly request: BidRequest;
  readonly dsa: DsaRequest | null;
  readonly privacy: PrivacyVerdict;
  readonly userIds: UserIds;
}

function serveBid(
  endpoint: BidEndpoint,
  compiled: CompiledWorkspace,
  { http, request, dsa, privacy, userIds }: BidInput,
): FilledOpportunity | Promise<FilledOpportunity> {
  const { device } = request;
  const source = { device, privacy, dsa, userIds, headers: http.headers, address: http.remoteAddress };
  const context = resolveContext(source, compiled.snapshot.workspace.workspaceId, endpoint);
  const opportunity = buildBidOpportunity(request, compiled, context);
  return fillOpportunity(endpoint, compiled, opportunity, { userIds, explain: false, requestId: request.id });
}

interface ReplyInput {
  readonly request: BidRequest;
  readonly currency: BidCurrency;
  readonly dsa: DsaRequest | null;
  readonly served: FilledOpportunity;
  readonly headers: Record<string, string>;
  /** When the request arrived: its time in the queue counts towards `tmax`. */
  readonly startedMs: number;
}

function toReply(endpoint: BidEndpoint, compiled: CompiledWorkspace, input: ReplyInput): HttpReply {
  const { request, currency, dsa, served, headers } = input;
  const isLate = request.timeMaxMs !== null && performance.now() - input.startedMs > request.timeMaxMs;
  const { workspace } = compiled.snapshot;
  if (isLate) endpoint.reasons.recordAll(workspace.workspaceId, 'late', endpoint.nowMs());
  const headerBids = isLate ? [] : wonHeaderBids(request, served.decision);
  if ((served.placements.length === 0 && headerBids.length === 0) || isLate) return { status: 204, headers };
  const response = renderBidResponse({
    request,
    workspace,
    currency,
    dsa,
    deliveryHost: endpoint.deliveryHost,
    served: served.placements,
    ...(headerBids.length === 0 ? {} : { headerBids }),
  });
  return { status: 200, headers, body: response };
}

/** The header bids that won, with the ids of their slots. */
function wonHeaderBids({ imps }: BidRequest, { headerBids = [] }: Decision): WonHeaderBid[] {
  return headerBids.flatMap((headerBid, position) => {
    const impid = imps[position]?.id;
    return headerBid === null || impid === undefined ? [] : [{ impid, headerBid }];
  });
}
