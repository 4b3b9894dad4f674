import type { Timeline } from './pacing-timeline.ts';

/** An older plan is not used: goals then count on all of their traffic. */
export const PLAN_KEPT_MS = 24 * 3_600_000;

/** Up to an instant, the part of its opportunities that other goals are expected to leave to a goal: above 0, at most 1. */
export interface FreeShare {
  readonly untilMs: number;
  readonly share: number;
}

/** The traffic that other goals leave: that of a timeline, times the share that is free at each time. The last share lasts for ever. */
export class FreeTimeline implements Pick<Timeline, 'between'> {
  readonly #all: Pick<Timeline, 'between'>;
  readonly #shares: readonly FreeShare[];

  /** @param shares the earliest first; an empty list leaves everything */
  constructor(all: Pick<Timeline, 'between'>, shares: readonly FreeShare[]) {
    this.#all = all;
    this.#shares = shares;
  }

  between(fromMs: number, toMs: number): number {
    let sum = 0;
    let atMs = fromMs;
    for (const { untilMs, share } of this.#shares) {
      if (atMs >= toMs) return sum;
      if (untilMs <= atMs) continue;
      const endMs = Math.min(untilMs, toMs);
      sum += share * this.#all.between(atMs, endMs);
      atMs = endMs;
    }
    return atMs < toMs ? sum + (this.#shares.at(-1)?.share ?? 1) * this.#all.between(atMs, toMs) : sum;
  }
}
