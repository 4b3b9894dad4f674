import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from '../../domain/log/log.ts';
import { withJitter } from '../../domain/time/jitter.ts';

/** Something in the management database changed. `workspaceId` 0: it belongs to a network as a whole. */
export interface ChangeNotice {
  readonly workspaceId: number;
  /** Such as `lineItem` or `apiKey`. */
  readonly kind: string;
  /** Decimal text. */
  readonly id: string;
}

export interface ChangeFeedOptions {
  readonly url: string;
  /** `placard_change` unless a test says otherwise. */
  readonly channel: string;
  /** The changes that arrived within 5 ms, in order; at most 10_000. */
  readonly onChange: (batch: readonly ChangeNotice[]) => void;
  /** Notices may have been missed: read everything again. Called after every connect, the first one included. */
  readonly onReconnect: () => void;
  /** The connection is lost; `onReconnect` follows when there is another one. */
  readonly onLost?: () => void;
  readonly log: Log;
}

export interface ChangeFeed {
  close(): Promise<void>;
}

const batchWaitMs = 5;
const batchMax = 10_000;
const connectTimeoutMs = 5_000;
/** A connection that is dead without saying so is found out after at most the sum of the two. */
const heartbeatEveryMs = 5_000;
const heartbeatTimeoutMs = 5_000;
const backOffFirstMs = 100;
const backOffMaxMs = 5_000;

/**
 * Listens for change notices on a connection of its own and reconnects for ever, with back-off. Resolves after the first try to
 * connect, whether it succeeded or not: delivery starts without a database, too.
 */
export async function openChangeFeed(options: ChangeFeedOptions): Promise<ChangeFeed> {
  const feed = new Feed(options);
  await feed.firstTry;
  return { close: () => feed.close() };
}

class Feed {
  readonly firstTry: Promise<void>;
  readonly #options: ChangeFeedOptions;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #batch: ChangeNotice[] = [];
  #batchTimer: NodeJS.Timeout | null = null;
  #mustReread = false;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
    const first = Promise.withResolvers<void>();
    this.firstTry = first.promise;
    this.#running = this.#run(first.resolve);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    if (this.#batchTimer !== null) clearTimeout(this.#batchTimer);
  }

  async #run(tried: () => void): Promise<void> {
    const { signal } = this.#stop;
    let failures = 0;
    while (!signal.aborted) {
      try {
        await this.#listen(() => {
          failures = 0;
          tried();
        });
      } catch (error) {
        if (!signal.aborted) this.#options.log.event('change_feed.connection_lost', { err: error });
        this.#options.onLost?.();
      }
      tried();
      // Not all processes at once: each of them reads everything after it.
      const waitMs = withJitter(Math.min(backOffMaxMs, backOffFirstMs * 2 ** Math.min(failures, 10)));
      failures += 1;
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Returns when closed; throws when the connection breaks. */
  async #listen(onListening: () => void): Promise<void> {
    const { url, channel } = this.#options;
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: heartbeatTimeoutMs,
      keepAlive: true,
      application_name: 'placard change feed',
    });
    const broken = Promise.withResolvers<never>();
    broken.promise.catch(() => undefined);
    client.on('error', broken.reject);
    client.on('end', () => broken.reject(new Error('the server ended the connection')));
    client.on('notification', ({ payload }) => this.#enqueue(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
      onListening();
      this.#requestReread();
      await Promise.race([broken.promise, this.#beat(client)]);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async #beat(client: Client): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await sleep(heartbeatEveryMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await client.query('SELECT 1');
    }
  }

  #enqueue(payload: string | undefined): void {
    const notice = parseNotice(payload);
    if (notice === null || this.#batch.length >= batchMax) this.#requestReread();
    else this.#batch.push(notice);
    this.#schedule();
  }

  /** Everything is to be read again, so single notices before it are of no use. */
  #requestReread(): void {
    this.#mustReread = true;
    this.#batch = [];
    this.#schedule();
  }

  #schedule(): void {
    this.#batchTimer ??= setTimeout(() => this.#deliver(), batchWaitMs);
  }

  #deliver(): void {
    this.#batchTimer = null;
    const batch = this.#batch;
    const mustReread = this.#mustReread;
    this.#batch = [];
    this.#mustReread = false;
    try {
      if (mustReread) this.#options.onReconnect();
      if (batch.length > 0) this.#options.onChange(batch);
    } catch (error) {
      this.#options.log.event('change_feed.listener_failed', { err: error });
    }
  }
}

function parseNotice(payload: string | undefined): ChangeNotice | null {
  let value: unknown;
  try {
    value = JSON.parse(payload ?? '');
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { workspaceId, kind, id } = value as Partial<Record<keyof ChangeNotice, unknown>>;
  if (!Number.isSafeInteger(workspaceId) || typeof kind !== 'string') return null;
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  return { workspaceId: workspaceId as number, kind, id: String(id) };
}
