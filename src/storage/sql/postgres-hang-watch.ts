import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client, type Pool, type PoolClient } from 'pg';
import type { Log } from '../../domain/log/log.ts';

/** Dependencies of the watch over a pool. */
export interface HangWatchOptions {
  readonly pool: Pool;
  readonly url: string;
  readonly log: Log;
}

/** When a connection in use or in the making sends nothing for this time, the watch probes the server. Milliseconds. */
const SILENCE_MS = 2_000;
/**
 * How long the first byte of the server may take. Less than the pool's 10 s for a whole login is enough: the first byte of a server that
 * works takes a round trip and a fork, and the kernel repeats a lost connection request after 1 and 3 s.
 */
const PROBE_MS = 5_000;
const LOOK_EVERY_MS = 500;

/**
 * Tells a server that hangs from one that works long. While a connection of the pool is silent, the watch opens a connection of its
 * own. A server that works sends something, however long its login takes, and the silent statement continues. Where nothing comes back
 * within 5 s, statements in use fail. Until a probe succeeds, `connect` uses idle connections only, else it fails at once. So a
 * statement waits at most about 10 s for a server that hangs (2 s of silence and one probe; two probes when the server stops during
 * the first).
 */
export class HangWatch {
  readonly #options: HangWatchOptions;
  /** Connections in use, with the instant of their last sign of life. Milliseconds. */
  readonly #inUse = new Map<PoolClient, number>();
  /** Connections that are being made or waited for, with the instant of the call. */
  readonly #waiting = new Map<(error: Error) => void, number>();
  readonly #timer: NodeJS.Timeout;
  #heardAtMs = 0;
  #probing = false;
  #hangs = false;

  constructor(options: HangWatchOptions) {
    this.#options = options;
    options.pool.on('connect', (client) => this.#listen(client));
    options.pool.on('acquire', (client) => this.#inUse.set(client, performance.now()));
    options.pool.on('release', (_error, client) => this.#inUse.delete(client));
    options.pool.on('remove', (client) => this.#inUse.delete(client));
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** A connection of the pool. @throws Error with the code ETIMEDOUT while the server hangs and no connection is idle */
  async connect(): Promise<PoolClient> {
    // A server may still work for those that it has let in.
    if (this.#hangs && this.#options.pool.idleCount === 0) throw hangError();
    const { promise, reject } = Promise.withResolvers<never>();
    this.#waiting.set(reject, performance.now());
    let isGivenUp = false;
    const connecting = this.#options.pool.connect();
    connecting.then(
      (client) => isGivenUp && client.release(),
      () => undefined,
    );
    try {
      return await Promise.race([connecting, promise]);
    } catch (error) {
      isGivenUp = true;
      throw error;
    } finally {
      this.#waiting.delete(reject);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #listen(client: PoolClient): void {
    socketOf(client).on('data', () => {
      this.#heardAtMs = performance.now();
      if (this.#inUse.has(client)) this.#inUse.set(client, this.#heardAtMs);
    });
  }

  #look(): void {
    if (this.#probing) return;
    const oldest = Math.min(...this.#inUse.values(), ...this.#waiting.values());
    if (this.#hangs || performance.now() - oldest >= SILENCE_MS) void this.#probe();
  }

  async #probe(): Promise<void> {
    this.#probing = true;
    const startedAtMs = performance.now();
    try {
      const responds = (await findsLife(this.#options.url)) || this.#heardAtMs > startedAtMs;
      if (responds) this.#recordResponse();
      else this.#recordHang();
    } finally {
      this.#probing = false;
    }
  }

  #recordResponse(): void {
    if (this.#hangs) this.#options.log.event('postgres.responds_again');
    this.#hangs = false;
    const now = performance.now();
    for (const client of this.#inUse.keys()) this.#inUse.set(client, now);
    for (const fail of this.#waiting.keys()) this.#waiting.set(fail, now);
  }

  #recordHang(): void {
    if (!this.#hangs) this.#options.log.event('postgres.hangs');
    this.#hangs = true;
    for (const fail of this.#waiting.keys()) fail(hangError());
    for (const client of this.#inUse.keys()) socketOf(client).destroy(hangError());
  }
}

/** The socket under a connection, which the type definitions leave out. */
export function socketOf(client: PoolClient | Client): Socket {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;
}

/** Whether a server sends anything to a new connection, or refuses it: a refusal is a response. */
async function findsLife(url: string): Promise<boolean> {
  const client = newProbe(url);
  // A probe that cannot be built (its certificate is missing, say) tells nothing against the server.
  if (client === null) return true;
  // A connection may fail again after its first failure.
  client.on('error', () => undefined);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = socketOf(client);
  socket.once('data', () => resolve(true));
  // Data that arrived while this process was blocked is read before the verdict.
  const timer = setTimeout(
    () =>
      void nextTurn()
        .then(nextTurn)
        .then(() => resolve(false)),
    PROBE_MS,
  );
  try {
    client.connect().then(
      () => resolve(true),
      () => resolve(true),
    );
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.destroy();
    socketOf(client).destroy();
  }
}

function newProbe(url: string): Client | null {
  try {
    return new Client({ connectionString: url, application_name: 'placard-probe' });
  } catch {
    return null;
  }
}

function hangError(): Error {
  return Object.assign(new Error('PostgreSQL does not respond'), { code: 'ETIMEDOUT' });
}
