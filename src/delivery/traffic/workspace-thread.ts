import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { WorkspaceSnapshot } from '../../domain/booking/snapshot.ts';
import type { Workspace } from '../../domain/tenancy/workspace.ts';
import { HOT_BATCH_MAX } from '../../storage/hot/hot-store.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { SNAPSHOT_PARTS } from '../decision/index/snapshot-parts.ts';
import type { SnapshotPart } from '../decision/index/snapshot-parts.ts';
import type { SampleFrame } from './opportunity-sample.olap.ts';

/** Enough for 100,000 line items, compiled twice, and 20,000 opportunities. */
const HEAP_MB_MAX = 1_536;
const TIMEOUT_MS = 60_000;
/** A thread that is told that nobody waits any more says so within this time, or is ended. */
const LEAVE_MS = 500;
/** Rows are copied to the thread: a few hundred take about a millisecond. */
const RECORDS_PER_MESSAGE = 500;

/** The messages to the thread, in this order: rows and samples in pieces, then the job, then the requested counters. */
export type ToThread<Job> =
  | { readonly kind: 'records'; readonly part: SnapshotPart; readonly records: readonly unknown[] }
  | { readonly kind: 'samples'; readonly ndjson: Uint8Array }
  | { readonly kind: 'begin'; readonly workspace: Workspace; readonly frame: SampleFrame | null; readonly job: Job }
  | { readonly kind: 'counters'; readonly values: ReadonlyMap<string, number> };

/** The messages of the thread. An error ends it. */
export type FromThread<Result> =
  | { readonly kind: 'needCounters'; readonly keys: readonly string[] }
  | { readonly kind: 'done'; readonly result: Result }
  /** Nobody waits for the result any more: the thread can work on something else. */
  | { readonly kind: 'left' };

/** What a thread is started with. */
export interface ThreadData {
  /** 1 when nobody waits for the present job any more. */
  readonly leave: Int32Array<SharedArrayBuffer>;
}

/** What a thread works on. */
export interface ThreadInput<Job> {
  readonly snapshot: WorkspaceSnapshot;
  readonly frame: SampleFrame | null;
  readonly job: Job;
  /** NDJSON in pieces. */
  readonly samples: AsyncIterable<Uint8Array>;
}

/** A thread took too much time or memory, or was ended. */
export class ThreadFailed extends Error {
  readonly took: string;

  constructor(took: string, cause?: unknown) {
    super(`The thread took too much ${took}.`, { cause });
    this.took = took;
  }
}

/** Limits of a thread. */
export interface ThreadTimes {
  /** A job that runs longer fails. */
  readonly timeoutMs?: number;
  /** How long a thread without a job waits for the next one, which then need not load and optimise the program again. Default: it ends. */
  readonly idleMs?: number;
}

/** Works on the bookings and the sampled traffic of one workspace in a thread of its own, so that this process stays responsive. */
export class WorkspaceThread<Job, Result> {
  readonly #hot: Pick<HotStore, 'readCounters'>;
  readonly #module: URL;
  readonly #timeoutMs: number;
  readonly #idleMs: number;
  readonly #leave = new Int32Array(new SharedArrayBuffer(4));
  /** The thread, with or without a job. */
  #worker: Worker | null = null;
  #idleTimer: NodeJS.Timeout | null = null;
  #isStopped = false;

  /** @param module the program of the thread, which calls `serveThread` */
  constructor(hot: Pick<HotStore, 'readCounters'>, module: URL, { timeoutMs, idleMs }: ThreadTimes = {}) {
    this.#hot = hot;
    this.#module = module;
    this.#timeoutMs = timeoutMs ?? TIMEOUT_MS;
    this.#idleMs = idleMs ?? 0;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Ends the thread; later calls of `run` fail. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.end();
  }

  /** Ends the thread; later calls of `run` work. */
  async end(): Promise<void> {
    await this.#worker?.terminate();
  }

  /**
   * Runs one job; one at a time.
   * @param signal gives the job up
   * @throws ThreadFailed, what the thread throws, and the signal's reason
   */
  async run(input: ThreadInput<Job>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#isStopped) throw new ThreadFailed('time: the server is stopping');
    const worker = this.#acquire();
    const end = (): void => void worker.terminate();
    const timers = [setTimeout(end, this.#timeoutMs)];
    const leave = (): void => {
      Atomics.store(this.#leave, 0, 1);
      timers.push(setTimeout(end, LEAVE_MS));
    };
    signal?.addEventListener('abort', leave);
    let isFree = false;
    try {
      const made = this.#converse(worker);
      const handedOver = handOver(worker, input);
      // Where the thread ends first, a source of samples that hangs is left behind.
      handedOver.catch(() => {});
      await Promise.race([handedOver, made]);
      const done = await made;
      isFree = this.#idleMs > 0;
      // Only a job that was given up has no result.
      if (done === null) throw new ThreadFailed('time');
      return done.result;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      if (isFree) this.#release(worker);
      else await worker.terminate();
    }
  }

  /** The idle thread, or a new one. */
  #acquire(): Worker {
    Atomics.store(this.#leave, 0, 0);
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
    if (this.#worker !== null) {
      this.#worker.ref();
      return this.#worker;
    }
    const workerData: ThreadData = { leave: this.#leave };
    const worker = new Worker(this.#module, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX }, workerData });
    this.#worker = worker;
    // A fault of an idle thread ends it, and nothing else.
    worker.on('error', () => {});
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
      this.#idleTimer = null;
    });
    return worker;
  }

  /** Lets a thread wait for the next job. It keeps no process alive. */
  #release(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#idleTimer = setTimeout(() => void worker.terminate(), this.#idleMs);
    this.#idleTimer.unref();
    worker.unref();
  }

  /** Null: the job was given up, and the thread is ready for another. */
  #converse(worker: Worker): Promise<{ readonly result: Result } | null> {
    const { promise, resolve, reject } = Promise.withResolvers<{ readonly result: Result } | null>();
    const onMessage = (said: FromThread<Result>): void => {
      if (said.kind === 'done') resolve({ result: said.result });
      else if (said.kind === 'left') resolve(null);
      else this.#readCounters(said.keys).then((values) => tell<Job>(worker, { kind: 'counters', values }), reject);
    };
    const onError = (error: NodeJS.ErrnoException): void =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadFailed('memory', error) : error);
    const onExit = (): void => reject(new ThreadFailed(this.#isStopped ? 'time: the server is stopping' : 'time'));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    return promise.finally(() => worker.off('message', onMessage).off('error', onError).off('exit', onExit));
  }

  async #readCounters(keys: readonly string[]): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (let from = 0; from < keys.length; from += HOT_BATCH_MAX) {
      const batch = keys.slice(from, from + HOT_BATCH_MAX);
      const values = await this.#hot.readCounters(batch);
      for (const [at, key] of batch.entries()) if (values[at] !== 0n) found.set(key, Number(values[at] ?? 0n));
    }
    return found;
  }
}

async function handOver<Job>(worker: Worker, { snapshot, frame, job, samples }: ThreadInput<Job>): Promise<void> {
  for (const part of SNAPSHOT_PARTS) {
    const records: readonly unknown[] = snapshot[part];
    for (let from = 0; from < records.length; from += RECORDS_PER_MESSAGE) {
      tell(worker, { kind: 'records', part, records: records.slice(from, from + RECORDS_PER_MESSAGE) });
      await nextTurn();
    }
  }
  for await (const ndjson of samples) tell(worker, { kind: 'samples', ndjson });
  tell(worker, { kind: 'begin', workspace: snapshot.workspace, frame, job });
}

function tell<Job>(worker: Worker, told: ToThread<Job>): void {
  worker.postMessage(told);
}
