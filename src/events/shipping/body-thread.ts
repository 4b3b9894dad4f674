import { Worker } from 'node:worker_threads';

/** A file of a batch, and how many of its bytes count. */
export interface FileToConvert {
  readonly path: string;
  readonly bytes: number;
}

/** To the thread: convert these files, in this order. */
export interface ConvertMessage {
  readonly id: number;
  readonly files: readonly FileToConvert[];
}

/** From the thread. `bytes` is null when the rows cannot be converted; of others the first `length` count. */
export type BodyMessage =
  | { readonly id: number; readonly bytes: ArrayBuffer | null; readonly length: number; readonly rows: number }
  | { readonly id: number; readonly failure: unknown };

/** The binary rows of a batch. */
export interface ConvertedRows {
  readonly body: Buffer;
  readonly rows: number;
}

/** A thread that has nothing to do for so long ends, and gives its memory back. */
const IDLE_MS = 30_000;

interface Waiting {
  readonly resolve: (converted: ConvertedRows | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Converts the rows of large batches in a thread beside the one that serves ads. It works on one batch at a time, so that the store inserts
 * one while the next is converted. It starts with the first batch, and ends when none comes for a while.
 */
export class BodyThread {
  readonly #idleMs: number;
  readonly #module: URL;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #idleTimer: NodeJS.Timeout | null = null;
  #calls = 0;
  #hasFailed = false;

  /** @param options for tests: another time or program */
  constructor({ idleMs, module }: { readonly idleMs?: number; readonly module?: URL } = {}) {
    this.#idleMs = idleMs ?? IDLE_MS;
    this.#module = module ?? new URL('./body-worker.ts', import.meta.url);
  }

  /** False once a thread failed by itself, for instance because the system gives none: batches are then converted without it. */
  get isUsable(): boolean {
    return !this.#hasFailed;
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /**
   * The binary rows of these files, in order; null when a row cannot be converted or a file has lost its end.
   * @throws Error when a file cannot be read, or the thread was ended
   */
  convert(files: readonly FileToConvert[]): Promise<ConvertedRows | null> {
    const worker = this.#acquire();
    const { promise, resolve, reject } = Promise.withResolvers<ConvertedRows | null>();
    this.#calls += 1;
    this.#waiting.set(this.#calls, { resolve, reject });
    const message: ConvertMessage = {
      id: this.#calls,
      files: files.map(({ path, bytes }) => ({ path, bytes })),
    };
    worker.postMessage(message);
    return promise;
  }

  /** Ends the thread; batches that it works on fail. Later calls of `convert` work. */
  async end(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    this.#leave(worker, new Error('The thread that converts batches was ended'));
    await worker.terminate();
  }

  #acquire(): Worker {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
    if (this.#worker !== null) {
      this.#worker.ref();
      return this.#worker;
    }
    const worker = new Worker(this.#module, { env: {} });
    worker.on('message', (message: BodyMessage) => this.#onMessage(worker, message));
    worker.on('error', (error) => {
      this.#hasFailed = true;
      this.#leave(worker, error);
    });
    worker.on('exit', () => this.#leave(worker, new Error('The thread that converts batches has ended')));
    this.#worker = worker;
    return worker;
  }

  #onMessage(worker: Worker, message: BodyMessage): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ('failure' in message) waiting?.reject(message.failure);
    else {
      const { bytes, length, rows } = message;
      waiting?.resolve(bytes === null ? null : { body: Buffer.from(bytes, 0, length), rows });
    }
    if (this.#waiting.size > 0) return;
    // An idle thread keeps no process alive.
    worker.unref();
    this.#idleTimer = setTimeout(() => void this.end(), this.#idleMs).unref();
  }

  #leave(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
