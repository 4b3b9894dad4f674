/** Work that can be interrupted: it yields often, and returns its result. */
export type WorkSteps<T> = Generator<undefined, T, undefined>;

/** Does the work without a break. */
export function finishSteps<T>(steps: WorkSteps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
