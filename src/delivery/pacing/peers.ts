import type { HotStore } from '../../storage/hot/hot-store.ts';

/** Processes say that they live once in each epoch; who died is not counted in the next but one. */
const EPOCH_MS = 30_000;
const KEPT_MS = 4 * EPOCH_MS;

/** What peers are found with. */
export interface PeersDeps {
  readonly hot: HotStore;
  readonly nowMs: () => number;
  /** What is assumed until the hot store has answered: how many processes there are, and which of them this is, from 0. */
  readonly processes: number;
  readonly workerIndex: number;
}

/**
 * How many processes of all machines answer for the same networks, and which of them this is. Each adds itself to the counter
 * of the present and of the coming epoch: the sum is their number, and what the own addition made of it is the own place.
 */
export class Peers {
  readonly #deps: PeersDeps;
  /** Places of this process, by epoch. */
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

  /** From 0; below `processes`, and different in each of them. */
  get workerIndex(): number {
    return this.#workerIndex;
  }

  /** Call it each second. When the hot store is away, what was known goes on. @throws what the hot store throws */
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
