import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { addCorsHeaders } from './cors.ts';
import { endWhileDiscarding, outlastsResponse } from '../shared/listener.ts';
import { problemPage, isShownToPerson } from '../shared/problem-page.ts';
import { toProblem } from '../shared/problem.ts';
import { EMPTY_BODY, hasBody } from '../shared/request-body.ts';
import { COMPRESS_ABOVE_BYTES, chooseEncoding, compressBody, isCompressible } from '../shared/response-encoding.ts';
import { writeTogether } from './round.ts';
import type { HttpReply, HttpRequest, Route } from '../shared/route.ts';

/** Text of as many bytes as characters is ASCII; written as Latin-1 it needs no encoder. */
const ASCII = 'latin1';
const JSON_TYPE = 'application/json; charset=utf-8';
const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

/** The dependencies of a request on its server. */
export interface ExchangeHost {
  readonly strictTransport: boolean;
  isDraining(): boolean;
  finished(exchange: Exchange, status: number): void;
  /** Logs unexpected errors, and responds with the error. */
  failed(exchange: Exchange, error: unknown): void;
}

/** One request and its response. Handlers see it as an `HttpRequest`. */
export class Exchange implements HttpRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  readonly startedMs: number = performance.now();
  path = '';
  query = '';
  body: Buffer = EMPTY_BODY;
  remoteAddress = '';
  protocolSecure = false;
  params: Readonly<Record<string, string>> = NO_PARAMS;
  /** Set as soon as the path is known to have one; its CORS rule holds for every response from then on. */
  route: Route | null = null;
  /** True while the client waits for `100 Continue` before it sends its body. */
  awaitsContinue = false;
  /** The response is written without waiting for those of other requests. */
  respondsAtOnce = false;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly #host: ExchangeHost;
  #hasResponded = false;
  #isReplaced = false;

  constructor(incoming: IncomingMessage, response: ServerResponse, requestId: string, host: ExchangeHost) {
    this.incoming = incoming;
    this.response = response;
    this.method = incoming.method ?? 'GET';
    this.headers = incoming.headers;
    this.requestId = requestId;
    this.#host = host;
  }

  hasLeft(): boolean {
    return this.incoming.socket.destroyed;
  }

  /** Sends a reply; a second one is dropped. */
  send(reply: HttpReply): void {
    const { body } = reply;
    if (body === undefined || body === null || body.length === 0 || reply.status === 204 || reply.status === 304) {
      return this.#write(reply, null, 0, null);
    }
    const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    if (bytes <= COMPRESS_ABOVE_BYTES || !isCompressible(contentTypeOf(reply)))
      return this.#write(reply, body, bytes, null);
    const encoding =
      reply.headers?.['content-encoding'] === undefined ? chooseEncoding(this.headers['accept-encoding']) : null;
    if (encoding === null) return this.#write(reply, body, bytes, '');
    compressBody(typeof body === 'string' ? Buffer.from(body) : body, encoding, (compressed) => {
      if (compressed === null) this.#write(reply, body, bytes, '');
      else this.#write(reply, compressed, compressed.length, encoding);
    });
  }

  /** Responds with an error, and headers besides its own. Never throws. */
  sendProblem(error: unknown, headers: Readonly<Record<string, string>> = {}): void {
    const problem = toProblem(error, this.requestId);
    const { accept, 'accept-language': acceptLanguage, 'sec-fetch-dest': destination } = this.headers;
    const askedBy = { method: this.method, accept, acceptLanguage, destination: destination as string | undefined };
    const page = isShownToPerson(askedBy) ? problemPage(problem, askedBy, null) : null;
    const body = page?.body ?? JSON.stringify(problem.body);
    this.#write(
      { status: problem.status, headers: { ...headers, ...problem.headers, ...page?.headers } },
      body,
      Buffer.byteLength(body),
      null,
    );
  }

  /** `encoding`: null for a body that has no encoded form, '' for one that is sent plain here but has one. */
  #write(reply: HttpReply, body: string | Buffer | null, bytes: number, encoding: string | null): void {
    if (this.#hasResponded) return;
    this.#hasResponded = true;
    const write = (): void => {
      try {
        this.#writeNow(reply, body, bytes, encoding);
      } catch (error) {
        this.#replaceResponse(error);
      }
    };
    if (this.respondsAtOnce) write();
    else writeTogether(write);
  }

  #writeNow(reply: HttpReply, body: string | Buffer | null, bytes: number, encoding: string | null): void {
    const { response } = this;
    if (response.headersSent) return;
    const linger = outlastsResponse(this.incoming) || (this.awaitsContinue && hasBody(this.incoming));
    const headers = this.#commonHeaders(linger);
    addReplyHeaders(headers, reply);
    if (body !== null) {
      if (reply.headers?.['content-type'] === undefined) headers.push('content-type', JSON_TYPE);
      if (encoding !== null) headers.push('vary', 'Accept-Encoding');
      if (encoding) headers.push('content-encoding', encoding);
    }
    if (body !== null || (reply.status !== 204 && reply.status !== 304)) headers.push('content-length', String(bytes));
    response.writeHead(reply.status, headers);
    this.#host.finished(this, reply.status);
    const sent = this.method === 'HEAD' ? null : body;
    if (linger) {
      if (sent === null) response.flushHeaders();
      else response.write(sent);
      endWhileDiscarding(this.incoming, response);
    } else if (sent === null) response.end();
    else if (typeof sent === 'string' && sent.length === bytes) response.end(sent, ASCII);
    else response.end(sent);
  }

  /** Replaces a response that cannot be written (an invalid header) with an error, once. */
  #replaceResponse(error: unknown): void {
    if (this.response.headersSent || this.#isReplaced) {
      this.response.destroy();
      return;
    }
    this.#hasResponded = false;
    this.#isReplaced = true;
    this.#host.failed(this, error);
  }

  #commonHeaders(linger: boolean): string[] {
    const headers = ['x-request-id', this.requestId, 'x-content-type-options', 'nosniff'];
    if (this.#host.strictTransport && this.protocolSecure)
      headers.push('strict-transport-security', 'max-age=31536000');
    if (this.route?.corsCredentials === true) addCorsHeaders(headers, this.incoming);
    if (linger || this.#host.isDraining()) headers.push('connection', 'close');
    return headers;
  }
}

function contentTypeOf(reply: HttpReply): string {
  const declared = reply.headers?.['content-type'];
  return typeof declared === 'string' ? declared : JSON_TYPE;
}

function addReplyHeaders(headers: string[], reply: HttpReply): void {
  if (reply.headers === undefined) return;
  for (const name in reply.headers) {
    const value = reply.headers[name];
    if (typeof value === 'string') headers.push(name, value);
    else if (value !== undefined) for (const one of value) headers.push(name, one);
  }
}
