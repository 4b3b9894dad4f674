import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';

/** A connection of the driver. */
interface DriverClient {
  query(text: string, parameters: unknown[]): Promise<unknown>;
  /** @param isBroken the pool destroys the connection */
  release(isBroken: boolean): void;
  /** The status that the server sent last: `I` outside of a transaction, `T` inside, `E` inside one that failed; null before the first. */
  getTransactionStatus?(): string | null;
}

const NOTHING: PostgresQueryResult<never> = { command: 'SELECT', rowCount: 0, rows: [] };

/**
 * Sends the BEGIN of a transaction together with its first statement when that has no parameters: one round trip less. A transaction without
 * a statement sends nothing.
 */
export function joinBegin(pool: PostgresPool): PostgresPool {
  const clients = new WeakMap<object, JoiningClient>();
  return {
    end: () => pool.end(),
    connect: async () => {
      const client = (await pool.connect()) as unknown as DriverClient;
      const known = clients.get(client) ?? new JoiningClient(client);
      clients.set(client, known);
      return known as unknown as PostgresPoolClient;
    },
  };
}

class JoiningClient {
  readonly #client: DriverClient;
  /** The caller began a transaction; the server has not been told yet. */
  #waits = false;
  /** The transaction could not begin: it runs nothing more until its end. */
  #hasFailed = false;
  /** Resolves when the BEGIN in flight worked or failed. Statements beside it wait: they could run outside of the transaction. */
  #beginning: Promise<void> | null = null;

  constructor(client: DriverClient) {
    this.#client = client;
  }

  async query(text: string, parameters: unknown[]): Promise<unknown> {
    if (this.#beginning !== null) await this.#beginning;
    if (text === 'begin') {
      this.#waits = true;
      return NOTHING;
    }
    const isEnd = text === 'commit' || text === 'rollback';
    if (this.#waits) {
      this.#waits = false;
      if (isEnd) return NOTHING;
      return this.#beginWith(text, parameters);
    }
    if (!this.#hasFailed) return lastOf(await this.#client.query(text, parameters));
    if (!isEnd) throw abortedError();
    this.#hasFailed = false;
    return NOTHING;
  }

  /** A connection whose transaction did not end leaves the pool: the next caller would work inside it. */
  release(): void {
    const status = this.#client.getTransactionStatus?.() ?? IDLE;
    this.#waits = false;
    this.#hasFailed = false;
    this.#client.release(status !== IDLE);
  }

  async #beginWith(text: string, parameters: unknown[]): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#beginning = promise;
    try {
      if (parameters.length === 0) return lastOf(await this.#client.query(`begin; ${text}`, []));
      await this.#client.query('begin', []);
    } catch (error) {
      // The server may have begun the transaction or not: it runs nothing of a text that it cannot parse, and a cancellation can come first.
      this.#hasFailed = true;
      await this.#rollBack();
      throw error;
    } finally {
      this.#beginning = null;
      resolve();
    }
    return this.#client.query(text, parameters);
  }

  async #rollBack(): Promise<void> {
    try {
      await this.#client.query('rollback', []);
    } catch {
      // The first error tells the caller more. A transaction that is still open shows when the connection is released.
    }
  }
}

/** The status of a connection outside of a transaction. */
const IDLE = 'I';

/** What PostgreSQL says to a statement of a transaction that failed. */
function abortedError(): Error {
  const message = 'current transaction is aborted, commands ignored until end of transaction block';
  return Object.assign(new Error(message), { code: '25P02' });
}

/** A text of several statements has a result for each; that of the last one counts. */
function lastOf(result: unknown): unknown {
  return Array.isArray(result) ? result.at(-1) : result;
}
