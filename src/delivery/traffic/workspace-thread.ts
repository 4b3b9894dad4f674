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
  | { readonly kind: 'done'; readonly result: Result };

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

/** Works on the bookings and the sampled traffic of one workspace in a thread of its own, so that this process stays responsive. */
export class WorkspaceThread<Job, Result> {
  readonly #hot: Pick<HotStore, 'readCounters'>;
  readonly #module: URL;
  readonly #timeoutMs: number;
  #running: Worker | null = null;
  #isStopped = false;

  /** @param module the program of the thread, which calls `serveThread`; a job that runs longer than the timeout fails */
  constructor(hot: Pick<HotStore, 'readCounters'>, module: URL, timeoutMs = TIMEOUT_MS) {
    this.#hot = hot;
    this.#module = module;
    this.#timeoutMs = timeoutMs;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Ends the thread that runs; later calls of `run` fail. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.end();
  }

  /** Ends the thread that runs; later calls of `run` work. */
  async end(): Promise<void> {
    await this.#running?.terminate();
  }

  /**
   * Runs one job; one at a time.
   * @param signal ends the thread
   * @throws ThreadFailed, what the thread throws, and the signal's reason
   */
  async run(input: ThreadInput<Job>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#isStopped) throw new ThreadFailed('time: the server is stopping');
    const worker = new Worker(this.#module, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX } });
    this.#running = worker;
    const end = (): void => void worker.terminate();
    const timer = setTimeout(end, this.#timeoutMs);
    signal?.addEventListener('abort', end);
    try {
      const made = this.#converse(worker);
      const handedOver = handOver(worker, input);
      // Where the thread ends first, a source of samples that hangs is left behind.
      handedOver.catch(() => {});
      await Promise.race([handedOver, made]);
      return await made;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      this.#running = null;
      await worker.terminate();
    }
  }

  #converse(worker: Worker): Promise<Result> {
    return new Promise((resolve, reject) => {
      worker.on('message', (said: FromThread<Result>) => {
        if (said.kind === 'done') resolve(said.result);
        else this.#readCounters(said.keys).then((values) => tell<Job>(worker, { kind: 'counters', values }), reject);
      });
      worker.on('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadFailed('memory', error) : error),
      );
      worker.on('exit', () => reject(new ThreadFailed(this.#isStopped ? 'time: the server is stopping' : 'time')));
    });
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
