import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** A response that has not begun by then is lost; short of a test's own timeout, so that the failure names the address. */
const SILENCE_MS = 100_000;

/** One response with its body as text. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  json<T = unknown>(): T;
}

/** The parts of a request. `json` sets the content type and the body; `body` is sent as it is. */
export interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: string | Buffer;
}

/** A client that trusts one certificate authority and follows no redirects. */
export interface Client {
  send(url: string, sending?: Sending): Promise<HttpResponse>;
  close(): void;
}

/** Makes a client; `ca` is the PEM that the server's first start made (null: the system's authorities). */
export function createClient(ca: string | null): Client {
  const https = new HttpsAgent({ keepAlive: true, ...(ca === null ? {} : { ca }) });
  const http = new HttpAgent({ keepAlive: true });
  return {
    send: (url, sending = {}) => sendOnce(url, sending, url.startsWith('https:') ? https : http),
    close() {
      https.destroy();
      http.destroy();
    },
  };
}

function sendOnce(url: string, sending: Sending, agent: HttpAgent | HttpsAgent): Promise<HttpResponse> {
  const body = sending.json === undefined ? sending.body : JSON.stringify(sending.json);
  const headers: Record<string, string | number> = { ...sending.headers };
  if (sending.json !== undefined) headers['content-type'] ??= 'application/json';
  if (body !== undefined) headers['content-length'] = Buffer.byteLength(body);
  const open = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = open(
      url,
      { method: sending.method ?? (body === undefined ? 'GET' : 'POST'), headers, agent, timeout: SILENCE_MS },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            bytes,
            json: <T>() => JSON.parse(text) as T,
          });
        });
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`No response from ${url} within ${SILENCE_MS} ms`)));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
