import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { PlacardError } from '../domain/errors.ts';
import { ASSET_BYTES_MAX, ASSET_TYPES, type AssetExtension, type AssetStore, requireAssetName } from './assets.ts';
import { Bucket, type BucketOptions } from './bucket.ts';

/** The bucket and the bound on its memory cache. */
export interface BucketAssetsOptions extends BucketOptions {
  /** Bytes of assets kept in memory; default 128 MiB. */
  readonly cacheBytesMax?: number;
}

type Asset = NonNullable<Awaited<ReturnType<AssetStore['get']>>>;

const NAME = /^([0-9a-f]{64})\.([a-z0-9]{3,4})$/;
const CACHE_BYTES_MAX = 128 * 1024 * 1024;

/**
 * Opens the store of assets in a bucket. Objects are named by their content, so that one that was read once is kept in memory (within a
 * bound, the longest unused go first), and what comes back is checked against its name.
 *
 * The methods throw PlacardError `unavailable` when the bucket cannot be reached or refuses.
 */
export function openBucketAssets(options: BucketAssetsOptions): AssetStore {
  const bucket = new Bucket(options);
  const kept = new AssetCache(options.cacheBytesMax ?? CACHE_BYTES_MAX);
  const pending = new Map<string, Promise<Asset | null>>();
  return {
    async put(bytes, extension) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      const about = { hash, contentType: ASSET_TYPES[extension] };
      await bucket.write(`${hash}.${extension}`, new Uint8Array(bytes), about);
      return `/assets/${hash}.${extension}`;
    },
    async get(name) {
      const [, hash, extension] = NAME.exec(name) ?? [];
      if (hash === undefined || extension === undefined || !(extension in ASSET_TYPES)) return null;
      const known = kept.find(name) ?? pending.get(name);
      if (known !== undefined) return known;
      const reading = readAsset(bucket, name, { hash, contentType: ASSET_TYPES[extension as AssetExtension] })
        .then((asset) => {
          if (asset !== null) kept.add(name, asset);
          return asset;
        })
        .finally(() => pending.delete(name));
      pending.set(name, reading);
      return reading;
    },
    remove: (name) => bucket.remove(requireAssetName(name)),
  };
}

async function readAsset(
  bucket: Bucket,
  name: string,
  expected: { readonly hash: string; readonly contentType: string },
): Promise<Asset | null> {
  const content = await bucket.read(name);
  if (content === null) return null;
  if (content.sizeBytes > ASSET_BYTES_MAX) {
    content.body.destroy();
    throw new PlacardError('unavailable', 'The bucket holds a larger file than was stored.');
  }
  const bytes = await readAll(content.body);
  if (createHash('sha256').update(bytes).digest('hex') !== expected.hash)
    throw new PlacardError('unavailable', 'The bucket returned another file than was stored.');
  return { bytes, contentType: expected.contentType };
}

async function readAll(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      // A response need not say how long it is. Leaving the loop ends it.
      if (bytes > ASSET_BYTES_MAX) throw new Error('The bucket sent more than a file may have');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, bytes);
  } catch (cause) {
    throw new PlacardError('unavailable', 'The bucket broke off its response; retry shortly.', { cause });
  }
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

  add(name: string, asset: Asset): void {
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
