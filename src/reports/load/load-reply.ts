import type { IncomingHttpHeaders } from 'node:http';
import { chooseEncoding } from '../../http/shared/response-encoding.ts';
import type { HttpReply } from '../../http/shared/route.ts';
import type { CachedRows } from '../cache/result-cache.ts';
import type { PreparedLoad } from './load-query.ts';
import { matchesEtag, type LoadBodies } from './load-response.ts';
import type { QueryVersion } from './report-loads.ts';

/** The header beside `dataAsOf` of the body, for clients that do not read it. */
export const DATA_AS_OF = 'x-data-as-of';
/** The headers of every response of a load. */
export const LOAD_HEADERS = { 'cache-control': 'private, no-cache', vary: 'Accept' } as const;

/** A load, at the versions of the data that it reads. */
export interface VersionedLoad {
  readonly load: PreparedLoad;
  readonly versions: readonly QueryVersion[];
  /** The workspace and the form of the response: another one has another tag. */
  readonly form: string;
}

/** The response to a client that has it already; null: it has not. */
export function replyNotModified(
  bodies: LoadBodies,
  { load, versions, form }: VersionedLoad,
  ifNoneMatch: string | undefined,
): HttpReply | null {
  if (load.queries.some(({ query }) => query.cacheMode === 'no-cache')) return null;
  const texts = versions.map(({ text }) => text);
  const etag = bodies.etagOf(load, texts, form);
  return matchesEtag(ifNoneMatch, etag) ? { status: 304, headers: { ...LOAD_HEADERS, etag } } : null;
}

/** What the response to a load holds besides its rows. */
export interface RowsReplyContext {
  readonly isMulti: boolean;
  readonly requestId: string;
  readonly completeUntilMs: number | null;
  /** Of the request. */
  readonly headers: IncomingHttpHeaders;
}

/** The response with the rows of each query. */
export function replyWithRows(
  bodies: LoadBodies,
  { load, form }: Pick<VersionedLoad, 'load' | 'form'>,
  rows: readonly CachedRows[],
  { headers: asked, ...context }: RowsReplyContext,
): HttpReply & { readonly body: Buffer } {
  const { body, encoding, dataAsOf } = bodies.build(load, rows, { ...context, isGzipPreferred: prefersGzip(asked) });
  const versions = rows.map(({ version }) => version);
  const headers = {
    ...LOAD_HEADERS,
    ...(encoding === null ? {} : { vary: 'Accept, accept-encoding', 'content-encoding': encoding }),
    ...(dataAsOf === null ? {} : { [DATA_AS_OF]: dataAsOf }),
    etag: bodies.etagOf(load, versions, form),
    'content-type': 'application/json; charset=utf-8',
  };
  return { status: 200, headers, body };
}

/** Other encodings, and what is not compressed yet, are left to the server. */
function prefersGzip(headers: IncomingHttpHeaders): boolean {
  return headers['x-no-compression'] === undefined && chooseEncoding(headers['accept-encoding']) === 'gzip';
}
