import type { ErrorCode } from '../../domain/error-codes.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { Principal } from '../../domain/tenancy/principal.ts';
import { ENVIRONMENTS, pathPrefix } from '../../domain/tenancy/workspace.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import { parseJsonBody } from '../../http/shared/json.ts';
import type { ProtectedRoute } from '../../http/shared/protected-route.ts';
import type { HttpReply, HttpRequest, Route } from '../../http/shared/route.ts';
import { parseActivityInput } from './activity-input.ts';
import { checkActivity } from './activity-facts.ts';
import { recordActivity } from './activity-recorder.ts';
import type { ActivityDeps } from './activity-recorder.ts';
import type { EventAdmission } from '../recording/admission.ts';
import { isSpeculative } from '../tracking/tracked-ad.ts';
import { PIXEL_REPLY } from '../../http/fast/pixel-reply.ts';
import type { TrafficFilter } from '../tracking/traffic-filter.ts';

/** Dependencies of the activity routes. */
export interface ActivityRouteDeps extends ActivityDeps {
  readonly admission: EventAdmission;
}

/** Dependencies of the pixel of pages. */
export interface PixelDeps extends ActivityRouteDeps {
  readonly filter: TrafficFilter;
  /** Counts an event without a key against the network's limit; false: it is over. */
  readonly admitPixel: (workspaceId: number) => Promise<boolean>;
}

/**
 * The activity pixel API: `POST /api/v1/events` (interface specification, "Activity pixel API"), and the same under `/staging`.
 * 202 `accepted` once the event is on disk, 200 `duplicate` with the first one's id.
 */
export function createActivityRoutes(deps: ActivityRouteDeps): ProtectedRoute[] {
  return ENVIRONMENTS.map((environment) => ({
    method: 'POST',
    pattern: `${pathPrefix(environment)}/api/v1/events`,
    name: 'activity_event',
    operation: 'events.record',
    handler: (request, principal) => acceptEvent(deps, request, principal),
  }));
}

async function acceptEvent(deps: ActivityRouteDeps, request: HttpRequest, principal: Principal): Promise<HttpReply> {
  deps.admission.check();
  const input = parseActivityInput(parseJsonBody(request.body, { mendsText: true }), deps.nowMs());
  if (input.network !== principal.networkId) {
    throw new PlacardError('insufficient_permissions', 'The event names a network that the key does not belong to.');
  }
  const workspace = deps.catalog.findWorkspaceById(principal.workspaceId);
  if (workspace === undefined)
    throw new PlacardError('unavailable', 'The network is not loaded here yet; send the event again.');
  const recorded = await recordActivity(deps, workspace, input, '');
  return {
    status: recorded.status === 'accepted' ? 202 : 200,
    headers: { 'cache-control': 'no-store' },
    body: JSON.stringify(recorded),
  };
}

/**
 * `GET /<network>/activity?actgid=…&event=…`: the same event sent by a page itself, which has no key. Anybody can send it, so an activity
 * has to accept it. The response is always the pixel; its header `x-placard-refused` has the code of the error.
 */
export function createPixelRoutes(deps: PixelDeps): Route[] {
  return ENVIRONMENTS.map((environment) => ({
    method: 'GET',
    pattern: `${pathPrefix(environment)}/:network/activity`,
    name: 'activity_pixel',
    corsCredentials: true,
    handler: (request) => acceptPixel(deps, request, environment),
  }));
}

async function acceptPixel(deps: PixelDeps, request: HttpRequest, environment: Environment): Promise<HttpReply> {
  const network = request.params['network'] ?? '';
  const workspace = deps.catalog.findWorkspace(network, environment);
  if (workspace === undefined) return refusedPixel('not_found');
  if (isSpeculative(request)) return PIXEL_REPLY;
  deps.admission.check();
  try {
    const query = Object.fromEntries(new URLSearchParams(request.query));
    const input = parseActivityInput({ ...query, products: undefined, ts: undefined, network }, deps.nowMs());
    if (!checkActivity(deps.catalog, workspace, input).acceptsPixel) return refusedPixel('insufficient_permissions');
    if (!(await deps.admitPixel(workspace.workspaceId))) return refusedPixel('rate_limit_exceeded');
    const reason = deps.filter({
      userAgent: request.headers['user-agent'],
      remoteAddress: request.remoteAddress,
      kind: 'other',
      creativeId: '',
      nowMs: deps.nowMs(),
    });
    await recordActivity(deps, workspace, input, reason);
  } catch (error) {
    const isCallersFault =
      error instanceof PlacardError &&
      ['validation_failed', 'unknown_activity', 'network_suspended'].includes(error.code);
    if (!isCallersFault) throw error;
    return refusedPixel(error.code);
  }
  return PIXEL_REPLY;
}

function refusedPixel(code: ErrorCode): HttpReply {
  return { ...PIXEL_REPLY, headers: { ...PIXEL_REPLY.headers, 'x-placard-refused': code } };
}
