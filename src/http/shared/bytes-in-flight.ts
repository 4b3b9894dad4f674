import { PlacardError } from '../../domain/errors.ts';

/** Bounds of bytes that a process holds for its clients. */
export interface InFlightLimits {
  /** Of one owner, a network. */
  readonly ofOwnerMax: number;
  readonly totalMax: number;
}

/** Counts the bytes of bodies and responses that are in memory until they are stored or sent. */
export class BytesInFlight {
  readonly #limits: InFlightLimits;
  readonly #ofOwners = new Map<string, number>();
  #total = 0;

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /** Bytes of one owner. */
  ofOwner(owner: string): number {
    return this.#ofOwners.get(owner) ?? 0;
  }

  /**
   * Counts bytes until the returned function is called.
   * @param isCertain counts them over a limit, too: what they tell of has happened
   * @throws PlacardError `overloaded` over a limit
   */
  reserve(owner: string, bytes: number, isCertain = false): () => void {
    const own = this.#ofOwners.get(owner) ?? 0;
    const isOver = own + bytes > this.#limits.ofOwnerMax || this.#total + bytes > this.#limits.totalMax;
    if (isOver && !isCertain) {
      throw new PlacardError(
        'overloaded',
        'Too many bytes of this network are on their way already: send fewer requests at once, and read each response.',
        { details: { retryAfterSeconds: 1 } },
      );
    }
    this.#add(owner, bytes);
    let isHeld = true;
    return () => {
      if (isHeld) this.#add(owner, -bytes);
      isHeld = false;
    };
  }

  #add(owner: string, bytes: number): void {
    const own = (this.#ofOwners.get(owner) ?? 0) + bytes;
    if (own === 0) this.#ofOwners.delete(owner);
    else this.#ofOwners.set(owner, own);
    this.#total += bytes;
  }
}
