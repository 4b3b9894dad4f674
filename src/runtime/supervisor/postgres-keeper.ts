import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../domain/log/log.ts';
import { type RestartLimits, RestartPolicy } from './restart-policy.ts';

/** The addresses of the built-in PostgreSQL for each of its two roles. */
export interface PostgresUrls {
  /** As the service's role. */
  readonly url: string;
  /** As the owner of the tables. */
  readonly ownerUrl: string;
}

/** A PostgreSQL server that runs as a child of this process. */
export interface RunningPostgres extends PostgresUrls {
  readonly pid: number;
  /** Resolves with the exit code when the server has ended for any reason. */
  readonly exited: Promise<number | null>;
  /** Fast shutdown; resolves when the server has ended. */
  stop(): Promise<void>;
}

/** Starts a PostgreSQL in a data folder, making it on first use. */
export type PostgresStarter = (options: { readonly dataDir: string; readonly log: Log }) => Promise<RunningPostgres>;

export interface PostgresKeeperOptions {
  readonly dataDir: string;
  readonly start: PostgresStarter;
  readonly limits: RestartLimits;
  readonly log: Log;
  readonly onProcessesChanged: () => void;
  /** The server was started again, possibly at another address. */
  readonly onRestarted: (urls: PostgresUrls) => void;
}

/** Waits between tries of a first start, in milliseconds. */
const START_RETRY_MS = 1_000;
const START_RETRY_MS_MAX = 30_000;

/** Keeps the built-in PostgreSQL running: starts it again when it ends by itself, with back-off. */
export class PostgresKeeper {
  readonly #options: PostgresKeeperOptions;
  readonly #policy: RestartPolicy;
  readonly #stop = new AbortController();
  #server: RunningPostgres | null = null;
  #starting: Promise<RunningPostgres> | null = null;
  #watching: Promise<void> = Promise.resolve();

  constructor(options: PostgresKeeperOptions) {
    this.#options = options;
    this.#policy = new RestartPolicy(options.limits);
  }

  /** The postmaster's pid; null while it does not run. */
  get pid(): number | null {
    return this.#server?.pid ?? null;
  }

  /**
   * Starts the server; resolves with its addresses.
   * @param isRetried a start that fails is tried again until it succeeds or the keeper is stopped, because ads are served meanwhile
   */
  async start(isRetried = false): Promise<PostgresUrls> {
    let startedAtMs = performance.now();
    let server = isRetried ? await this.#tryStart() : await this.#startServer();
    for (let delayMs = START_RETRY_MS; server === null; delayMs = Math.min(delayMs * 2, START_RETRY_MS_MAX)) {
      await sleep(delayMs, undefined, { signal: this.#stop.signal });
      startedAtMs = performance.now();
      server = await this.#tryStart();
    }
    this.#watching = this.#watch(server, startedAtMs);
    return server;
  }

  /** Stops the server, killing it after `timeoutMs`. Waits for a start under way. */
  async stop(timeoutMs: number): Promise<void> {
    this.#stop.abort();
    await this.#starting?.catch(() => undefined);
    const server = this.#server;
    if (server !== null) {
      const killTimer = setTimeout(() => {
        this.#options.log.event('postgres.killed', { timeoutMs });
        process.kill(server.pid, 'SIGKILL');
      }, timeoutMs);
      await Promise.allSettled([server.stop(), server.exited]);
      clearTimeout(killTimer);
    }
    await this.#watching;
  }

  async #startServer(): Promise<RunningPostgres> {
    const { dataDir, log, start } = this.#options;
    this.#starting = start({ dataDir, log });
    this.#server = await this.#starting;
    this.#options.onProcessesChanged();
    return this.#server;
  }

  async #watch(first: RunningPostgres, firstStartedAtMs: number): Promise<void> {
    let server: RunningPostgres | null = first;
    let startedAtMs = firstStartedAtMs;
    while (!this.#stop.signal.aborted) {
      const how = server === null ? 'it did not start' : `exit code ${await server.exited}`;
      this.#server = null;
      this.#options.onProcessesChanged();
      if (this.#stop.signal.aborted) return;
      // It was ready once, so it is never given up.
      const delayMs =
        this.#policy.recordCrash(startedAtMs, performance.now(), { wasReady: true, wasEverReady: true }) ?? 0;
      this.#options.log.event('postgres.restarted', { how, delayMs });
      await sleep(delayMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      if (this.#stop.signal.aborted) return;
      startedAtMs = performance.now();
      server = await this.#restart();
    }
  }

  async #restart(): Promise<RunningPostgres | null> {
    const server = await this.#tryStart();
    if (server !== null) this.#options.onRestarted(server);
    return server;
  }

  /** Null when it cannot be started. */
  async #tryStart(): Promise<RunningPostgres | null> {
    try {
      return await this.#startServer();
    } catch (error) {
      this.#options.log.event('postgres.start_failed', { err: error });
      return null;
    }
  }
}
