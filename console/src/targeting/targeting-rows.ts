import type { TargetingTree } from '../api/bookings/targeting.ts';

/** What targeting of the form tests: which values, and whether they are let in or kept out. */
export const DIMENSIONS = [
  'AD_UNIT',
  'SITE',
  'COUNTRY',
  'REGION',
  'CITY',
  'DEVICE_TYPE',
  'OS',
  'BROWSER',
  'BROWSER_LANGUAGE',
  'SEGMENT',
  'KEY_VALUE',
  'KEYWORD',
  'LANGUAGE',
  'DOMAIN',
  'PAGE_URL',
  'SIZE',
  'POSITION',
  'MEDIA_TYPE',
  'DEAL',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** One test of the targeting. Rows that are joined by OR are a group; every group must hold. */
export interface TargetingRow {
  readonly dimension: Dimension;
  /** Of `KEY_VALUE`. */
  readonly key: string;
  readonly isNot: boolean;
  /** Joined with the row before by OR; rows are joined by AND otherwise. */
  readonly isOr: boolean;
  readonly values: readonly string[];
}

/** A row as a new one begins. */
export const NEW_ROW: TargetingRow = { dimension: 'AD_UNIT', key: '', isNot: false, isOr: false, values: [] };

/** The rows of each group: rows without values test nothing and are left out. */
export function groupsOf(rows: readonly TargetingRow[]): readonly (readonly TargetingRow[])[] {
  const groups: TargetingRow[][] = [];
  for (const row of rows.filter(({ values }) => values.length > 0)) {
    const last = groups.at(-1);
    if (row.isOr && last !== undefined) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** The targeting of the rows: every group must hold, by any of its rows. Null: everything. */
export function targetingOf(rows: readonly TargetingRow[]): TargetingTree | null {
  const all = groupsOf(rows).map((group) => {
    const tests = group.map(testOf);
    const [only] = tests;
    return tests.length === 1 && only !== undefined ? only : { any: tests };
  });
  return all.length === 0 ? null : { all };
}

function testOf({ dimension, key, isNot, values }: TargetingRow): TargetingTree {
  const operator = isNot ? ('IS_NOT' as const) : ('IS' as const);
  return { test: { dimension, operator, values, ...(dimension === 'KEY_VALUE' ? { key } : {}) } };
}

/** The rows that say the same as a tree; null for one that rows cannot say. */
export function rowsOf(tree: TargetingTree | null): readonly TargetingRow[] | null {
  if (tree === null) return [];
  const groups = tree.all ?? [tree];
  const rows: TargetingRow[] = [];
  for (const group of groups) {
    for (const [at, node] of (group.any ?? [group]).entries()) {
      const row = rowOf(node, at > 0);
      if (row === null) return null;
      rows.push(row);
    }
  }
  return rows;
}

function rowOf({ test, not }: TargetingTree, isOr: boolean): TargetingRow | null {
  const isDenied = not !== null && not !== undefined;
  const own = isDenied ? not.test : test;
  if (own === null || own === undefined) return null;
  const dimension = DIMENSIONS.find((one) => one === own.dimension);
  const isNegative = own.operator === 'IS_NOT';
  // "Not one of" also matches requests without a value; the denial of that is another thing.
  if (dimension === undefined || (own.operator !== 'IS' && !isNegative) || (isDenied && isNegative)) return null;
  return { dimension, key: own.key ?? '', isNot: isNegative || isDenied, isOr, values: own.values };
}
