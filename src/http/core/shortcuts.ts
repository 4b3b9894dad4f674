import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { resolveClient, type TrustCheck } from '../shared/client-address.ts';
import { checkHostHeader } from '../shared/host-header.ts';
import type { HttpReply } from '../shared/route.ts';
import { holdResponse } from './held-responses.ts';
import { CollectableMessage, EMPTY_BODY, hasBody, readBody } from '../shared/request-body.ts';
import type { Transport } from '../tls/tls.ts';

/** A request that a shortcut may respond to. */
export interface ShortcutRequest {
  readonly raw: IncomingMessage;
  readonly method: string;
  /** Path and query as received. */
  readonly url: string;
  readonly requestId: string;
  /** Trusted proxies resolved. */
  readonly clientAddress: string;
}

/** Responds to one request, whose body is there. Null, or a rejection: the framework handles it, as if there were no shortcut. */
export type ShortcutResponder = (body: Buffer) => Promise<ShortcutReply | null>;

/** A response, and the network that gets it. */
export type ShortcutReply = HttpReply & { readonly owner: string };

/**
 * Responds to some requests of the core before the framework sees them. It gives the response that the framework would give, headers
 * included, and leaves every error to it.
 */
export interface Shortcut {
  /** Whether a request may be one of its own. Called for every request of the server. */
  knows(method: string, url: string): boolean;
  /** Called before the body is read; null leaves the request to the framework. */
  open(request: ShortcutRequest): ShortcutResponder | null;
}

/** What a shortcut and the framework's handler of the same request tell each other. */
export class RequestNote<T> {
  readonly #name = Symbol('request note');

  put(raw: IncomingMessage, value: T): void {
    (raw as IncomingMessage & Record<symbol, unknown>)[this.#name] = value;
  }

  /** The value, once. */
  acquire(raw: IncomingMessage): T | undefined {
    const noted = raw as IncomingMessage & Record<symbol, unknown>;
    const value = noted[this.#name] as T | undefined;
    if (value !== undefined) noted[this.#name] = undefined;
    return value;
  }
}

/** The rules of the server that the shortcuts keep. */
export interface ShortcutHost {
  readonly transport: Transport;
  readonly trusts: TrustCheck;
  readonly draining: { readonly now: boolean };
  readonly nextRequestId: (inbound: string | string[] | undefined) => string;
}

/** Longer bodies are left to the framework. */
const BODY_BYTES_MAX = 8_192;
const JSON_TYPES: ReadonlySet<string | undefined> = new Set([
  undefined,
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
]);

/** The headers of every response of the core. */
export function commonHeaders(requestId: string, isSecure: boolean, transport: Transport): Record<string, string> {
  const headers: Record<string, string> = {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
  // A self-made certificate usually stands on localhost, where HSTS would bind every other local program.
  if (isSecure && transport.mode !== 'self') headers['strict-transport-security'] = 'max-age=31536000';
  return headers;
}

/** Asks the shortcuts about each request, then the framework. */
export function withShortcuts(
  framework: RequestListener,
  shortcuts: readonly Shortcut[],
  host: ShortcutHost,
): RequestListener {
  return (incoming, response) => {
    const { method = '', url = '' } = incoming;
    const shortcut = shortcuts.find((one) => one.knows(method, url));
    if (shortcut === undefined || host.draining.now || !isPlain(incoming)) return framework(incoming, response);
    const client = resolveClient(incoming, host.transport.tls !== null, host.trusts);
    if (!client.secure && host.transport.mode === 'proxy') return framework(incoming, response);
    const requestId = host.nextRequestId(incoming.headers['x-request-id']);
    const respond = shortcut.open({ raw: incoming, method, url, requestId, clientAddress: client.address });
    if (respond === null) return framework(incoming, response);
    const handle = async (body: Buffer): Promise<void> => {
      const reply = await respond(body)
        .then((one) => held(response, one))
        .catch(() => null);
      if (reply === null || host.draining.now) {
        if (incoming instanceof CollectableMessage) incoming.restoreBody(null, body);
        return framework(incoming, response);
      }
      send(response, commonHeaders(requestId, client.secure, host.transport), reply);
    };
    if (method === 'GET') return void handle(EMPTY_BODY);
    readBody(incoming, { bytesMax: BODY_BYTES_MAX, inflatedBytesMax: BODY_BYTES_MAX }, (error, body) => {
      if (error === null) return void handle(body);
      if (incoming instanceof CollectableMessage) incoming.restoreBody(error, body);
      framework(incoming, response);
    });
  };
}

/** Whether nothing in the head of a request needs the framework: one Host, and a small body of JSON with its length, or none. */
function isPlain(incoming: IncomingMessage): boolean {
  const { method, headers } = incoming;
  if (!(incoming instanceof CollectableMessage)) return false;
  try {
    checkHostHeader(incoming);
  } catch {
    return false;
  }
  if (method === 'GET') return !hasBody(incoming);
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined) return false;
  const length = Number(headers['content-length']);
  return method === 'POST' && length > 0 && length <= BODY_BYTES_MAX && JSON_TYPES.has(headers['content-type']);
}

/** Counts the body. @throws PlacardError over a limit, which the framework then says */
function held(response: ServerResponse, reply: ShortcutReply | null): ShortcutReply | null {
  if (reply !== null) holdResponse(response, reply.owner, Buffer.byteLength(reply.body ?? ''));
  return reply;
}

function send(response: ServerResponse, common: Record<string, string>, reply: HttpReply): void {
  if (response.destroyed) return;
  const { body = null } = reply;
  const headers = { ...common, ...reply.headers };
  if (body !== null) headers['content-length'] = String(Buffer.byteLength(body));
  response.writeHead(reply.status, headers);
  response.end(body ?? undefined);
}
