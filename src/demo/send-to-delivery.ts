import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { SendRequest } from './live-traffic.ts';

const BODY_BYTES_MAX = 1_000_000;

/** Sends requests to the delivery endpoint over one kept connection, and follows no redirect. @param ca PEM to trust; null: the system's */
export function openDeliverySender(baseUrl: string, ca: string | null): { readonly send: SendRequest; close(): void } {
  const base = new URL(baseUrl);
  const isSecure = base.protocol === 'https:';
  const options = { keepAlive: true, maxSockets: 1 };
  const agent = isSecure ? new HttpsAgent({ ...options, ...(ca === null ? {} : { ca }) }) : new HttpAgent(options);
  const send: SendRequest = (path, { body, userAgent, signal }) =>
    new Promise((resolve, reject) => {
      const outgoing = (isSecure ? httpsRequest : httpRequest)(
        new URL(path, base),
        {
          method: body === undefined ? 'GET' : 'POST',
          agent,
          signal,
          headers: {
            'user-agent': userAgent,
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          let bytes = 0;
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            if (bytes > BODY_BYTES_MAX) outgoing.destroy(new Error('The response is too long'));
            else chunks.push(chunk);
          });
          response.on('error', reject);
          response.on('end', () => resolve(bodyOf(response.statusCode ?? 0, Buffer.concat(chunks))));
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  return { send, close: () => agent.destroy() };
}

function bodyOf(status: number, bytes: Buffer): unknown {
  if (status !== 200) return null;
  try {
    return JSON.parse(bytes.toString());
  } catch {
    // Pixels.
    return null;
  }
}
