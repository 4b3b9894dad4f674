import type { Forecast } from '../../../domain/booking/delivery-insight.ts';
import { PlacardError } from '../../../domain/errors.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import { ThreadFailed, WorkspaceThread } from '../../traffic/workspace-thread.ts';
import type { ThreadInput } from '../../traffic/workspace-thread.ts';
import type { ForecastJob } from './forecast-worker.ts';

/** Most forecasts under way or waiting, of all networks and of one. */
const PENDING_MAX = 8;
const PENDING_OF_NETWORK_MAX = 3;

/** What a thread makes: the program, and the word for its results in errors. */
export interface MadeInThread {
  readonly module: URL;
  readonly title: string;
  /** How long it waits for the next job. Default: it ends. */
  readonly idleMs?: number;
}

/** The program of a thread that makes forecasts. */
export const FORECAST_MODULE = new URL('./forecast-worker.ts', import.meta.url);

/** Who books asks for the next forecast soon: a thread that is warm needs two thirds of the CPU time. */
const FORECASTS: MadeInThread = {
  module: FORECAST_MODULE,
  title: 'forecasts',
  idleMs: 60_000,
};

/** Makes forecasts, or something like them, in a separate thread, one after the other, so that this process stays responsive. */
export class ForecastThreads<Job = ForecastJob, Result = Forecast> {
  readonly #thread: WorkspaceThread<Job, Result>;
  readonly #title: string;
  readonly #pending = new Map<number, number>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(hot: Pick<HotStore, 'readCounters'>, { module, title, idleMs = 0 } = FORECASTS) {
    this.#thread = new WorkspaceThread(hot, module, { idleMs });
    this.#title = title;
  }

  /**
   * Waits for its turn, then loads and makes a forecast. One that is aborted gives up its turn, and its work ends.
   * @throws PlacardError `unavailable` when too many wait, when it takes too long or too much memory, and after `stop`; the signal's reason
   */
  async run(workspaceId: number, load: () => Promise<ThreadInput<Job>>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    const all = [...this.#pending.values()].reduce((sum, count) => sum + count, 0);
    const own = this.#pending.get(workspaceId) ?? 0;
    if (all >= PENDING_MAX || own >= PENDING_OF_NETWORK_MAX)
      throw new PlacardError('unavailable', `Too many ${this.#title} are being made; try again in a few seconds.`);
    this.#pending.set(workspaceId, own + 1);
    const made = this.#last.then(async () => {
      signal?.throwIfAborted();
      return this.#make(await load(), signal);
    });
    this.#last = made.catch(() => {});
    return untilAborted(made, signal).finally(() => {
      const left = (this.#pending.get(workspaceId) ?? 1) - 1;
      if (left === 0) this.#pending.delete(workspaceId);
      else this.#pending.set(workspaceId, left);
    });
  }

  /** Ends the forecast under way; waiting ones are refused. */
  async stop(): Promise<void> {
    await this.#thread.stop();
    await this.#last;
  }

  async #make(input: ThreadInput<Job>, signal: AbortSignal | undefined): Promise<Result> {
    try {
      return await this.#thread.run(input, signal);
    } catch (error) {
      if (!(error instanceof ThreadFailed)) throw error;
      if (this.#thread.isStopped) throw new PlacardError('unavailable', 'The server is stopping.', { cause: error });
      throw new PlacardError('unavailable', `Making ${this.#title} took too much ${error.took}.`, { cause: error });
    }
  }
}

/** A promise that also fails when the signal is aborted. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    signal.addEventListener('abort', leave);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
