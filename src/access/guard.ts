import type { Log } from '../domain/log/log.ts';
import { isUnexpected, toProblemReply } from '../http/shared/problem.ts';
import type { ProtectedRoute } from '../http/shared/protected-route.ts';
import type { HttpReply, HttpRequest, Route } from '../http/shared/route.ts';
import type { Environment } from '../domain/tenancy/workspace.ts';
import type { WorkspaceRecord } from './keys/directory-data.ts';
import type { WantedName } from './keys/directory-lookup.ts';
import type { AuthAttempt, Identification, Refusal } from './keys/identify.ts';
import { type Admission, limitExceeded, rateLimitHeaders, type RequestLimits } from './limits/limits.ts';
import {
  type AuthenticatedPrincipal,
  type LimitName,
  missingCredentials,
  type OperationRule,
  requirePermission,
  ruleOf,
} from './permissions/permissions.ts';

/** Dependencies of the guard of delivery routes. */
export interface GuardDeps {
  identify(attempt: AuthAttempt): Identification;
  /** Asks PostgreSQL for a credential that is not in memory; afterwards identify again. Never rejects. */
  lookUp(unknown: WantedName, remoteAddress: string): Promise<void>;
  /** Counts and logs a refusal, and returns the error to respond with (429 for an address with too many of them). */
  refuse(refusal: Refusal, remoteAddress: string): Promise<Error>;
  /** Records a successful authentication. */
  recordUse(principal: AuthenticatedPrincipal): void;
  /** Records a request over a limit. */
  countLimited(limit: LimitName): void;
  readonly limits: RequestLimits;
  readonly log: Log;
}

/**
 * Wraps a route so that its handler runs only for an authorised caller: identify, count against the limit, authorise, handle. All steps are
 * synchronous while keys and leases are in memory. Every response after authentication carries the `X-RateLimit-` headers, errors included
 * (conformance L2).
 *
 * @throws Error for an operation without an entry in the permission table.
 */
export function guardRoute(deps: GuardDeps, route: ProtectedRoute, environment: Environment): Route {
  const rule = ruleOf(route.operation);
  return { ...route, handler: (request) => handleGuarded(deps, route, rule, { request, environment }) };
}

interface Call {
  readonly request: HttpRequest;
  readonly environment: Environment;
}

interface Caller {
  readonly principal: AuthenticatedPrincipal;
  readonly workspace: WorkspaceRecord;
}

function handleGuarded(
  deps: GuardDeps,
  route: ProtectedRoute,
  rule: OperationRule,
  call: Call,
): HttpReply | Promise<HttpReply> {
  const { request, environment } = call;
  const { headers, remoteAddress } = request;
  const networkId = request.params['network'];
  const attempt = { headers, remoteAddress, environment, rule, ...(networkId === undefined ? {} : { networkId }) };
  const identified = deps.identify(attempt);
  if (identified.kind !== 'refused') return handleIdentified(deps, route, { ...call, rule }, identified);
  return identifyAgain(deps, attempt, identified).then(async (again) => {
    if (again.kind !== 'refused') return handleIdentified(deps, route, { ...call, rule }, again);
    throw await deps.refuse(again.refusal, remoteAddress);
  });
}

/** Identifies a caller whose credential this process does not know yet: looks it up, then identifies again. */
export async function identifyAgain(
  deps: Pick<GuardDeps, 'identify' | 'lookUp'>,
  attempt: AuthAttempt,
  refused: Identification & { readonly kind: 'refused' },
): Promise<Identification> {
  const { unknown } = refused.refusal;
  if (unknown === undefined) return refused;
  await deps.lookUp(unknown, attempt.remoteAddress);
  return deps.identify(attempt);
}

function handleIdentified(
  deps: GuardDeps,
  route: ProtectedRoute,
  call: Call & { readonly rule: OperationRule },
  identified: Exclude<Identification, { kind: 'refused' }>,
): HttpReply | Promise<HttpReply> {
  const { rule } = call;
  if (identified.kind === 'none') throw missingCredentials(rule);
  const admission = deps.limits.admit(identified.workspace, rule.limit);
  return admission instanceof Promise
    ? admission.then((result) => handleAdmitted(deps, route, { ...call, ...identified }, result))
    : handleAdmitted(deps, route, { ...call, ...identified }, admission);
}

function handleAdmitted(
  deps: GuardDeps,
  route: ProtectedRoute,
  call: Call & Caller & { rule: OperationRule },
  admission: Admission,
): HttpReply | Promise<HttpReply> {
  const headers = rateLimitHeaders(admission);
  const respondWithError = (error: unknown): HttpReply => problemReply(deps.log, error, call.request, headers);
  try {
    deps.recordUse(call.principal);
    if (!admission.admitted) {
      deps.countLimited(call.rule.limit);
      throw limitExceeded(admission, call.rule.limit);
    }
    const reply = route.handler(call.request, requirePermission(call.principal, route.operation));
    return reply instanceof Promise
      ? reply.then((result) => withHeaders(result, headers), respondWithError)
      : withHeaders(reply, headers);
  } catch (error) {
    return respondWithError(error);
  }
}

function withHeaders(reply: HttpReply, headers: Readonly<Record<string, string>>): HttpReply {
  return { ...reply, headers: { ...headers, ...reply.headers } };
}

function problemReply(
  log: Log,
  error: unknown,
  request: HttpRequest,
  headers: Readonly<Record<string, string>>,
): HttpReply {
  if (isUnexpected(error)) log.event('http.guarded_request_failed', { err: error, requestId: request.requestId });
  return withHeaders(toProblemReply(error, request.requestId), headers);
}
