/**
 * Every stable error code of the service, with the sentence that stands for it in the documentation.
 * `http/problem.ts` gives each its HTTP status; `docs/errors.md` lists them for users.
 */
export const ERROR_CODES = {
  https_required: 'The API was called over plain HTTP.',
  authentication_required: 'Missing Authorization header',
  invalid_credentials: 'Invalid or expired API key',
  insufficient_permissions: 'Key lacks permission for the operation',
  ip_not_allowed: 'The call came from an address outside the allowlist of the key.',
  csrf_refused: 'A browser request from another origin tried to use a session.',
  verification_required: 'The action asks the signed-in person to prove again who they are.',
  rate_limit_exceeded: 'Daily API request limit exceeded',
  invalid_request: 'The request is malformed; the message names what is wrong.',
  validation_failed: 'One or more fields are wrong; each is named with what to do.',
  not_found: 'Nothing is here, or it belongs to somebody else.',
  unknown_ad_unit: 'The network has no ad unit of that name.',
  unknown_activity: 'The network has no activity of that id.',
  unknown_network: 'There is no network with that id.',
  method_not_allowed: 'The address exists, but not for this HTTP method.',
  request_timeout: 'The request did not arrive in time; send it again, faster.',
  payload_too_large: 'The request body is over the limit of this address.',
  unsupported_media_type: 'The declared content type is not taken here.',
  conflict: 'Somebody else changed this object since it was read.',
  idempotency_conflict: 'The idempotency key was used with other arguments, or its first use is still running.',
  network_suspended: 'The network is suspended: reads work, writes do not.',
  query_too_complex: 'The query is over a stated limit; the message says which.',
  quota_exceeded: 'The network environment has reached this storage quota; the message states the limit.',
  disk_space_low: 'The disk is nearly full: uploads and reports wait, ads and events go on.',
  report_space_used_up: 'Finished reports take all the room that the network has for them.',
  gone: 'The link has expired.',
  range_not_satisfiable: 'The byte range asked for lies outside the file.',
  query_timeout: 'The query took longer than its time budget; ask again or narrow it.',
  overloaded: 'The server has more work than it can take; retry after the time given.',
  unavailable: 'A store that this operation needs is away; retry shortly.',
  internal_error: 'Something unexpected failed; quote the request id.',
} as const;

/** A stable error code, as it stands in `error` of every error body. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** One wrong input field: its path (`input.flight.endsAt`), a stable code, and a sentence that says what to do. */
export interface FieldProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** What more an error can carry: wrong fields, extra body members, and the cause (logged, never sent). */
export interface PlacardErrorOptions {
  readonly fields?: readonly FieldProblem[];
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** A failure that a caller may be told about. Anything else that is thrown is an internal error. */
export class PlacardError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldProblem[];
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string = ERROR_CODES[code], options: PlacardErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PlacardError';
    this.code = code;
    this.fields = options.fields ?? [];
    this.details = options.details ?? {};
  }
}

/** The problem of one field, as a `validation_failed` error. */
export function fieldError(path: string, code: string, message: string): PlacardError {
  return new PlacardError('validation_failed', `${path}: ${message}`, { fields: [{ path, code, message }] });
}
