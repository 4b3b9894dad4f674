import type { GroupOrders } from './group-orders.ts';

/** What is remembered of the line items in one context: a site, unit, device, country and part of the day. */
export interface ContextMemory {
  /** By position: by which factor the rate is higher than elsewhere. A context asks for few of all line items. */
  readonly lifts: Map<number, number>;
  /** Orders by the values in this context. */
  readonly orders: GroupOrders;
}

/** Most contexts, and most lifts of all contexts together: about 10 MB. */
export const CONTEXTS_MAX = 2_000;
export const LIFTS_MAX = 200_000;

/** The memories of contexts, with one model. The oldest contexts are forgotten first. */
export class ContextMemories {
  readonly #makeOrders: () => GroupOrders;
  readonly #memories = new Map<string, ContextMemory>();
  #model: object | null = null;
  #lifts = 0;

  constructor(makeOrders: () => GroupOrders) {
    this.#makeOrders = makeOrders;
  }

  of(model: object, context: string): ContextMemory {
    if (this.#model !== model) {
      this.#model = model;
      this.#memories.clear();
      this.#lifts = 0;
    }
    const known = this.#memories.get(context);
    if (known !== undefined) return known;
    const made = { lifts: new Map<number, number>(), orders: this.#makeOrders() };
    this.#memories.set(context, made);
    this.#forgetOldest(made);
    return made;
  }

  /** @param memory the one that `of` gave last */
  setLift(memory: ContextMemory, position: number, lift: number): void {
    memory.lifts.set(position, lift);
    this.#lifts += 1;
    if (this.#lifts > LIFTS_MAX) this.#forgetOldest(memory);
  }

  /** @param used stays in any case */
  #forgetOldest(used: ContextMemory): void {
    for (const [context, memory] of this.#memories) {
      if (this.#lifts <= LIFTS_MAX && this.#memories.size <= CONTEXTS_MAX) return;
      if (memory === used) continue;
      this.#memories.delete(context);
      this.#lifts -= memory.lifts.size;
    }
  }
}
