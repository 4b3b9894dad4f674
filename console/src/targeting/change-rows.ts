import { isWhole, type TargetingTree } from '../api/bookings/targeting.ts';
import { groupsOf, rowsOf, type TargetingRow, targetingOf } from './targeting-rows.ts';

/** A change of the targeting of several line items: conditions are added, removed, or replace all. */
export const TARGETING_WAYS = ['add', 'remove', 'replace'] as const;
export type TargetingWay = (typeof TARGETING_WAYS)[number];

/** A change of the targeting. Rows without values name every condition on the same. */
export interface TargetingChange {
  readonly way: TargetingWay;
  readonly rows: readonly TargetingRow[];
}

/** The targeting after a change; undefined: the change cannot be made to it, because rows cannot say it. */
export function changeTargeting(
  tree: TargetingTree | null,
  { way, rows }: TargetingChange,
): TargetingTree | null | undefined {
  if (way === 'replace') return targetingOf(rows);
  const own = rowsOf(tree);
  if (own !== null) return targetingOf(way === 'add' ? addRows(own, rows) : removeRows(own, rows));
  if (way === 'remove' || tree === null || !isWhole(tree)) return undefined;
  const added = targetingOf(rows);
  return added === null ? tree : { all: [tree, ...(added.all ?? [])] };
}

const isSameTest = (one: TargetingRow, other: TargetingRow): boolean =>
  one.dimension === other.dimension && one.key === other.key && one.isNot === other.isNot;

/** Rows with these beside them: the values of a single condition join those of a single one on the same, all else is one more condition. */
function addRows(own: readonly TargetingRow[], added: readonly TargetingRow[]): readonly TargetingRow[] {
  let groups = groupsOf(own);
  for (const group of groupsOf(added)) {
    const [one] = group;
    const at = groups.findIndex(
      (known) => group.length === 1 && known.length === 1 && known.some((row) => isSameTest(row, one as TargetingRow)),
    );
    groups =
      at === -1
        ? [...groups, group]
        : groups.map((known, index) => (index === at ? known.map((row) => withValues(row, one)) : known));
  }
  return joined(groups);
}

function withValues(row: TargetingRow, added: TargetingRow | undefined): TargetingRow {
  return { ...row, values: [...new Set([...row.values, ...(added?.values ?? [])])] };
}

/** Rows without these values: a condition that loses all of them is gone. */
function removeRows(own: readonly TargetingRow[], removed: readonly TargetingRow[]): readonly TargetingRow[] {
  const rest = groupsOf(own).map((group) =>
    group.map((row) => ({ ...row, values: valuesLeft(row, removed) })).filter(({ values }) => values.length > 0),
  );
  return joined(rest);
}

function valuesLeft(row: TargetingRow, removed: readonly TargetingRow[]): readonly string[] {
  const same = removed.filter((one) => isSameTest(one, row));
  if (same.some(({ values }) => values.length === 0)) return [];
  return row.values.filter((value) => same.every(({ values }) => !values.includes(value)));
}

/** The rows of groups: the first of each begins it. */
function joined(groups: readonly (readonly TargetingRow[])[]): readonly TargetingRow[] {
  return groups.flatMap((group) => group.map((row, at) => ({ ...row, isOr: at > 0 })));
}
