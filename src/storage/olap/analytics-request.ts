import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { constants, gunzipSync } from 'node:zlib';
import { EngineError } from './chdb-engine.ts';
import { INSERT_BYTES_MAX } from './olap.ts';

/** Longest body of one request, as sent and after decompression, in bytes. */
export const BODY_BYTES_MAX = INSERT_BYTES_MAX;
/** Bodies of all requests together that may be held at once, in bytes. */
const bodiesBytesMax = 256 * 1_024 * 1_024;

const authenticationFailed = 516;
const tooLarge = 307;
const tooManyQueries = 202;
const badArguments = 36;

/** The content of one request to ClickHouse's HTTP interface. */
export interface AnalyticsRequest {
  /** The statement of the `query` parameter and, unless that is an insert with rows, of the body. */
  readonly sql: string;
  /** As they came, in pieces; null when the body was taken into `sql`. */
  readonly rows: readonly Buffer[] | null;
  readonly params: ReadonlyMap<string, string>;
  readonly settings: ReadonlyMap<string, string>;
  readonly database: string;
  readonly queryId: string;
  readonly defaultFormat: string;
  readonly wantsGzip: boolean;
  /** A GET may only read. */
  readonly isReadOnly: boolean;
}

/** Parameters of the interface that are not settings of the statement, or have no meaning here. */
const INTERFACE_PARAMETERS = new Set([
  'query', 'database', 'default_format', 'query_id', 'user', 'password', 'session_id', 'session_timeout', 'session_check', 'role',
  'compress', 'decompress', 'quota_key', 'stacktrace', 'buffer_size', 'wait_end_of_query', 'enable_http_compression', 'readonly',
  'send_progress_in_http_headers', 'http_headers_progress_interval_ms', 'cancel_http_readonly_queries_on_client_close',
]); // biome-ignore format: a list

/** Checks Basic or X-ClickHouse-* credentials in constant time; any user name goes with the one password. */
export function checkPassword(request: IncomingMessage, passwordDigest: Buffer): void {
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const fromBasic =
    basic === undefined
      ? ''
      : Buffer.from(basic, 'base64')
          .toString('utf8')
          .replace(/^[^:]*:/, '');
  const given = basic === undefined ? String(request.headers['x-clickhouse-key'] ?? '') : fromBasic;
  if (!timingSafeEqual(digestPassword(given), passwordDigest)) {
    throw new EngineError(
      authenticationFailed,
      'Authentication failed: password is incorrect. (AUTHENTICATION_FAILED)',
    );
  }
}

/** All digests have one length, so that the comparison says nothing about the password's. */
export function digestPassword(password: string): Buffer {
  return createHash('sha256').update(password).digest();
}

/** Reads parameters and body. Throws `EngineError` for a body past its bound. */
export async function readAnalyticsRequest(request: IncomingMessage, budget: BodyBudget): Promise<AnalyticsRequest> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const params = new Map<string, string>();
  const settings = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    if (name.startsWith('param_')) params.set(name.slice('param_'.length), value);
    else if (!INTERFACE_PARAMETERS.has(name) && !name.startsWith('http_')) settings.set(name, value);
  }
  const body = request.method === 'GET' ? [] : await readBody(request, budget);
  const query = url.searchParams.get('query') ?? '';
  const hasRows = /^\s*insert\b/i.test(query) && body.some((piece) => piece.length > 0);
  const accepts = String(request.headers['accept-encoding'] ?? '');
  return {
    sql: hasRows ? query : [query, Buffer.concat(body).toString('utf8')].filter((part) => part !== '').join('\n'),
    rows: hasRows ? body : null,
    params,
    settings,
    database: url.searchParams.get('database') || header(request, 'x-clickhouse-database') || 'default',
    queryId: url.searchParams.get('query_id') || randomUUID(),
    defaultFormat: url.searchParams.get('default_format') || header(request, 'x-clickhouse-format') || 'TabSeparated',
    wantsGzip: url.searchParams.get('enable_http_compression') === '1' && /\bgzip\b/.test(accepts),
    isReadOnly: request.method === 'GET',
  };
}

function header(request: IncomingMessage, name: string): string {
  return String(request.headers[name] ?? '');
}

/** Counts the bytes of all bodies that are held. */
export class BodyBudget {
  #held = 0;

  acquire(bytes: number): void {
    if (this.#held + bytes > bodiesBytesMax) throw new EngineError(tooManyQueries, 'Too many bytes are being received');
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}

async function readBody(request: IncomingMessage, budget: BodyBudget): Promise<readonly Buffer[]> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      budget.acquire(chunk.length);
      length += chunk.length;
      if (length > BODY_BYTES_MAX) throw new EngineError(tooLarge, `A body may have ${BODY_BYTES_MAX} bytes`);
      chunks.push(chunk);
    }
  } finally {
    budget.release(length);
  }
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return chunks;
  if (encoding !== 'gzip') throw new EngineError(badArguments, `The content encoding "${encoding}" is not taken`);
  try {
    // Not asynchronous: libuv's threads may all be busy with statements. 128 MiB take some 200 ms.
    const body = Buffer.concat(chunks, length);
    return [gunzipSync(body, { maxOutputLength: BODY_BYTES_MAX, finishFlush: constants.Z_FINISH })];
  } catch (cause) {
    const isTooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new EngineError(
      isTooLarge ? tooLarge : badArguments,
      'The gzip body cannot be read, or is too large inflated',
    );
  }
}
