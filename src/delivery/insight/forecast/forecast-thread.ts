import type { Forecast } from '../../../domain/booking/delivery-insight.ts';
import { PlacardError } from '../../../domain/errors.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import { ThreadFailed, WorkspaceThread } from '../../traffic/workspace-thread.ts';
import type { ThreadInput } from '../../traffic/workspace-thread.ts';
import type { ForecastJob } from './forecast-worker.ts';

/** Most forecasts under way or waiting, of all networks and of one. */
const PENDING_MAX = 8;
const PENDING_OF_NETWORK_MAX = 3;

/** Makes forecasts in a separate thread, one after the other, so that this process stays responsive. */
export class ForecastThreads {
  readonly #thread: WorkspaceThread<ForecastJob, Forecast>;
  readonly #pending = new Map<number, number>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(hot: Pick<HotStore, 'readCounters'>) {
    this.#thread = new WorkspaceThread(hot, new URL('./forecast-worker.ts', import.meta.url));
  }

  /**
   * Waits for its turn, then loads and makes a forecast.
   * @throws PlacardError `unavailable` when too many wait, when it takes too long or too much memory, and after `stop`
   */
  async run(workspaceId: number, load: () => Promise<ThreadInput<ForecastJob>>): Promise<Forecast> {
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
    await this.#thread.stop();
    await this.#last;
  }

  async #make(input: ThreadInput<ForecastJob>): Promise<Forecast> {
    try {
      return await this.#thread.run(input);
    } catch (error) {
      if (!(error instanceof ThreadFailed)) throw error;
      if (this.#thread.isStopped) throw new PlacardError('unavailable', 'The server is stopping.', { cause: error });
      throw new PlacardError('unavailable', `The forecast took too much ${error.took}.`, { cause: error });
    }
  }
}
