import { DIGEST_WORDS, RECORD_WORDS, TAKE_OVER } from './claim-record.ts';
import type { ClaimId, RecordBuffer } from './claim-record.ts';

/** A request that repeats within this time is a retry (conformance B14). */
export const RETRY_WINDOW_MS = 10_000;
const NONE = -1;

/**
 * The claims of the last ten seconds, at most `capacity` (a power of two): the oldest are dropped. The content depends on the records
 * alone, so workers that apply the same records in the same order agree on the owner of a request. It uses typed arrays, because objects
 * that live for seconds are the most expensive for the garbage collector.
 */
export class ClaimTable {
  readonly #capacity: number;
  readonly #digests: Uint32Array;
  readonly #timesMs: Float64Array;
  readonly #owners: Uint32Array;
  readonly #sequences: Uint32Array;
  /** The positions of our own claims' replies in the kept replies; NaN = none. */
  readonly #replies: Float64Array;
  /** The next index with the same bucket. */
  readonly #next: Int32Array;
  readonly #buckets: Int32Array;
  #nextEntry = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#digests = new Uint32Array(capacity * DIGEST_WORDS);
    this.#timesMs = new Float64Array(capacity);
    this.#owners = new Uint32Array(capacity);
    this.#sequences = new Uint32Array(capacity);
    this.#replies = new Float64Array(capacity).fill(Number.NaN);
    this.#next = new Int32Array(capacity).fill(NONE);
    this.#buckets = new Int32Array(capacity).fill(NONE);
  }

  /** Applies the record at index `at` of the buffer; returns the index of the claim that is then valid for its digest. */
  apply(records: RecordBuffer, at: number): number {
    const base = at * RECORD_WORDS;
    const timeMs = records.timeMs(at);
    const entry = this.find(records.words, base);
    if (entry !== NONE && Math.abs(timeMs - (this.#timesMs[entry] as number)) < RETRY_WINDOW_MS) {
      const takesOver =
        records.kind(at) === TAKE_OVER &&
        this.isClaim(entry, { owner: records.formerOwner(at), sequence: records.formerSequence(at) });
      if (!takesOver) return entry;
    }
    if (entry !== NONE) this.#unlink(entry);
    return this.#insert(records, at, timeMs);
  }

  /** The index of a digest's claim of any age; -1 = there is none. @param base of its first word in `words` */
  find(words: Uint32Array, base: number): number {
    for (let entry = this.#buckets[this.#bucketOf(words, base)] as number; entry !== NONE; ) {
      const own = entry * DIGEST_WORDS;
      if (
        this.#digests[own] === words[base] &&
        this.#digests[own + 1] === words[base + 1] &&
        this.#digests[own + 2] === words[base + 2] &&
        this.#digests[own + 3] === words[base + 3]
      )
        return entry;
      entry = this.#next[entry] as number;
    }
    return NONE;
  }

  isClaim(entry: number, claim: ClaimId): boolean {
    return this.#owners[entry] === claim.owner && this.#sequences[entry] === claim.sequence;
  }

  claimAt(entry: number): ClaimId {
    return { owner: this.#owners[entry] as number, sequence: this.#sequences[entry] as number };
  }

  /** Records where the reply of a claim is stored. */
  setReply(entry: number, position: number): void {
    this.#replies[entry] = position;
  }

  /** Where the reply of a claim is stored; NaN = not in this process. */
  replyAt(entry: number): number {
    return this.#replies[entry] as number;
  }

  #insert(records: RecordBuffer, at: number, timeMs: number): number {
    const entry = this.#nextEntry;
    this.#nextEntry = (entry + 1) & (this.#capacity - 1);
    if ((this.#timesMs[entry] as number) > 0) this.#unlink(entry);
    const base = at * RECORD_WORDS;
    for (let word = 0; word < DIGEST_WORDS; word += 1)
      this.#digests[entry * DIGEST_WORDS + word] = records.words[base + word] as number;
    this.#timesMs[entry] = timeMs;
    this.#owners[entry] = records.owner(at);
    this.#sequences[entry] = records.sequence(at);
    this.#replies[entry] = Number.NaN;
    const bucket = this.#bucketOf(records.words, base);
    this.#next[entry] = this.#buckets[bucket] as number;
    this.#buckets[bucket] = entry;
    return entry;
  }

  #unlink(entry: number): void {
    const bucket = this.#bucketOf(this.#digests, entry * DIGEST_WORDS);
    const next = this.#next[entry] as number;
    this.#timesMs[entry] = 0;
    this.#next[entry] = NONE;
    if (this.#buckets[bucket] === entry) {
      this.#buckets[bucket] = next;
      return;
    }
    let before = this.#buckets[bucket] as number;
    while (before !== NONE && this.#next[before] !== entry) before = this.#next[before] as number;
    if (before !== NONE) this.#next[before] = next;
  }

  /** Digests are keyed, so that callers cannot choose their bucket. */
  #bucketOf(words: Uint32Array, base: number): number {
    return (words[base] as number) & (this.#capacity - 1);
  }
}
