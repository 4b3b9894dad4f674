import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { PlacardError } from '../domain/errors.ts';
import { ASSET_BYTES_MAX, ASSET_TYPES, type AssetExtension, type AssetStore } from './assets.ts';

/** An S3-compatible bucket (AWS, MinIO, R2, Ceph …). */
export interface BucketOptions {
  /** Address of the bucket, path style, with a folder when wanted: `https://s3.example/bucket/folder`. */
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretKey: string;
  /** Bytes of assets kept in memory; default 128 MiB. */
  readonly cacheBytesMax?: number;
}

type Asset = NonNullable<Awaited<ReturnType<AssetStore['get']>>>;

const NAME = /^([0-9a-f]{64})\.([a-z0-9]{3,4})$/;
const CACHE_BYTES_MAX = 128 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
/** Tries after the first one, for answers that say "later". */
const RETRIES = 2;

/**
 * Opens the store of assets in a bucket. Objects are named by their content, so that one that was read once is kept in memory (within a
 * bound, the longest unused go first), and what comes back is checked against its name. Requests are signed (AWS signature version 4).
 *
 * The methods throw PlacardError `unavailable` when the bucket cannot be reached or refuses.
 */
export function openBucketAssets(options: BucketOptions): AssetStore {
  const bucket = new Bucket(options);
  const kept = new AssetCache(options.cacheBytesMax ?? CACHE_BYTES_MAX);
  const pending = new Map<string, Promise<Asset | null>>();
  return {
    async put(bytes, extension) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      await bucket.write(`${hash}.${extension}`, { bytes, hash, contentType: ASSET_TYPES[extension] });
      return `/assets/${hash}.${extension}`;
    },
    async get(name) {
      const [, hash, extension] = NAME.exec(name) ?? [];
      if (hash === undefined || extension === undefined || !(extension in ASSET_TYPES)) return null;
      const known = kept.find(name) ?? pending.get(name);
      if (known !== undefined) return known;
      const reading = readAsset(bucket, name, { hash, contentType: ASSET_TYPES[extension as AssetExtension] })
        .then((asset) => {
          if (asset !== null) kept.keep(name, asset);
          return asset;
        })
        .finally(() => pending.delete(name));
      pending.set(name, reading);
      return reading;
    },
  };
}

async function readAsset(
  bucket: Bucket,
  name: string,
  expected: { readonly hash: string; readonly contentType: string },
): Promise<Asset | null> {
  const bytes = await bucket.read(name);
  if (bytes === null) return null;
  if (createHash('sha256').update(bytes).digest('hex') !== expected.hash)
    throw new PlacardError('unavailable', 'The bucket answered with another file than was kept.');
  return { bytes, contentType: expected.contentType };
}

/** Objects of one bucket, below its address. */
class Bucket {
  readonly #url: string;
  readonly #client: AwsClient;

  constructor(options: BucketOptions) {
    this.#url = options.url.replace(/\/+$/, '');
    this.#client = new AwsClient({
      accessKeyId: options.accessKeyId,
      secretAccessKey: options.secretKey,
      region: options.region,
      service: 's3',
      retries: RETRIES,
    });
  }

  async write(
    name: string,
    object: { readonly bytes: Buffer; readonly hash: string; readonly contentType: string },
  ): Promise<void> {
    const answer = await this.#send(name, {
      method: 'PUT',
      body: new Uint8Array(object.bytes),
      headers: { 'content-type': object.contentType, 'x-amz-content-sha256': object.hash },
    });
    await answer.body?.cancel();
    if (!answer.ok) throw refused(answer.status);
  }

  async read(name: string): Promise<Buffer | null> {
    const answer = await this.#send(name, { method: 'GET' });
    if (answer.status === 200 && Number(answer.headers.get('content-length') ?? 0) <= ASSET_BYTES_MAX)
      return Buffer.from(await answer.arrayBuffer());
    await answer.body?.cancel();
    if (answer.status === 404) return null;
    throw refused(answer.status);
  }

  async #send(name: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#client.fetch(`${this.#url}/${name}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    } catch (cause) {
      throw new PlacardError('unavailable', 'The bucket of uploaded files cannot be reached; retry shortly.', {
        cause,
      });
    }
  }
}

function refused(status: number): PlacardError {
  return new PlacardError('unavailable', 'The bucket of uploaded files does not answer as it should; retry shortly.', {
    cause: new Error(`The bucket answered ${status}`),
  });
}

/** Assets by name within a bound on their bytes; the longest unused go first. */
class AssetCache {
  readonly #bytesMax: number;
  readonly #assets = new Map<string, Asset>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  find(name: string): Asset | undefined {
    const found = this.#assets.get(name);
    if (found === undefined) return undefined;
    this.#assets.delete(name);
    this.#assets.set(name, found);
    return found;
  }

  keep(name: string, asset: Asset): void {
    if (asset.bytes.length > this.#bytesMax) return;
    this.#assets.set(name, asset);
    this.#bytes += asset.bytes.length;
    for (const [oldest, { bytes }] of this.#assets) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#assets.delete(oldest);
      this.#bytes -= bytes.length;
    }
  }
}
