import type { Supply } from './supply.ts';

const PRECISION = 1e-7;

/**
 * The part of each demand that fits: all of it where all fit together. Else the demands of a lower level give way to those of a higher one,
 * and together they get as much as the supply can hold: a maximum flow (Dinic, 1970), the highest level first. A flow that is added later
 * never takes from what earlier demands have in sum.
 * @param levels of each demand; the smallest is the highest
 */
export function fitDemands(supply: Supply, amounts: Float64Array, levels: Uint8Array): Float64Array {
  const flow = new Flow(supply, amounts);
  for (const level of [...new Set(levels)].sort((one, other) => one - other)) {
    const demands = Array.from(levels.keys()).filter((demand) => levels[demand] === level);
    flow.open(demands);
    while (flow.addPhase());
  }
  return flow.delivered();
}

const UNREACHED = -1;

/** A flow from demands through groups of the supply. */
class Flow {
  readonly #supply: Supply;
  /** What is missing to each amount, and what is left of each group. */
  readonly #missing: Float64Array;
  readonly #left: Float64Array;
  readonly #amounts: Float64Array;
  /** By edge: a demand and a group that it may use. */
  readonly #flows: Float64Array;
  readonly #demandDepths: Int32Array;
  readonly #groupDepths: Int32Array;
  /** Where the search of a phase goes on. */
  readonly #nextOfDemand: Int32Array;
  readonly #nextOfGroup: Int32Array;
  #sources: readonly number[] = [];

  constructor(supply: Supply, amounts: Float64Array) {
    this.#supply = supply;
    this.#amounts = amounts;
    this.#missing = amounts.slice();
    this.#left = supply.volumes.slice();
    this.#flows = new Float64Array(supply.members.length);
    this.#demandDepths = new Int32Array(supply.demandCount);
    this.#groupDepths = new Int32Array(supply.volumes.length);
    this.#nextOfDemand = new Int32Array(supply.demandCount);
    this.#nextOfGroup = new Int32Array(supply.volumes.length);
  }

  /** The demands that may get more from now on. */
  open(sources: readonly number[]): void {
    this.#sources = sources;
  }

  delivered(): Float64Array {
    return this.#amounts.map((amount, demand) => amount - (this.#missing[demand] as number));
  }

  /** Adds flow along all shortest paths; false when there is none. */
  addPhase(): boolean {
    if (!this.#layer()) return false;
    let added = 0;
    for (const source of this.#sources) {
      for (;;) {
        const missing = this.#missing[source] as number;
        if (missing <= PRECISION * (1 + (this.#amounts[source] as number))) break;
        const pushed = this.#pushFromDemand(source, missing);
        if (pushed <= 0) break;
        this.#missing[source] = missing - pushed;
        added += pushed;
      }
    }
    return added > PRECISION;
  }

  /** Numbers demands and groups by their distance from the open demands; false when no group with something left is reached. */
  #layer(): boolean {
    const { edgeStarts, groups, starts } = this.#supply;
    this.#demandDepths.fill(UNREACHED);
    this.#groupDepths.fill(UNREACHED);
    this.#nextOfDemand.set(edgeStarts.subarray(0, this.#nextOfDemand.length));
    this.#nextOfGroup.set(starts.subarray(0, this.#nextOfGroup.length));
    let demands = this.#sources.filter(
      (demand) => (this.#missing[demand] as number) > PRECISION * (1 + (this.#amounts[demand] as number)),
    );
    for (const demand of demands) this.#demandDepths[demand] = 0;
    for (let depth = 1; demands.length > 0; depth += 1) {
      const reached: number[] = [];
      let isFound = false;
      for (const demand of demands) {
        for (let at = edgeStarts[demand] as number; at < (edgeStarts[demand + 1] as number); at += 1) {
          const group = groups[at] as number;
          if (this.#groupDepths[group] !== UNREACHED) continue;
          this.#groupDepths[group] = depth;
          reached.push(group);
          isFound ||= (this.#left[group] as number) > PRECISION;
        }
      }
      if (isFound) return true;
      demands = this.#holdersOf(reached, depth);
    }
    return false;
  }

  /** The demands, not reached before, that hold a part of these groups and could give it back. */
  #holdersOf(reached: readonly number[], depth: number): number[] {
    const { starts, members } = this.#supply;
    const holders: number[] = [];
    for (const group of reached) {
      for (let edge = starts[group] as number; edge < (starts[group + 1] as number); edge += 1) {
        const demand = members[edge] as number;
        if (this.#demandDepths[demand] !== UNREACHED || (this.#flows[edge] as number) <= PRECISION) continue;
        this.#demandDepths[demand] = depth;
        holders.push(demand);
      }
    }
    return holders;
  }

  #pushFromDemand(demand: number, amount: number): number {
    const { edgeStarts, edges, groups } = this.#supply;
    const depth = (this.#demandDepths[demand] as number) + 1;
    for (let at = this.#nextOfDemand[demand] as number; at < (edgeStarts[demand + 1] as number); at += 1) {
      this.#nextOfDemand[demand] = at;
      const group = groups[at] as number;
      if (this.#groupDepths[group] !== depth) continue;
      const pushed = this.#pushIntoGroup(group, amount);
      if (pushed <= 0) continue;
      const edge = edges[at] as number;
      this.#flows[edge] = (this.#flows[edge] as number) + pushed;
      return pushed;
    }
    this.#nextOfDemand[demand] = edgeStarts[demand + 1] as number;
    return 0;
  }

  /** From what is left of the group, else from a demand that can use another group instead. */
  #pushIntoGroup(group: number, amount: number): number {
    const left = this.#left[group] as number;
    if (left > PRECISION) {
      const pushed = Math.min(left, amount);
      this.#left[group] = left - pushed;
      return pushed;
    }
    const { starts, members } = this.#supply;
    const depth = this.#groupDepths[group] as number;
    for (let edge = this.#nextOfGroup[group] as number; edge < (starts[group + 1] as number); edge += 1) {
      this.#nextOfGroup[group] = edge;
      const demand = members[edge] as number;
      const held = this.#flows[edge] as number;
      if (this.#demandDepths[demand] !== depth || held <= PRECISION) continue;
      const pushed = this.#pushFromDemand(demand, Math.min(held, amount));
      if (pushed <= 0) continue;
      this.#flows[edge] = held - pushed;
      return pushed;
    }
    this.#nextOfGroup[group] = starts[group + 1] as number;
    return 0;
  }
}
