/** Flags of a line item in the plan. */
export const PLANNED = 1;
/** It must be tested beyond the index: its targeting or its day-parts. */
export const TESTED = 2;
/** It takes what is left over as soon as possible. */
export const SOON = 4;
/** It may wait for better units. */
export const CHOOSES = 8;

/**
 * The allocation plan by position of the index, and the buffers of a decision by it. Values are looked up when a decision first needs them.
 * Serves one decision at a time.
 */
export class PlannedColumns {
  readonly fair: Float64Array;
  readonly need: Float64Array;
  readonly costFair: Float64Array;
  readonly costNeed: Float64Array;
  /** The share of its opportunities that each wants, of which this is one. */
  readonly wanted: Float64Array;
  readonly flags: Uint8Array;
  readonly untilMs: Float64Array;
  /** The line items that compete, those that may have what is left over, and those that may have what is idle. */
  readonly members: Int32Array;
  readonly left: Int32Array;
  readonly idle: Int32Array;
  /** Two for each member: of its fair share, and of the part that heeds prices. */
  readonly scales: Float64Array;
  readonly wants: Float64Array;
  /** The share of the opportunity that each member has. */
  readonly shares: Float64Array;
  /** What a draw gives each: its share, or how much larger that is without those that were drawn before and may not serve. */
  readonly gains: Float64Array;
  /** The position that has index 0 here. */
  readonly from: number;
  #by: object | null = null;

  /** For the positions of a range: the line items of STANDARD. */
  constructor({ from, to }: { readonly from: number; readonly to: number }) {
    const size = to - from;
    const numbers = () => new Float64Array(size);
    this.from = from;
    this.fair = numbers();
    this.need = numbers();
    this.costFair = numbers();
    this.costNeed = numbers();
    this.wanted = numbers();
    this.untilMs = numbers();
    this.flags = new Uint8Array(size);
    this.members = new Int32Array(size);
    this.left = new Int32Array(size);
    this.idle = new Int32Array(size);
    this.scales = new Float64Array(2 * size);
    this.wants = new Float64Array(2 * size);
    this.shares = numbers();
    this.gains = numbers();
  }

  /** Forgets what another plan said. */
  use(plan: object): void {
    if (this.#by === plan) return;
    this.#by = plan;
    this.untilMs.fill(0);
  }
}
