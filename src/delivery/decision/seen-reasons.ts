import type { NoFill } from '../../domain/booking/delivery-cause.ts';
import type { LoserReason } from './eligibility.ts';

/** The kinds of filter reasons that occurred, for the summary of an empty response. */
export class SeenReasons {
  #floor = false;
  #budget = false;
  #capped = false;
  /** Pacing filtered some line items before any other rule was checked. */
  metPacing = false;

  record(reason: LoserReason): void {
    if (reason === 'pacing') this.metPacing = true;
    else if (reason === 'floor') this.#floor = true;
    else if (reason.startsWith('budget.')) this.#budget = true;
    else if (reason.startsWith('capped.')) this.#capped = true;
  }

  summarize(): NoFill {
    if (this.#floor) return 'floor';
    if (this.#budget) return 'budget';
    return this.#capped ? 'capped' : 'no_match';
  }
}
