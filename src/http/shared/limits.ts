/** The limits of both servers. Every field has a stated default; tests shorten them. */
export interface HttpLimits {
  /** Largest request body in bytes as sent, unless a route states its own. */
  readonly bodyBytesMax: number;
  /** Largest request body in bytes after inflating (8 MiB). */
  readonly inflatedBytesMax: number;
  /** Request line and headers together, in bytes (Node responds 431 above it). */
  readonly headerBytesMax: number;
  /** Deepest nesting of a JSON body. */
  readonly jsonDepthMax: number;
  /** Most objects, lists and members of objects in a JSON body, together: parsing costs by them, not by the bytes as sent. */
  readonly jsonPartsMax: number;
  /** From the connection, or the end of the last request, to the end of the headers. */
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to the last byte of its body. */
  readonly requestTimeoutMs: number;
  /** How long an idle kept-alive connection stays open. Longer than usual load balancers keep theirs. */
  readonly keepAliveTimeoutMs: number;
  /** A connection without data in either direction for this time is closed. */
  readonly idleTimeoutMs: number;
  /** A connection whose client reads nothing of its response for this time is closed. */
  readonly unreadTimeoutMs: number;
  /** How often this and the two request timeouts are looked at (Node's own default is 30 s). */
  readonly timeoutCheckIntervalMs: number;
  /** How long a TLS handshake may take, and how long a connection may wait before its first byte. */
  readonly handshakeTimeoutMs: number;
  /** Open connections of one process; more are dropped at accept. */
  readonly connectionsMax: number;
  /** Of these, from one address; trusted proxies are not counted. */
  readonly connectionsPerAddressMax: number;
}

/** The limits of a production server. */
export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  bodyBytesMax: 1024 * 1024,
  inflatedBytesMax: 8 * 1024 * 1024,
  headerBytesMax: 32 * 1024,
  jsonDepthMax: 64,
  jsonPartsMax: 200_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  idleTimeoutMs: 120_000,
  unreadTimeoutMs: 10_000,
  timeoutCheckIntervalMs: 1_000,
  handshakeTimeoutMs: 10_000,
  connectionsMax: 10_000,
  connectionsPerAddressMax: 1_000,
};
