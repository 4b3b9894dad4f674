/** The first replayed items tell little about the time that the others take. */
const FIRST_MS = 1_000;
/** Looking at the clock costs as much as a part of a decision. */
const LOOK_EVERY = 256;
/** The second replay is planned a little shorter than the time for it. */
const SHORTER = 0.8;
/** A replay with fewer opportunities says nothing. */
const REPLAYED_MIN = 4_000;

/** Gives a replay up as soon as it is clear that it would take too long, and tells how long a replay can be. */
export class ReplayPace {
  readonly #elapsedMs: () => number;
  readonly #maxMs: number;
  #replayedMax = Number.POSITIVE_INFINITY;

  /** @param elapsedMs a monotonic clock */
  constructor(elapsedMs: () => number, maxMs: number) {
    this.#elapsedMs = elapsedMs;
    this.#maxMs = maxMs;
  }

  /** The most opportunities of a replay that takes no longer than it may; infinite: any number. */
  get replayedMax(): number {
    return this.#replayedMax;
  }

  /** The items of a replay in order of time; null and the end when it takes too long. */
  *watch<Item extends { readonly atMs: number }>(
    items: Iterable<Item>,
    [fromMs, toMs]: readonly [number, number],
  ): Generator<Item | null> {
    const startedAtMs = this.#elapsedMs();
    let count = 0;
    for (const item of items) {
      count += 1;
      if (count % LOOK_EVERY === 0) {
        const tookMs = this.#elapsedMs() - startedAtMs;
        const done = Math.max(1e-9, (item.atMs - fromMs) / Math.max(1, toMs - fromMs));
        const wholeMs = tookMs / done;
        if (tookMs >= FIRST_MS && wholeMs > this.#maxMs && count / done > REPLAYED_MIN) {
          this.#replayedMax = Math.max(REPLAYED_MIN, (SHORTER * (count / done) * this.#maxMs) / wholeMs);
          yield null;
          return;
        }
      }
      yield item;
    }
  }
}

/** The limits of a replay. */
export interface ReplayLimits {
  readonly replayedMax: number;
  /** A monotonic clock; undefined: the replay may take any time. */
  readonly elapsedMs: (() => number) | undefined;
  readonly maxMs: number;
}

/**
 * Replays; where that would take too long, again with fewer opportunities, and then to the end.
 * @param run returns null when its pace gives it up
 */
export function replayInTime<Made>(
  run: (pace: ReplayPace | null, replayedMax: number) => Made | null,
  { replayedMax, elapsedMs, maxMs }: ReplayLimits,
): Made {
  const pace = elapsedMs === undefined ? null : new ReplayPace(elapsedMs, maxMs);
  const made = run(pace, replayedMax) ?? run(null, Math.min(replayedMax, pace?.replayedMax ?? replayedMax));
  if (made === null) throw new Error('A replay without a pace was given up');
  return made;
}
