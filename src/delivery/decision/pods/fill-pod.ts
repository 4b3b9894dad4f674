/** An ad that could play in a pod. */
export interface PodOption {
  readonly durationMs: number;
  /** By slot: what the ad is worth there; 0 = it cannot play there. */
  readonly worths: ArrayLike<number>;
  /** What it shares with others: its line item, labels, owners of frequency caps. Indexes of `groupMax`. */
  readonly groups: readonly number[];
}

/** Ads that play one after the other, and what restricts them together. */
export interface Pod {
  /** By slot: the time that it shares with other slots, as an index of `timesMs`; -1 = it shares none. */
  readonly sharedTimes: readonly number[];
  readonly timesMs: readonly number[];
  readonly options: readonly PodOption[];
  /** Most ads of each group. */
  readonly groupMax: readonly number[];
}

const EMPTY = -1;
/** Fillings for which a price of time is looked for. */
const PRICES_TRIED = 8;
/** Options that an order holds for each slot of the pod: others are not reached. */
const ENTRIES_BY_SLOT = 20;
/** Shares of the price that is found, by which slots are filled again as well. */
const PRICES_BESIDE = [1.5, 0.6];
/** Fillings that begin with a part of the best one. */
const REFILLS_MAX = 150;
/** With at most so many fillings, all of them are looked through. */
const FILLINGS_SEARCHED_MAX = 10_000;

/**
 * Fills a pod so that its ads are worth most together. Exact for small pods. Deterministic: of equals, the first option wins.
 *
 * A price of time makes the search easy: with it, each ad is worth what it pays less the time that it takes, and the best ads are taken one
 * by one. The price that just uses up the time is looked for. Then slots of the best filling are emptied, one or two at once, and filled again.
 * @returns by slot: the index of its option; -1 = empty
 */
export function fillPod(pod: Pod): number[] {
  const search = new PodSearch(pod);
  search.findPrice();
  search.improve();
  const { options, sharedTimes } = pod;
  if ((options.length + 1) ** sharedTimes.length <= FILLINGS_SEARCHED_MAX) search.tryAll();
  return search.best;
}

/** Options in the order in which they are taken, doubled: `2 × option` for slots of their own, and one more for slots that share time. */
type Order = Uint32Array;

class PodSearch {
  best: number[];
  #bestWorth = 0;
  readonly #pod: Pod;
  /** Slots by the number of options that can play there, the fewest first; apart: those that share time. */
  readonly #narrowFirst: Readonly<Record<'shared' | 'own', readonly number[]>>;
  readonly #most: { readonly own: Float64Array; readonly shared: Float64Array };
  readonly #shortestMs: number;
  #orders: Order[] = [];
  readonly #isUsed: Uint8Array;
  readonly #optionAt: Int32Array;
  readonly #used: Int32Array;
  readonly #left: Float64Array;
  #open: number;
  #worth = 0;

  constructor(pod: Pod) {
    const { options, sharedTimes } = pod;
    this.#pod = pod;
    this.best = sharedTimes.map(() => EMPTY);
    this.#open = sharedTimes.length;
    this.#isUsed = new Uint8Array(options.length);
    this.#optionAt = new Int32Array(sharedTimes.length).fill(EMPTY);
    this.#used = new Int32Array(pod.groupMax.length);
    this.#left = Float64Array.from(pod.timesMs);
    this.#shortestMs = options.reduce((least, { durationMs }) => Math.min(least, durationMs), Number.POSITIVE_INFINITY);
    const counts = new Int32Array(sharedTimes.length);
    this.#most = { own: new Float64Array(options.length), shared: new Float64Array(options.length) };
    for (const [index, { worths }] of options.entries())
      for (let slot = 0; slot < sharedTimes.length; slot += 1) {
        const worth = worths[slot] as number;
        if (worth === 0) continue;
        counts[slot] = (counts[slot] as number) + 1;
        const most = (sharedTimes[slot] as number) < 0 ? this.#most.own : this.#most.shared;
        if (worth > (most[index] as number)) most[index] = worth;
      }
    const slots = [...sharedTimes.keys()].sort((one, other) => (counts[one] as number) - (counts[other] as number));
    this.#narrowFirst = {
      own: slots.filter((slot) => (sharedTimes[slot] as number) < 0),
      shared: slots.filter((slot) => (sharedTimes[slot] as number) >= 0),
    };
  }

  /** Looks for the price of a millisecond that just uses up the time, by halves. */
  findPrice(): void {
    let low = 0;
    let high = 0;
    for (const [index, { durationMs }] of this.#pod.options.entries())
      high = Math.max(high, (this.#most.shared[index] as number) / durationMs);
    const isPriced = this.#narrowFirst.shared.length > 0 && high > 0;
    let price = 0;
    let best = 0;
    for (let tries = 0; tries < (isPriced ? PRICES_TRIED : 1); tries += 1) {
      const order = this.#orderAt(price);
      const before = this.#bestWorth;
      this.#clear();
      const wasShort = this.#fill(order);
      this.#recordBest();
      if (this.#bestWorth > before || this.#orders.length === 0) {
        this.#orders = [order];
        best = price;
      }
      if (wasShort) low = price;
      else high = price;
      if (tries === 0 && !wasShort) return;
      price = (low + high) / 2;
    }
    if (isPriced) for (const share of PRICES_BESIDE) this.#orders.push(this.#orderAt(best * share));
  }

  /** Empties one or two slots of the best filling and fills them again, for as long as that helps. */
  improve(): void {
    const slots = this.best.length;
    let refills = 0;
    for (let helps = true; helps; ) {
      helps = false;
      for (let apart = 0; apart < slots && !helps; apart += 1)
        for (let one = 0; one + apart < slots && !helps; one += 1) {
          if (refills >= REFILLS_MAX) return;
          refills += 1;
          helps = this.#refill(one, one + apart);
        }
    }
  }

  #refill(one: number, other: number): boolean {
    const from = this.best;
    const before = this.#bestWorth;
    if (from[one] === EMPTY && from[other] === EMPTY) return false;
    for (const order of this.#orders) {
      for (const leftOut of [from[one] as number, from[other] as number]) {
        this.#reset(from, one, other);
        if (leftOut !== EMPTY) this.#isUsed[leftOut] = 1;
        this.#fill(order);
        if (leftOut !== EMPTY) this.#isUsed[leftOut] = 0;
        if (this.#open > 0) this.#fill(order);
        this.#recordBest();
        if (this.#bestWorth > before) return true;
      }
    }
    return false;
  }

  /** The filling without two of its slots. */
  #reset(from: readonly number[], one: number, other: number): void {
    for (const [slot, option] of from.entries()) {
      const wanted = slot === one || slot === other ? EMPTY : option;
      if (this.#optionAt[slot] !== EMPTY && this.#optionAt[slot] !== wanted) this.#remove(slot);
    }
    for (const [slot, option] of from.entries())
      if (option !== EMPTY && slot !== one && slot !== other && this.#optionAt[slot] === EMPTY) this.#put(slot, option);
  }

  /** Takes the options of an order one by one where they can play. @returns whether time was short for one of them */
  #fill(order: Order): boolean {
    let wasShort = false;
    for (const entry of order) {
      if (this.#open === 0) return wasShort;
      const option = entry >> 1;
      if (!this.#isFree(option)) continue;
      const isShared = (entry & 1) === 1;
      const { worths, durationMs } = this.#pod.options[option] as PodOption;
      for (const slot of isShared ? this.#narrowFirst.shared : this.#narrowFirst.own) {
        if (this.#optionAt[slot] !== EMPTY || worths[slot] === 0) continue;
        const time = this.#pod.sharedTimes[slot] as number;
        if (time >= 0 && durationMs > (this.#left[time] as number)) {
          wasShort = true;
          if ((this.#left[time] as number) < this.#shortestMs) return wasShort && this.#fillOwn(order);
          continue;
        }
        this.#put(slot, option);
        break;
      }
    }
    return wasShort;
  }

  /** As `#fill`, of slots that share no time. */
  #fillOwn(order: Order): true {
    if (this.#narrowFirst.own.some((slot) => this.#optionAt[slot] === EMPTY))
      this.#fill(order.filter((entry) => (entry & 1) === 0));
    return true;
  }

  #orderAt(price: number): Order {
    const { own, shared } = this.#most;
    const scores = new Float64Array(2 * this.#pod.options.length);
    const entries: number[] = [];
    for (let option = 0; option < own.length; option += 1) {
      const alone = own[option] as number;
      const together = shared[option] as number;
      scores[2 * option] = alone;
      scores[2 * option + 1] = together - price * (this.#pod.options[option] as PodOption).durationMs;
      if (alone > 0) entries.push(2 * option);
      if (together > 0) entries.push(2 * option + 1);
    }
    entries.sort((one, other) => (scores[other] as number) - (scores[one] as number));
    return Uint32Array.from(entries.slice(0, ENTRIES_BY_SLOT * this.best.length));
  }

  /** Looks through all fillings. */
  tryAll(): void {
    const visit = (slot: number): void => {
      if (slot === this.best.length) return this.#recordBest();
      for (let option = 0; option < this.#pod.options.length; option += 1) {
        const { worths, durationMs } = this.#pod.options[option] as PodOption;
        const time = this.#pod.sharedTimes[slot] as number;
        if (worths[slot] === 0 || !this.#isFree(option)) continue;
        if (time >= 0 && durationMs > (this.#left[time] as number)) continue;
        this.#put(slot, option);
        visit(slot + 1);
        this.#remove(slot);
      }
      visit(slot + 1);
    };
    this.#clear();
    visit(0);
  }

  #isFree(option: number): boolean {
    if (this.#isUsed[option] === 1) return false;
    for (const group of (this.#pod.options[option] as PodOption).groups)
      if ((this.#used[group] as number) >= (this.#pod.groupMax[group] as number)) return false;
    return true;
  }

  #put(slot: number, option: number): void {
    this.#move(slot, option, 1);
    this.#optionAt[slot] = option;
  }

  #remove(slot: number): void {
    this.#move(slot, this.#optionAt[slot] as number, -1);
    this.#optionAt[slot] = EMPTY;
  }

  #move(slot: number, option: number, by: 1 | -1): void {
    const { worths, durationMs, groups } = this.#pod.options[option] as PodOption;
    this.#worth += by * (worths[slot] as number);
    this.#open -= by;
    this.#isUsed[option] = by === 1 ? 1 : 0;
    const time = this.#pod.sharedTimes[slot] as number;
    if (time >= 0) this.#left[time] = (this.#left[time] as number) - by * durationMs;
    for (const group of groups) this.#used[group] = (this.#used[group] as number) + by;
  }

  #clear(): void {
    for (let slot = 0; slot < this.best.length; slot += 1) if (this.#optionAt[slot] !== EMPTY) this.#remove(slot);
  }

  #recordBest(): void {
    if (this.#worth <= this.#bestWorth) return;
    this.#bestWorth = this.#worth;
    this.best = Array.from(this.#optionAt);
  }
}
