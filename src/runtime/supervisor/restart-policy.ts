/** How often a process that dies is started again. All times in milliseconds. */
export interface RestartLimits {
  /** A process that was ready starts at once after each of its first crashes in a row, up to this number. */
  readonly atOnceMax: number;
  /** After the crash that follows those. */
  readonly firstDelayMs: number;
  readonly delayMaxMs: number;
  /** Alive for this long: the next delay is the first one again. */
  readonly resetAfterMs: number;
  /** A process that was never ready is given up after this many crashes within `windowMs`: a wrong start should be reported soon. */
  readonly startCrashesMax: number;
  readonly windowMs: number;
}

export const defaultRestartLimits: RestartLimits = {
  atOnceMax: 3,
  firstDelayMs: 250,
  delayMaxMs: 30_000,
  resetAfterMs: 60_000,
  startCrashesMax: 3,
  windowMs: 300_000,
};

/** The facts about a crashed process. */
export interface CrashedStates {
  /** The process that crashed was ready. */
  readonly wasReady: boolean;
  /** It, or one before it, was ready. */
  readonly wasEverReady: boolean;
}

/**
 * Decides, crash by crash, how long to wait. Give it one instance a child. A process that was ready once is started again for ever: the
 * other processes go on without it, and giving up would end them too.
 */
export class RestartPolicy {
  readonly #limits: RestartLimits;
  #crashedAtMs: number[] = [];
  #atOnce = 0;
  #delayMs: number;

  constructor(limits: RestartLimits) {
    this.#limits = limits;
    this.#delayMs = limits.firstDelayMs;
  }

  /**
   * Records a crash at `nowMs` of a process that was started at `startedAtMs`.
   * @returns the milliseconds to wait before the next start; null to give up, only before the first time it was ready
   */
  recordCrash(startedAtMs: number, nowMs: number, { wasReady, wasEverReady }: CrashedStates): number | null {
    const { atOnceMax, firstDelayMs, delayMaxMs, resetAfterMs, windowMs } = this.#limits;
    const earlier = this.#crashedAtMs.filter((atMs) => nowMs - atMs < windowMs);
    if (earlier.length === 0 || nowMs - startedAtMs >= resetAfterMs) {
      this.#atOnce = 0;
      this.#delayMs = firstDelayMs;
    }
    this.#crashedAtMs = [...earlier, nowMs];
    if (!wasEverReady && this.#crashedAtMs.length >= this.#limits.startCrashesMax) return null;
    if (wasReady && this.#atOnce < atOnceMax) {
      this.#atOnce += 1;
      return 0;
    }
    const delayMs = this.#delayMs;
    this.#delayMs = Math.min(delayMs * 2, delayMaxMs);
    return delayMs;
  }
}
