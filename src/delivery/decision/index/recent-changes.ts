/** Most line items whose last change is known; those that changed first are forgotten first. */
const LINE_ITEMS_MAX = 50_000;

/** When the bookings of line items last changed in this process: their own, those of their parents, or their creatives. */
export class RecentChanges {
  /** In the order of the changes. */
  readonly #changedAtMs = new Map<string, number>();

  add(lineItemIds: Iterable<string>, nowMs: number): void {
    for (const id of lineItemIds) {
      this.#changedAtMs.delete(id);
      this.#changedAtMs.set(id, nowMs);
    }
    for (const id of this.#changedAtMs.keys()) {
      if (this.#changedAtMs.size <= LINE_ITEMS_MAX) return;
      this.#changedAtMs.delete(id);
    }
  }

  /** Undefined: no change is known. */
  find(lineItemId: string): number | undefined {
    return this.#changedAtMs.get(lineItemId);
  }
}
