import type { RequestIdentity } from './request-identity.ts';

/** A request that repeats within this time is a retry (conformance B14). */
export const RETRY_WINDOW_MS = 10_000;
const DIGEST_WORDS = 4;
const NONE = -1;

/**
 * The latest requests, at most `capacity` (a power of two): new ones replace the oldest. It uses typed arrays, because objects that live for
 * seconds are the most expensive for the garbage collector.
 */
export class RecentRequests {
  readonly #capacity: number;
  readonly #digests: Uint32Array;
  readonly #timesMs: Float64Array;
  /** The positions of the replies in the kept replies; NaN = none. */
  readonly #replies: Float64Array;
  /** The next index with the same bucket. */
  readonly #next: Int32Array;
  readonly #buckets: Int32Array;
  #nextEntry = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#digests = new Uint32Array(capacity * DIGEST_WORDS);
    this.#timesMs = new Float64Array(capacity);
    this.#replies = new Float64Array(capacity).fill(Number.NaN);
    this.#next = new Int32Array(capacity).fill(NONE);
    this.#buckets = new Int32Array(capacity).fill(NONE);
  }

  /** The index of this request within the window; null = it is new. */
  find({ digest }: RequestIdentity, nowMs: number): number | null {
    for (let entry = this.#buckets[this.#bucketOf(digest, 0)] as number; entry !== NONE; ) {
      if (this.#isDigest(entry, digest))
        return Math.abs(nowMs - (this.#timesMs[entry] as number)) < RETRY_WINDOW_MS ? entry : null;
      entry = this.#next[entry] as number;
    }
    return null;
  }

  /** Remembers a request without a reply, and returns its index. A later one with the same digest hides an earlier one. */
  add({ digest }: RequestIdentity, nowMs: number): number {
    const entry = this.#nextEntry;
    this.#nextEntry = (entry + 1) & (this.#capacity - 1);
    if ((this.#timesMs[entry] as number) > 0) this.#unlink(entry);
    this.#digests.set(digest, entry * DIGEST_WORDS);
    this.#timesMs[entry] = nowMs;
    this.#replies[entry] = Number.NaN;
    const bucket = this.#bucketOf(digest, 0);
    this.#next[entry] = this.#buckets[bucket] as number;
    this.#buckets[bucket] = entry;
    return entry;
  }

  /** Records where the reply of a request is kept, unless another request has its index by now. */
  setReply(entry: number, { digest }: RequestIdentity, position: number): void {
    if (this.#isDigest(entry, digest)) this.#replies[entry] = position;
  }

  /** Where the reply is kept; NaN = there is none. */
  replyAt(entry: number): number {
    return this.#replies[entry] as number;
  }

  #isDigest(entry: number, digest: Uint32Array): boolean {
    const own = entry * DIGEST_WORDS;
    return (
      this.#digests[own] === digest[0] &&
      this.#digests[own + 1] === digest[1] &&
      this.#digests[own + 2] === digest[2] &&
      this.#digests[own + 3] === digest[3]
    );
  }

  #unlink(entry: number): void {
    const bucket = this.#bucketOf(this.#digests, entry * DIGEST_WORDS);
    const next = this.#next[entry] as number;
    if (this.#buckets[bucket] === entry) {
      this.#buckets[bucket] = next;
      return;
    }
    let before = this.#buckets[bucket] as number;
    while (before !== NONE && this.#next[before] !== entry) before = this.#next[before] as number;
    if (before !== NONE) this.#next[before] = next;
  }

  /** Digests are keyed, so that callers cannot choose their bucket. */
  #bucketOf(words: Uint32Array, at: number): number {
    return (words[at] as number) & (this.#capacity - 1);
  }
}
