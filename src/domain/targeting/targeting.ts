import { foldText } from '../text/one-form.ts';
import type { TargetingDimension } from './targeting-dimensions.ts';

/** `is*` tests match any of `values`; `isNot` matches when none does, and on a missing value. */
export const TARGETING_OPERATORS = ['is', 'isNot', 'beginsWith', 'contains'] as const;
export type TargetingOperator = (typeof TARGETING_OPERATORS)[number];

/** One test on one dimension. `key` is set for `keyValue` alone. Sites, areas and ad units are named by their decimal id. */
export interface TargetingTest {
  readonly dimension: TargetingDimension;
  readonly operator: TargetingOperator;
  readonly key?: string;
  readonly values: readonly string[];
}

/** A tree of AND / OR / NOT over tests; null (on a line item) matches everything. */
export type Targeting =
  | { readonly all: readonly Targeting[] }
  | { readonly any: readonly Targeting[] }
  | { readonly not: Targeting }
  | TargetingTest;

/** At most this many nodes in one tree, and this many levels. */
export const TARGETING_NODES_MAX = 500;
export const TARGETING_DEPTH_MAX = 10;

/** The tests of a tree, in the order of their appearance. */
export function* testsOf(targeting: Targeting | null): Generator<TargetingTest> {
  if (targeting === null) return;
  if ('all' in targeting) for (const tree of targeting.all) yield* testsOf(tree);
  else if ('any' in targeting) for (const tree of targeting.any) yield* testsOf(tree);
  else if ('not' in targeting) yield* testsOf(targeting.not);
  else yield targeting;
}

/** Whether a tree tests a key-value with this key, given as {@link foldText} folds it. */
export function namesKey(targeting: Targeting | null, key: string): boolean {
  return testsOf(targeting).some((test) => foldText(test.key ?? '') === key);
}
