import type { IncomingHttpHeaders } from 'node:http';

/** Methods that a delivery route can be declared for. GET routes serve HEAD, the server itself serves OPTIONS. */
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One request as a route handler sees it. Bodies are already read, inflated and checked to be UTF-8; limits, content type
 * and encoding have been enforced.
 */
export interface HttpRequest {
  /** As received; a GET route also gets `HEAD` (the body of its reply is then dropped, so it must record nothing). */
  readonly method: string;
  /** The path as received, still percent-encoded, without the query. */
  readonly path: string;
  /** The query as received, still percent-encoded, without the `?`; empty when there is none. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** Inflated body, valid UTF-8; empty when there is none. At most the server's `inflatedBytesMax` (8 MiB). */
  readonly body: Buffer;
  /** The client's address, trusted proxies resolved, IPv4-mapped addresses written as IPv4. */
  readonly remoteAddress: string;
  /** When its headers had come, on the clock of `performance.now()`. */
  readonly startedMs: number;
  /** The value that goes out as `X-Request-Id`. */
  readonly requestId: string;
  /** True when the client reached us over TLS (ours, or a trusted proxy's). False only in loopback mode. */
  readonly protocolSecure: boolean;
  /** `:name` segments percent-decoded; a `*rest` as received (raw, leading slash cut, so it can be compared verbatim). */
  readonly params: Readonly<Record<string, string>>;
  /** Whether the client has closed its connection: nobody reads the response. */
  hasLeft(): boolean;
}

/** The response of a handler. The server adds `Content-Length`, `X-Request-Id`, CORS and compression. */
export interface HttpReply {
  readonly status: number;
  /** Lower-case names. Text bodies without `content-type` are sent as JSON. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** A string is sent as UTF-8. Null, absent or a 204/304 status: no body. */
  readonly body?: string | Buffer | null;
}

/**
 * A route of the delivery server.
 *
 * Patterns: literal segments, `:name` for one segment, a trailing `*name` for the rest (may be empty, may hold slashes):
 * `/:network/bid`, `/api/v1/ads`, `/:network/click/*rest`. Literal segments win over `:name`, `:name` over `*name`.
 */
export interface Route {
  readonly method: RouteMethod;
  readonly pattern: string;
  /** Stable short name for logs and metrics, such as `bid`. */
  readonly name: string;
  /** Largest body, in bytes, before inflating; default the server's limit (1 MiB). Over it: 413. */
  readonly bodyBytesMax?: number;
  /**
   * Declared content types that are taken (essence only, lower case). Default `application/json`; null takes anything.
   * A request without Content-Type, or without a body, is always taken. Others: 415.
   */
  readonly contentTypes?: readonly string[] | null;
  /** Credentialed CORS on every status (exact Origin echoed) and responses to preflights. Default false: no CORS headers at all. */
  readonly corsCredentials?: boolean;
  /** Also served to plain-HTTP callers behind a TLS-terminating proxy (health probes). Default false: `https_required`. */
  readonly plainAllowed?: boolean;
  /**
   * Called before the handler and, for a request without a body, as soon as its head is read. It throws `PlacardError` to refuse the request
   * before any work; such a response is written at once. Many requests are read before the first of them is handled: a bound must hold in the
   * handler, too.
   */
  admit?(): void;
  /** May throw `PlacardError`; anything else becomes a 500 with only the request id. A synchronous reply costs less. */
  handler(request: HttpRequest): HttpReply | Promise<HttpReply>;
}
