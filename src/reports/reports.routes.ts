import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PlacardError } from '../domain/errors.ts';
import type { Principal } from '../domain/tenancy/principal.ts';
import { pathPrefix, type Environment } from '../domain/tenancy/workspace.ts';
import { hasMorePartsThan } from '../domain/text/json-shape.ts';
import type { HttpReply } from '../http/shared/route.ts';
import { DEFAULT_HTTP_LIMITS } from '../http/shared/limits.ts';
import { isUnexpected, toProblem } from '../http/shared/problem.ts';
import { EXPORT_ROWS_MAX, exportRows, type ExportEngine } from './load/export-rows.ts';
import { boundAdvertisers } from './load/buyer-loads.ts';
import { LoadBodies } from './load/load-response.ts';
import { DATA_AS_OF, LOAD_HEADERS, replyNotModified, replyWithRows, type VersionedLoad } from './load/load-reply.ts';
import type { PreparedLoad, PreparedQuery } from './load/load-query.ts';
import { dryRunOf, statementsOf } from './load/described-load.ts';
import { PreparedLoads } from './load/prepared-loads.ts';
import type { QueryVersion, ReportLoads } from './load/report-loads.ts';
import { describeModel } from './describe/meta.ts';
import { queryProblem, type MemberIndex } from './model/member-index.ts';
import { isObject } from './query/query-shape.ts';
import { watchClient } from './load/watch-client.ts';
import { acceptsJson, EXPORT_FORMS, exportFormatOf, notAcceptable } from './load/export-formats.ts';
import type { ExportFormat } from './load/export-formats.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller of a report route. */
    reportCaller: Principal | null;
  }
}

/** The requirements of a report route: the operation, and the network and environment that the address names. */
export interface ReportAccess {
  readonly operation: 'reports.load' | 'reports.meta';
  readonly networkId: string;
  readonly environment: Environment;
}

/** The context in which a network's queries are parsed. */
export interface NetworkContext {
  /** IANA name. */
  readonly timezone: string;
  /** ISO 4217. */
  readonly currency: string;
}

/** The dependencies of the report routes. */
export interface ReportRouteDeps {
  /** @throws PlacardError of the authentication codes */
  authenticate(request: FastifyRequest, access: ReportAccess): Promise<Principal>;
  readonly networkOf: (networkId: string) => Promise<NetworkContext>;
  /** The members that a workspace can ask. */
  readonly indexOf: (workspaceId: number) => Promise<MemberIndex>;
  readonly loads: ReportLoads;
  readonly exports: ExportEngine;
  /** Up to when all events are in the analytics store, epoch milliseconds; null: not known. Never rejects. Default: not known. */
  readonly completeUntil?: () => Promise<number | null>;
  readonly nowMs: () => number;
}

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

/** Adds `/reports/:network/v1/{load,dry-run,sql,meta}` and their staging twins (conformance Q, contracts of Cube clients). */
export function registerReportRoutes(app: FastifyInstance, deps: ReportRouteDeps): void {
  app.decorateRequest('reportCaller', null);
  const bodies = new LoadBodies();
  const loadDeps = { ...deps, prepared: new PreparedLoads(), bodies };
  /** Before the body is read: unknown callers cannot make us parse anything. */
  const opens = (operation: ReportAccess['operation'], environment: Environment) => ({
    onRequest: async (request: FastifyRequest): Promise<void> => {
      const { network: networkId } = request.params as NetworkParams;
      request.reportCaller = await deps.authenticate(request, { operation, networkId, environment });
    },
    errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendProblem(reply, error, request.id),
  });
  const callerOf = (request: FastifyRequest): Principal => {
    const principal = request.reportCaller;
    if (principal === null) throw new PlacardError('authentication_required');
    return principal;
  };
  for (const environment of ['production', 'staging'] as const) {
    const base = `${pathPrefix(environment)}/reports/:network/v1`;
    app.route({
      method: ['GET', 'POST'],
      url: `${base}/load`,
      config: { readsOnly: true },
      ...opens('reports.load', environment),
      handler: (request, reply) => sendLoad(loadDeps, { request, reply, principal: callerOf(request) }),
    });
    for (const [path, describe] of DESCRIBED) {
      app.route({
        method: ['GET', 'POST'],
        url: `${base}/${path}`,
        config: { readsOnly: true },
        ...opens('reports.load', environment),
        handler: async (request, reply) => reply.send(describe(await prepareFor(loadDeps, request, callerOf(request)))),
      });
    }
    app.route({
      method: 'GET',
      url: `${base}/meta`,
      ...opens('reports.meta', environment),
      handler: async (request, reply) => {
        const { networkId, workspaceId } = callerOf(request);
        const { currency } = await deps.networkOf(networkId);
        return reply.send(describeModel((await deps.indexOf(workspaceId)).model, currency));
      },
    });
  }
}

/** Cube's descriptions of a query that does not run. */
const DESCRIBED = [
  ['dry-run', dryRunOf],
  ['sql', statementsOf],
] as const;

/** @throws PlacardError `invalid_request`: what is wrong with the query */
async function prepareFor(deps: LoadDeps, request: FastifyRequest, principal: Principal): Promise<PreparedLoad> {
  const asked = { ...readAsked(request), isMulti: true };
  const { timezone } = await deps.networkOf(principal.networkId);
  const index = await deps.indexOf(principal.workspaceId);
  return deps.prepared.prepare(index, asked, {
    tenant: { workspaceId: principal.workspaceId, networkId: principal.networkId },
    timezoneDefault: timezone,
    advertiserIds: boundAdvertisers(principal),
    nowMs: deps.nowMs(),
  });
}

/** What a request asks for, from its body or its address. */
function readAsked(request: FastifyRequest): { readonly query: unknown; readonly isMulti: boolean } {
  const input = request.method === 'POST' ? request.body : request.query;
  const fields = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
  const query = withCacheMode(readQuery(fields['query']), fields['cache']);
  return { query, isMulti: fields['queryType'] === 'multi' };
}

interface LoadExchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly principal: Principal;
}

interface LoadDeps extends ReportRouteDeps {
  readonly prepared: PreparedLoads;
  readonly bodies: LoadBodies;
}

async function sendLoad(deps: LoadDeps, exchange: LoadExchange): Promise<FastifyReply> {
  const { request, reply, principal } = exchange;
  const asked = readAsked(request);
  const { isMulti } = asked;
  const format = formatOf(request.headers.accept, isMulti);
  if (format === 'none') {
    void reply.header('vary', LOAD_HEADERS.vary);
    throw notAcceptable(isMulti);
  }
  const { timezone } = await deps.networkOf(principal.networkId);
  const index = await deps.indexOf(principal.workspaceId);
  const load = deps.prepared.prepare(index, asked, {
    tenant: { workspaceId: principal.workspaceId, networkId: principal.networkId },
    timezoneDefault: timezone,
    advertiserIds: boundAdvertisers(principal),
    nowMs: deps.nowMs(),
    ...(format === null ? {} : { limitDefault: EXPORT_ROWS_MAX }),
  });
  const versions = await Promise.all(load.queries.map((one) => deps.loads.versionOf(one, principal.workspaceId)));
  const form = `${principal.workspaceId} ${format ?? (isMulti ? 'multi' : 'plain')}`;
  void reply.headers(LOAD_HEADERS);
  const unchanged = replyNotModified(deps.bodies, { load, versions, form }, request.headers['if-none-match']);
  if (unchanged !== null) return sendReply(reply, unchanged);
  if (format === null) return sendRows(deps, exchange, { load, isMulti, form, versions });
  const texts = versions.map(({ text }) => text);
  void reply.header('etag', deps.bodies.etagOf(load, texts, form));
  return sendExport(deps, exchange, { one: load.queries[0] as PreparedQuery, format, version: versions[0] });
}

/** Null: JSON, the only form of several queries. `none`: it accepts none of the forms. */
function formatOf(accept: string | undefined, isMulti: boolean): ExportFormat | null | 'none' {
  const format = exportFormatOf(accept);
  if (!isMulti || format === null || format === 'none') return format;
  return acceptsJson(accept) ? null : 'none';
}

interface RowsAsked extends VersionedLoad {
  readonly isMulti: boolean;
}

async function sendRows(
  deps: LoadDeps,
  { request, reply, principal }: LoadExchange,
  { load, isMulti, form, versions }: RowsAsked,
): Promise<FastifyReply> {
  const caller = { workspaceId: principal.workspaceId, isMulti, watchClient: () => watchClient(reply) };
  const rows = await Promise.all(
    load.queries.map((one, position) => deps.loads.rowsOf(one, versions[position] as QueryVersion, caller)),
  );
  const given = rows.filter((one) => one !== null);
  if (given.length < rows.length) return reply.header('cache-control', 'no-store').send({ error: 'Continue wait' });
  const completeUntilMs = (await deps.completeUntil?.()) ?? null;
  const context = { isMulti, requestId: request.id, completeUntilMs, headers: request.headers };
  return sendReply(reply, replyWithRows(deps.bodies, { load, form }, given, context));
}

function sendReply(reply: FastifyReply, { status, headers = {}, body = null }: HttpReply): FastifyReply {
  void reply.code(status).headers(headers);
  return body === null ? reply.send() : reply.send(body);
}

interface ExportAsked {
  readonly one: PreparedQuery;
  readonly format: ExportFormat;
  readonly version: QueryVersion | undefined;
}

/** Starts the response with the first rows: an earlier failure gets a response of its own. */
async function sendExport(
  deps: ReportRouteDeps,
  { request, reply, principal }: LoadExchange,
  { one, format, version }: ExportAsked,
): Promise<FastifyReply> {
  const gone = watchClient(reply);
  const pieces = exportRows(deps.exports, { one, format, workspaceId: principal.workspaceId, gone });
  const first = await pieces.next();
  const writtenAtMs = version?.workspace.writtenAtMs ?? null;
  if (writtenAtMs !== null) void reply.header(DATA_AS_OF, new Date(writtenAtMs).toISOString());
  const body = Readable.from(startingWith(first, pieces), { objectMode: false, highWaterMark: 65_536 });
  body.once('error', (error) => request.log.event('reports.export_cut_short', { err: error }));
  return reply
    .type(EXPORT_FORMS[format].contentType)
    .header('content-disposition', `attachment; filename="report.${EXPORT_FORMS[format].extension}"`)
    .send(body);
}

async function* startingWith<T>(
  first: IteratorResult<T, void>,
  rest: AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  try {
    if (first.done === true) return;
    yield first.value;
    yield* rest;
  } finally {
    await rest.return();
  }
}

/** Cube's clients send the cache mode beside the query. */
function withCacheMode(query: unknown, cache: unknown): unknown {
  if (typeof cache !== 'string') return query;
  if (Array.isArray(query)) return query.map((one: unknown) => withCacheMode(one, cache));
  return isObject(query) && query['cache'] === undefined ? { ...query, cache } : query;
}

/** The query itself, whether it came as JSON text or as JSON. @throws PlacardError `invalid_request` */
function readQuery(value: unknown): unknown {
  if (value === undefined || value === null || value === '' || value === 'undefined') {
    throw queryProblem('invalid_query', 'Query param is required');
  }
  if (typeof value !== 'string') return value;
  const { jsonPartsMax } = DEFAULT_HTTP_LIMITS;
  if (hasMorePartsThan(Buffer.from(value), jsonPartsMax))
    throw queryProblem('invalid_query', `The query has more than ${jsonPartsMax} objects, lists and members.`);
  try {
    return JSON.parse(value) as unknown;
  } catch (error) {
    throw queryProblem('invalid_query', `Unable to decode query param as JSON, error: ${(error as Error).message}`);
  }
}

/** Cube clients show `error` to people: here it is the sentence, and the stable code rides in `code`. */
function sendProblem(reply: FastifyReply, error: unknown, requestId: string): FastifyReply {
  const problem = toProblem(error, requestId);
  if (isUnexpected(error)) reply.log.event('reports.query_failed', { err: error });
  void reply.code(problem.status).headers(problem.headers);
  const { error: code, message, ...details } = problem.body;
  if (COMMON_CODES.has(code)) return reply.send(problem.body);
  const type = problem.status < 500 ? { type: 'UserError' } : {};
  return reply.send({ ...details, ...type, error: message, code });
}
