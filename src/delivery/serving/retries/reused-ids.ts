import { RETRY_WINDOW_MS } from './recent-requests.ts';

/** Ids in memory; one with the same index as another replaces it. A power of two. */
const CELLS = 65_536;

/** Finds ids that come with other content within the window, for a metric that reveals callers with one id for everything. */
export class ReusedIds {
  readonly #ids = new Uint32Array(CELLS);
  readonly #contents = new Uint32Array(CELLS);
  readonly #timesMs = new Float64Array(CELLS);

  /** Records an id with a part of its content's digest; true when it came with other content within the last ten seconds. */
  record(idHash: number, content: number, timeMs: number): boolean {
    const cell = idHash & (CELLS - 1);
    const isReused =
      this.#ids[cell] === idHash &&
      this.#contents[cell] !== content &&
      Math.abs(timeMs - (this.#timesMs[cell] as number)) < RETRY_WINDOW_MS;
    this.#ids[cell] = idHash;
    this.#contents[cell] = content;
    this.#timesMs[cell] = timeMs;
    return isReused;
  }
}
