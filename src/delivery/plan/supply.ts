/**
 * Expected opportunities, in groups: those of a group admit the same demands, and cost as much. A demand is a goal of a line item, or a
 * part of one. Immutable.
 */
export interface Supply {
  readonly demandCount: number;
  /** The expected opportunities of each group. */
  readonly volumes: Float64Array;
  /** What an opportunity would earn otherwise, for demands that heed prices: 1 is as much as leaving out a whole fair share. */
  readonly costs: Float64Array;
  /** The demands of group `g` are in `members` from `starts[g]` up to `starts[g + 1]`, ascending. */
  readonly starts: Int32Array;
  readonly members: Int32Array;
  /** The positions of demand `d` in `members` are in `edges` from `edgeStarts[d]` up to `edgeStarts[d + 1]`; `groups` has their groups. */
  readonly edgeStarts: Int32Array;
  readonly edges: Int32Array;
  readonly groups: Int32Array;
}

interface Group {
  readonly members: Int32Array;
  readonly cost: number;
  volume: number;
}

/** Collects opportunities into groups. */
export class SupplyBuilder {
  readonly #demandCount: number;
  readonly #groups: Group[] = [];
  /** Positions of groups by the hash of their members and cost. */
  readonly #byHash = new Map<number, number[]>();
  #memberCount = 0;

  constructor(demandCount: number) {
    this.#demandCount = demandCount;
  }

  /** @param members the demands that may use the opportunities, ascending; copied where they are new */
  add(members: Int32Array, volume: number, cost = 0): void {
    if (members.length === 0 || volume <= 0) return;
    const hash = hashOf(members, cost);
    const sameHash = this.#byHash.get(hash);
    for (const at of sameHash ?? []) {
      const group = this.#groups[at] as Group;
      if (group.cost !== cost || !hasSameMembers(group.members, members)) continue;
      group.volume += volume;
      return;
    }
    if (sameHash === undefined) this.#byHash.set(hash, [this.#groups.length]);
    else sameHash.push(this.#groups.length);
    this.#groups.push({ members: members.slice(), cost, volume });
    this.#memberCount += members.length;
  }

  build(): Supply {
    const count = this.#groups.length;
    const starts = new Int32Array(count + 1);
    const members = new Int32Array(this.#memberCount);
    for (const [at, group] of this.#groups.entries()) {
      const start = starts[at] as number;
      members.set(group.members, start);
      starts[at + 1] = start + group.members.length;
    }
    return {
      demandCount: this.#demandCount,
      volumes: Float64Array.from(this.#groups, ({ volume }) => volume),
      costs: Float64Array.from(this.#groups, ({ cost }) => cost),
      starts,
      members,
      ...edgesOf(this.#demandCount, starts, members),
    };
  }
}

function edgesOf(
  demandCount: number,
  starts: Int32Array,
  members: Int32Array,
): Pick<Supply, 'edgeStarts' | 'edges' | 'groups'> {
  const edgeStarts = new Int32Array(demandCount + 1);
  for (const demand of members) edgeStarts[demand + 1] = (edgeStarts[demand + 1] as number) + 1;
  for (let demand = 0; demand < demandCount; demand += 1)
    edgeStarts[demand + 1] = (edgeStarts[demand + 1] as number) + (edgeStarts[demand] as number);
  const next = edgeStarts.slice();
  const edges = new Int32Array(members.length);
  const groups = new Int32Array(members.length);
  for (let group = 0; group < starts.length - 1; group += 1) {
    for (let edge = starts[group] as number; edge < (starts[group + 1] as number); edge += 1) {
      const demand = members[edge] as number;
      const at = next[demand] as number;
      next[demand] = at + 1;
      edges[at] = edge;
      groups[at] = group;
    }
  }
  return { edgeStarts, edges, groups };
}

function hashOf(members: Int32Array, cost: number): number {
  let hash = Math.imul(Math.round(cost * 1_024) ^ members.length, 0x85eb_ca6b);
  for (const member of members) hash = Math.imul(hash ^ (hash >>> 15) ^ member, 0xc2b2_ae35);
  return hash >>> 0;
}

function hasSameMembers(one: Int32Array, other: Int32Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

/** The opportunities that each demand may use. */
export function eligibleVolumes({ demandCount, volumes, edgeStarts, groups }: Supply): Float64Array {
  const eligible = new Float64Array(demandCount);
  for (let demand = 0; demand < demandCount; demand += 1) {
    let sum = 0;
    for (let at = edgeStarts[demand] as number; at < (edgeStarts[demand + 1] as number); at += 1)
      sum += volumes[groups[at] as number] as number;
    eligible[demand] = sum;
  }
  return eligible;
}
