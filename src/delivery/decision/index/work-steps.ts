import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that can be interrupted: it yields often, and returns its result. */
export type WorkSteps<T> = Generator<undefined, T, undefined>;

/** How long work holds the event loop at a stretch. */
const SLICE_MS = 3;

/** Does the work at a stretch. */
export function finishSteps<T>(steps: WorkSteps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Does the work in slices of a few milliseconds; requests are answered in between. */
export async function sliceSteps<T>(steps: WorkSteps<T>): Promise<T> {
  for (;;) {
    const untilMs = performance.now() + SLICE_MS;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < untilMs);
    await nextTurn();
  }
}
