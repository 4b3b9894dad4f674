import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Forecast } from '../../../domain/booking/delivery-insight.ts';
import { PlacardError } from '../../../domain/errors.ts';
import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';
import { HOT_BATCH_MAX } from '../../../storage/hot/hot-store.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import type { ForecastJob, FromForecastWorker, ToForecastWorker } from './forecast-worker.ts';
import { SNAPSHOT_PARTS } from '../../decision/index/snapshot-parts.ts';

/** Most forecasts under way or waiting, of all networks and of one. */
const PENDING_MAX = 8;
const PENDING_OF_NETWORK_MAX = 3;
const TIMEOUT_MS = 60_000;
/** Enough for 100,000 line items, compiled twice, and 20,000 opportunities. */
const HEAP_MB_MAX = 1_536;
/** Handing over rows copies them: a few hundred take about a millisecond. */
const RECORDS_PER_MESSAGE = 500;

/** The input of a thread. */
export interface ThreadInput {
  readonly snapshot: WorkspaceSnapshot;
  readonly job: Omit<ForecastJob, 'workspace'>;
  /** NDJSON in pieces. */
  readonly samples: AsyncIterable<Uint8Array>;
}

/** Makes forecasts in a separate thread, one after the other, so that this process stays responsive. */
export class ForecastThreads {
  readonly #hot: Pick<HotStore, 'readCounters'>;
  readonly #pending = new Map<number, number>();
  #last: Promise<unknown> = Promise.resolve();
  #running: Worker | null = null;
  #stopped = false;

  constructor(hot: Pick<HotStore, 'readCounters'>) {
    this.#hot = hot;
  }

  /**
   * Waits for its turn, then loads and makes a forecast.
   * @throws PlacardError `unavailable` when too many wait, when it takes too long or too much memory, and after `stop`
   */
  async run(workspaceId: number, load: () => Promise<ThreadInput>): Promise<Forecast> {
    const all = [...this.#pending.values()].reduce((sum, count) => sum + count, 0);
    const own = this.#pending.get(workspaceId) ?? 0;
    if (all >= PENDING_MAX || own >= PENDING_OF_NETWORK_MAX)
      throw new PlacardError('unavailable', 'Too many forecasts are being made; try again in a few seconds.');
    this.#pending.set(workspaceId, own + 1);
    const made = this.#last.then(async () => this.#make(await load()));
    this.#last = made.catch(() => {});
    return made.finally(() => {
      const left = (this.#pending.get(workspaceId) ?? 1) - 1;
      if (left === 0) this.#pending.delete(workspaceId);
      else this.#pending.set(workspaceId, left);
    });
  }

  /** Ends the forecast under way; waiting ones are refused. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running?.terminate();
    await this.#last;
  }

  async #make(input: ThreadInput): Promise<Forecast> {
    if (this.#stopped) throw new PlacardError('unavailable', 'The server is stopping.');
    const worker = new Worker(new URL('./forecast-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    });
    this.#running = worker;
    const timer = setTimeout(() => void worker.terminate(), TIMEOUT_MS);
    try {
      const made = this.#converse(worker);
      // An error while rows are handed over is thrown below.
      made.catch(() => {});
      await handOver(worker, input);
      return await made;
    } finally {
      clearTimeout(timer);
      this.#running = null;
      await worker.terminate();
    }
  }

  #converse(worker: Worker): Promise<Forecast> {
    return new Promise((resolve, reject) => {
      worker.on('message', (said: FromForecastWorker) => {
        if (said.kind === 'done') resolve(said.forecast);
        else this.#readCounters(said.keys).then((values) => tell(worker, { kind: 'counters', values }), reject);
      });
      worker.on('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch('memory', error) : error),
      );
      worker.on('exit', () => reject(this.#stopped ? tooMuch('time: the server is stopping') : tooMuch('time')));
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

async function handOver(worker: Worker, { snapshot, job, samples }: ThreadInput): Promise<void> {
  for (const part of SNAPSHOT_PARTS) {
    const records: readonly unknown[] = snapshot[part];
    for (let from = 0; from < records.length; from += RECORDS_PER_MESSAGE) {
      tell(worker, { kind: 'records', part, records: records.slice(from, from + RECORDS_PER_MESSAGE) });
      await nextTurn();
    }
  }
  for await (const ndjson of samples) tell(worker, { kind: 'samples', ndjson });
  tell(worker, { kind: 'begin', job: { ...job, workspace: snapshot.workspace } });
}

function tell(worker: Worker, told: ToForecastWorker): void {
  worker.postMessage(told);
}

function tooMuch(what: string, cause?: unknown): PlacardError {
  return new PlacardError('unavailable', `The forecast took too much ${what}.`, { cause });
}
