import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticatedPrincipal } from '../../access/permissions/permissions.ts';
import { PlacardError } from '../../domain/errors.ts';
import { ENVIRONMENTS, pathPrefix } from '../../domain/tenancy/workspace.ts';
import { checkHeld, holdResponse } from '../../http/core/held-responses.ts';
import { sendPacked } from '../../http/core/packed-file.ts';
import { parseJsonParameter } from '../../http/shared/json.ts';
import type { Problem } from '../../http/shared/problem.ts';
import { EXPLORER_PATHS, openExplorerFiles } from './explorer-files.ts';
import { renderExplorer } from './explorer-page.ts';
import type { Authenticate } from '../kernel/authenticate.ts';
import { DEFAULT_VERSION, VERSION_HEADER, versionOfHeader } from '../kernel/api-version.ts';
import { CHANGE_SET_HEADER, changeSetOfHeader } from '../administration/change-set.ts';
import { createContext, type DailyHeadroom, type ManagementContext, type ManagementStores } from '../kernel/context.ts';
import { createEngines } from './engines.ts';
import type { EngineRequest } from './engine-request.ts';

/** Largest request body of the management API, in bytes (conformance T5). */
const BODY_BYTES_MAX = 8 * 1024 * 1024;

/** The dependencies of the management API. */
export interface ManagementDeps extends ManagementStores {
  readonly authenticate: Authenticate;
}

/** Adds `/graphql` and `/staging/graphql` to the core server. */
export async function registerManagement(app: FastifyInstance, deps: ManagementDeps): Promise<void> {
  const engineOf = createEngines();
  engineOf(DEFAULT_VERSION);
  for (const name of ['script', 'style'] as const)
    app.get(EXPLORER_PATHS[name], async (request, reply) => {
      const file = (await openExplorerFiles())[name];
      return sendPacked(request, reply, file, request.url === file.address);
    });
  const callers = new WeakMap<FastifyRequest, AuthenticatedPrincipal>();
  for (const environment of ENVIRONMENTS) {
    app.route({
      method: ['GET', 'POST'],
      url: `${pathPrefix(environment)}/graphql`,
      bodyLimit: BODY_BYTES_MAX,
      config: { shapeProblem: inBothShapes },
      // Authentication runs before the body is read: unknown callers cannot make us parse anything.
      onRequest: async (request) => {
        callers.set(request, await deps.authenticate(request, { environment, operation: 'graphql' }));
      },
      handler: async (request, reply) => {
        const caller = callers.get(request);
        if (caller === undefined) throw new PlacardError('authentication_required');
        checkHeld(caller.networkId);
        if (prefersExplorer(request, caller)) {
          const { html, headers } = await renderExplorer(caller.networkId, `${pathPrefix(environment)}/graphql`);
          return reply.headers(headers).send(html);
        }
        const version = versionOfHeader(request.headers[VERSION_HEADER]);
        const changeSet = changeSetOfHeader(request.headers[CHANGE_SET_HEADER]);
        const more = { version, changeSet, daily: dailyHeadroom(reply), signal: leavingOf(reply) };
        const context = createContext(deps, caller, request.id, more);
        const { status, headers, body } = await engineOf(version).run(readRequest(request, context));
        holdResponse(reply.raw, caller.networkId, Buffer.byteLength(body), context.budget.isMutation);
        return reply
          .code(status)
          .headers({ 'cache-control': 'no-store', [VERSION_HEADER]: version.name, ...headers })
          .send(body);
      },
    });
  }
}

/** A signal that is aborted when the caller leaves before the response is written. */
function leavingOf({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController();
  raw.once('close', () => {
    if (!raw.writableEnded) leaving.abort(new PlacardError('unavailable', 'The caller left.'));
  });
  return leaving.signal;
}

/** The headroom that authentication wrote into the headers of the response; null where calls are not counted. */
function dailyHeadroom(reply: FastifyReply): DailyHeadroom | null {
  const [limit, remaining, resetSeconds] = ['limit', 'remaining', 'reset'].map((name) => {
    const header = reply.getHeader(`x-ratelimit-${name}`);
    return header === undefined ? Number.NaN : Number(header);
  }) as [number, number, number];
  return Number.isNaN(limit + remaining + resetSeconds) ? null : { limit, remaining, resetSeconds };
}

/** A signed-in admin who opens the address in a browser gets a page to try the API on. */
function prefersExplorer(request: FastifyRequest, caller: AuthenticatedPrincipal): boolean {
  const opened =
    request.method === 'GET' && !request.url.includes('?') && request.headers.accept?.includes('text/html') === true;
  return opened && caller.kind === 'session' && caller.permission === 'admin';
}

/**
 * Parses the request of a GET from its address.
 *
 * @throws PlacardError `invalid_request` for malformed JSON
 */
function readParameters(search: string): Record<string, unknown> {
  const parameters = new URLSearchParams(search);
  const textOf = (name: string): string | undefined => parameters.get(name) || undefined;
  const jsonOf = (name: string): unknown => {
    const text = textOf(name);
    return text === undefined ? undefined : parseJsonParameter(text, name);
  };
  return {
    query: textOf('query'),
    operationName: textOf('operationName'),
    variables: jsonOf('variables'),
    extensions: jsonOf('extensions'),
  };
}

function readRequest(request: FastifyRequest, management: ManagementContext): EngineRequest {
  const isReadOnly = request.method === 'GET';
  const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
  const idempotencyKey = request.headers['idempotency-key'];
  return {
    management,
    body: isReadOnly ? readParameters(query) : request.body,
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : null,
    isReadOnly,
    accept: request.headers.accept ?? null,
  };
}

/** Renders a failure in both shapes (conformance G5): `error` and `message` of all our APIs, and GraphQL's `errors` with codes. */
function inBothShapes(body: Problem['body']): object {
  const { error, message, ...more } = body;
  return { ...body, errors: [{ message, extensions: { ...more, code: error } }] };
}
