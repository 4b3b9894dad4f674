import type { BidRequest, BidResponse } from './bid-request.ts';
import { PlacardInputError } from './errors.ts';

/** Settings of the bid cache. */
export interface BidCacheSettings {
  /** Length of a bucket in milliseconds: 30,000 to 60,000. A bid lives to the end of the bucket it was asked in. */
  readonly bucketMs: number;
  /** Most responses in the cache; default 1,000. The least recently used goes first. */
  readonly entriesMax?: number;
}

const BUCKET_MS_MIN = 30_000;
const BUCKET_MS_MAX = 60_000;
const ENTRIES_MAX = 1_000;

/**
 * Caches responses by page address, user id, slots and timestamp bucket; "no bid" is a response too. Callers that ask at the
 * same time share one request. Failures are not cached.
 */
export class BidCache {
  readonly #bucketMs: number;
  readonly #entriesMax: number;
  readonly #nowMs: () => number;
  readonly #entries = new Map<string, { readonly bucket: number; readonly response: Promise<BidResponse | null> }>();

  /** @throws PlacardInputError for a bucket outside 30–60 s */
  constructor(settings: BidCacheSettings, nowMs: () => number) {
    if (!(settings.bucketMs >= BUCKET_MS_MIN && settings.bucketMs <= BUCKET_MS_MAX))
      throw new PlacardInputError(['bidCache.bucketMs must be between 30000 and 60000.']);
    this.#bucketMs = settings.bucketMs;
    this.#entriesMax = settings.entriesMax ?? ENTRIES_MAX;
    this.#nowMs = nowMs;
  }

  /** The cached response with the request's own id, or the response of `ask`. */
  async resolve(request: BidRequest, ask: () => Promise<BidResponse | null>): Promise<BidResponse | null> {
    const bucket = Math.floor(this.#nowMs() / this.#bucketMs);
    const key = cacheKey(request);
    const known = this.#entries.get(key);
    this.#entries.delete(key);
    const response = known?.bucket === bucket ? known.response : ask();
    this.#entries.set(key, { bucket, response });
    this.#evictOldest();
    try {
      const found = await response;
      return found === null ? null : { ...found, id: request.id };
    } catch (error) {
      if (this.#entries.get(key)?.response === response) this.#entries.delete(key);
      throw error;
    }
  }

  /** Responses held now. */
  get size(): number {
    return this.#entries.size;
  }

  #evictOldest(): void {
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= this.#entriesMax) return;
      this.#entries.delete(key);
    }
  }
}

/** Everything that decides the response, without the request's id; slots with other sizes are other requests. */
function cacheKey(request: BidRequest): string {
  const { id: _id, ...rest } = request;
  const ids = request.user?.ext?.ids;
  return JSON.stringify([request.site.page ?? request.site.domain, ids?.lu ?? ids?.aid ?? '', rest]);
}
