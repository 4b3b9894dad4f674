import { createHash } from 'node:crypto';
import { Turns } from '../../domain/time/turns.ts';
import type { SqlModel } from '../translate/sql-model.ts';
import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import { catalogStatements } from './catalog-tables.sql.ts';
import { CatalogThread, untilMade } from './catalog-thread.ts';

/** Threads at a time. The first has about 350 MB, the next 200 MB. */
const THREADS_MAX = 2;
/** A thread ends when nobody has asked it for so long. */
const IDLE_MS = 300_000;
const SWEEP_MS = 30_000;
/** Statements of one network that run or wait. */
const STATEMENTS_MAX = 20;

/** Who asks for a catalog. */
export interface CatalogCaller {
  readonly database: string;
  readonly model: SqlModel;
}

/**
 * Catalogs of callers: `pg_catalog` and `information_schema`, read from an embedded PostgreSQL for each network that asks. No thread ever holds anything of
 * two networks.
 */
export class Catalogs {
  readonly #threads = new Map<string, CatalogThread>();
  readonly #nowMs: () => number;
  readonly #turns = new Turns<string>();
  #image: Uint8Array | null = null;
  #preparing: CatalogThread | null = null;
  #sweeping: NodeJS.Timeout | null = null;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Runs messages of one statement on the catalog of a caller; the response as PostgreSQL wrote it. Statements of one network take turns, so
   * that it never keeps more than one thread from others.
   * @throws SqlError
   */
  async run(caller: CatalogCaller, request: Buffer): Promise<Buffer> {
    const network = caller.database.replace(/_staging$/, '');
    if (this.#turns.countOf(network) >= STATEMENTS_MAX) throw busy();
    return this.#turns.run(network, async () => this.#runNow(caller, request));
  }

  async #runNow(caller: CatalogCaller, request: Buffer): Promise<Buffer> {
    const statements = catalogStatements(caller.model, caller.database);
    const key = `${caller.database} ${createHash('sha256').update(statements).digest('base64url')}`;
    const thread = this.#threads.get(key) ?? (await this.#start(key, statements));
    thread.lastUsedMs = this.#nowMs();
    try {
      return await thread.run(request);
    } finally {
      if (thread.hasEnded && this.#threads.get(key) === thread) this.#threads.delete(key);
    }
  }

  /** Makes the image from which later catalogs start within a fraction of a second. Statements need not wait for it. */
  prepare(): void {
    if (this.#image !== null || this.#preparing !== null) return;
    const store = (image: Uint8Array): void => {
      this.#image ??= image;
      void thread.end();
    };
    const thread = new CatalogThread({ image: null, statements: '' }, store, this.#nowMs());
    this.#preparing = thread;
    void thread.ended.then(() => {
      this.#preparing = null;
    });
  }

  /** Ends every thread. */
  async stop(): Promise<void> {
    if (this.#sweeping !== null) clearInterval(this.#sweeping);
    await this.#preparing?.end();
    await Promise.all([...this.#threads.values()].map((thread) => thread.end()));
    this.#threads.clear();
  }

  /** Starts a thread, in place of the one that was idle for longest where there are too many. */
  async #start(key: string, statements: string): Promise<CatalogThread> {
    // Making an image of its own would take as long, and twice the memory.
    if (this.#image === null && this.#preparing !== null) await untilMade(this.#preparing.ended);
    if (this.#threads.size >= THREADS_MAX) {
      const idle = [...this.#threads].filter(([, thread]) => thread.isIdle);
      const oldest = idle.toSorted(([, a], [, b]) => a.lastUsedMs - b.lastUsedMs)[0];
      if (oldest === undefined) throw busy();
      this.#threads.delete(oldest[0]);
      void oldest[1].end();
    }
    const thread = new CatalogThread(
      { image: this.#image, statements },
      (image) => {
        this.#image ??= image;
      },
      this.#nowMs(),
    );
    this.#threads.set(key, thread);
    this.#sweeping ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    return thread;
  }

  #sweep(): void {
    for (const [key, thread] of this.#threads) {
      if (!thread.hasEnded && (!thread.isIdle || this.#nowMs() - thread.lastUsedMs < IDLE_MS)) continue;
      this.#threads.delete(key);
      void thread.end();
    }
  }
}

function busy(): SqlError {
  return new SqlError(SQLSTATE.insufficientResources, 'Too many catalog queries run at a time.', {
    hint: 'Try again shortly.',
  });
}
