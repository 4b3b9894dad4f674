import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WorkSteps } from '../decision/index/work-steps.ts';

/** Longest slice of work between two turns of the event loop. */
const SLICE_MS = 3;

/**
 * Does the work in slices of a few milliseconds; requests are served in between.
 * @param signal ends the work between two slices
 * @throws what the work throws, and the signal's reason
 */
export async function sliceSteps<T>(steps: WorkSteps<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    signal?.throwIfAborted();
    const untilMs = performance.now() + SLICE_MS;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < untilMs);
    await nextTurn();
  }
}
