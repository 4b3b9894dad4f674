import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import {
  HeldBack,
  type RowCheck,
  type Statement,
  StatementBatch,
  Together,
  type ValueTypes,
} from './statement-batch.ts';

/** A connection of the driver. */
interface DriverClient extends ValueTypes {
  query(text: string, parameters: unknown[]): Promise<unknown>;
  query(batch: StatementBatch): unknown;
  /** @param isBroken the pool destroys the connection */
  release(isBroken: boolean): void;
  /** The status that the server sent last: `I` outside of a transaction, `T` inside, `E` inside one that failed; null before the first. */
  getTransactionStatus?(): string | null;
}

const NOTHING: PostgresQueryResult<never> = { command: 'SELECT', rowCount: 0, rows: [] };

/**
 * Sends statements of a transaction in fewer round trips: its BEGIN together with its first statement, those that are held back together with
 * the next one, and those of a {@link Together} at once. A transaction without a statement sends nothing.
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
  /** Statements that go out with the next one. */
  #held: HeldStatement[] = [];
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
    if (this.#hasFailed) {
      if (!isEnd) throw abortedError();
      this.#hasFailed = false;
      return NOTHING;
    }
    const [first] = parameters;
    if (first instanceof HeldBack) {
      this.#held.push({ text, parameters: first.parameters, check: first.check });
      return NOTHING;
    }
    const held = text === 'rollback' ? [] : this.#held;
    this.#held = [];
    const run = { held, text, parameters };
    if (!this.#waits) return this.#runWith(run);
    this.#waits = false;
    return isEnd && held.length === 0 ? NOTHING : this.#beginWith(run);
  }

  /** A connection whose transaction did not end leaves the pool: the next caller would work inside it. */
  release(): void {
    const status = this.#client.getTransactionStatus?.() ?? IDLE;
    this.#waits = false;
    this.#hasFailed = false;
    this.#held = [];
    this.#client.release(status !== IDLE);
  }

  async #beginWith(run: Run): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#beginning = promise;
    try {
      if (run.held.length === 0 && run.parameters.length === 0)
        return lastOf(await this.#client.query(`begin; ${run.text}`, []));
      return await this.#runWith({ ...run, held: [BEGIN, ...run.held] });
    } catch (error) {
      // The server may have begun the transaction or not: it runs nothing of a text that it cannot parse, and a cancellation can come first.
      this.#hasFailed = true;
      await this.#rollBack();
      throw error;
    } finally {
      this.#beginning = null;
      resolve();
    }
  }

  /** A text without parameters can hold several statements, which a batch cannot: those before it go first. */
  async #runWith({ held, text, parameters }: Run): Promise<unknown> {
    const [together] = parameters;
    if (together instanceof Together) {
      const results = await this.#runHeld(held, together.statements);
      const rows = results.slice(held.length).map((result) => result.rows);
      return { command: 'SELECT', rowCount: rows.length, rows };
    }
    const isOne = parameters.length > 0 || (held.length > 0 && text === 'commit');
    if (isOne) return (await this.#runHeld(held, [{ text, parameters }])).at(-1);
    if (held.length > 0) await this.#runHeld(held, []);
    return lastOf(await this.#client.query(text, parameters));
  }

  async #runHeld(
    held: readonly HeldStatement[],
    statements: readonly Statement[],
  ): Promise<readonly PostgresQueryResult<unknown>[]> {
    const batch = new StatementBatch([...held, ...statements], this.#client);
    this.#client.query(batch);
    const results = await batch.results;
    for (const [index, { check }] of held.entries()) check?.(results[index]?.rows ?? []);
    return results;
  }

  async #rollBack(): Promise<void> {
    try {
      await this.#client.query('rollback', []);
    } catch {
      // The first error tells the caller more. A transaction that is still open shows when the connection is released.
    }
  }
}

/** A statement, and those that go out before it. */
interface Run extends Statement {
  readonly parameters: unknown[];
  readonly held: readonly HeldStatement[];
}

interface HeldStatement extends Statement {
  readonly check: RowCheck | null;
}

const BEGIN: HeldStatement = { text: 'begin', parameters: [], check: null };

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
