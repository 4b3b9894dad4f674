/** Words (of four bytes) of one record. 4,096 is a multiple of its bytes, so that no record spans two pages. */
export const RECORD_WORDS = 16;
export const RECORD_BYTES = RECORD_WORDS * 4;
/** Words of a digest. */
export const DIGEST_WORDS = 4;

/** The kind of a record: a worker handles a request; a worker takes over one whose response is lost; a log file has ended. */
export const CLAIM = 1;
export const TAKE_OVER = 2;
export const END = 3;

/** Words of a record: 0–3 digest, 4–5 time (a double), 6 request id, 7 kind, 8–9 claim, 10–11 the replaced claim, 15 check. */
const TIME_WORD = 4;
const ID_WORD = 6;
const KIND_WORD = 7;
const OWNER_WORD = 8;
const SEQUENCE_WORD = 9;
const FORMER_OWNER_WORD = 10;
const FORMER_SEQUENCE_WORD = 11;
const CHECK_WORD = 15;
const CHECK_SEED = 0x504c4243;

/** The worker that handles a request, and its number for it. A restarted worker begins at another number. */
export interface ClaimId {
  readonly owner: number;
  readonly sequence: number;
}

/** A record as fields. */
export interface ClaimRecord {
  readonly kind: number;
  /** 128 bits, one character a byte. */
  readonly digest: string;
  readonly timeMs: number;
  /** 32 bits of a keyed hash of the request's id. */
  readonly idHash: number;
  readonly claim: ClaimId;
  /** Of a take-over: the claim that it replaces. */
  readonly former: ClaimId | null;
}

/** Records in memory, as words and as bytes. */
export class RecordBuffer {
  readonly words: Uint32Array;
  readonly bytes: Buffer;
  readonly #times: Float64Array;

  /** @param count records that it holds */
  constructor(count: number) {
    const memory = new ArrayBuffer(count * RECORD_BYTES);
    this.words = new Uint32Array(memory);
    this.#times = new Float64Array(memory);
    this.bytes = Buffer.from(memory);
  }

  /** Writes the record at index `at`, with its check. */
  write(at: number, record: ClaimRecord): void {
    const { words } = this;
    const base = at * RECORD_WORDS;
    words.fill(0, base, base + RECORD_WORDS);
    for (let word = 0; word < DIGEST_WORDS; word += 1) words[base + word] = digestWord(record.digest, word);
    this.#times[(base + TIME_WORD) / 2] = record.timeMs;
    words[base + ID_WORD] = record.idHash;
    words[base + KIND_WORD] = record.kind;
    words[base + OWNER_WORD] = record.claim.owner;
    words[base + SEQUENCE_WORD] = record.claim.sequence;
    words[base + FORMER_OWNER_WORD] = record.former?.owner ?? 0;
    words[base + FORMER_SEQUENCE_WORD] = record.former?.sequence ?? 0;
    words[base + CHECK_WORD] = this.#check(base);
  }

  /** Whether there is a complete record at index `at`. */
  isWhole(at: number): boolean {
    const base = at * RECORD_WORDS;
    const kind = this.words[base + KIND_WORD] as number;
    return kind >= CLAIM && kind <= END && this.words[base + CHECK_WORD] === this.#check(base);
  }

  kind(at: number): number {
    return this.words[at * RECORD_WORDS + KIND_WORD] as number;
  }

  timeMs(at: number): number {
    return this.#times[(at * RECORD_WORDS + TIME_WORD) / 2] as number;
  }

  idHash(at: number): number {
    return this.words[at * RECORD_WORDS + ID_WORD] as number;
  }

  isClaim(at: number, owner: number, sequence: number): boolean {
    const base = at * RECORD_WORDS;
    return this.words[base + OWNER_WORD] === owner && this.words[base + SEQUENCE_WORD] === sequence;
  }

  owner(at: number): number {
    return this.words[at * RECORD_WORDS + OWNER_WORD] as number;
  }

  sequence(at: number): number {
    return this.words[at * RECORD_WORDS + SEQUENCE_WORD] as number;
  }

  formerOwner(at: number): number {
    return this.words[at * RECORD_WORDS + FORMER_OWNER_WORD] as number;
  }

  formerSequence(at: number): number {
    return this.words[at * RECORD_WORDS + FORMER_SEQUENCE_WORD] as number;
  }

  #check(base: number): number {
    let check = CHECK_SEED;
    for (let word = 0; word < CHECK_WORD; word += 1)
      check = Math.imul(check ^ (this.words[base + word] as number), 0x01000193);
    return check >>> 0;
  }
}

/** A word of a digest with one character per byte. */
export function digestWord(digest: string, word: number): number {
  const at = word * 4;
  return (
    (digest.charCodeAt(at) |
      (digest.charCodeAt(at + 1) << 8) |
      (digest.charCodeAt(at + 2) << 16) |
      (digest.charCodeAt(at + 3) << 24)) >>>
    0
  );
}
