/** A larger difference between what passed by both clocks is a jump of the wall clock. */
const JUMP_MS = 2_000;
/** How long a jump is not followed: a clock that was set wrong is usually set back within minutes. */
const HELD_MS = 600_000;

/** The clocks that a held clock reads, in milliseconds. */
export interface ClockSources {
  /** Epoch time, which may jump. */
  readonly wallMs: () => number;
  /** Of this process; it only grows. */
  readonly monotonicMs: () => number;
}

/**
 * A wall clock for expiry: when the wall clock jumps, it goes on by the monotonic clock for ten minutes, so that nothing expires early because
 * somebody set the clock ahead for a moment. Then it follows. @returns epoch milliseconds
 */
export function heldClock({ wallMs, monotonicMs }: ClockSources): () => number {
  let anchor = { wallMs: wallMs(), monotonicMs: monotonicMs() };
  let jumpedAtMs: number | null = null;
  return () => {
    const now = { wallMs: wallMs(), monotonicMs: monotonicMs() };
    const expectedMs = anchor.wallMs + now.monotonicMs - anchor.monotonicMs;
    if (Math.abs(now.wallMs - expectedMs) > JUMP_MS) {
      jumpedAtMs ??= now.monotonicMs;
      if (now.monotonicMs - jumpedAtMs < HELD_MS) return expectedMs;
    }
    jumpedAtMs = null;
    anchor = now;
    return now.wallMs;
  };
}
