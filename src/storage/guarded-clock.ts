import { uptime } from 'node:os';
import { heldClock } from '../domain/time/held-clock.ts';

/**
 * The clock of this process by which claims expire: whatever would count, bid or spend again once it is forgotten. It does not follow a wall clock
 * that somebody sets wrong for a moment ({@link heldClock}). Epoch milliseconds; the times of events and flights are those of the wall clock.
 */
export const guardedNowMs: () => number = heldClock({
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  bootMs: () => uptime() * 1_000,
});
