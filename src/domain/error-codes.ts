/** One row of the table of errors. */
export interface ErrorDescription {
  /** HTTP status of its responses. */
  readonly status: number;
  /** The message when the code that throws has nothing more precise to say. */
  readonly message: string;
  /** Its meaning and the client's remedy, for `docs/errors.md` (Markdown). */
  readonly meaning: string;
  readonly remedy: string;
}

/** Every stable error code. `docs/errors.md` and the API description are written from it. */
export const ERRORS = {
  https_required: {
    status: 403,
    message: 'The API was called over plain HTTP.',
    meaning: 'The API was called over plain HTTP.',
    remedy:
      'Use the `https://` address. Behind a proxy, list the proxy as trusted and let it send `X-Forwarded-Proto: https`.',
  },
  authentication_required: {
    status: 401,
    message: 'Missing Authorization header',
    meaning: 'The call has no credentials.',
    remedy: 'Send `Authorization: Bearer <key>`, or both `x-internal-auth-` headers where an endpoint requires them.',
  },
  invalid_credentials: {
    status: 401,
    message: 'Invalid or expired API key',
    meaning: 'The credentials are wrong, revoked, expired, or of the other environment.',
    remedy: 'Check the key in Settings > API Keys; create a new one.',
  },
  insufficient_permissions: {
    status: 403,
    message: 'Key lacks permission for the operation',
    meaning: 'The key is valid but lacks a permission.',
    remedy: 'Use a key with the permission and module scope that the message names.',
  },
  ip_not_allowed: {
    status: 403,
    message: 'The call came from an address outside the allowlist of the key.',
    meaning: 'The key has an address allowlist, and the caller is not on it.',
    remedy: 'Call from a listed address, or extend the list.',
  },
  csrf_refused: {
    status: 403,
    message: 'A browser request from another origin tried to use a session.',
    meaning: 'A browser page of another origin tried to use a session.',
    remedy: "Call from the console's own origin, or use a key.",
  },
  verification_required: {
    status: 403,
    message: 'This action requires the signed-in member to verify their identity again.',
    meaning: "The action requires a fresh proof of the member's identity.",
    remedy:
      'Send the password or a passkey to `/auth/verify`, then repeat the request within 10 minutes. The console asks for it.',
  },
  rate_limit_exceeded: {
    status: 429,
    message: 'Daily API request limit exceeded',
    meaning: 'A limit of the network, or of failed sign-ins, is used up.',
    remedy: 'Wait until `reset` (Unix seconds); `limit` says how many. `Retry-After` holds the seconds.',
  },
  invalid_request: {
    status: 400,
    message: 'The request is malformed; the message names what is wrong.',
    meaning: 'The request cannot be parsed (408 when it came too slowly, 431 when its headers are too large).',
    remedy: 'The message says what is wrong.',
  },
  validation_failed: {
    status: 400,
    message: 'One or more fields are invalid; each is named with what to do.',
    meaning: 'One or more fields are invalid.',
    remedy: '`fields` lists each with `path`, `code`, `message`. Nothing was changed.',
  },
  not_acceptable: {
    status: 406,
    message: 'Accept names no form that this response has.',
    meaning: '`Accept` names no form that this response has.',
    remedy: 'Send one of the media types that the message names.',
  },
  not_found: {
    status: 404,
    message: 'There is nothing at this address, or it belongs to another network.',
    meaning: 'There is nothing at this address, or it belongs to another network.',
    remedy: 'Check the address and the id.',
  },
  unknown_ad_unit: {
    status: 404,
    message: 'The network has no ad unit with that name.',
    meaning: 'The network has no ad unit with that name.',
    remedy: 'Create it, or check its name.',
  },
  unknown_activity: {
    status: 404,
    message: 'The network has no activity with that id.',
    meaning: 'The network has no activity with that id.',
    remedy: 'Check `actgid`.',
  },
  unknown_network: {
    status: 404,
    message: 'There is no network with that id.',
    meaning: 'There is no network with that id.',
    remedy: 'Check the network id in the address.',
  },
  method_not_allowed: {
    status: 405,
    message: 'The address does not support this HTTP method.',
    meaning: 'The address does not support this HTTP method.',
    remedy: '`Allow` lists the methods that it supports.',
  },
  request_timeout: {
    status: 408,
    message: 'The request did not arrive in time; send it again, faster.',
    meaning: 'The body of the request arrived too slowly.',
    remedy: 'Send it again, at 1 KiB per second or more.',
  },
  payload_too_large: {
    status: 413,
    message: 'The request body is larger than the limit of this address.',
    meaning: 'The body is larger than the limit of the address, as sent or inflated.',
    remedy: 'Send less: 1 MiB for most addresses, 8 MiB for GraphQL.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'The declared content type is not supported here.',
    meaning: 'The declared content type or encoding is not supported here.',
    remedy: 'Send `Content-Type: application/json`; encodings gzip, deflate, br.',
  },
  conflict: {
    status: 409,
    message: 'Another caller changed this object after it was read.',
    meaning: 'Another caller changed the object after it was read.',
    remedy: 'Read it again, and repeat the change with its new `version`.',
  },
  idempotency_conflict: {
    status: 409,
    message: 'The idempotency key was used with other arguments, or its first use is still running.',
    meaning: 'The idempotency key was used with other arguments, or its first use is still running.',
    remedy: 'Use a new key for a new request; else retry shortly.',
  },
  network_suspended: {
    status: 403,
    message: 'The network is suspended: reads work, writes do not.',
    meaning: 'The network is suspended: reads work, writes do not.',
    remedy: 'Ask the operator.',
  },
  query_too_complex: {
    status: 400,
    message: 'The query exceeds a stated limit; the message says which.',
    meaning: 'A GraphQL or report query exceeds a stated limit.',
    remedy: 'The message says which limit; ask for less at once.',
  },
  quota_exceeded: {
    status: 409,
    message: 'The network environment has reached this storage quota; the message states the limit.',
    meaning: 'The network environment has reached a storage quota: `quota`, `limit` and `used` say which.',
    remedy: 'Delete some objects, or ask the operator for more.',
  },
  disk_space_low: {
    status: 507,
    message: 'The disk is nearly full: uploads and reports wait, ads and events go on.',
    meaning: 'The disk is nearly full. Uploads and reports are refused; ads and events go on.',
    remedy: 'Tell the operator; try again later.',
  },
  report_space_used_up: {
    status: 409,
    message: 'Finished reports use all the space that the network has for them.',
    meaning: 'Finished reports use all the space that the network has for them.',
    remedy: 'Create the report again when one has expired (the message says when), or ask the operator for more space.',
  },
  gone: {
    status: 410,
    message: 'The link has expired.',
    meaning: 'The link has expired.',
    remedy: 'Ask for a new one.',
  },
  range_not_satisfiable: {
    status: 416,
    message: 'The requested byte range lies outside the file.',
    meaning: 'The byte range lies outside the file.',
    remedy: '`Content-Range` holds the size.',
  },
  query_timeout: {
    status: 504,
    message: 'The query took longer than its time budget; ask again or narrow it.',
    meaning: 'A report took longer than its time budget.',
    remedy: 'Retry, or narrow the date range.',
  },
  overloaded: {
    status: 503,
    message: 'The server is overloaded; retry after the given time.',
    meaning: 'The server is overloaded.',
    remedy: 'Retry after `Retry-After` seconds.',
  },
  unavailable: {
    status: 503,
    message: 'A store that this operation needs is unavailable; retry shortly.',
    meaning: 'A store that the operation needs is unavailable.',
    remedy: 'Retry after `Retry-After` seconds.',
  },
  internal_error: {
    status: 500,
    message: 'An unexpected error occurred; quote the request id.',
    meaning: 'An unexpected error occurred.',
    remedy: 'Retry; if it persists, quote `requestId` to the operator.',
  },
} as const satisfies Readonly<Record<string, ErrorDescription>>;

/** A stable error code: `error` in every error body. */
export type ErrorCode = keyof typeof ERRORS;

/** All codes, in the order of the documentation. */
export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

/** The HTTP status of a code; undefined for an unknown code. */
export function statusOfCode(code: unknown): number | undefined {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode].status : undefined;
}
