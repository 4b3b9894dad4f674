import { ERRORS, type ErrorCode } from '../../domain/error-codes.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { HttpReply } from './route.ts';

/** A failure in the shape that goes over the wire. Header names are lower case. */
export interface Problem {
  readonly status: number;
  readonly body: { readonly error: string; readonly message: string; readonly [member: string]: unknown };
  readonly headers: Readonly<Record<string, string>>;
}

/** Statuses of requests that Node's parser refused, by its error code; all others are 400. */
const PARSER_STATUS: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request line and headers are too large; send less of them.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time; send it again.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The chunk extensions of the body are too large.' },
};

/**
 * Turns anything thrown into the response for the client.
 *
 * An error other than a `PlacardError` or a request error of Fastify's own becomes `unavailable` when a store could not be reached,
 * `disk_space_low` when the disk is full, `invalid_request` when a store could not hold a value, else `internal_error`, and leaks only the request id.
 * Of `details`, `retryAfterSeconds` becomes `Retry-After` (as does `reset`, Unix seconds, on rate limits), `allow` also
 * `Allow`, and `sizeBytes` of a bad range also `Content-Range`; the rest rides in the body.
 */
export function toProblem(error: unknown, requestId: string, nowMs: number = Date.now()): Problem {
  const known = error instanceof PlacardError ? error : (fromFastifyError(error) ?? fromStore(error));
  if (known === null || known.code === 'internal_error') return internalProblem(requestId);
  const status = ERRORS[known.code].status;
  const { retryAfterSeconds: _header, ...details } = known.details;
  return {
    status,
    body: {
      ...details,
      error: known.code,
      message: known.message,
      ...(known.fields.length > 0 ? { fields: known.fields } : {}),
      ...(status >= 500 ? { requestId } : {}),
    },
    headers: problemHeaders(status, known.details, nowMs),
  };
}

/** An error as the reply of a delivery route, for wrappers that add headers of their own to failures too. */
export function toProblemReply(error: unknown, requestId: string, nowMs: number = Date.now()): HttpReply {
  const { status, headers, body } = toProblem(error, requestId, nowMs);
  return { status, headers, body: JSON.stringify(body) };
}

/** The response to bytes that never became a request; `parserCode` is Node's (`HPE_…`, `ERR_HTTP_…`). */
export function toParserProblem(parserCode: string): Problem {
  const known = PARSER_STATUS[parserCode];
  return {
    status: known?.status ?? 400,
    body: { error: 'invalid_request', message: known?.message ?? 'This is not a well-formed HTTP/1.1 request.' },
    headers: {},
  };
}

/** The refusal of plain HTTP. */
export function httpsRequired(): PlacardError {
  return new PlacardError('https_required', 'This API is served over HTTPS only; use an https:// address.');
}

/** The error for a path that exists for other methods; `Allow` is made of `allow`. */
export function methodNotAllowed(allow: readonly string[]): PlacardError {
  return new PlacardError('method_not_allowed', `This address takes ${allow.join(', ')} only.`, { details: { allow } });
}

/** True when an operator should see the error in the log: the client was told no reason. */
export function isUnexpected(error: unknown): boolean {
  // Low disk space is logged once by its watch, not by each upload that it refuses; refusals under overload are counted.
  if (error instanceof PlacardError)
    return ERRORS[error.code].status >= 500 && error.code !== 'disk_space_low' && error.code !== 'overloaded';
  return fromFastifyError(error) === null;
}

function internalProblem(requestId: string): Problem {
  const message = 'Something unexpected failed; quote this request id to the operator.';
  return { status: 500, body: { error: 'internal_error', message, requestId }, headers: {} };
}

function problemHeaders(
  status: number,
  details: Readonly<Record<string, unknown>>,
  nowMs: number,
): Record<string, string> {
  const headers: Record<string, string> = {};
  if (status === 401) headers['www-authenticate'] = 'Bearer realm="placard"';
  if (status === 405 && Array.isArray(details['allow'])) headers['allow'] = details['allow'].join(', ');
  if (status === 416 && typeof details['sizeBytes'] === 'number') {
    headers['content-range'] = `bytes */${details['sizeBytes']}`;
  }
  const retryAfter = retryAfterSeconds(status, details, nowMs);
  if (retryAfter !== null) headers['retry-after'] = String(retryAfter);
  return headers;
}

function retryAfterSeconds(status: number, details: Readonly<Record<string, unknown>>, nowMs: number): number | null {
  const stated = details['retryAfterSeconds'];
  if (typeof stated === 'number' && Number.isFinite(stated)) return Math.max(1, Math.ceil(stated));
  const reset = details['reset'];
  if (status === 429 && typeof reset === 'number') return Math.max(1, Math.ceil(reset - nowMs / 1000));
  return status === 503 || status === 504 || status === 429 ? 1 : null;
}

/** What the file system says when it takes nothing more, and when it fails. */
const DISK_RULES: Readonly<Record<string, { readonly code: ErrorCode; readonly message?: string }>> = {
  ENOSPC: { code: 'disk_space_low' },
  EDQUOT: { code: 'disk_space_low' },
  EIO: { code: 'unavailable', message: 'The disk of this machine fails; tell the operator.' },
  EROFS: { code: 'unavailable', message: 'The disk of this machine can only be read; tell the operator.' },
};
/** SQLSTATE classes and system codes that mean that a store is down or too busy, not that the request is wrong. */
const DOWN = /^(08...|57P0[123]|53...|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND)$/;

/** SQLSTATEs of values that a store cannot hold: bad characters, a text that is no such value, a number or date that is out of range. */
const UNFIT = /^(22021|22P02|22P05|22003|22007|22008)$/;

/** Failures of the analytics store, by its own codes, that mean that it is down or too busy. */
const OLAP_DOWN = /^(unreachable|timeout|aborted|overloaded)$/;

/** SQLSTATEs of changes that a store's own rules reject. */
const STORE_RULES: Readonly<Record<string, { readonly code: ErrorCode; readonly message: string }>> = {
  PA001: {
    code: 'validation_failed',
    message: 'A file that the content names was deleted because it was unused; upload it again.',
  },
  '40P01': {
    code: 'conflict',
    message: 'Another change to the same objects happened at the same time; send this one again.',
  },
};

/** The error for a value or a change that a store refused; null for every other failure. */
export function refusedByStore(error: unknown): PlacardError | null {
  const known = fromStore(error);
  return known?.code === 'validation_failed' || known?.code === 'invalid_request' ? known : null;
}

/** The failure to reach a store as `unavailable`, its refusal of a value as `invalid_request`; null for everything else. */
function fromStore(error: unknown): PlacardError | null {
  const { code, message, name } = (error ?? {}) as { code?: unknown; message?: unknown; name?: unknown };
  const state = typeof code === 'string' ? code : '';
  const known = STORE_RULES[state] ?? DISK_RULES[state];
  if (known !== undefined) return new PlacardError(known.code, known.message, { cause: error });
  if (UNFIT.test(state))
    return new PlacardError('invalid_request', 'A value holds characters that cannot be stored, or is too large.', {
      cause: error,
    });
  const isDown =
    DOWN.test(state) ||
    (name === 'OlapError' && OLAP_DOWN.test(state)) ||
    (typeof message === 'string' &&
      /timeout exceeded when trying to connect|Connection terminated|Query read timeout|canceling statement due to/.test(
        message,
      ));
  return isDown
    ? new PlacardError('unavailable', 'A store that this operation needs is unavailable; retry shortly.', {
        cause: error,
      })
    : null;
}

const FASTIFY_CODES: Readonly<Record<number, ErrorCode>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
};

/** Fastify's own request errors (`FST_…` with a 4xx status) in our words; null for everything else. */
function fromFastifyError(error: unknown): PlacardError | null {
  if (!(error instanceof Error)) return null;
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  if (typeof code !== 'string' || !code.startsWith('FST_')) return null;
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return null;
  const mapped = FASTIFY_CODES[statusCode];
  if (mapped !== undefined) return new PlacardError(mapped, ERRORS[mapped].message, { cause: error });
  return new PlacardError('invalid_request', 'The request is malformed: check its address, headers and body.', {
    cause: error,
  });
}
