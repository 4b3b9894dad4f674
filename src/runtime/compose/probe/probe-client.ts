import { existsSync, readFileSync } from 'node:fs';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';

const BODY_BYTES_MAX = 1_000_000;
/** For one request. */
const TIMEOUT_MS = 10_000;
/** A browser's, since events of robots are not counted. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** A request of the probe. */
export interface ProbeRequest {
  readonly body?: unknown;
  /** An API key. */
  readonly key?: string;
}

/** Sends one request and follows no redirect. @throws Error when there is no whole response in time */
export type ProbeSend = (
  url: string,
  request?: ProbeRequest,
) => Promise<{ readonly status: number; readonly text: string }>;

/** Sends as a customer does. Beside the usual certificates, it trusts the one that Placard made for itself in a data folder. */
export function openProbeClient(dataDir: string): ProbeSend {
  const own = join(dataDir, 'tls', 'ca.pem');
  const ca = existsSync(own) ? [...getCACertificates('default'), readFileSync(own, 'utf8')] : undefined;
  return (url, { body, key } = {}) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        'user-agent': USER_AGENT,
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
      };
      const options = {
        method: text === undefined ? 'GET' : 'POST',
        headers,
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      };
      const sent = url.startsWith('https:')
        ? requestTls(url, { ...options, ...(ca === undefined ? {} : { ca }) })
        : requestPlain(url, options);
      sent.once('response', (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > BODY_BYTES_MAX) sent.destroy(new Error('The response is too long'));
          else chunks.push(chunk);
        });
        response.once('error', reject);
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        );
      });
      sent.once('error', reject);
      sent.end(text);
    });
}
