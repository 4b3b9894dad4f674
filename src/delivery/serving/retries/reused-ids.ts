import { RETRY_WINDOW_MS } from './claim-table.ts';

/** Ids that are remembered; one that falls on another's place replaces it. A power of two. */
const PLACES = 65_536;

/** Finds ids that come with other content within the window, for a metric: callers that use one id for everything can be told. */
export class ReusedIds {
  readonly #ids = new Uint32Array(PLACES);
  readonly #contents = new Uint32Array(PLACES);
  readonly #timesMs = new Float64Array(PLACES);

  /** Notes an id with a part of its content's digest; true when it stood here with other content within the last ten seconds. */
  note(idHash: number, content: number, timeMs: number): boolean {
    const place = idHash & (PLACES - 1);
    const isReused =
      this.#ids[place] === idHash &&
      this.#contents[place] !== content &&
      Math.abs(timeMs - (this.#timesMs[place] as number)) < RETRY_WINDOW_MS;
    this.#ids[place] = idHash;
    this.#contents[place] = content;
    this.#timesMs[place] = timeMs;
    return isReused;
  }
}
