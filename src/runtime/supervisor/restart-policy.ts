/** How often something that dies is started again. All times in milliseconds. */
export interface RestartLimits {
  /** After the second crash in a row: what was ready is started again at once after its first one. */
  readonly firstDelayMs: number;
  readonly delayMaxMs: number;
  /** Alive for this long: the next delay is the first one again. */
  readonly resetAfterMs: number;
  /** This many crashes within `windowMs` are too many. */
  readonly crashesMax: number;
  readonly windowMs: number;
  /** As `crashesMax`, for what has never once been ready: a wrong start should be told soon. */
  readonly startCrashesMax: number;
}

export const defaultRestartLimits: RestartLimits = {
  firstDelayMs: 250,
  delayMaxMs: 30_000,
  resetAfterMs: 60_000,
  crashesMax: 10,
  windowMs: 300_000,
  startCrashesMax: 3,
};

/** Decides, crash by crash, how long to wait. Give it one instance a child. */
export class RestartPolicy {
  readonly #limits: RestartLimits;
  #crashedAtMs: number[] = [];
  #delayMs: number;

  constructor(limits: RestartLimits) {
    this.#limits = limits;
    this.#delayMs = limits.firstDelayMs;
  }

  /**
   * Notes a crash at `nowMs` of something that was started at `startedAtMs`.
   * @returns the milliseconds to wait before the next start; null to give up
   */
  recordCrash(startedAtMs: number, nowMs: number, wasEverReady: boolean): number | null {
    const { firstDelayMs, delayMaxMs, resetAfterMs, windowMs } = this.#limits;
    const earlier = this.#crashedAtMs.filter((atMs) => nowMs - atMs < windowMs);
    const wasStable = earlier.length === 0 || nowMs - startedAtMs >= resetAfterMs;
    this.#crashedAtMs = [...earlier, nowMs];
    const crashesMax = wasEverReady ? this.#limits.crashesMax : this.#limits.startCrashesMax;
    if (this.#crashedAtMs.length >= crashesMax) return null;
    if (wasEverReady && wasStable) {
      this.#delayMs = firstDelayMs;
      return 0;
    }
    const delayMs = nowMs - startedAtMs >= resetAfterMs ? firstDelayMs : this.#delayMs;
    this.#delayMs = Math.min(delayMs * 2, delayMaxMs);
    return delayMs;
  }
}
