import { PlacardError } from '../errors.ts';

/** How long one call of the hot store may take before the store counts as unavailable. */
export const HOT_TIMEOUT_MS = 250;

/** Runs something after some milliseconds; the result takes that back. */
export type Later = (delayMs: number, run: () => void) => () => void;

/** Longest delay of a timer. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Later by a timer that keeps no process running. */
export const laterByTimer: Later = (delayMs, run) => {
  const timer = setTimeout(run, Math.min(delayMs, TIMER_MS_MAX)).unref();
  return () => clearTimeout(timer);
};

/**
 * As `laterByTimer`, one turn of the event loop later: what arrived while this process was busy comes first. After a long turn, timers
 * would otherwise run before responses are read that have been there in time.
 */
export const laterThanArrived: Later = (delayMs, run) => {
  let turn: NodeJS.Immediate | null = null;
  const cancel = laterByTimer(delayMs, () => {
    turn = setImmediate(run);
  });
  return () => {
    cancel();
    if (turn !== null) clearImmediate(turn);
  };
};

function tooLate(timeoutMs: number): PlacardError {
  return new PlacardError('unavailable', `A store did not respond within ${timeoutMs} ms; try again shortly.`);
}

/** Rejects with `unavailable` when a promise takes too long; its late outcome is ignored. Only for calls that may harmlessly happen late. */
export async function withinTime<T>(
  promise: Promise<T>,
  timeoutMs: number | undefined = HOT_TIMEOUT_MS,
  later: Later = laterByTimer,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const cancel = later(timeoutMs, () => reject(tooLate(timeoutMs)));
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    cancel();
  }
}
