import { randomInt } from 'node:crypto';

/** How long a request id is remembered (checklist B14). */
const REMEMBERED_MS = 300_000;
/** Room for ids; those that were seen longest ago give way. A power of two. */
const PLACES = 131_072;
/** Places where an id may stand, side by side. */
const PROBES = 8;

/**
 * The request ids of the last five minutes in this process, so that a request that is sent again is answered but left out of the
 * request counts. What its ads report counts once in all processes, because a repeat gets the same ad ids (`repeatableUlid`). Of each
 * id 49 bits of a hash are kept, in arrays: texts that live for minutes cost the garbage collector most.
 */
export class RepeatedRequests {
  readonly #tags = new Uint32Array(PLACES);
  /** Seconds since the start, from 1; 0 = nothing stands here. */
  readonly #seenAt = new Uint32Array(PLACES);
  readonly #seed = randomInt(2 ** 32);
  #startMs: number | null = null;

  /** Remembers what a request asked (its id and places); true when it stood here within the last five minutes. */
  note(workspaceId: number, asked: string, nowMs: number): boolean {
    this.#startMs ??= nowMs;
    const second = 1 + Math.max(0, Math.floor((nowMs - this.#startMs) / 1_000));
    // Multiplied, because a workspace beside another must not look like a character beside another.
    let place = Math.imul(this.#seed ^ workspaceId, 0x85ebca6b);
    let tag = Math.imul(place ^ (place >>> 13), 0xc2b2ae35) + this.#seed;
    for (let at = 0; at < asked.length; at += 1) {
      const code = asked.charCodeAt(at);
      place = Math.imul(place ^ code, 0x01000193);
      tag = Math.imul(tag ^ code, 0x5bd1e995);
      tag ^= tag >>> 15;
    }
    return this.#remember((place ^ (place >>> 15)) >>> 0, tag >>> 0, second);
  }

  #remember(first: number, tag: number, second: number): boolean {
    const oldestCounting = second - REMEMBERED_MS / 1_000;
    let free = first & (PLACES - 1);
    for (let probe = 0; probe < PROBES; probe += 1) {
      const place = (first + probe) & (PLACES - 1);
      const seenAt = this.#seenAt[place] as number;
      if (this.#tags[place] === tag && seenAt > 0 && seenAt > oldestCounting) return true;
      if (seenAt < (this.#seenAt[free] as number)) free = place;
    }
    this.#tags[free] = tag;
    this.#seenAt[free] = second;
    return false;
  }
}
