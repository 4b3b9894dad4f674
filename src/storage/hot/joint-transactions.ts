/** Operations of one transaction: they run at a stretch, and more of them cost as much each. */
const TOGETHER_MAX = 250;

/** An operation that waits for the next transaction. */
interface WaitingStep<S> {
  readonly size: number;
  run(staged: S): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The steps of a transaction of a store. */
export interface TransactionParts<S> {
  /** Runs `work` in one transaction, and resolves when it is committed. */
  readonly transaction: (work: () => void) => Promise<void>;
  /** The changes of a transaction that has just begun. */
  readonly begin: () => S;
  /** Writes the changes. */
  readonly write: (staged: S) => void;
}

/**
 * Joins operations that come together into one transaction: a transaction costs more than what most of them write, and what several of
 * them change is written once. They run in order, and each is done whole or not at all.
 */
export class JointTransactions<S> {
  readonly #parts: TransactionParts<S>;
  #waiting: WaitingStep<S>[] = [];
  #running: Promise<void> | null = null;

  constructor(parts: TransactionParts<S>) {
    this.#parts = parts;
  }

  /**
   * Runs an operation in the next transaction, after those that came before it.
   * @param size of the operation, in single ones
   * @param run changes `staged` only. When another operation fails, it runs again, on the changes of another transaction.
   */
  change<T>(size: number, run: (staged: S) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ size, run, resolve: resolve as (result: unknown) => void, reject });
      if (this.#running === null) this.#run();
    });
  }

  /** Resolves when the operations that came before are done, or have failed. */
  async finished(): Promise<void> {
    // Their failure is known to their callers.
    if (this.#waiting.length > 0) await this.change(0, () => undefined).catch(() => undefined);
    else await this.#running;
  }

  #run(): void {
    this.#running = this.#runTogether().then(({ steps, outcome }) => {
      this.#running = null;
      if (this.#waiting.length > 0) this.#run();
      for (const [at, step] of steps.entries()) outcome(step, at);
    });
  }

  /** Never throws. */
  async #runTogether(): Promise<{
    readonly steps: readonly WaitingStep<S>[];
    readonly outcome: (step: WaitingStep<S>, at: number) => void;
  }> {
    let steps: readonly WaitingStep<S>[] = [];
    let results: readonly unknown[] | null = [];
    try {
      await this.#parts.transaction(() => {
        // Operations that have arrived by now take part.
        steps = this.#nextSteps();
        results = this.#stageAndWrite(steps);
      });
    } catch (error) {
      // It may have failed before it began.
      if (steps.length === 0) steps = this.#nextSteps();
      return { steps, outcome: (step) => step.reject(error) };
    }
    if (results !== null) return { steps, outcome: (step, at) => step.resolve(results?.[at]) };
    for (const step of steps) await this.#runAlone(step);
    return { steps: [], outcome: () => undefined };
  }

  #nextSteps(): readonly WaitingStep<S>[] {
    let size = 0;
    let count = 0;
    for (const step of this.#waiting) {
      if (count > 0 && size + step.size > TOGETHER_MAX) break;
      size += step.size;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** Null, and nothing is written, when one of several operations fails: nobody knows yet which of them can be done. */
  #stageAndWrite(steps: readonly WaitingStep<S>[]): readonly unknown[] | null {
    const staged = this.#parts.begin();
    let results: readonly unknown[];
    try {
      results = steps.map((step) => step.run(staged));
    } catch (error) {
      if (steps.length > 1) return null;
      throw error;
    }
    this.#parts.write(staged);
    return results;
  }

  async #runAlone(step: WaitingStep<S>): Promise<void> {
    let results: readonly unknown[] | null = null;
    try {
      await this.#parts.transaction(() => {
        results = this.#stageAndWrite([step]);
      });
      step.resolve((results ?? [])[0]);
    } catch (error) {
      step.reject(error);
    }
  }
}
