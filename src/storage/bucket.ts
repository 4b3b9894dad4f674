import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { refused, unreachable } from './bucket-errors.ts';
import { uploadInParts } from './bucket-multipart.ts';

/** An S3-compatible bucket (AWS, MinIO, R2, Ceph …). */
export interface BucketOptions {
  /** Address of the bucket, path style, with a folder when wanted: `https://s3.example/bucket/folder`. */
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretKey: string;
  /** Files over this size in bytes are sent in parts of this size, at least 5 MiB; default 8 MiB, so files may have 80 GB. */
  readonly partBytes?: number;
}

/** The hash and type of an object to store. */
export interface BucketObject {
  /** SHA-256 of its bytes, 64 hex digits. */
  readonly hash: string;
  readonly contentType: string;
}

/** The content of an object as a stream. */
export interface BucketContent {
  readonly sizeBytes: number;
  readonly body: Readable;
}

const TIMEOUT_MS = 30_000;
const PART_BYTES = 8 * 1024 * 1024;
/** Retries after a response with 5xx or 429. */
const RETRIES = 2;
/** Wait before the second try of a file; twice as long before the third. */
const RETRY_WAIT_MS = 200;

/**
 * Objects of one bucket, below its address. Requests are signed (AWS signature version 4).
 *
 * The methods throw PlacardError `unavailable` when the bucket cannot be reached or refuses.
 */
export class Bucket {
  readonly #url: string;
  readonly #client: AwsClient;
  readonly #partBytes: number;

  constructor(options: BucketOptions) {
    this.#url = options.url.replace(/\/+$/, '');
    this.#partBytes = options.partBytes ?? PART_BYTES;
    this.#client = new AwsClient({
      accessKeyId: options.accessKeyId,
      secretAccessKey: options.secretKey,
      region: options.region,
      service: 's3',
      retries: RETRIES,
    });
  }

  /** Stores bytes under a name; replaces earlier content. */
  async write(name: string, body: Uint8Array<ArrayBuffer>, object: BucketObject): Promise<void> {
    const response = await this.#send(name, { method: 'PUT', body, headers: headersOf(object) });
    await response.body?.cancel();
    if (!response.ok) throw refused(response.status);
  }

  /**
   * Stores a file: a small one in one request, a larger one in parts. Memory holds one part at most. The object appears when
   * the last part has arrived; an earlier object stays until then.
   */
  async writeFile(name: string, path: string, object: BucketObject): Promise<void> {
    const { size } = await stat(path);
    if (size > this.#partBytes) {
      const file = { path, sizeBytes: size, partBytes: this.#partBytes, ...object };
      const send = async (target: string, init: RequestInit): Promise<Response> => {
        const { headers, body } = init as { headers: Record<string, string>; body: unknown };
        if (!(body instanceof Uint8Array)) return this.#send(target, init);
        const { statusCode, headers: responseHeaders } = await this.#put(target, headers, {
          sizeBytes: body.length,
          body,
        });
        return new Response(null, { status: statusCode ?? 500, headers: responseHeaders as Record<string, string> });
      };
      return uploadInParts(send, name, file);
    }
    for (let tries = 0; ; tries += 1) {
      const body = createReadStream(path);
      const status = (await this.#put(name, headersOf(object), { sizeBytes: size, body })).statusCode ?? 500;
      if (status < 300) return;
      if (status < 500 || tries >= RETRIES) throw refused(status);
      await sleep(RETRY_WAIT_MS * 2 ** tries);
    }
  }

  /** An object, or these bytes of it (both ends included); null when there is none. Streams without reading ahead. */
  async read(name: string, range?: { readonly first: number; readonly last: number }): Promise<BucketContent | null> {
    const headers = range === undefined ? {} : { range: `bytes=${range.first}-${range.last}` };
    const response = await this.#send(name, { method: 'GET', headers });
    if (response.status === (range === undefined ? 200 : 206) && response.body !== null) {
      return { sizeBytes: lengthOf(response), body: Readable.fromWeb(response.body as ReadableStream<Uint8Array>) };
    }
    await response.body?.cancel();
    if (response.status === 404) return null;
    throw refused(response.status);
  }

  /** The size of an object in bytes; null when there is none. */
  async sizeOf(name: string): Promise<number | null> {
    const response = await this.#send(name, { method: 'HEAD' });
    if (response.status === 404) return null;
    if (response.status !== 200) throw refused(response.status);
    return lengthOf(response);
  }

  /** Deletes an object; one that is not there is fine. */
  async remove(name: string): Promise<void> {
    const response = await this.#send(name, { method: 'DELETE' });
    await response.body?.cancel();
    if (!response.ok && response.status !== 404) throw refused(response.status);
  }

  /** Uses `node:http`: `fetch` copies bytes, and reads a file faster than it sends it. */
  async #put(
    name: string,
    headers: Record<string, string>,
    { sizeBytes, body }: { readonly sizeBytes: number; readonly body: Readable | Uint8Array },
  ): Promise<IncomingMessage> {
    const url = new URL(`${this.#url}/${name}`);
    try {
      const signed = await this.#client.sign(url.href, { method: 'PUT', headers });
      const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
        method: 'PUT',
        headers: { ...Object.fromEntries(signed.headers), 'content-length': sizeBytes },
        timeout: TIMEOUT_MS,
      });
      request.once('timeout', () => request.destroy(new Error('The bucket took too long')));
      // An error after the response must not end the process.
      request.on('error', () => undefined);
      const responded = once(request, 'response') as Promise<[IncomingMessage]>;
      const sent = body instanceof Readable ? pipeline(body, request) : void request.end(body);
      const [[response]] = await Promise.all([responded, sent]);
      response.resume();
      return response;
    } catch (cause) {
      throw unreachable(cause);
    }
  }

  /**
   * The time limit ends when the response begins: its body may take longer to read. A redirect is a failure: the signature belongs to this
   * address, and another one is nobody's setting.
   */
  async #send(name: string, init: RequestInit): Promise<Response> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error('The bucket took too long')), TIMEOUT_MS);
    try {
      return await this.#client.fetch(`${this.#url}/${name}`, { ...init, redirect: 'error', signal: late.signal });
    } catch (cause) {
      throw unreachable(cause);
    } finally {
      clearTimeout(timer);
    }
  }
}

function headersOf({ hash, contentType }: BucketObject): Record<string, string> {
  return { 'content-type': contentType, 'x-amz-content-sha256': hash };
}

function lengthOf(response: Response): number {
  return Number(response.headers.get('content-length') ?? 0);
}
