import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../../domain/log/log.ts';
import { PlacardError } from '../../domain/errors.ts';
import { beginRequest, endRequest } from '../shared/connection-bounds.ts';
import type { ConnectionCounts } from '../shared/connection-metrics.ts';
import { checkHostHeader } from '../shared/host-header.ts';
import type { TrustCheck } from '../shared/client-address.ts';
import { compileTrustedProxies, resolveClient } from '../shared/client-address.ts';
import { preflightHeaders } from './cors.ts';
import type { ExchangeHost } from './exchange.ts';
import { Exchange } from './exchange.ts';
import type { HttpLimits } from '../shared/limits.ts';
import { DEFAULT_HTTP_LIMITS } from '../shared/limits.ts';
import type { ListenAddress, Listener } from '../shared/listener.ts';
import { respondToClientError, createListener, listenAt } from '../shared/listener.ts';
import { httpsRequired, isUnexpected, methodNotAllowed } from '../shared/problem.ts';
import { respondTogether } from './round.ts';
import { contentTypeEssence, hasBody, readBody, requireUtf8Charset } from '../shared/request-body.ts';
import { createRequestIds } from '../shared/request-id.ts';
import type { PathMatch, PatternParameter } from '../shared/route-match.ts';
import { patternParameters, RouteTree } from '../shared/route-match.ts';
import type { HttpReply, HttpRequest, Route } from '../shared/route.ts';
import type { TlsMaterial, Transport } from '../tls/tls.ts';

const JSON_ONLY: readonly string[] = ['application/json'];

/** Options of a delivery server. */
export interface DeliveryServerOptions extends ListenAddress {
  readonly routes: readonly Route[];
  readonly transport: Transport;
  readonly log: Log;
  /** Deviations from `DEFAULT_HTTP_LIMITS`. */
  readonly limits?: Partial<HttpLimits>;
  /** Addresses and CIDR ranges whose X-Forwarded-* headers are believed. */
  readonly trustedProxies?: readonly string[];
  /** More headers for a failure outside of every handler; `route` is null when none matched. Null: none. It never rejects. */
  readonly failureHeaders?: (request: HttpRequest, route: Route | null) => Promise<Record<string, string> | null>;
  /** Called after each response of a route, for metrics; `route` is `-` when none matched. */
  readonly observe?: (route: string, status: number, durationMs: number) => void;
}

/** Counts since the start. */
export interface DeliveryServerStats {
  readonly requests: number;
  readonly responses: number;
  readonly connections: number;
  readonly draining: boolean;
}

/** A delivery server that listens. */
export interface DeliveryServer {
  readonly port: number;
  stats(): DeliveryServerStats;
  connections(): ConnectionCounts;
  /** Uses another certificate from the next handshake on. */
  renewTls(tls: TlsMaterial): void;
  /** From now on each response ends its connection; it goes on accepting. */
  drain(): void;
  isDraining(): boolean;
  /** Stops accepting; open requests get `drainMs` to finish, with `Connection: close`; idle connections end after `lingerMs`, default 0. */
  stop(drainMs: number, lingerMs?: number): Promise<void>;
}

interface CompiledRoute {
  readonly route: Route;
  readonly parameters: readonly PatternParameter[];
  readonly bodyBytesMax: number;
  readonly contentTypes: readonly string[] | null;
}

/**
 * Starts the fast server of the delivery worker: bare node:http(s), one tree look-up, one write per response. It enforces everything
 * that `Route` and `HttpLimits` state, before a handler sees the request, and responds to every failure with JSON.
 *
 * @throws Error when two routes clash, a trusted proxy is malformed, or the port cannot be taken.
 */
export async function startDeliveryServer(options: DeliveryServerOptions): Promise<DeliveryServer> {
  const core = new DeliveryCore(options);
  const { server } = core.listener;
  server.on('checkContinue', (incoming, response) => core.handle(incoming, response, true));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => core.refuse(error, socket));
  const port = await listenAt(server, options.transport, options);
  server.on('error', (error) => options.log.event('http.delivery_server_error', { err: error }));
  for (const { method, pattern } of options.routes)
    options.log.event('http.delivery_route', { route: `${method} ${pattern}` });
  return {
    port,
    stats: () => core.stats(),
    connections: () => ({ open: core.listener.countConnections(), refused: core.listener.refusedConnections }),
    renewTls: (tls) => core.listener.renewTls(tls),
    drain: () => core.drain(),
    isDraining: () => core.isDraining(),
    stop: (drainMs, lingerMs) => core.stop(drainMs, lingerMs),
  };
}

class DeliveryCore implements ExchangeHost {
  readonly listener: Listener;
  readonly strictTransport: boolean;
  readonly #options: DeliveryServerOptions;
  readonly #limits: HttpLimits;
  readonly #tree = new RouteTree<CompiledRoute>();
  readonly #requestIds = createRequestIds();
  readonly #trusts: TrustCheck;
  readonly #encrypted: boolean;
  #requests = 0;
  #responses = 0;
  #draining = false;

  constructor(options: DeliveryServerOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits };
    this.#trusts = compileTrustedProxies(options.trustedProxies ?? []);
    this.#encrypted = options.transport.tls !== null;
    // A self-made certificate usually stands on localhost, where HSTS would bind every other local program.
    this.strictTransport = options.transport.mode === 'files' || options.transport.mode === 'proxy';
    for (const route of options.routes) this.#addRoute(route);
    this.listener = createListener(
      options.transport,
      this.#limits,
      (incoming, response) => this.handle(incoming, response, false),
      this.#trusts,
    );
  }

  stats(): DeliveryServerStats {
    const connections = this.listener.countConnections();
    return { requests: this.#requests, responses: this.#responses, connections, draining: this.#draining };
  }

  drain(): void {
    this.#draining = true;
  }

  async stop(drainMs: number, lingerMs = 0): Promise<void> {
    this.#draining = true;
    await this.listener.stop(drainMs, lingerMs);
  }

  isDraining(): boolean {
    return this.#draining;
  }

  finished(exchange: Exchange, status: number): void {
    this.#responses += 1;
    endRequest(exchange.incoming.socket);
    this.#options.observe?.(exchange.route?.name ?? '-', status, performance.now() - exchange.startedMs);
  }

  refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    respondToClientError(error, socket, this.#requestIds.next(undefined));
  }

  handle(incoming: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void {
    if (!beginRequest(incoming.socket)) return;
    this.#requests += 1;
    const requestId = this.#requestIds.next(incoming.headers['x-request-id']);
    const exchange = new Exchange(incoming, response, requestId, this);
    exchange.awaitsContinue = awaitsContinue;
    try {
      const compiled = this.#prepare(exchange);
      if (compiled === null) return;
      if (!hasBody(incoming) || incoming.method === 'GET' || incoming.method === 'HEAD') {
        if (this.#isAdmitted(exchange, compiled)) respondTogether(() => this.#run(exchange, compiled));
        return;
      }
      this.#readThenRun(exchange, compiled);
    } catch (error) {
      this.failed(exchange, error);
    }
  }

  /** Everything that is decided before the body; null when the response is already sent (preflight). */
  #prepare(exchange: Exchange): CompiledRoute | null {
    const { incoming, method } = exchange;
    splitTarget(exchange, incoming.url ?? '');
    const client = resolveClient(incoming, this.#encrypted, this.#trusts);
    exchange.remoteAddress = client.address;
    exchange.protocolSecure = client.secure;
    const match = this.#tree.find(exchange.path);
    const compiled = match === null ? null : (match.byMethod.get(method === 'HEAD' ? 'GET' : method) ?? null);
    // The CORS rule of the path holds for its wrong methods and its preflights as well.
    exchange.route = compiled?.route ?? firstOf(match)?.route ?? null;
    if (!client.secure && this.#options.transport.mode === 'proxy' && exchange.route?.plainAllowed !== true)
      throw httpsRequired();
    checkHostHeader(incoming);
    if (match === null) throw new PlacardError('not_found', 'There is nothing at this address.');
    if (compiled === null) return this.#respondToOtherMethod(exchange, match);
    if (match.captures.length > 0) exchange.params = decodeParams(compiled.parameters, match.captures);
    return compiled;
  }

  #respondToOtherMethod(exchange: Exchange, match: PathMatch<CompiledRoute>): null {
    const cors = exchange.route?.corsCredentials === true;
    const allow = allowedMethods(match, cors);
    if (exchange.method !== 'OPTIONS' || !cors) throw methodNotAllowed(allow);
    exchange.send({ status: 204, headers: { allow: allow.join(', '), ...preflightHeaders(allow) } });
    return null;
  }

  #readThenRun(exchange: Exchange, compiled: CompiledRoute): void {
    const { incoming } = exchange;
    const declared = incoming.headers['content-type'];
    const type = contentTypeEssence(declared);
    if (type !== '' && compiled.contentTypes !== null && !compiled.contentTypes.includes(type)) {
      throw new PlacardError('unsupported_media_type', `Send the body as ${compiled.contentTypes.join(' or ')}.`);
    }
    requireUtf8Charset(declared);
    const limits = { bytesMax: compiled.bodyBytesMax, inflatedBytesMax: this.#limits.inflatedBytesMax };
    if (exchange.awaitsContinue && Number(incoming.headers['content-length'] ?? 0) <= limits.bytesMax) {
      exchange.response.writeContinue();
      exchange.awaitsContinue = false;
    }
    readBody(incoming, limits, (error, body) => {
      if (error !== null) return this.failed(exchange, error);
      exchange.body = body;
      if (this.#isAdmitted(exchange, compiled)) respondTogether(() => this.#run(exchange, compiled));
    });
  }

  /** A refused request has its response by then: under overload, a round takes many times as long as a refusal. */
  #isAdmitted(exchange: Exchange, { route }: CompiledRoute): boolean {
    try {
      route.admit?.();
      return true;
    } catch (error) {
      exchange.respondsAtOnce = true;
      this.failed(exchange, error);
      return false;
    }
  }

  #run(exchange: Exchange, compiled: CompiledRoute): void {
    try {
      const reply = compiled.route.handler(exchange);
      if (!isPromise(reply)) return exchange.send(reply);
      reply.then((late) => exchange.send(late)).catch((error: unknown) => this.failed(exchange, error));
    } catch (error) {
      this.failed(exchange, error);
    }
  }

  failed(exchange: Exchange, error: unknown): void {
    if (isUnexpected(error)) {
      const { requestId, route } = exchange;
      this.#options.log.event('http.delivery_request_failed', { err: error, requestId, route: route?.name });
    }
    const { failureHeaders } = this.#options;
    if (failureHeaders === undefined || !hasCredentials(exchange)) return exchange.sendProblem(error);
    void failureHeaders(exchange, exchange.route).then((headers) => exchange.sendProblem(error, headers ?? {}));
  }

  #addRoute(route: Route): void {
    const contentTypes = route.contentTypes === undefined ? JSON_ONLY : route.contentTypes;
    const bodyBytesMax = route.bodyBytesMax ?? this.#limits.bodyBytesMax;
    const parameters = patternParameters(route.pattern);
    this.#tree.add(route.method, route.pattern, { route, parameters, bodyBytesMax, contentTypes });
  }
}

function hasCredentials({ headers }: Exchange): boolean {
  return headers.authorization !== undefined;
}

function splitTarget(exchange: Exchange, target: string): void {
  let url = target;
  if (url.charCodeAt(0) !== 0x2f) {
    // Absolute form (RFC 9112 section 3.2.2): the authority in it says nothing that we need.
    const absolute = /^https?:\/\/[^/?#]*(\/[^#]*)?$/i.exec(url);
    if (absolute === null) throw new PlacardError('invalid_request', 'The request address is malformed.');
    url = absolute[1] ?? '/';
  }
  const mark = url.indexOf('?');
  exchange.path = mark === -1 ? url : url.slice(0, mark);
  exchange.query = mark === -1 ? '' : url.slice(mark + 1);
}

function decodeParams(parameters: readonly PatternParameter[], captures: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [index, { name, isRest }] of parameters.entries()) {
    const raw = captures[index] ?? '';
    params[name] = isRest || !raw.includes('%') ? raw : decodeSegment(raw);
  }
  return params;
}

function decodeSegment(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch (cause) {
    throw new PlacardError('invalid_request', 'The address holds a malformed percent-encoding.', { cause });
  }
}

function allowedMethods(match: PathMatch<CompiledRoute>, cors: boolean): string[] {
  const methods = [...match.byMethod.keys()];
  if (match.byMethod.has('GET')) methods.push('HEAD');
  return cors ? [...methods, 'OPTIONS'] : methods;
}

function firstOf(match: PathMatch<CompiledRoute> | null): CompiledRoute | undefined {
  return match?.byMethod.values().next().value;
}

function isPromise(reply: HttpReply | Promise<HttpReply>): reply is Promise<HttpReply> {
  return typeof (reply as Promise<HttpReply>).then === 'function';
}
