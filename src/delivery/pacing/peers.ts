import type { HotStore } from '../../storage/hot/hot-store.ts';

/** Processes announce themselves once in each epoch; a dead one is no longer counted after the next epoch. */
const EPOCH_MS = 30_000;
const KEPT_MS = 4 * EPOCH_MS;

/** The parts of the search for peers. */
export interface PeersDeps {
  readonly hot: HotStore;
  readonly nowMs: () => number;
  /** Assumed until the hot store has responded: the number of processes, and the index of this one, from 0. */
  readonly processes: number;
  readonly workerIndex: number;
}

/**
 * Finds how many processes of all machines serve the same networks, and the index of this one. Each adds 1 to the counter of the present
 * and of the coming epoch. The sum is the number of processes; the result of the own addition gives the own index.
 */
export class Peers {
  readonly #deps: PeersDeps;
  /** Indexes of this process, by epoch. */
  readonly #indexes = new Map<number, number>();
  #processes: number;
  #workerIndex: number;

  constructor(deps: PeersDeps) {
    this.#deps = deps;
    this.#processes = Math.max(1, deps.processes);
    this.#workerIndex = deps.workerIndex;
  }

  /** At least 1. */
  get processes(): number {
    return this.#processes;
  }

  /** From 0; below `processes`, and different in each process. */
  get workerIndex(): number {
    return this.#workerIndex;
  }

  /** Call it each second. The last values stay in use while the hot store is unavailable. @throws what the hot store throws */
  async refresh(): Promise<void> {
    const { hot, nowMs } = this.#deps;
    const epoch = Math.floor(nowMs() / EPOCH_MS);
    const joined = [epoch, epoch + 1].filter((one) => !this.#indexes.has(one));
    if (joined.length > 0) {
      const sums = await hot.addToCounters(joined.map((one) => ({ key: keyOf(one), by: 1n, ttlMs: KEPT_MS })));
      for (const [at, one] of joined.entries()) this.#indexes.set(one, Number(sums[at] ?? 1n) - 1);
      for (const one of this.#indexes.keys()) if (one < epoch) this.#indexes.delete(one);
    }
    const [sum = 1n] = await hot.readCounters([keyOf(epoch)]);
    this.#workerIndex = this.#indexes.get(epoch) ?? 0;
    this.#processes = Math.max(Number(sum), this.#workerIndex + 1);
  }
}

function keyOf(epoch: number): string {
  return `pw/${epoch}`;
}
