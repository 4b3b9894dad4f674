import { SQLSTATE, SqlError } from './wire/sql-error.ts';

/** Counts the open sessions of each database, or of each address. */
export class ConnectionCounts {
  readonly #open = new Map<string, number>();
  readonly #max: number;
  readonly #whose: string;

  /** @param whose subject of the error's sentence, such as "The database" */
  constructor(max: number, whose: string) {
    this.#max = max;
    this.#whose = whose;
  }

  /** Counts one more; the function that is returned counts it off. @throws SqlError `53300` */
  add(key: string): () => void {
    const count = this.#open.get(key) ?? 0;
    if (count >= this.#max) {
      throw new SqlError(SQLSTATE.tooManyConnections, `${this.#whose} has ${this.#max} connections already.`, {
        hint: 'Close connections, or make the pool of your tool smaller.',
      });
    }
    this.#open.set(key, count + 1);
    return () => {
      const left = (this.#open.get(key) ?? 1) - 1;
      if (left === 0) this.#open.delete(key);
      else this.#open.set(key, left);
    };
  }
}
