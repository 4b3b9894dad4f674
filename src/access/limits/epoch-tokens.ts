import type { CounterIncrement } from '../../storage/hot/hot-store.ts';

/** The units of a limit, and how many processes share it. */
export interface TokenBounds {
  readonly limit: number;
  readonly processes: number;
}

/** A part of one addition to the ledger; `apply` takes the new values in the order of the increments. */
export interface EpochPart {
  readonly increments: readonly CounterIncrement[];
  apply(values: readonly number[]): void;
}

/** The tokens guaranteed to every process. */
export function partOf({ limit, processes }: TokenBounds): number {
  return Math.floor(limit / processes);
}

/**
 * The tokens that one process may use in one epoch. The ledger has three counters an epoch: tokens taken, processes that registered for it
 * ahead, and those of them that have joined with a part that is kept.
 *
 * A process registers before anybody takes tokens of the epoch. From then on its part of the limit is kept for it until it joins:
 * the others take only what is left beside the parts of registered processes that have not joined. So a process may use its part
 * without a response of the ledger. It joins with the tokens of its part that it needs; the others may then use the rest.
 *
 * No part is kept for a process that registers as one more than may exist, or when too little of the limit is left. It ends its
 * registration when it joins, and never counts as one that has joined: that would free the part of another one.
 */
export class EpochTokens {
  readonly #keys: readonly [taken: string, registered: string, joined: string];
  readonly #ttlMs: number;
  #isRegistered = false;
  /** Whether the ledger has confirmed the registration, and counts it. */
  #isCounted = false;
  #isKept = false;
  #hasJoined = false;
  #held = 0;
  #owed = 0;
  #taken = 0;
  #free: number | null = null;

  /** @param name of the epoch's counters in the ledger; `ttlMs`: how long they are needed */
  constructor(name: string, ttlMs: number) {
    this.#keys = [`${name}/taken`, `${name}/registered`, `${name}/joined`];
    this.#ttlMs = ttlMs;
  }

  get isRegistered(): boolean {
    return this.#isRegistered;
  }

  /** Whether its part is kept for this process, which may use it without a response of the ledger. */
  get isKept(): boolean {
    return this.#isKept;
  }

  get hasJoined(): boolean {
    return this.#hasJoined;
  }

  /** Tokens taken beyond what was free: they go back with the next addition. */
  get owed(): number {
    return this.#owed;
  }

  /** Tokens that all processes held, as of the last response. */
  get taken(): number {
    return this.#taken;
  }

  /** Tokens that were free as of the last response; null before the first. */
  get free(): number | null {
    return this.#free;
  }

  /** Tokens that this process may use. */
  usable(bounds: TokenBounds): number {
    if (this.#hasJoined) return Math.min(this.#held, bounds.limit);
    return this.#isKept ? partOf(bounds) : 0;
  }

  /** Registers for a later epoch. The part is kept only when it is left, and no more registered than may exist. */
  register(bounds: TokenBounds): EpochPart {
    this.#isRegistered = true;
    return this.#part([0, 1, 0], ([taken = 0, registered = 0, joined = 0]) => {
      this.#isCounted = true;
      this.#isKept = registered <= bounds.processes && taken <= bounds.limit - (registered - joined) * partOf(bounds);
    });
  }

  /** Joins with some tokens. Those of a part that is kept are held at once, the others when the ledger confirms them. */
  join(tokens: number, bounds: TokenBounds): EpochPart {
    const kept = this.#isKept ? Math.min(tokens, partOf(bounds)) : 0;
    const counters = this.#isKept ? [tokens, 0, 1] : [tokens, this.#isCounted ? -1 : 0, 0];
    this.#isRegistered = true;
    this.#hasJoined = true;
    this.#held = kept;
    return this.#part(counters, (values) => this.#confirm(values, tokens - kept, bounds));
  }

  /** Takes more tokens, or (negative) gives some back; what is owed goes back too. */
  change(tokens: number, bounds: TokenBounds): EpochPart {
    const by = tokens - this.#owed;
    this.#owed = 0;
    if (tokens < 0) this.#held += tokens;
    return this.#part([by, 0, 0], (values) => this.#confirm(values, Math.max(0, tokens), bounds));
  }

  /** Ends this process's claims and returns `tokens` of those that it holds. */
  leave(tokens: number): EpochPart {
    const unregistered = this.#isCounted && !this.#hasJoined ? -1 : 0;
    this.#isKept = false;
    this.#held -= tokens;
    return this.#part([-tokens, unregistered, 0], () => undefined);
  }

  #confirm([taken = 0, registered = 0, joined = 0]: readonly number[], asked: number, bounds: TokenBounds): void {
    const missing = Math.max(0, Math.min(registered, bounds.processes) - joined);
    const open = bounds.limit - missing * partOf(bounds);
    const excess = Math.min(asked, Math.max(0, taken - open));
    this.#held += asked - excess;
    this.#owed += excess;
    this.#taken = taken - excess;
    this.#free = Math.max(0, open - this.#taken);
  }

  #part(by: readonly number[], apply: (values: readonly number[]) => void): EpochPart {
    const increments = this.#keys.map((key, index) => ({ key, by: BigInt(by[index] ?? 0), ttlMs: this.#ttlMs }));
    return { increments, apply };
  }
}
