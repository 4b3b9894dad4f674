import type { GamAdUnit, GamPlacement } from './gam-data.ts';

const DEPTH_MAX = 20;

/** The tree of ad units, and the names that they get: their codes below the root, as tags of pages name them. */
export class Inventory {
  readonly #byId: ReadonlyMap<string, GamAdUnit>;
  readonly #children: ReadonlyMap<string | null, readonly GamAdUnit[]>;
  readonly #placements: ReadonlyMap<string, GamPlacement>;

  constructor(adUnits: readonly GamAdUnit[], placements: readonly GamPlacement[]) {
    this.#byId = new Map(adUnits.map((unit) => [unit.id, unit]));
    this.#children = Map.groupBy(adUnits, ({ parentId }) => parentId);
    this.#placements = new Map(placements.map((placement) => [placement.id, placement]));
  }

  /** Ad units that pages can name: all but the root. */
  get units(): GamAdUnit[] {
    return [...this.#byId.values()].filter((unit) => !this.#isRoot(unit));
  }

  /** The name of an ad unit, such as `news/top`; null: it is not known, or the root. */
  nameOf(id: string): string | null {
    const codes = this.#path(id);
    return codes.length === 0 ? null : codes.map(({ code }) => code).join('/');
  }

  /** The ad unit below the root that an ad unit belongs to. */
  topOf(id: string): GamAdUnit | null {
    return this.#path(id)[0] ?? null;
  }

  /** An ad unit and, if asked, all below it; null: it is not known. */
  idsBelow(id: string, withDescendants: boolean): string[] | null {
    const unit = this.#byId.get(id);
    if (unit === undefined) return null;
    const found = this.#isRoot(unit) ? [] : [id];
    if (!withDescendants) return found;
    const waiting = [id];
    const seen = new Set(waiting);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      for (const child of this.#children.get(next) ?? []) {
        if (seen.has(child.id)) continue;
        seen.add(child.id);
        found.push(child.id);
        waiting.push(child.id);
      }
    return found;
  }

  /** The ad units of a placement, with those below them; null: it is not known. */
  idsOfPlacement(id: string): string[] | null {
    const placement = this.#placements.get(id);
    if (placement === undefined) return null;
    return placement.adUnitIds.flatMap((unit) => this.idsBelow(unit, true) ?? []);
  }

  #isRoot({ parentId }: GamAdUnit): boolean {
    return parentId === null;
  }

  #path(id: string): GamAdUnit[] {
    const path: GamAdUnit[] = [];
    for (let unit = this.#byId.get(id); unit !== undefined && path.length < DEPTH_MAX; ) {
      if (this.#isRoot(unit)) break;
      path.unshift(unit);
      unit = unit.parentId === null ? undefined : this.#byId.get(unit.parentId);
    }
    return path;
  }
}
