import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { boundConnections, type RefusedConnections } from './connection-bounds.ts';
import type { HttpLimits } from './limits.ts';
import { endUnreadResponses } from './unread-responses.ts';
import { httpsRequired, toParserProblem, toProblem } from './problem.ts';
import { CollectableMessage, hasBody } from './request-body.ts';
import { createRequestIds } from './request-id.ts';
import { trackConnections } from './tracked-connections.ts';
import type { TlsMaterial, Transport } from '../tls/tls.ts';

const TLS_HANDSHAKE_BYTE = 0x16;
const LINGER_BYTES_MAX = 64 * 1024 * 1024;
/** Unread request bodies up to this size are dropped and the connection kept; larger ones end it. */
const KEEP_ALIVE_UNREAD_BYTES_MAX = 256 * 1024;

/** A server of either transport, with what is needed to end it for certain. */
export interface Listener {
  readonly server: Server;
  /** Raw connections that are open now, handshaking ones included. */
  countConnections(): number;
  /** Connections that were closed at once because there were too many, since the start. */
  readonly refusedConnections: Readonly<RefusedConnections>;
  /** Uses another certificate from the next handshake on. A server for plain HTTP ignores it. */
  renewTls(tls: TlsMaterial): void;
  /**
   * Stops accepting, lets open requests finish for `drainMs`, then cuts what is left. Resolves when the port is free.
   * @param lingerMs how long it goes on accepting first, and idle connections stay open, while each response is to say `Connection: close`; it
   * ends when all connections that were open have closed. Connections accepted in that time get up to another 2 s for their request. Default 0
   */
  stop(drainMs: number, lingerMs?: number): Promise<void>;
}

/** Where a server listens. */
export interface ListenAddress {
  /** Address to bind; absent: all interfaces. Ignored in loopback mode, which binds 127.0.0.1. */
  readonly bind?: string | undefined;
  /** 0 picks a free port. */
  readonly port: number;
  /** Descriptor of a socket that is bound already; address and port are then its own. The server closes it. */
  readonly fd?: number | undefined;
}

/**
 * Makes the server for a transport. With TLS, a plain-HTTP request on the same port gets 403 `https_required`, by looking at
 * the first byte of each connection. Malformed requests are the caller's: listen for `clientError` with
 * `respondToClientError`. Connections of addresses that `isTrusted` are not counted by address, nor are any in loopback mode, where all
 * come from one.
 */
export function createListener(
  transport: Transport,
  limits: HttpLimits,
  onRequest: RequestListener,
  isTrusted: (address: string) => boolean = () => false,
): Listener {
  const options = {
    IncomingMessage: CollectableMessage,
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckIntervalMs,
    // Our own code rejects a missing Host header, so that the response has a JSON body.
    requireHostHeader: false,
    noDelay: true,
  };
  const server =
    transport.tls === null
      ? createHttpServer(options, onRequest)
      : // An https.Server is an http.Server in everything but its declared type.
        (createHttpsServer(
          { ...options, ...tlsOptions(transport.tls), handshakeTimeout: limits.handshakeTimeoutMs },
          onRequest,
        ) as unknown as Server);
  server.timeout = limits.idleTimeoutMs;
  endUnreadResponses(server, transport.tls === null ? 'connection' : 'secureConnection', limits);
  if (transport.tls !== null) refusePlainHttp(server, limits);
  refuseExpectations(server);
  const connections = trackConnections(server, transport.tls !== null);
  const isExempt = transport.mode === 'loopback' ? () => true : isTrusted;
  return {
    server,
    countConnections: () => connections.count(),
    refusedConnections: boundConnections(server, { ...limits, isExempt }),
    renewTls: (tls) => {
      if (transport.tls !== null) (server as unknown as HttpsServer).setSecureContext(tlsOptions(tls));
    },
    stop: (drainMs, lingerMs) => connections.stop(drainMs, lingerMs),
  };
}

/** Listens; resolves with the port. Without `bind` it takes IPv6 and IPv4, or IPv4 alone where the machine has no IPv6. */
export async function listenAt(server: Server, transport: Transport, address: ListenAddress): Promise<number> {
  const { port, fd } = address;
  const listen = (where: { readonly fd: number } | { readonly port: number; readonly host: string }): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ ...where, backlog: 1024 }, () => {
        server.off('error', reject);
        resolve((server.address() as AddressInfo).port);
      });
    });
  if (fd !== undefined) return listen({ fd });
  const attempt = (host: string): Promise<number> => listen({ port, host });
  if (transport.mode === 'loopback') return attempt('127.0.0.1');
  if (address.bind !== undefined) return attempt(address.bind);
  return attempt('::').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EAFNOSUPPORT' && error.code !== 'EADDRNOTAVAIL') throw error;
    return attempt('0.0.0.0');
  });
}

/**
 * Responds to bytes that never became a request (`clientError`): 400, 408 or 431 with a JSON body, then closes. Sends nothing when the
 * peer is gone, when TLS itself failed, or when another response is already on its way.
 */
export function respondToClientError(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  const code = error.code ?? '';
  // Node marks the response in progress on the socket itself; writing between its parts would corrupt it.
  const responding = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
  const spoken = responding !== undefined && responding !== null && responding.headersSent;
  if (!/^(HPE_|ERR_HTTP_)/.test(code) || !socket.writable || spoken) {
    socket.destroy();
    return;
  }
  const problem = toParserProblem(code);
  const body = JSON.stringify(problem.body);
  socket.end(
    `HTTP/1.1 ${problem.status} ${REASONS[problem.status] ?? 'Bad Request'}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroySoon(),
  );
}

/**
 * Whether a request's body is still coming that is too large, or of unknown size, to be dropped on a kept connection: such a response
 * is to end with `endWhileDiscarding` and `Connection: close`.
 */
export function outlastsResponse(incoming: IncomingMessage): boolean {
  if (incoming.complete || !hasBody(incoming)) return false;
  const declared = incoming.headers['content-length'];
  return declared === undefined || Number(declared) > KEEP_ALIVE_UNREAD_BYTES_MAX;
}

/** When a discarded body is given up. */
export interface Linger {
  /** A look at what has come. */
  readonly lookMs: number;
  /** Looks in a row that find no new byte. */
  readonly idleLooks: number;
  readonly looksMax: number;
}

const LINGER: Linger = { lookMs: 250, idleLooks: 20, looksMax: 120 };

/**
 * Ends a response whose request body nobody will read. The whole response is already written; the rest of the body is dropped, up to
 * 64 MiB, half a minute, or five seconds without a byte, so that the client reads the response instead of a connection reset. The seconds
 * are counted in looks: a process that stood still for a while has had no chance to read.
 */
export function endWhileDiscarding(incoming: IncomingMessage, response: ServerResponse, linger = LINGER): void {
  let [bytes, seen, idle, looks] = [0, 0, 0, 0];
  const end = (): void => {
    clearTimeout(timer);
    incoming.off('data', count).off('end', end).off('close', end);
    response.end();
  };
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > LINGER_BYTES_MAX) end();
  };
  const look = (): void => {
    idle = bytes === seen ? idle + 1 : 0;
    seen = bytes;
    looks += 1;
    if (idle >= linger.idleLooks || looks >= linger.looksMax) end();
    else timer = setTimeout(look, linger.lookMs);
  };
  let timer = setTimeout(look, linger.lookMs);
  incoming.on('data', count).on('end', end).on('close', end);
  incoming.resume();
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
};

/**
 * TLS 1.3, and of TLS 1.2 only suites with a key exchange of their own for each connection (ECDHE) and authenticated encryption:
 * none with CBC, none with RSA key exchange.
 */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** How every server of ours speaks TLS. */
export function tlsOptions(tls: TlsMaterial): { key: string; cert: string; minVersion: 'TLSv1.2'; ciphers: string } {
  return { key: tls.key, cert: tls.cert, minVersion: 'TLSv1.2', ciphers: CIPHERS };
}

/** Puts a look at the first byte in front of the TLS server's own connection listener. */
function refusePlainHttp(server: Server, limits: HttpLimits): void {
  const handshake = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const plain = createPlainRefusal();
  server.on('connection', (socket: Socket) => {
    const deadline = setTimeout(() => socket.destroy(), limits.handshakeTimeoutMs);
    const stop = (): void => clearTimeout(deadline);
    const drop = (): void => void socket.destroy();
    socket.on('error', drop).once('close', stop);
    const look = (): void => {
      const first = socket.read(1) as Buffer | null;
      if (first === null) return void socket.once('readable', look);
      socket.unshift(first);
      if (first[0] !== TLS_HANDSHAKE_BYTE) return void plain.emit('connection', socket);
      stop();
      socket.off('error', drop).off('close', stop);
      for (const listener of handshake) listener.call(server, socket);
    };
    look();
  });
}

/** Expectations other than 100-continue: 417, as Node would respond, with a body and a request id. */
function refuseExpectations(server: Server): void {
  const requestIds = createRequestIds();
  server.on('checkExpectation', (incoming: IncomingMessage, response: ServerResponse) => {
    const message = 'This server meets no expectation but 100-continue; leave the Expect header out.';
    const problem = { status: 417, body: { error: 'invalid_request', message } };
    refuseAndClose(incoming, response, { ...problem, requestId: requestIds.next(incoming.headers['x-request-id']) });
  });
}

function refuseAndClose(
  incoming: IncomingMessage,
  response: ServerResponse,
  { status, body, requestId }: { readonly status: number; readonly body: object; readonly requestId: string },
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-request-id': requestId,
    connection: 'close',
  });
  if (incoming.method !== 'HEAD') response.write(text);
  endWhileDiscarding(incoming, response);
}

/** A server without a port: it responds 403 to every plain-HTTP request and closes; its connections have a deadline already. */
function createPlainRefusal(): Server {
  const requestIds = createRequestIds();
  const refuse = (incoming: IncomingMessage, response: ServerResponse): void => {
    const requestId = requestIds.next(incoming.headers['x-request-id']);
    const { status, body } = toProblem(httpsRequired(), requestId);
    refuseAndClose(incoming, response, { status, body, requestId });
  };
  const server = createHttpServer({ requireHostHeader: false }, refuse);
  server.on('checkContinue', refuse);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    respondToClientError(error, socket, requestIds.next(undefined));
  });
  return server;
}
