import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { readVersion } from '../../../config/version.ts';

const unzip = promisify(gunzip);

const SOCKETS_MAX = 32;
const CONNECT_MS = 5_000;
/** Longest that a core may be silent within a response, and the largest response. */
const SILENT_MS = 60_000;
const RESPONSE_BYTES_MAX = 1_024 * 1_024 * 1_024;

/** A request to a core. */
export interface CoreRequest {
  readonly method: 'GET' | 'POST';
  /** Below the address of the core. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Longest that the whole of it may take; default 60 s. */
  readonly timeoutMs?: number;
}

/** A whole response. */
export interface CoreResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Thrown when no core responds, or one breaks off. */
export class CoreUnreachableError extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`The core does not respond: ${reason}`, { cause });
    this.name = 'CoreUnreachableError';
  }
}

/** Connections to a core, or to the balancer before several. */
export class CoreConnections {
  readonly #base: string;
  readonly #agent: http.Agent;
  readonly #ca: string | undefined;

  /** @throws Error when the file of CAs cannot be read */
  constructor({ coreUrl, coreCaFile }: { readonly coreUrl: string; readonly coreCaFile: string | null }) {
    this.#base = coreUrl.replace(/\/$/, '');
    this.#ca = coreCaFile === null ? undefined : readFileSync(coreCaFile, 'utf8');
    const options = { keepAlive: true, maxSockets: SOCKETS_MAX };
    this.#agent = coreUrl.startsWith('https:') ? new https.Agent(options) : new http.Agent(options);
  }

  /** Sends a request, and again when a kept connection had ended. @throws CoreUnreachableError */
  async send(request: CoreRequest): Promise<CoreResponse> {
    try {
      return await this.#sendOnce(request);
    } catch (error) {
      if (!(error instanceof StaleConnectionError)) throw error;
      return this.#sendOnce(request);
    }
  }

  /** A response that is read as it comes. @throws CoreUnreachableError */
  async open(request: CoreRequest, signal: AbortSignal): Promise<http.IncomingMessage> {
    const outgoing = this.#request(request, signal);
    outgoing.end();
    return respondTo(outgoing);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #sendOnce(request: CoreRequest): Promise<CoreResponse> {
    const outgoing = this.#request(request, AbortSignal.timeout(request.timeoutMs ?? SILENT_MS));
    outgoing.end(request.body);
    const incoming = await respondTo(outgoing);
    try {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > RESPONSE_BYTES_MAX) throw new Error('its response is too large');
        chunks.push(chunk);
      }
      const raw = Buffer.concat(chunks);
      const isZipped = incoming.headers['content-encoding'] === 'gzip';
      const body = isZipped ? await unzip(raw, { maxOutputLength: RESPONSE_BYTES_MAX }) : raw;
      return { status: incoming.statusCode ?? 0, headers: incoming.headers, body };
    } catch (error) {
      throw new CoreUnreachableError(reasonOf(error), error);
    }
  }

  #request({ method, path, headers = {}, body }: CoreRequest, signal: AbortSignal): http.ClientRequest {
    const send = this.#base.startsWith('https:') ? https.request : http.request;
    const outgoing = send(`${this.#base}${path}`, {
      method,
      agent: this.#agent,
      signal,
      timeout: SILENT_MS,
      ...(this.#ca === undefined ? {} : { ca: this.#ca }),
      headers: {
        'user-agent': `placard/${readVersion()} node`,
        'accept-encoding': 'gzip',
        ...(body === undefined ? {} : { 'content-length': String(body.length) }),
        ...headers,
      },
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('it is silent')));
    const connecting = setTimeout(() => outgoing.destroy(new Error('no connection in time')), CONNECT_MS);
    const connected = (): void => clearTimeout(connecting);
    outgoing.once('close', connected);
    outgoing.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', connected);
      else connected();
    });
    return outgoing;
  }
}

/** A kept connection that the core ended in the same moment: the request was not read. */
class StaleConnectionError extends Error {}

function respondTo(outgoing: http.ClientRequest): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = outgoing.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
      reject(isStale ? new StaleConnectionError() : new CoreUnreachableError(reasonOf(error), error));
    });
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ((error as NodeJS.ErrnoException).code ?? error.name);
}
