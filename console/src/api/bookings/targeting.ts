/** One test of a targeting tree. */
export interface TargetingTest {
  readonly dimension: string;
  readonly operator: 'IS' | 'IS_NOT' | 'CONTAINS' | 'BEGINS_WITH';
  /** Of `KEY_VALUE`. */
  readonly key?: string | null;
  readonly values: readonly string[];
}

/** A targeting tree as the API gives it: one member of each node is there, the others are null or absent. */
export interface TargetingTree {
  readonly test?: TargetingTest | null;
  readonly not?: TargetingTree | null;
  readonly any?: readonly TargetingTree[] | null;
  readonly all?: readonly TargetingTree[] | null;
}

const TEST = 'test { dimension operator key values }';
/** The selection of a targeting tree: levels that bookings use. A query has a price for every level; a tree that goes deeper is cut, see {@link isWhole}. */
export const TARGETING_FIELDS = `{ ${TEST} not { ${TEST} any { ${TEST} } all { ${TEST} } }
  any { ${TEST} not { ${TEST} } } all { ${TEST} not { ${TEST} } any { ${TEST} not { ${TEST} } } } }`;

/** Whether a tree was read to its leaves: one that was cut must not be written again. */
export function isWhole(tree: TargetingTree): boolean {
  const { test, not, any, all } = tree;
  if (test !== null && test !== undefined) return true;
  if (not !== null && not !== undefined) return isWhole(not);
  const children = any ?? all ?? null;
  return children?.every(isWhole) === true;
}

/** A tree as the API takes it: without absent members. */
export function toTargetingInput(tree: TargetingTree): object {
  const { test, not, any, all } = tree;
  if (test !== null && test !== undefined) {
    const { key, ...plain } = test;
    return { test: key === null || key === undefined ? plain : { ...plain, key } };
  }
  if (not !== null && not !== undefined) return { not: toTargetingInput(not) };
  if (any !== null && any !== undefined) return { any: any.map(toTargetingInput) };
  return { all: (all ?? []).map(toTargetingInput) };
}
