import type { BidRequest, BidResponse } from './bid-request.ts';
import { PlacardInputError } from './errors.ts';

/** How bids are kept for a moment. */
export interface BidCacheSettings {
  /** Length of a bucket in milliseconds: 30,000 to 60,000. A bid lives to the end of the bucket it was asked in. */
  readonly bucketMs: number;
  /** Answers kept at most; 1,000 unless given. The one asked for least recently goes first. */
  readonly entriesMax?: number;
}

const BUCKET_MS_MIN = 30_000;
const BUCKET_MS_MAX = 60_000;
const ENTRIES_MAX = 1_000;

/**
 * Keeps answers by page address, user id, the slots asked for, and a timestamp bucket; "no bid" is an answer too. Callers that ask at the
 * same time share one request. Failures are not kept.
 */
export class BidCache {
  readonly #bucketMs: number;
  readonly #entriesMax: number;
  readonly #nowMs: () => number;
  readonly #answers = new Map<string, { readonly bucket: number; readonly answer: Promise<BidResponse | null> }>();

  /** @throws PlacardInputError for a bucket outside 30–60 s */
  constructor(settings: BidCacheSettings, nowMs: () => number) {
    if (!(settings.bucketMs >= BUCKET_MS_MIN && settings.bucketMs <= BUCKET_MS_MAX))
      throw new PlacardInputError(['bidCache.bucketMs must be between 30000 and 60000.']);
    this.#bucketMs = settings.bucketMs;
    this.#entriesMax = settings.entriesMax ?? ENTRIES_MAX;
    this.#nowMs = nowMs;
  }

  /** The kept answer with the request's own id, or what `ask` answers now. */
  async answer(request: BidRequest, ask: () => Promise<BidResponse | null>): Promise<BidResponse | null> {
    const bucket = Math.floor(this.#nowMs() / this.#bucketMs);
    const key = cacheKey(request);
    const known = this.#answers.get(key);
    this.#answers.delete(key);
    const answer = known?.bucket === bucket ? known.answer : ask();
    this.#answers.set(key, { bucket, answer });
    this.#makeRoom();
    try {
      const found = await answer;
      return found === null ? null : { ...found, id: request.id };
    } catch (error) {
      if (this.#answers.get(key)?.answer === answer) this.#answers.delete(key);
      throw error;
    }
  }

  /** Answers held now. */
  get size(): number {
    return this.#answers.size;
  }

  #makeRoom(): void {
    for (const key of this.#answers.keys()) {
      if (this.#answers.size <= this.#entriesMax) return;
      this.#answers.delete(key);
    }
  }
}

/** Everything that decides what may be answered, but the request's id; slots with other sizes are other requests. */
function cacheKey(request: BidRequest): string {
  const { id: _id, ...rest } = request;
  const ids = request.user?.ext?.ids;
  return JSON.stringify([request.site.page ?? request.site.domain, ids?.lu ?? ids?.aid ?? '', rest]);
}
