/** A source of numbers, uniform in [0, 1). If the source supports quotas, successive numbers of one quota spread evenly. */
export type Draw = (quota?: string) => number;

/** Golden-ratio steps leave no gaps: after n steps, every interval holds its share of n to within about the logarithm of n. */
const GOLDEN_STEP = (Math.sqrt(5) - 1) / 2;
/** Most quotas that are tracked; beyond it, all start over. */
const QUOTAS_MAX = 10_000;

/**
 * Draws of a worker. A share of voice is a quota, not a coin toss: of 1,000 responses, a coin toss often gives a sponsor with 20 % 190 or 210;
 * these draws give it 197 to 203. Everything else is drawn at random.
 */
export class QuotaDraws {
  readonly #random: () => number;
  readonly #last = new Map<string, number>();

  constructor(random: () => number) {
    this.#random = random;
  }

  readonly next: Draw = (quota) => {
    if (quota === undefined) return this.#random();
    const last = this.#last.get(quota);
    if (last === undefined && this.#last.size >= QUOTAS_MAX) this.#last.clear();
    const drawn = last === undefined ? this.#random() : (last + GOLDEN_STEP) % 1;
    this.#last.set(quota, drawn);
    return drawn;
  };
}
