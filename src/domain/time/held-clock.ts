/** A larger difference between what passed by both clocks is a jump of the wall clock. */
const JUMP_MS = 2_000;
/** How long a jump is not followed: a clock that was set wrong is usually set back within minutes. */
const HELD_MS = 600_000;

/** The clocks that a held clock reads, in milliseconds. */
export interface ClockSources {
  /** Epoch time, which may jump. */
  readonly wallMs: () => number;
  /** Of this process; it only grows, and may stand still while the machine sleeps. */
  readonly monotonicMs: () => number;
  /** Since the machine started, its sleep included. Read only when the other two differ. Absent: the machine never sleeps. */
  readonly bootMs?: () => number;
}

/** What a held clock of another process of the machine says at a moment. */
export interface ClockReading {
  /** Epoch milliseconds. */
  readonly heldMs: number;
  /** Milliseconds since the machine started. */
  readonly bootMs: number;
}

/**
 * A wall clock for expiry: when the wall clock jumps, it goes on by the monotonic clock for ten minutes, so that nothing expires early because
 * somebody set the clock ahead for a moment. Then it follows. It follows at once when the machine wakes up.
 * @param before goes on from there: a process that starts within a jump does not take the wrong time for its own
 * @returns epoch milliseconds
 */
export function heldClock(
  { wallMs, monotonicMs, bootMs = monotonicMs }: ClockSources,
  before?: ClockReading,
): () => number {
  const beganMs = before === undefined ? wallMs() : before.heldMs + bootMs() - before.bootMs;
  let anchor = { wallMs: beganMs, monotonicMs: monotonicMs() };
  let sleptMs = bootMs() - monotonicMs();
  let jumpedAtMs: number | null = null;
  const sleepSince = (): number => bootMs() - monotonicMs() - sleptMs;
  return () => {
    const now = { wallMs: wallMs(), monotonicMs: monotonicMs() };
    const awakeMs = anchor.wallMs + now.monotonicMs - anchor.monotonicMs;
    if (Math.abs(now.wallMs - awakeMs) > JUMP_MS) {
      const expectedMs = awakeMs + sleepSince();
      if (Math.abs(now.wallMs - expectedMs) > JUMP_MS) {
        jumpedAtMs ??= now.monotonicMs;
        if (now.monotonicMs - jumpedAtMs < HELD_MS) return expectedMs;
      }
      sleptMs += sleepSince();
    }
    jumpedAtMs = null;
    anchor = now;
    return now.wallMs;
  };
}
