/** Pauses that a call ends. */
export class Waker {
  readonly #wakers = new Set<() => void>();

  wake(): void {
    for (const waker of this.#wakers) waker();
  }

  /** Ends after this time, or at a `wake` while `isOver`. */
  wait(timeoutMs: number, isOver: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#wakers.delete(onWake);
        resolve();
      };
      const onWake = (): void => {
        if (isOver()) done();
      };
      const timer = setTimeout(done, timeoutMs);
      this.#wakers.add(onWake);
    });
  }
}
