import { pipeline, type Readable } from 'node:stream';
import { createDeflate, createGzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { PlacardError } from '../../domain/errors.ts';
import type { Principal } from '../../domain/tenancy/principal.ts';
import {
  DEFAULT_FILE_FORMAT,
  formatOfParameter,
  REPORT_FILE_FORMATS,
  REPORT_FILE_FORMS,
  type ReportFileFormat,
} from '../../domain/reporting/report-file-formats.ts';
import { deprecationHeaders } from '../../domain/reporting/report-task.ts';
import { type Environment, ENVIRONMENTS, pathPrefix } from '../../domain/tenancy/workspace.ts';
import { chooseEncoding, COMPRESS_ABOVE_BYTES, type ResponseEncoding } from '../../http/shared/response-encoding.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { watchClient } from '../load/watch-client.ts';
import { type ByteRange, namesTag, readByteRange } from './byte-range.ts';
import { type ConvertedReports, type OpenedReport, openReport } from './converted-report.ts';
import { REPORT_CONTENT_TYPES } from './report-files.ts';
import type { StoredPlan } from './report-plan.ts';
import { findTaskByToken, type ReportTaskRow, SCHEDULED_DEFINITION } from './report-tasks.sql.ts';

/** The dependencies of the download. */
export interface DownloadDeps {
  readonly sql: Kysely<Database>;
  readonly reports: ConvertedReports;
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
      // A file holds what its schedule asked for, which is not bound to a buyer.
      if (caller.buyer !== undefined) throw new PlacardError('insufficient_permissions');
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
  const file = await openDownload(deps, task, caller, format);
  if (file === null) throw missingFile();
  const { sizeBytes } = file;
  const { range: rangeHeader, 'accept-encoding': accepts, 'if-range': ifRange } = request.headers;
  const plainTag = `"${task.id}-${task.attempts}-${format === 'raw' ? 'ndjson' : REPORT_FILE_FORMS[format].parameter}"`;
  const isRangeUsable = rangeHeader !== undefined && (ifRange === undefined || ifRange === plainTag);
  const isLong = sizeBytes !== null && sizeBytes > COMPRESS_ABOVE_BYTES;
  const encoding = rangeHeader === undefined && isLong ? chooseEncoding(accepts) : null;
  const etag = encoding === null ? plainTag : `${plainTag.slice(0, -1)}-${encoding}"`;
  const isUnchanged = namesTag(request.headers['if-none-match'], etag);
  // An unchanged file gets 304 for every range.
  const isPart = isRangeUsable && !isUnchanged && request.method === 'GET';
  const range = isPart && sizeBytes !== null ? readByteRange(rangeHeader, sizeBytes) : null;
  // Runs before any header is set: an error must not have the headers of the file.
  const hasBody = !isUnchanged && request.method !== 'HEAD';
  const body = hasBody ? await readFileOf(file, { range, encoding, gone: watchClient(reply) }) : undefined;
  if (download.isLegacy) reply.headers(deprecationHeaders(caller.networkId, caller.environment));
  reply.headers(commonHeaders(task, format, etag));
  if (sizeBytes !== null) reply.header('accept-ranges', 'bytes');
  if (isUnchanged) return reply.code(304).send();
  if (range !== null) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${sizeBytes}`);
  if (encoding === null) {
    if (sizeBytes !== null) reply.header('content-length', range === null ? sizeBytes : range.last - range.first + 1);
  } else reply.header('content-encoding', encoding);
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

/** The form of a download: `raw` is every row as newline-delimited JSON. */
type DownloadFormat = ReportFileFormat | 'raw';

/** @throws PlacardError `invalid_request` for an unknown `?format=` */
function readFormat(request: FastifyRequest): DownloadFormat {
  const { format = '' } = request.query as { readonly format?: string | readonly string[] };
  if (format === 'raw') return 'raw';
  const found = format === '' ? DEFAULT_FILE_FORMAT : typeof format === 'string' ? formatOfParameter(format) : null;
  if (found !== null) return found;
  const known = REPORT_FILE_FORMATS.map((name) => REPORT_FILE_FORMS[name].parameter).join(', ');
  throw new PlacardError(
    'invalid_request',
    `Unknown format ${JSON.stringify(format).slice(0, 60)}: give raw, ${known}, or none.`,
  );
}

function openDownload(
  { reports }: DownloadDeps,
  task: ReportTaskRow,
  tenant: Principal,
  format: DownloadFormat,
): Promise<OpenedReport | null> {
  const file = { token: task.token, attempt: task.attempts };
  if (format === 'raw') return reports.files.open(file, 'ndjson');
  const plan = task.plan as StoredPlan;
  return openReport(reports, { plan, tenant, file, madeAtMs: task.created_at.getTime() }, format);
}

function commonHeaders(task: ReportTaskRow, format: DownloadFormat, etag: string): Record<string, string> {
  const { contentType, extension } =
    format === 'raw' ? { contentType: REPORT_CONTENT_TYPES.ndjson, extension: 'ndjson' } : REPORT_FILE_FORMS[format];
  const name = task.name.replaceAll(/[^\p{L}\p{N} ._-]+/gu, '_').slice(0, 100);
  const plainName = name.replaceAll(/[^\x20-\x7e]/g, '_');
  return {
    'content-type': contentType,
    'content-disposition': `attachment; filename="${plainName}.${extension}"; filename*=UTF-8''${encodeURIComponent(name)}.${extension}`,
    'cache-control': 'private, no-cache',
    vary: 'Accept-Encoding',
    etag,
    ...(task.ended_at === null ? {} : { 'last-modified': task.ended_at.toUTCString() }),
  };
}

interface Reading {
  readonly range: ByteRange | null;
  readonly encoding: ResponseEncoding | null;
  readonly gone: AbortSignal;
}

async function readFileOf(file: OpenedReport, { range, encoding, gone }: Reading): Promise<Readable> {
  const bytes = await file.read(range, gone);
  if (bytes === null) throw missingFile();
  if (encoding === null) return bytes;
  const packing =
    encoding === 'gzip' ? createGzip({ level: COMPRESSION_LEVEL }) : createDeflate({ level: COMPRESSION_LEVEL });
  // A failure of either ends both; the client then sees an incomplete response.
  return pipeline(bytes, packing, () => undefined);
}
