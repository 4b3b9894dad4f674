/**
 * Random numbers that can be had again. A decision that is made again (a limit was found used up, a counter was not known yet) must
 * draw what it drew before, or those who draw first would get a second chance with every round.
 */
export class SameDraws {
  readonly #random: () => number;
  readonly #drawn: number[] = [];
  #at = 0;

  /** @param random uniform in [0, 1) */
  constructor(random: () => number) {
    this.#random = random;
  }

  readonly next = (): number => {
    const known = this.#drawn[this.#at];
    this.#at += 1;
    if (known !== undefined) return known;
    const drawn = this.#random();
    this.#drawn.push(drawn);
    return drawn;
  };

  /** The next number is the first one again. */
  rewind(): void {
    this.#at = 0;
  }
}
