import type { KyselyPlugin } from 'kysely';
import type { PlacardError } from '../../domain/errors.ts';
import { QUERY_LIMITS, tooComplex } from './query-limits.ts';

/** The most statements of one request that run at once; further ones wait, so that other requests get a connection. */
const STATEMENTS_MAX = 2;

/**
 * The remaining budget of one request: rows, their text, and time. It bounds the work that the cost of a document cannot foresee. The
 * time of mutations is unbounded: an error cannot undo their writes. Their rows are bounded, because what they select may be as much as
 * what a query selects; the error undoes the field that it stops, and the fields before it took effect.
 */
export class RequestBudget {
  readonly #nowMs: () => number;
  readonly #endsAtMs: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #isMutation = false;
  #characters = 0;
  #exceeded: PlacardError | null = null;
  #rows = 0;

  /** `nowMs` is a monotonic clock. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#endsAtMs = nowMs() + QUERY_LIMITS.millisecondsMax;
  }

  /** Rows read so far. */
  get rows(): number {
    return this.#rows;
  }

  /** The first limit that was exceeded; null while there is none. */
  get exceeded(): PlacardError | null {
    return this.#exceeded;
  }

  /** Whether the request changes something. */
  get isMutation(): boolean {
    return this.#isMutation;
  }

  /** Marks the request as one that changes something. */
  beginMutation(): void {
    this.#isMutation = true;
  }

  /** @throws PlacardError `query_too_complex` when the time is used up, or a limit was passed before */
  checkTime(): void {
    if (this.#exceeded !== null) throw this.#exceeded;
    if (!this.#isMutation && this.#nowMs() > this.#endsAtMs) this.#refuse('milliseconds', QUERY_LIMITS.millisecondsMax);
  }

  /** Counts rows that were read. @throws PlacardError `query_too_complex` over a limit */
  countRows(rows: readonly unknown[]): void {
    this.#rows += rows.length;
    for (const row of rows) this.#characters += charactersIn(row);
    const rowsMax = this.#isMutation ? QUERY_LIMITS.mutationRowsMax : QUERY_LIMITS.rowsMax;
    if (this.#rows > rowsMax) this.#refuse('rows', rowsMax);
    if (this.#characters > QUERY_LIMITS.rowCharactersMax) this.#refuse('row characters', QUERY_LIMITS.rowCharactersMax);
  }

  /** Runs one read as soon as fewer than {@link STATEMENTS_MAX} others of this request run. Reads must not wait for each other. */
  async read<T>(run: () => Promise<T>): Promise<T> {
    if (this.#running >= STATEMENTS_MAX) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      this.checkTime();
      return await run();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #refuse(limit: string, max: number): never {
    this.#exceeded ??= tooComplex(limit, max);
    throw this.#exceeded;
  }
}

/** Counts the rows of every statement of a request, in and out of transactions. */
export function budgetPlugin(budget: RequestBudget): KyselyPlugin {
  return {
    transformQuery: ({ node }) => {
      budget.checkTime();
      return node;
    },
    transformResult: async ({ result }) => {
      budget.countRows(result.rows);
      return result;
    },
  };
}

/** The characters of text in a value: they make a row large. */
function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || value instanceof Date) return 0;
  let characters = 0;
  for (const member of Object.values(value)) characters += charactersIn(member);
  return characters;
}
