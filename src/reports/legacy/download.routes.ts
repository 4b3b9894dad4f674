import { pipeline, type Readable } from 'node:stream';
import { createDeflate, createGzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { PlacardError } from '../../domain/errors.ts';
import type { Principal } from '../../domain/tenancy/principal.ts';
import { deprecationHeaders } from '../../domain/reporting/report-task.ts';
import { type Environment, ENVIRONMENTS, pathPrefix } from '../../domain/tenancy/workspace.ts';
import { chooseEncoding, COMPRESS_ABOVE_BYTES, type ResponseEncoding } from '../../http/shared/response-encoding.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { type ByteRange, namesTag, readByteRange } from './byte-range.ts';
import { REPORT_CONTENT_TYPES, type ReportFile, type ReportFiles, type ReportFormat } from './report-files.ts';
import { findTaskByToken, type ReportTaskRow, SCHEDULED_DEFINITION } from './report-tasks.sql.ts';

/** The dependencies of the download. */
export interface DownloadDeps {
  readonly sql: Kysely<Database>;
  readonly files: ReportFiles;
  readonly nowMs: () => number;
  /** @throws PlacardError of the authentication codes */
  authenticate(
    request: FastifyRequest,
    access: { readonly operation: 'legacy.download' | 'reports.load'; readonly environment: Environment },
  ): Promise<Principal>;
}

const TOKEN = /^[A-Za-z0-9_-]{16,64}$/;
const COMPRESSION_LEVEL = 4;

/** The addresses and credentials of downloads. Legacy ones open with header credentials only (conformance H4). */
const DOWNLOADS = [
  { path: '/reports/download/:token', operation: 'legacy.download', isLegacy: true },
  { path: '/reports/runs/:token', operation: 'reports.load', isLegacy: false },
] as const;
type Download = (typeof DOWNLOADS)[number];

/** Adds `GET|HEAD /reports/download/<token>/` (conformance R6), `…/reports/runs/<token>/` for scheduled reports, and their staging twins. */
export function registerDownload(app: FastifyInstance, deps: DownloadDeps): void {
  for (const environment of ENVIRONMENTS) {
    for (const download of DOWNLOADS) {
      for (const end of ['/', '']) {
        addRoute(app, deps, { download, environment, url: `${pathPrefix(environment)}${download.path}${end}` });
      }
    }
  }
}

interface DownloadRoute {
  readonly download: Download;
  readonly environment: Environment;
  readonly url: string;
}

function addRoute(app: FastifyInstance, deps: DownloadDeps, { download, environment, url }: DownloadRoute): void {
  const callers = new WeakMap<FastifyRequest, Principal>();
  app.route({
    method: ['GET', 'HEAD'],
    url,
    // Ranges refer to uncompressed bytes, so compression is decided here.
    ...({ compress: false } as object),
    onRequest: async (request) => {
      callers.set(request, await deps.authenticate(request, { operation: download.operation, environment }));
    },
    handler: async (request, reply) => {
      const caller = callers.get(request);
      if (caller === undefined) throw new PlacardError('authentication_required');
      return sendDownload(deps, { request, reply, caller, download });
    },
  });
}

interface DownloadExchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Principal;
  readonly download: Download;
}

async function sendDownload(deps: DownloadDeps, exchange: DownloadExchange): Promise<FastifyReply> {
  const { request, reply, caller, download } = exchange;
  const format = readFormat(request);
  const task = await findDownload(deps, exchange, (request.params as { token: string }).token);
  const file = await deps.files.open({ token: task.token, attempt: task.attempts }, format);
  if (file === null) throw missingFile();
  const { sizeBytes } = file;
  const { range: rangeHeader, 'accept-encoding': accepts, 'if-range': ifRange } = request.headers;
  const plainTag = `"${task.id}-${task.attempts}-${format}"`;
  const isRangeUsable = rangeHeader !== undefined && (ifRange === undefined || ifRange === plainTag);
  const encoding = rangeHeader === undefined && sizeBytes > COMPRESS_ABOVE_BYTES ? chooseEncoding(accepts) : null;
  const etag = encoding === null ? plainTag : `"${task.id}-${task.attempts}-${format}-${encoding}"`;
  const isUnchanged = namesTag(request.headers['if-none-match'], etag);
  // An unchanged file gets 304 for every range.
  const isPart = isRangeUsable && !isUnchanged && request.method === 'GET';
  const range = isPart ? readByteRange(rangeHeader, sizeBytes) : null;
  // Runs before any header is set: an error must not have the headers of the file.
  const hasBody = !isUnchanged && request.method !== 'HEAD';
  const body = hasBody ? await readFileOf(file, range, encoding) : undefined;
  if (download.isLegacy) reply.headers(deprecationHeaders(caller.networkId, caller.environment));
  reply.headers(commonHeaders(task, format, etag));
  if (isUnchanged) return reply.code(304).send();
  const lengthBytes = range === null ? sizeBytes : range.last - range.first + 1;
  if (range !== null) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${sizeBytes}`);
  if (encoding === null) reply.header('content-length', lengthBytes);
  else reply.header('content-encoding', encoding);
  return reply.send(body);
}

/** @throws PlacardError `not_found` for unknown, foreign and unfinished reports, `gone` for expired ones */
async function findDownload(
  { sql, nowMs }: DownloadDeps,
  { caller, download }: DownloadExchange,
  token: string,
): Promise<ReportTaskRow> {
  const task = TOKEN.test(token) ? await findTaskByToken(sql, caller.workspaceId, token) : undefined;
  if (task === undefined || (task.definition_name === SCHEDULED_DEFINITION) === download.isLegacy)
    throw new PlacardError('not_found', 'There is no such report.');
  if (task.status !== 'DONE') {
    throw new PlacardError('not_found', `The report is not finished yet: its task is ${task.status}.`);
  }
  const isOver = task.files_deleted_at !== null || (task.expires_at !== null && task.expires_at.getTime() <= nowMs());
  if (isOver) throw new PlacardError('gone', 'The report has expired; create it again.');
  return task;
}

function missingFile(): PlacardError {
  return new PlacardError('gone', 'The file of the report is not on this server; create the report again.');
}

/** `?format=raw` is every row as newline-delimited JSON; without it, or with `csv`, CSV. */
function readFormat(request: FastifyRequest): ReportFormat {
  const { format = 'csv' } = request.query as { readonly format?: string | readonly string[] };
  if (format === 'raw') return 'ndjson';
  if (format === 'csv' || format === '') return 'csv';
  throw new PlacardError(
    'invalid_request',
    `Unknown format ${JSON.stringify(format).slice(0, 60)}: give raw, or none.`,
  );
}

function commonHeaders(task: ReportTaskRow, format: ReportFormat, etag: string): Record<string, string> {
  const name = task.name.replaceAll(/[^\p{L}\p{N} ._-]+/gu, '_').slice(0, 100);
  const plainName = name.replaceAll(/[^\x20-\x7e]/g, '_');
  return {
    'content-type': REPORT_CONTENT_TYPES[format],
    'content-disposition': `attachment; filename="${plainName}.${format}"; filename*=UTF-8''${encodeURIComponent(name)}.${format}`,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    vary: 'Accept-Encoding',
    etag,
    ...(task.ended_at === null ? {} : { 'last-modified': task.ended_at.toUTCString() }),
  };
}

async function readFileOf(
  file: ReportFile,
  range: ByteRange | null,
  encoding: ResponseEncoding | null,
): Promise<Readable> {
  const bytes = await file.read(range);
  if (bytes === null) throw missingFile();
  if (encoding === null) return bytes;
  const packing =
    encoding === 'gzip' ? createGzip({ level: COMPRESSION_LEVEL }) : createDeflate({ level: COMPRESSION_LEVEL });
  // A failure of either ends both; the client then sees an incomplete response.
  return pipeline(bytes, packing, () => undefined);
}
