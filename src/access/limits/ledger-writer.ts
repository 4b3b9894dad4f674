import type { CounterIncrement } from '../../storage/hot/hot-store.ts';
import type { Later } from '../../domain/time/time-limit.ts';

const RESEND_FIRST_MS = 100;
const RESEND_MAX_MS = 1_000;
/** With this many attempts open, the store hangs: retries become rare. */
const ATTEMPTS_OPEN_MAX = 3;
const RESEND_HANGING_MS = 5_000;

interface WriterDeps {
  readonly ttlMs: number;
  readonly timeoutMs: number;
  readonly later: Later;
  send(number: number, increments: readonly CounterIncrement[]): Promise<readonly bigint[] | null>;
  recordSuccess(): void;
  recordFailure(error: unknown): void;
}

/**
 * Adds to the ledger for one quota: each addition once, however often it has to be sent until the hot store responds. One addition
 * at a time. An addition that gets no response for the writer's whole time to live is given up.
 */
export class LedgerWriter {
  readonly name: string;
  readonly #deps: WriterDeps;
  #number = 0;
  #pending: Addition | null = null;
  #closed = false;

  constructor(name: string, deps: WriterDeps) {
    this.name = name;
    this.#deps = deps;
  }

  /** The number of the addition under way, or of the last one. */
  get number(): number {
    return this.#number;
  }

  /** Whether an addition is under way. */
  get isPending(): boolean {
    return this.#pending !== null;
  }

  /** Whether the store refused an attempt at the addition under way: it is down, and not only slow. */
  get hasFailed(): boolean {
    return this.#pending?.hasFailed === true;
  }

  /**
   * Adds, and resolves with the new values in order once the store has confirmed them, however late; null when the addition was given up.
   * @throws Error when an addition is under way
   */
  add(increments: readonly CounterIncrement[]): Promise<readonly number[] | null> {
    if (this.#pending !== null) throw new Error('An addition of this writer is under way');
    if (this.#closed) return Promise.resolve(null);
    this.#number += 1;
    const addition = new Addition(this.#deps, this.#number, increments);
    this.#pending = addition;
    return addition.outcome.finally(() => {
      this.#pending = null;
    });
  }

  /** Stops sending again; an addition under way is given up. */
  close(): void {
    this.#closed = true;
    this.#pending?.abandon();
  }
}

/** One addition, sent again until one of its attempts gets a response. */
class Addition {
  readonly #deps: WriterDeps;
  readonly #number: number;
  readonly #increments: readonly CounterIncrement[];
  readonly #outcome = Promise.withResolvers<readonly number[] | null>();
  readonly #cancelEnd: () => void;
  #cancelResend: (() => void) | null = null;
  #open = 0;
  #attempts = 0;
  #isDone = false;
  hasFailed = false;

  constructor(deps: WriterDeps, number: number, increments: readonly CounterIncrement[]) {
    this.#deps = deps;
    this.#number = number;
    this.#increments = increments;
    this.#cancelEnd = deps.later(deps.ttlMs, () => this.abandon());
    this.#attempt();
  }

  get outcome(): Promise<readonly number[] | null> {
    return this.#outcome.promise;
  }

  abandon(): void {
    this.#finish(null);
  }

  #attempt(): void {
    this.#attempts += 1;
    this.#open += 1;
    const cancelTimeout = this.#deps.later(this.#deps.timeoutMs, () => {
      if (this.#isDone) return;
      this.#deps.recordFailure(new Error(`no response within ${this.#deps.timeoutMs} ms`));
      this.#resendSoon();
    });
    this.#deps.send(this.#number, this.#increments).then(
      (values) => {
        cancelTimeout();
        this.#open -= 1;
        if (this.#isDone) return;
        this.#deps.recordSuccess();
        this.#finish(values === null ? null : values.map(Number));
      },
      (error: unknown) => {
        cancelTimeout();
        this.#open -= 1;
        if (this.#isDone) return;
        this.hasFailed = true;
        this.#deps.recordFailure(error);
        this.#resendSoon();
      },
    );
  }

  #resendSoon(): void {
    if (this.#cancelResend !== null) return;
    const backOffMs = Math.min(RESEND_MAX_MS, RESEND_FIRST_MS * 2 ** Math.min(this.#attempts - 1, 10));
    const delayMs = this.#open >= ATTEMPTS_OPEN_MAX ? RESEND_HANGING_MS : backOffMs;
    this.#cancelResend = this.#deps.later(delayMs, () => {
      this.#cancelResend = null;
      if (!this.#isDone) this.#attempt();
    });
  }

  #finish(values: readonly number[] | null): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#cancelEnd();
    this.#cancelResend?.();
    this.#outcome.resolve(values);
  }
}
