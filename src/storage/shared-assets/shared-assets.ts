import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { PlacardError } from '../../domain/errors.ts';
import { deleteAssetFile, insertAssetFile, listAssetFiles, readAssetFile } from './asset-files.sql.ts';
import {
  ASSET_TYPES,
  type AssetExtension,
  assetName,
  type AssetStore,
  isAssetName,
  openAssetStore,
} from '../assets.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../sql/schema.ts';

type Asset = NonNullable<Awaited<ReturnType<AssetStore['get']>>>;

/** Files that were fetched from PostgreSQL, below the data folder. */
const CACHE_FOLDER = 'assets-cache';
/** A name that PostgreSQL does not have is not looked up again for this time. */
const MISSING_MS = 2_000;
const MISSING_MAX = 10_000;
/** Most look-ups in PostgreSQL at once, and most that wait. */
const READS_MAX = 2;
const WAITING_MAX = 64;
const BATCH = 500;

/** Dependencies of the shared store of assets. */
export interface SharedAssetsDeps {
  readonly dataDir: string;
  readonly sql: Kysely<Database>;
  /** Where files are kept instead of PostgreSQL; null: in PostgreSQL. */
  readonly bucket: AssetStore | null;
  readonly nowMs: () => number;
}

/** A store of assets that every node reads alike. */
export interface SharedAssets extends AssetStore {
  /**
   * Copies files of this data folder, from before they were shared, to where every node reads them, and drops cached files that were deleted.
   * Returns how many it copied.
   */
  share(): Promise<number>;
}

/**
 * Opens the store of assets that all nodes share: a bucket, or else PostgreSQL with a copy on this disk. A file that is elsewhere, because it
 * is older than the bucket or was uploaded on a node that had none, is still found.
 *
 * The methods throw PlacardError `unavailable` when a file is not on this disk and the store does not respond.
 */
export function openSharedAssets(deps: SharedAssetsDeps): SharedAssets {
  const { dataDir, sql, bucket, nowMs } = deps;
  const own = openAssetStore(dataDir);
  const cache = openAssetStore(dataDir, CACHE_FOLDER);
  const lookUp = new LookUps(sql, nowMs);
  return {
    async put(bytes, extension) {
      if (bucket !== null) return bucket.put(bytes, extension);
      const name = assetName(bytes, extension);
      await insertAssetFile(sql, name, bytes);
      lookUp.forget(name);
      return cache.put(bytes, extension);
    },
    async get(name) {
      if (!isAssetName(name)) return null;
      const near = (await bucket?.get(name)) ?? (await cache.get(name)) ?? (await own.get(name));
      if (near !== null) return near;
      const found = await lookUp.read(name);
      // A disk that is full must not keep a picture from being served.
      if (found !== null) await cache.put(found.bytes, extensionOf(name)).catch(() => undefined);
      return found;
    },
    async remove(name) {
      await bucket?.remove(name);
      await Promise.all([deleteAssetFile(sql, name), cache.remove(name), own.remove(name)]);
    },
    share: () => shareFiles(deps),
  };
}

function extensionOf(name: string): AssetExtension {
  return extname(name).slice(1) as AssetExtension;
}

async function shareFiles({ dataDir, sql, bucket }: SharedAssetsDeps): Promise<number> {
  const [own, cache] = [join(dataDir, 'assets'), join(dataDir, CACHE_FOLDER)];
  await mkdir(cache, { recursive: true });
  let copied = 0;
  for (const name of await listNames(own)) {
    const bytes = await readFile(join(own, name));
    // A damaged file stays where it is: under this name it would be served for ever.
    if (assetName(bytes, extensionOf(name)) !== name) continue;
    if (bucket === null) await insertAssetFile(sql, name, bytes);
    else await bucket.put(bytes, extensionOf(name));
    await rename(join(own, name), join(cache, name));
    copied += 1;
  }
  if (bucket === null) await dropDeleted(sql, cache);
  return copied;
}

async function dropDeleted(sql: Kysely<Database>, cache: string): Promise<void> {
  const names = await listNames(cache);
  for (let at = 0; at < names.length; at += BATCH) {
    const batch = names.slice(at, at + BATCH);
    const stored = await listAssetFiles(sql, batch);
    for (const name of batch) if (!stored.has(name)) await rm(join(cache, name), { force: true });
  }
}

async function listNames(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter(isAssetName);
}

/** Bounded look-ups in PostgreSQL, one at a time for each name. */
class LookUps {
  readonly #sql: Kysely<Database>;
  readonly #nowMs: () => number;
  readonly #pending = new Map<string, Promise<Asset | null>>();
  readonly #missing = new Map<string, number>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(sql: Kysely<Database>, nowMs: () => number) {
    this.#sql = sql;
    this.#nowMs = nowMs;
  }

  forget(name: string): void {
    this.#missing.delete(name);
  }

  async read(name: string): Promise<Asset | null> {
    if ((this.#missing.get(name) ?? 0) > this.#nowMs()) return null;
    const known = this.#pending.get(name);
    if (known !== undefined) return known;
    if (this.#waiting.length >= WAITING_MAX) throw new PlacardError('unavailable', 'Too many files are read at once.');
    const reading = this.#readInTurn(name).finally(() => this.#pending.delete(name));
    this.#pending.set(name, reading);
    return reading;
  }

  async #readInTurn(name: string): Promise<Asset | null> {
    if (this.#running >= READS_MAX) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      const bytes = await readAssetFile(this.#sql, name);
      if (bytes === null) this.#remember(name);
      return bytes === null ? null : { bytes, contentType: ASSET_TYPES[extensionOf(name)] };
    } catch (cause) {
      throw new PlacardError('unavailable', 'The file is in PostgreSQL, which is unavailable; retry shortly.', {
        cause,
      });
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #remember(name: string): void {
    if (this.#missing.size >= MISSING_MAX) this.#missing.clear();
    this.#missing.set(name, this.#nowMs() + MISSING_MS);
  }
}
