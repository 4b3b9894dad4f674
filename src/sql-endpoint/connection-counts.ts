import { SQLSTATE, SqlError } from './wire/sql-error.ts';

/** Counts open sessions of each database. */
export class ConnectionCounts {
  readonly #open = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts one more; the function that is returned counts it off. @throws SqlError `53300` */
  add(database: string): () => void {
    const count = this.#open.get(database) ?? 0;
    if (count >= this.#max) {
      throw new SqlError(SQLSTATE.tooManyConnections, `The database has ${this.#max} connections already.`, {
        hint: 'Close connections, or make the pool of your tool smaller.',
      });
    }
    this.#open.set(database, count + 1);
    return () => {
      const left = (this.#open.get(database) ?? 1) - 1;
      if (left === 0) this.#open.delete(database);
      else this.#open.set(database, left);
    };
  }
}
