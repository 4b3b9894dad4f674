import { type Booking, FIRST_CAP, raiseCap } from './booking.ts';
import type { Journal } from './journal.ts';
import type { Management } from './management.ts';
import type { StoredEvent } from './stored-events.ts';

/** Watches the limit of impressions: never passed, but by ads in flight when reservations were lost with a damaged ledger. */
export class CapWatch {
  readonly #journal: Journal;
  readonly #lineItemId: string;
  readonly #booking: Booking;
  #limit = FIRST_CAP;
  #allowed = 0;
  #inFlight = 0;
  #servedBefore = 0;
  #rebuilds = 0;

  constructor(booking: Booking, journal: Journal) {
    this.#journal = journal;
    this.#booking = booking;
    this.#lineItemId = booking.lineItems.find(({ name }) => name === booking.cappedName)?.lineItemId ?? '';
  }

  /** @param rebuilds how often counters were made again so far */
  beginRound(rebuilds: number): void {
    this.#rebuilds = rebuilds;
    const served = this.#served();
    this.#servedBefore = served.length;
    this.#inFlight = served.filter((id) => !this.#journal.acknowledged.has(`${id}:imp`)).length;
  }

  /** Whether counters were made again since the round began. */
  isRebuilt(rebuilds: number): boolean {
    return rebuilds > this.#rebuilds;
  }

  recordRebuild(): void {
    this.#allowed += this.#inFlight + this.#served().length - this.#servedBefore;
  }

  compare(stored: readonly StoredEvent[]): string[] {
    const impressions = this.#delivered(stored);
    if (impressions <= this.#limit + this.#allowed) return [];
    return [`limit of ${this.#limit} impressions, and ${this.#allowed} in flight: ${impressions} were delivered`];
  }

  async raise(management: Management, stored: readonly StoredEvent[]): Promise<void> {
    // Ads of the time before a rebuild release reservations that were lost: the excess may come as late as those are forgotten.
    this.#limit = await raiseCap(management, this.#booking, this.#delivered(stored));
  }

  #delivered(stored: readonly StoredEvent[]): number {
    return stored.filter(({ kind, lineItemId }) => kind === 'impression' && lineItemId === this.#lineItemId).length;
  }

  #served(): string[] {
    return [...this.#journal.ads].filter(([, { ad }]) => ad.lineItemId === this.#lineItemId).map(([id]) => id);
  }
}
