/** Does the work of one owner one after the other, and that of different owners side by side. */
export class Turns<Owner> {
  readonly #owners = new Map<Owner, { last: Promise<unknown>; count: number }>();

  /** How much work of an owner runs or waits. */
  countOf(owner: Owner): number {
    return this.#owners.get(owner)?.count ?? 0;
  }

  /**
   * Waits for the turn of the owner.
   * @param signal gives up the turn
   * @throws what the work throws, and the signal's reason
   */
  async run<T>(owner: Owner, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const turns = this.#owners.get(owner) ?? { last: Promise.resolve(), count: 0 };
    this.#owners.set(owner, turns);
    turns.count += 1;
    const made = turns.last.then(() => {
      signal?.throwIfAborted();
      return work();
    });
    turns.last = made.catch(() => {});
    try {
      return await made;
    } finally {
      turns.count -= 1;
      if (turns.count === 0) this.#owners.delete(owner);
    }
  }
}
