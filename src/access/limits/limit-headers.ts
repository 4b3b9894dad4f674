import type { FastifyInstance } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import type { HttpRequest, Route } from '../../http/shared/route.ts';
import type { WorkspaceRecord } from '../keys/directory-data.ts';
import { environmentOf } from '../permissions/environment-of.ts';
import { LOGIN_HEADER } from '../keys/header-credential.ts';
import type { AuthAttempt, Identification } from '../keys/identify.ts';
import { rateLimitHeaders, type RequestLimits } from './limits.ts';
import { type LimitName, type OperationRule, ruleOf } from '../permissions/permissions.ts';

interface FailedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  readonly environment: Environment;
  /** Of the intended API. */
  readonly limit: LimitName;
}

interface LimitHeaderDeps {
  readonly limits: RequestLimits;
  /** Known credentials; there is no look-up. */
  identify(attempt: AuthAttempt): Identification;
  findWorkspaceById(workspaceId: number): WorkspaceRecord | null;
}

/** Permissions are ignored: only the identity matters. */
const ANY_CALLER: OperationRule = ruleOf('graphql');

/**
 * The `X-RateLimit-` headers of failures that come before a caller is let in (conformance L2): a body that is too large, a wrong
 * method, an address that the key does not allow. Such a failure does not count as a request.
 */
export class LimitHeaders {
  readonly #deps: LimitHeaderDeps;
  /** By address of the route: other parts wrap routes in new objects. */
  readonly #limits = new Map<string, LimitName>();

  constructor(deps: LimitHeaderDeps) {
    this.#deps = deps;
  }

  /** Records which limit a guarded route counts against. */
  remember(guarded: Route, limit: LimitName): Route {
    this.#limits.set(addressOf(guarded), limit);
    return guarded;
  }

  /** Of a delivery request; null without valid credentials, and for a route without a limit. `route`: null when none matched. */
  async ofFailure(
    { headers, remoteAddress, path }: HttpRequest,
    route: Route | null,
  ): Promise<Record<string, string> | null> {
    const limit = route === null ? 'ads' : this.#limits.get(addressOf(route));
    if (limit === undefined) return null;
    return this.#read({ headers, remoteAddress, environment: environmentOf(path), limit });
  }

  /** Puts them on every failure of the core that has none yet. */
  addTo(app: FastifyInstance): void {
    app.addHook('onError', async (request, reply) => {
      if (reply.hasHeader('x-ratelimit-limit')) return;
      const { headers, clientAddress, url } = request;
      const limit = /^(\/staging)?\/reports(\/|$)/.test(url) ? 'reports' : 'management';
      const found = await this.#read({ headers, remoteAddress: clientAddress, environment: environmentOf(url), limit });
      if (found !== null) reply.headers(found);
    });
  }

  async #read({ headers, remoteAddress, environment, limit }: FailedRequest): Promise<Record<string, string> | null> {
    if (headers.authorization === undefined && headers[LOGIN_HEADER] === undefined) return null;
    const attempt = { headers, remoteAddress, environment, rule: { ...ANY_CALLER, limit } };
    const workspace = this.#workspaceOf(this.#deps.identify(attempt));
    if (workspace === null) return null;
    try {
      return rateLimitHeaders(await this.#deps.limits.look(workspace, limit));
    } catch {
      return null;
    }
  }

  /** A key that is used from an address that it does not allow is a valid one. */
  #workspaceOf(identified: Identification): WorkspaceRecord | null {
    if (identified.kind === 'known') return identified.workspace;
    if (identified.kind === 'none') return null;
    const { reason, workspaceId } = identified.refusal;
    return reason === 'address' && workspaceId !== null ? this.#deps.findWorkspaceById(workspaceId) : null;
  }
}

function addressOf({ method, pattern }: Route): string {
  return `${method} ${pattern}`;
}
