import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';

/** A connection of the driver. */
interface DriverClient {
  query(text: string, parameters: unknown[]): Promise<unknown>;
  release(): void;
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

  constructor(client: DriverClient) {
    this.#client = client;
  }

  async query(text: string, parameters: unknown[]): Promise<unknown> {
    if (text === 'begin') {
      this.#waits = true;
      return NOTHING;
    }
    if (!this.#waits) return lastOf(await this.#client.query(text, parameters));
    this.#waits = false;
    if (text === 'commit' || text === 'rollback') return NOTHING;
    if (parameters.length === 0) return this.#beginWith(text);
    await this.#client.query('begin', []);
    return this.#client.query(text, parameters);
  }

  release(): void {
    this.#waits = false;
    this.#client.release();
  }

  async #beginWith(text: string): Promise<unknown> {
    try {
      return lastOf(await this.#client.query(`begin; ${text}`, []));
    } catch (error) {
      // The server ran nothing of a text with a syntax error, so the BEGIN goes out with the next statement.
      if ((error as { readonly code?: unknown }).code === SYNTAX_ERROR) this.#waits = true;
      throw error;
    }
  }
}

const SYNTAX_ERROR = '42601';

/** A text of several statements has a result for each; that of the last one counts. */
function lastOf(result: unknown): unknown {
  return Array.isArray(result) ? result.at(-1) : result;
}
