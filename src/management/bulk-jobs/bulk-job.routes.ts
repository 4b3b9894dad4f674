import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { recordAudit } from '../../access/audit/audit.sql.ts';
import type { AuthenticatedPrincipal } from '../../access/permissions/permissions.ts';
import { PlacardError } from '../../domain/errors.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import { type Environment, ENVIRONMENTS, pathPrefix } from '../../domain/tenancy/workspace.ts';
import { contentTypeEssence, requireUtf8Charset } from '../../http/shared/request-body.ts';
import type { Authenticate } from '../kernel/authenticate.ts';
import type { ManagementStores } from '../kernel/context.ts';
import { findNetwork } from '../resources/network/network.sql.ts';
import { type BulkJob, type BulkJobList, BulkJobQuery, BulkJobsQuery } from './bulk-job.schema.ts';
import {
  beginJob,
  type BulkJobKey,
  type BulkJobRow,
  dropUpload,
  endJob,
  findJob,
  listJobs,
  lockJob,
  readResults,
  submitJob,
} from './bulk-jobs.sql.ts';
import { LINES_MAX, UPLOAD_BYTES_MAX, uploadRows } from './upload-rows.ts';

/** The dependencies of the routes of bulk jobs. */
export interface BulkJobDeps extends Pick<ManagementStores, 'sql' | 'nowMs'> {
  readonly authenticate: Authenticate;
  /** @throws PlacardError `disk_space_low` */
  requireSpace(bytes: number): Promise<void>;
}

const LINE_TYPES = /^application\/(x-ndjson|ndjson|jsonl|x-jsonlines)$/;
const NOT_FOUND = 'There is no such bulk job.';
type Address = { readonly Params: { readonly id: string } };

/** Adds the addresses of bulk jobs, `/bulk-jobs…` and `/staging/bulk-jobs…`, to the core server. */
export async function registerBulkJobs(app: FastifyInstance, deps: BulkJobDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const environment of ENVIRONMENTS) {
      const base = `${pathPrefix(environment)}/bulk-jobs`;
      scope.route({
        method: 'POST',
        url: base,
        bodyLimit: UPLOAD_BYTES_MAX,
        config: { slowBodyAllowed: true },
        handler: (request, reply) => submit(deps, { request, reply, environment }),
      });
      scope.get(base, (request, reply) => list(deps, { request, reply, environment }));
    }
  });
  for (const environment of ENVIRONMENTS) {
    app.get<Address>(`${pathPrefix(environment)}/bulk-jobs/:id`, async (request, reply) => {
      const caller = await deps.authenticate(request, { environment, operation: 'bulkJobs.read' });
      return send(reply, describe(await requireJob(deps, keyOf(caller, request)), environment));
    });
    app.get<Address>(`${pathPrefix(environment)}/bulk-jobs/:id/results`, async (request, reply) => {
      const caller = await deps.authenticate(request, { environment, operation: 'bulkJobs.read' });
      const key = keyOf(caller, request);
      const { processed_portions: portions } = await requireJob(deps, key);
      reply.header('content-type', 'application/x-ndjson; charset=utf-8');
      return send(reply, Readable.from(resultsOf(deps, key, portions)));
    });
    app.post<Address>(`${pathPrefix(environment)}/bulk-jobs/:id/cancel`, async (request, reply) => {
      const caller = await deps.authenticate(request, { environment, operation: 'bulkJobs.cancel' });
      return send(reply, describe(await cancel(deps, caller, request), environment));
    });
  }
}

interface Call {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly environment: Environment;
}

function send(reply: FastifyReply, body: object): FastifyReply {
  return reply.header('cache-control', 'no-store').send(body);
}

async function submit(deps: BulkJobDeps, { request, reply, environment }: Call): Promise<FastifyReply> {
  const { sql, nowMs } = deps;
  const caller = await deps.authenticate(request, { environment, operation: 'bulkJobs.submit' });
  const { resource, validateOnly } = readQuery(BulkJobQuery, request.query);
  requireLines(request);
  const network = await findNetwork(sql, caller.networkId);
  if (network?.status === 'SUSPENDED') throw new PlacardError('network_suspended');
  await deps.requireSpace(0);
  const { also: _also, verification: _verification, ...own } = caller;
  const id = await beginJob(sql, { caller: own, resource, validateOnly: validateOnly === 'true' });
  const key = { workspaceId: caller.workspaceId, id };
  let job: BulkJobRow;
  try {
    const rows = await uploadRows(sql, key, request.raw, (bytes) => deps.requireSpace(bytes));
    if (rows === 0) throw new PlacardError('invalid_request', `The body has no row; send 1 to ${LINES_MAX} lines.`);
    job = await sql.transaction().execute(async (trx) => {
      const submitted = await submitJob(trx, key);
      if (submitted === undefined)
        throw new PlacardError('request_timeout', 'The upload took too long; send it again.');
      const entry = { by: own, action: 'bulkJob.create', objectKind: 'bulkJob', objectId: String(id) };
      const after = { resource, validateOnly: submitted.validate_only, rows };
      await recordAudit(trx, { ...entry, after, more: { requestId: request.id } }, new Date(nowMs()));
      return submitted;
    });
  } catch (error) {
    // Without PostgreSQL the upload is forgotten later.
    await dropUpload(sql, key).catch(() => undefined);
    throw error;
  }
  const shown = describe(job, environment);
  return send(reply.code(202).header('location', shown.url), shown);
}

/** @throws PlacardError `unsupported_media_type` */
function requireLines({ headers }: FastifyRequest): void {
  if (!LINE_TYPES.test(contentTypeEssence(headers['content-type'])))
    throw new PlacardError('unsupported_media_type', 'Send one JSON object a line, as application/x-ndjson.');
  requireUtf8Charset(headers['content-type']);
}

async function list(deps: BulkJobDeps, { request, reply, environment }: Call): Promise<FastifyReply> {
  const { workspaceId } = await deps.authenticate(request, { environment, operation: 'bulkJobs.read' });
  const { limit, before } = readQuery(BulkJobsQuery, request.query);
  const jobs = await listJobs(deps.sql, workspaceId, { limit, before: before === undefined ? null : BigInt(before) });
  const body: BulkJobList = { jobs: jobs.map((job) => describe(job, environment)) };
  return send(reply, body);
}

/** @throws PlacardError `not_found`; `conflict` for a job that has ended */
function cancel(
  { sql, nowMs }: BulkJobDeps,
  caller: AuthenticatedPrincipal,
  request: FastifyRequest<Address>,
): Promise<BulkJobRow> {
  const key = keyOf(caller, request);
  return sql.transaction().execute(async (trx) => {
    const job = await lockJob(trx, key);
    if (job === undefined) throw new PlacardError('not_found', NOT_FOUND);
    if (job.state === 'cancelled') return job;
    if (job.state !== 'waiting' && job.state !== 'running')
      throw new PlacardError('conflict', `The job has ended: it is ${job.state}.`);
    const cancelled = await endJob(trx, key, { state: 'cancelled' });
    const entry = { by: caller, action: 'bulkJob.cancel', objectKind: 'bulkJob', objectId: String(job.id) };
    await recordAudit(trx, { ...entry, more: { requestId: request.id } }, new Date(nowMs()));
    return cancelled;
  });
}

/** @throws PlacardError `not_found` */
function keyOf({ workspaceId }: AuthenticatedPrincipal, { params }: FastifyRequest<Address>): BulkJobKey {
  if (!isDecimalId(params.id)) throw new PlacardError('not_found', NOT_FOUND);
  return { workspaceId, id: BigInt(params.id) };
}

async function requireJob({ sql }: BulkJobDeps, key: BulkJobKey): Promise<BulkJobRow> {
  const job = await findJob(sql, key);
  if (job === undefined) throw new PlacardError('not_found', NOT_FOUND);
  return job;
}

/** One portion in memory at a time. */
async function* resultsOf({ sql }: BulkJobDeps, key: BulkJobKey, portions: number): AsyncGenerator<Buffer> {
  for (let number = 0; number < portions; number += 1) {
    const results = await readResults(sql, key, number);
    if (results === undefined) throw new Error('The job was deleted while its results were read.');
    if (results !== '') yield Buffer.from(results);
  }
}

function describe(job: BulkJobRow, environment: Environment): BulkJob {
  const url = `${pathPrefix(environment)}/bulk-jobs/${job.id}`;
  const { error_code: code, error_message: message } = job;
  return {
    id: String(job.id),
    resource: job.resource as BulkJob['resource'],
    validateOnly: job.validate_only,
    state: job.state as BulkJob['state'],
    rows: job.rows,
    processed: job.succeeded + job.failed,
    succeeded: job.succeeded,
    failed: job.failed,
    error: code === null ? null : { code, message: message ?? '' },
    submittedBy: job.caller.actor,
    createdAt: job.created_at.toISOString(),
    startedAt: job.started_at?.toISOString() ?? null,
    finishedAt: job.finished_at?.toISOString() ?? null,
    url,
    resultsUrl: `${url}/results`,
    cancelUrl: `${url}/cancel`,
  };
}

/** @throws PlacardError `invalid_request` naming the first parameter that is wrong */
function readQuery<Shape extends z.ZodType>(shape: Shape, query: unknown): z.infer<Shape> {
  const read = shape.safeParse(query);
  if (read.success) return read.data;
  throw new PlacardError('invalid_request', read.error.issues[0]?.message);
}
