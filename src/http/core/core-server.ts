import fastifyCompress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Fastify, { LogController } from 'fastify';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../../domain/log/log.ts';
import { toFrameworkLog } from './framework-log.ts';
import { PlacardError } from '../../domain/errors.ts';
import { compileTrustedProxies, resolveClient, type TrustCheck } from '../shared/client-address.ts';
import { beginRequest, endRequest, peerOf } from '../shared/connection-bounds.ts';
import type { ConnectionCounts } from '../shared/connection-metrics.ts';
import { checkHostHeader } from '../shared/host-header.ts';
import { parseJsonBody } from '../shared/json.ts';
import type { HttpLimits } from '../shared/limits.ts';
import { DEFAULT_HTTP_LIMITS } from '../shared/limits.ts';
import type { ListenAddress, Listener } from '../shared/listener.ts';
import {
  respondToClientError,
  createListener,
  endWhileDiscarding,
  listenAt,
  outlastsResponse,
} from '../shared/listener.ts';
import { problemPage, isShownToPerson } from '../shared/problem-page.ts';
import { httpsRequired, isUnexpected, methodNotAllowed, toProblem } from '../shared/problem.ts';
import type { Problem } from '../shared/problem.ts';
import { contentTypeEssence, EMPTY_BODY, hasBody, readBody, requireUtf8Charset } from '../shared/request-body.ts';
import { createRequestIds } from '../shared/request-id.ts';
import { COMPRESS_ABOVE_BYTES, isCompressible } from '../shared/response-encoding.ts';
import { RouteTree } from '../shared/route-match.ts';
import { holdResponse, ownerOf } from './held-responses.ts';
import type { HttpReply, HttpRequest, Route } from '../shared/route.ts';
import type { TlsMaterial, Transport } from '../tls/tls.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address, trusted proxies resolved. Use this, never `ip` (which is the socket's). */
    clientAddress: string;
    /** True when the client reached us over TLS, ours or a trusted proxy's. */
    protocolSecure: boolean;
  }
  interface FastifyContextConfig {
    /** Also served to plain-HTTP callers behind a proxy (health probes). */
    plainAllowed?: boolean;
    /** The body may take longer than `requestTimeoutMs`, as long as it keeps moving (large uploads). Authenticate before reading it. */
    slowBodyAllowed?: boolean;
    /** Another form of the bodies of this route's failures. */
    shapeProblem?: (body: Problem['body']) => object;
    /** A POST that changes nothing: its response can be refused while its network holds too many bytes. */
    readsOnly?: boolean;
  }
}

/** Options of a core server. */
export interface CoreServerOptions extends ListenAddress {
  readonly transport: Transport;
  readonly log: Log;
  /** Deviations from `DEFAULT_HTTP_LIMITS`. A route states its own body limit as Fastify's `bodyLimit` (bytes). */
  readonly limits?: Partial<HttpLimits>;
  /** Addresses and CIDR ranges whose X-Forwarded-* headers are believed. */
  readonly trustedProxies?: readonly string[];
}

/** A core server; routes are added to `app` before `listen`. */
export interface CoreServer {
  readonly app: FastifyInstance;
  /** Resolves with the port. */
  listen(): Promise<number>;
  /** Uses another certificate from the next handshake on. */
  renewTls(tls: TlsMaterial): void;
  connections(): ConnectionCounts;
  /** From now on each response ends its connection; it goes on accepting. */
  drain(): void;
  isDraining(): boolean;
  /**
   * Stops accepting; open requests get `drainMs` to finish, with `Connection: close`. Idle connections stay open for `lingerMs` first: a
   * request may be on its way. Default 0.
   */
  stop(drainMs: number, lingerMs?: number): Promise<void>;
}

/**
 * Makes the Fastify server of the core with the same rules as the delivery server: JSON errors, 404/405 with Allow, body, depth and
 * time limits, request ids, compression, HTTPS only. Handlers throw `PlacardError`.
 *
 * @throws TypeError when a trusted proxy is malformed.
 */
export async function createCoreServer(options: CoreServerOptions): Promise<CoreServer> {
  const limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits };
  const requestIds = createRequestIds();
  const slowSockets = new WeakSet<Socket>();
  const trusts = compileTrustedProxies(options.trustedProxies ?? []);
  const draining = { now: false };
  let made: Listener | undefined;
  const app = Fastify({
    serverFactory: (handler) => {
      made = createListener(options.transport, limits, boundPipeline(handler), trusts);
      return made.server;
    },
    loggerInstance: toFrameworkLog(options.log),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: limits.bodyBytesMax,
    requestIdHeader: false,
    genReqId: (incoming: IncomingMessage) => requestIds.next(incoming.headers['x-request-id']),
    // While draining, a request on a kept connection still gets its response; the connection then closes.
    return503OnClosing: false,
    forceCloseConnections: false,
    routerOptions: { maxParamLength: 2_000, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => void respondWithError(error, request, reply),
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      // Node tells of a late request once, and leaves its handling to us.
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && slowSockets.has(socket)) return;
      respondToClientError(error, socket, requestIds.next(undefined));
    },
  }) as unknown as FastifyInstance;
  if (made === undefined) throw new Error('Fastify made no server');
  const listener = made;
  listener.server.on('checkContinue', (incoming, response) => {
    response.writeContinue();
    listener.server.emit('request', incoming, response);
  });
  addRules(app, options.transport, { trusts, draining, log: options.log });
  allowSlowBodies(app, slowSockets);
  addJsonParser(app, limits);
  await app.register(fastifyCompress, {
    globalDecompression: false,
    encodings: ['gzip', 'deflate'],
    threshold: COMPRESS_ABOVE_BYTES,
    customTypes: isCompressible,
    zlibOptions: { level: 4 },
  });
  return {
    app,
    listen: async () => {
      await app.ready();
      return listenAt(listener.server, options.transport, options);
    },
    renewTls: (tls) => listener.renewTls(tls),
    connections: () => ({ open: listener.countConnections(), refused: listener.refusedConnections }),
    drain: () => void (draining.now = true),
    isDraining: () => draining.now,
    stop: async (drainMs, lingerMs) => {
      draining.now = true;
      await listener.stop(drainMs, lingerMs);
      await app.close();
    },
  };
}

/** Runs delivery-style routes without bodies (health, metrics) on a core server. */
export function mountRoutes(app: FastifyInstance, routes: readonly Route[]): void {
  for (const route of routes) {
    if (route.method !== 'GET') throw new Error(`Only GET routes can be mounted, not ${route.method} ${route.pattern}`);
    app.get(route.pattern, { config: { plainAllowed: route.plainAllowed === true } }, async (request, reply) => {
      const result = await route.handler(toHttpRequest(request));
      return sendReply(reply, result);
    });
  }
}

function boundPipeline(handler: RequestListener): RequestListener {
  return (incoming, response) => {
    if (!beginRequest(incoming.socket)) return;
    const { socket } = incoming;
    response.once('close', () => endRequest(socket));
    handler(incoming, response);
  };
}

interface Rules {
  readonly trusts: TrustCheck;
  readonly draining: { readonly now: boolean };
  readonly log: Log;
}

function addRules(app: FastifyInstance, transport: Transport, { trusts, draining, log }: Rules): void {
  const known = new RouteTree<true>();
  const seen = new Set<string>();
  const listed: string[] = [];
  app.decorateRequest('clientAddress', '');
  app.decorateRequest('protocolSecure', false);
  app.addHook('onRoute', ({ method, url }) => {
    // A wildcard over everything (the console's files) must not turn each unknown address into a 405.
    if (url === '*' || url === '/*') return;
    for (const one of Array.isArray(method) ? method : [method]) {
      const key = `${one} ${url.replaceAll(/:[^/]+/g, ':')}`;
      if (!seen.has(key)) {
        known.add(one, url.replace(/\*$/, '*rest'), true);
        listed.push(`${one} ${url}`);
      }
      seen.add(key);
    }
  });
  const admit = (request: FastifyRequest, reply: FastifyReply): void => {
    const client = resolveClient(request.raw, transport.tls !== null, trusts);
    request.clientAddress = client.address;
    request.protocolSecure = client.secure;
    reply.headers(commonHeaders(request.id, client.secure, transport));
    const { config } = request.routeOptions;
    if (!client.secure && transport.mode === 'proxy' && config.plainAllowed !== true) throw httpsRequired();
    checkHostHeader(request.raw);
    if (request.is404) throw missing(known, request);
    if (request.headers['content-type'] === undefined && hasBody(request.raw)) {
      request.headers['content-type'] = 'application/json';
    }
  };
  // Hooks with a callback: a promise for each costs more than their work.
  app.addHook('onRequest', (request, reply, done) => {
    try {
      admit(request, reply);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
  app.addHook('onReady', async () => {
    for (const route of listed) log.event('http.core_route', { route });
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (draining.now) reply.header('connection', 'close');
    try {
      holdPayload(request, reply, payload);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
  app.setErrorHandler(respondWithError);
}

/** Counts the body of every route. Streams are read as fast as their client reads. @throws PlacardError `overloaded` */
function holdPayload(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) return;
  const isRead = request.method === 'GET' || request.routeOptions.config.readsOnly === true;
  const owner = ownerOf(request.raw) ?? peerOf(request.clientAddress);
  holdResponse(reply.raw, owner, Buffer.byteLength(payload), !isRead || reply.statusCode >= 400);
}

/** Keeps the list of connections on which a route reads a large body just now. */
function allowSlowBodies(app: FastifyInstance, slowSockets: WeakSet<Socket>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { socket } = request.raw;
    if (request.routeOptions.config.slowBodyAllowed === true) {
      slowSockets.add(socket);
      request.raw.once('close', () => slowSockets.delete(socket));
    }
    done();
  });
}

function missing(known: RouteTree<true>, request: FastifyRequest): PlacardError {
  const found = known.find(request.url.split('?', 1)[0] ?? '');
  if (found === null) return new PlacardError('not_found', 'There is nothing at this address.');
  return methodNotAllowed([...found.byMethod.keys()]);
}

function addJsonParser(app: FastifyInstance, limits: HttpLimits): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) => {
    const type = contentTypeEssence(request.headers['content-type']);
    if (type !== 'application/json') {
      return done(new PlacardError('unsupported_media_type', 'Send the body as application/json.'), undefined);
    }
    try {
      requireUtf8Charset(request.headers['content-type']);
    } catch (error) {
      return done(error as Error, undefined);
    }
    const bytesMax = request.routeOptions.bodyLimit ?? limits.bodyBytesMax;
    readBody(payload as IncomingMessage, { bytesMax, inflatedBytesMax: limits.inflatedBytesMax }, (error, body) => {
      if (error !== null) return done(error, undefined);
      let value: unknown;
      try {
        value = parseJsonBody(body, { depthMax: limits.jsonDepthMax, partsMax: limits.jsonPartsMax });
      } catch (cause) {
        return done(cause as Error, undefined);
      }
      done(null, value);
    });
  });
}

function respondWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isUnexpected(error)) request.log.event('http.core_request_failed', { err: error });
  const problem = toProblem(error, request.id);
  const { shapeProblem } = request.routeOptions.config;
  const askedBy = {
    method: request.method,
    accept: request.headers.accept,
    acceptLanguage: request.headers['accept-language'],
    destination: request.headers['sec-fetch-dest'] as string | undefined,
  };
  const { headers, body } = isShownToPerson(askedBy)
    ? problemPage(problem, askedBy, '/sign-in')
    : {
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(shapeProblem === undefined ? problem.body : shapeProblem(problem.body)),
      };
  reply.code(problem.status).headers({ ...problem.headers, 'x-request-id': request.id, ...headers });
  if (!outlastsResponse(request.raw)) return reply.send(body);
  reply.header('connection', 'close').header('content-length', Buffer.byteLength(body));
  reply.hijack();
  reply.raw.writeHead(problem.status, reply.getHeaders() as Record<string, string>);
  reply.raw.write(body);
  endWhileDiscarding(request.raw, reply.raw);
  return reply;
}

function toHttpRequest(request: FastifyRequest): HttpRequest {
  const [path = '', query = ''] = request.url.split(/\?(.*)/s, 2);
  return {
    method: request.method,
    path,
    query,
    headers: request.headers,
    body: EMPTY_BODY,
    startedMs: performance.now(),
    remoteAddress: request.clientAddress,
    requestId: request.id,
    protocolSecure: request.protocolSecure,
    params: request.params as Record<string, string>,
    hasLeft: () => request.raw.socket.destroyed,
  };
}

function sendReply(reply: FastifyReply, result: HttpReply): FastifyReply {
  reply.code(result.status).header('content-type', 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(result.headers ?? {})) reply.header(name, value);
  return reply.send(result.body ?? '');
}

/** The headers of every response of the core. */
function commonHeaders(requestId: string, isSecure: boolean, transport: Transport): Record<string, string> {
  const headers: Record<string, string> = {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
  // A self-made certificate usually stands on localhost, where HSTS would bind every other local program.
  if (isSecure && transport.mode !== 'self') headers['strict-transport-security'] = 'max-age=31536000';
  return headers;
}
