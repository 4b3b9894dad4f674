import { uptime } from 'node:os';
import { type ClockReading, type ClockSources, heldClock } from '../domain/time/held-clock.ts';

const SOURCES: Required<ClockSources> = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  bootMs: () => uptime() * 1_000,
};

let clock = heldClock(SOURCES);

/**
 * The clock of this process by which claims expire: whatever would count, bid or spend again once it is forgotten. It does not follow a wall clock
 * that somebody sets wrong for a moment ({@link heldClock}). Epoch milliseconds; the times of events and flights are those of the wall clock.
 */
export function guardedNowMs(): number {
  return clock();
}

/** For another process of this machine, which goes on from there. */
export function readGuardedClock(): ClockReading {
  return { heldMs: clock(), bootMs: SOURCES.bootMs() };
}

/** Goes on from what the supervisor's clock said, which has run for longer. Call it before anything else reads the clock. */
export function continueGuardedClock(before: ClockReading): void {
  clock = heldClock(SOURCES, before);
}
