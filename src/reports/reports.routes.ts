import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PlacardError } from '../domain/errors.ts';
import type { Principal } from '../domain/principal.ts';
import { pathPrefix, type Environment } from '../domain/workspace.ts';
import { isUnexpected, toProblem } from '../http/problem.ts';
import { loadQuery, type LoadEngine, type LoadResult, type MultiAnswer } from './load/load-query.ts';
import type { PendingLoads } from './load/pending-loads.ts';
import { describeModel } from './model/meta.ts';
import { queryProblem } from './model/member-index.ts';

/** What opens a report route: the operation, and the network and environment that the address names. */
export interface ReportAccess {
  readonly operation: 'reports.load' | 'reports.meta';
  readonly networkId: string;
  readonly environment: Environment;
}

/** What a network's queries are read by. */
export interface NetworkContext {
  /** IANA name. */
  readonly timezone: string;
  /** ISO 4217. */
  readonly currency: string;
}

/** What the report routes need. */
export interface ReportRouteDeps {
  /** @throws PlacardError of the authentication codes */
  authenticate(request: FastifyRequest, access: ReportAccess): Promise<Principal>;
  readonly networkOf: (networkId: string) => Promise<NetworkContext>;
  readonly engine: LoadEngine;
  readonly pending: PendingLoads<MultiAnswer | LoadResult>;
  readonly nowMs: () => number;
  readonly timing?: Partial<LoadTiming>;
}

/** How long queries may take. */
export interface LoadTiming {
  /** A Cube client waits so long before it is told to ask again. */
  readonly continueWaitMs: number;
  /** Budget of one query of a Cube client. */
  readonly cubeTimeoutMs: number;
  /** Budget of one query of any other client: it gets 504 after it. */
  readonly plainTimeoutMs: number;
}

const TIMING: LoadTiming = { continueWaitMs: 8_000, cubeTimeoutMs: 120_000, plainTimeoutMs: 25_000 };
/** Failures before a query is read keep the shape of the other APIs: `{error: <code>, message}`. */
const COMMON_CODES: ReadonlySet<string> = new Set([
  'https_required',
  'authentication_required',
  'invalid_credentials',
  'insufficient_permissions',
  'ip_not_allowed',
  'csrf_refused',
  'rate_limit_exceeded',
  'unknown_network',
  'network_suspended',
  'payload_too_large',
  'unsupported_media_type',
]);

interface NetworkParams {
  readonly network: string;
}

/** Adds `/reports/:network/v1/{load,meta}` and their staging twins (checklist Q, contracts of Cube clients). */
export function registerReportRoutes(app: FastifyInstance, deps: ReportRouteDeps): void {
  const callers = new WeakMap<FastifyRequest, Principal>();
  /** Before the body is read: strangers cannot make us parse anything. */
  const opens = (operation: ReportAccess['operation'], environment: Environment) => ({
    onRequest: async (request: FastifyRequest): Promise<void> => {
      const { network: networkId } = request.params as NetworkParams;
      callers.set(request, await deps.authenticate(request, { operation, networkId, environment }));
    },
    errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendProblem(reply, error, request.id),
  });
  const callerOf = (request: FastifyRequest): Principal => {
    const principal = callers.get(request);
    if (principal === undefined) throw new PlacardError('authentication_required');
    return principal;
  };
  for (const environment of ['production', 'staging'] as const) {
    const base = `${pathPrefix(environment)}/reports/:network/v1`;
    app.route({
      method: ['GET', 'POST'],
      url: `${base}/load`,
      ...opens('reports.load', environment),
      handler: (request, reply) => answerLoad(deps, { request, reply, principal: callerOf(request) }),
    });
    app.route({
      method: 'GET',
      url: `${base}/meta`,
      ...opens('reports.meta', environment),
      handler: async (request, reply) => {
        const { currency } = await deps.networkOf(callerOf(request).networkId);
        return reply.send(describeModel(deps.engine.index.model, currency));
      },
    });
  }
}

interface LoadExchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly principal: Principal;
}

async function answerLoad(deps: ReportRouteDeps, exchange: LoadExchange): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const input = request.method === 'POST' ? request.body : request.query;
  const fields = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
  const asked = { query: readQuery(fields['query']), isMulti: fields['queryType'] === 'multi' };
  const answer = await runLoad(deps, exchange, asked);
  return reply.send(answer === null ? { error: 'Continue wait' } : withRequestId(answer, request.id));
}

async function runLoad(
  deps: ReportRouteDeps,
  exchange: LoadExchange,
  asked: { readonly query: unknown; readonly isMulti: boolean },
): Promise<MultiAnswer | LoadResult | null> {
  const { query, isMulti } = asked;
  const { principal } = exchange;
  const timing = { ...TIMING, ...deps.timing };
  const { timezone } = await deps.networkOf(principal.networkId);
  const start = (signal: AbortSignal): Promise<MultiAnswer | LoadResult> =>
    loadQuery(deps.engine, {
      query,
      isMulti,
      tenant: { workspaceId: principal.workspaceId, networkId: principal.networkId },
      timezoneDefault: timezone,
      nowMs: deps.nowMs(),
      timeoutMs: isMulti ? timing.cubeTimeoutMs : timing.plainTimeoutMs,
      signal,
    });
  const gone = new AbortController();
  const onClose = (): void => gone.abort();
  exchange.reply.raw.once('close', onClose);
  try {
    if (!isMulti) return await runPlain(start, gone.signal, timing.plainTimeoutMs);
    const key = `${principal.workspaceId} ${timezone} ${createHash('sha256').update(JSON.stringify(query)).digest('base64')}`;
    return await deps.pending.join(key, start, { waitMs: timing.continueWaitMs, gone: gone.signal });
  } finally {
    exchange.reply.raw.off('close', onClose);
  }
}

/** The budget covers the wait for a turn as well. @throws PlacardError `query_timeout` when it runs out */
async function runPlain<T>(
  start: (signal: AbortSignal) => Promise<T>,
  gone: AbortSignal,
  budgetMs: number,
): Promise<T> {
  const budget = AbortSignal.timeout(budgetMs);
  try {
    return await start(AbortSignal.any([gone, budget]));
  } catch (error) {
    if (budget.aborted && !gone.aborted)
      throw new PlacardError('query_timeout', undefined, { details: { retryAfterSeconds: 5 }, cause: error });
    throw error;
  }
}

function withRequestId(answer: MultiAnswer | LoadResult, requestId: string): object {
  if ('results' in answer) return { ...answer, results: answer.results.map((result) => ({ ...result, requestId })) };
  return { ...answer, requestId };
}

/** The query itself, whether it came as JSON text or as JSON. @throws PlacardError `invalid_request` */
function readQuery(value: unknown): unknown {
  if (value === undefined || value === null || value === '' || value === 'undefined') {
    throw queryProblem('invalid_query', 'Query param is required');
  }
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch (error) {
    throw queryProblem('invalid_query', `Unable to decode query param as JSON, error: ${(error as Error).message}`);
  }
}

/** Cube clients show `error` to people: here it is the sentence, and the stable code rides in `code`. */
function sendProblem(reply: FastifyReply, error: unknown, requestId: string): FastifyReply {
  const problem = toProblem(error, requestId);
  if (isUnexpected(error)) reply.log.error({ err: error }, 'a report query failed');
  void reply.code(problem.status).headers(problem.headers);
  const { error: code, message, ...details } = problem.body;
  if (COMMON_CODES.has(code)) return reply.send(problem.body);
  const type = problem.status < 500 ? { type: 'UserError' } : {};
  return reply.send({ ...details, ...type, error: message, code });
}
