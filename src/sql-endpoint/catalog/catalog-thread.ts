import { Worker } from 'node:worker_threads';
import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import type { CatalogJob, CatalogStart, CatalogWorkerMessage } from './catalog-messages.ts';

/** How long one statement waits for its thread to start, milliseconds. The start goes on: a later statement finds the thread ready. */
const START_WAIT_MS = 30_000;
/** How long one catalog statement may run, milliseconds. */
const STATEMENT_MS = 5_000;
/** Bytes of one result. */
const RESPONSE_BYTES_MAX = 16 * 1024 * 1024;

/** A thread with the catalog of one caller. It runs one statement at a time and is ended by one that runs too long. */
export class CatalogThread {
  readonly #worker: Worker;
  readonly #started: Promise<void>;
  readonly #ended = Promise.withResolvers<void>();
  #pending: PromiseWithResolvers<Uint8Array | null> | null = null;
  #hasEnded = false;
  #isIdle = true;
  lastUsedMs: number;

  constructor(start: CatalogStart, onImage: (image: Uint8Array) => void, nowMs: number) {
    this.lastUsedMs = nowMs;
    this.#worker = new Worker(new URL('./catalog-worker.ts', import.meta.url), { workerData: start, env: {} });
    const ready = Promise.withResolvers<void>();
    this.#worker.on('message', (message: CatalogWorkerMessage) => {
      if (message.kind === 'image') onImage(message.image);
      else if (message.kind === 'ready') ready.resolve();
      else if (message.kind === 'response') this.#pending?.resolve(message.response);
      else this.#pending?.reject(new Error(message.text));
    });
    const fail = (error: Error): void => {
      this.#hasEnded = true;
      this.#ended.resolve();
      ready.reject(error);
      this.#pending?.reject(error);
    };
    this.#worker.on('error', fail);
    this.#worker.on('exit', () => fail(tooLate('The catalog stopped')));
    this.#started = ready.promise;
    // The next statement learns of it; until then nobody listens.
    this.#started.catch(() => void this.end());
  }

  /** Nothing runs here. */
  get isIdle(): boolean {
    return this.#isIdle;
  }

  /** Resolves when the thread has ended, for whatever reason. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Runs messages of one statement. Call it again only after its promise has resolved or rejected. @throws SqlError when it runs too long, or gives too much */
  async run(request: Buffer): Promise<Buffer> {
    this.#isIdle = false;
    try {
      return await this.#runNow(request);
    } finally {
      this.#isIdle = true;
    }
  }

  async #runNow(request: Buffer): Promise<Buffer> {
    await this.#waitForStart();
    if (this.#hasEnded) throw tooLate('The catalog stopped');
    const pending = Promise.withResolvers<Uint8Array | null>();
    this.#pending = pending;
    const timer = setTimeout(() => {
      pending.reject(tooLate(`A catalog query may run for ${STATEMENT_MS / 1000} seconds`));
      void this.end();
    }, STATEMENT_MS);
    try {
      this.#worker.postMessage({ request: new Uint8Array(request), bytesMax: RESPONSE_BYTES_MAX } satisfies CatalogJob);
      const response = await pending.promise;
      if (response !== null) return Buffer.from(response.buffer, response.byteOffset, response.byteLength);
      throw new SqlError(
        SQLSTATE.programLimit,
        `The result of the catalog query has more than ${RESPONSE_BYTES_MAX} bytes.`,
        { hint: 'Select fewer columns, or write LIMIT.' },
      );
    } finally {
      clearTimeout(timer);
      this.#pending = null;
    }
  }

  async #waitForStart(): Promise<void> {
    await untilMade(this.#started);
  }

  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#worker.terminate();
  }
}

/** Waits for what a catalog begins with. @throws SqlError `57014` when that takes too long */
export async function untilMade(made: Promise<void>): Promise<void> {
  const waiting = Promise.withResolvers<never>();
  const timer = setTimeout(() => waiting.reject(tooLate('The catalog is still being made')), START_WAIT_MS);
  try {
    await Promise.race([made, waiting.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function tooLate(what: string): SqlError {
  return new SqlError(SQLSTATE.queryCanceled, `${what}.`, {
    hint: 'Try again shortly, with fewer tables in one query.',
  });
}
