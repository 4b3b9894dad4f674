/** The rows of one query as they are sent, and their data version. */
export interface CachedRows {
  /** JSON of `data`. */
  readonly dataJson: Buffer;
  /** Rows without limit and offset; null when the query does not ask for it. */
  readonly total: number | null;
  /** The version of the data that they were computed from, or a later one's mixture. */
  readonly version: string;
  readonly computedAtMs: number;
  /** How long computing took, milliseconds. */
  readonly tookMs: number;
  /** The last moment at which these rows are known to equal those of the store. */
  verifiedAtMs: number;
  /** When the newest batch of events that was in the store by then came in; null: there is none. */
  writtenAtMs: number | null;
}

/** The limits of the cache, in bytes. */
export interface CacheLimits {
  readonly bytesMax: number;
  /** Of one workspace: a network with many queries cannot push out the others' results. */
  readonly bytesPerWorkspaceMax: number;
}

/** Default limits: some 300 dashboards of 200 KB. */
export const CACHE_LIMITS: CacheLimits = { bytesMax: 64 * 1_048_576, bytesPerWorkspaceMax: 16 * 1_048_576 };

/** The size of an entry besides its rows: key, version of 90 days, entries of the maps. */
const ENTRY_BYTES = 2_048;

/** Results by workspace and query, the last used of them, within a bound of bytes over all and by workspace. */
export class ResultCache {
  readonly #limits: CacheLimits;
  /** Workspaces in the order of their last use; results of each likewise. */
  readonly #shelves = new Map<number, { readonly results: Map<string, CachedRows>; bytes: number }>();
  #bytes = 0;

  constructor(limits: CacheLimits = CACHE_LIMITS) {
    this.#limits = limits;
  }

  /** The bytes in use. */
  get bytes(): number {
    return this.#bytes;
  }

  get(workspaceId: number, key: string): CachedRows | undefined {
    const shelf = this.#shelves.get(workspaceId);
    const found = shelf?.results.get(key);
    if (shelf === undefined || found === undefined) return undefined;
    shelf.results.delete(key);
    shelf.results.set(key, found);
    this.#shelves.delete(workspaceId);
    this.#shelves.set(workspaceId, shelf);
    return found;
  }

  /** Stores rows unless they alone are over their workspace's bound; returns whether it did. */
  put(workspaceId: number, key: string, rows: CachedRows): boolean {
    this.#drop(workspaceId, key);
    const bytes = sizeOf(rows);
    if (bytes > this.#limits.bytesPerWorkspaceMax || bytes > this.#limits.bytesMax) return false;
    const shelf = this.#shelves.get(workspaceId) ?? { results: new Map<string, CachedRows>(), bytes: 0 };
    this.#shelves.delete(workspaceId);
    this.#shelves.set(workspaceId, shelf);
    shelf.results.set(key, rows);
    shelf.bytes += bytes;
    this.#bytes += bytes;
    while (shelf.bytes > this.#limits.bytesPerWorkspaceMax) this.#dropOldest(workspaceId);
    while (this.#bytes > this.#limits.bytesMax) {
      const [longestUnused] = this.#shelves.keys();
      if (longestUnused === undefined) break;
      this.#dropOldest(longestUnused);
    }
    return true;
  }

  #dropOldest(workspaceId: number): void {
    const [oldest] = this.#shelves.get(workspaceId)?.results.keys() ?? [];
    if (oldest !== undefined) this.#drop(workspaceId, oldest);
  }

  #drop(workspaceId: number, key: string): void {
    const shelf = this.#shelves.get(workspaceId);
    const rows = shelf?.results.get(key);
    if (shelf === undefined || rows === undefined) return;
    shelf.results.delete(key);
    shelf.bytes -= sizeOf(rows);
    this.#bytes -= sizeOf(rows);
    if (shelf.results.size === 0) this.#shelves.delete(workspaceId);
  }
}

function sizeOf(rows: CachedRows): number {
  return rows.dataJson.length + 2 * rows.version.length + ENTRY_BYTES;
}
