import type { Draw } from './quota-draws.ts';

/**
 * Random numbers that can be repeated. A decision that is made again, because a limit is used up or a counter was unknown, must repeat its
 * draws. Otherwise the first candidates to draw would get a second chance in every round.
 */
export class SameDraws {
  readonly #random: Draw;
  readonly #drawn: number[] = [];
  #at = 0;

  /** @param random uniform in [0, 1) */
  constructor(random: Draw) {
    this.#random = random;
  }

  readonly next: Draw = (quota) => {
    const known = this.#drawn[this.#at];
    this.#at += 1;
    if (known !== undefined) return known;
    const drawn = this.#random(quota);
    this.#drawn.push(drawn);
    return drawn;
  };

  /** Starts over with the first number. */
  rewind(): void {
    this.#at = 0;
  }
}
