import { splitConjuncts } from '../../domain/targeting/targeting-conjuncts.ts';
import type { Targeting } from '../../domain/targeting/targeting.ts';
import type { TargetingDimension } from '../../domain/targeting/targeting-dimensions.ts';
import { foldText } from '../../domain/text/one-form.ts';
import type { CompiledWorkspace } from './index/compiled-workspace.ts';
import { compilePredicate, dimensionsOf } from './index/targeting.ts';
import type { TargetingFacts } from './index/targeting.ts';
import { fieldsOfShape } from './index/targeting-shapes.ts';

/** A condition of targeting that a request fails: the dimension, and the key of a keyed one. */
export interface FailedDimension {
  readonly dimension: TargetingDimension;
  readonly key: string;
}

const NONE: readonly FailedDimension[] = [];

/**
 * The conditions that each line item fails, by position, in their order; empty where its targeting admits the request. The index says it of
 * most line items, which are not read.
 */
export function findFailedDimensions(
  { index, lineItems }: CompiledWorkspace,
  facts: TargetingFacts,
  fitValues: readonly string[],
): (readonly FailedDimension[])[] {
  index.setRequest(facts, fitValues);
  index.selectAllFields();
  const conditions = lineItems.shapeNames.map((shape) => fieldsOfShape(shape).map((name) => conditionOf(name, index)));
  return Array.from({ length: lineItems.length }, (_none, position) => {
    const own = conditions[lineItems.shapeAt(position)] ?? [null];
    if (own.includes(null)) {
      const { targeting, timezone } = lineItems.bookedAt(position);
      return listFailedConditions(targeting, timezone, facts);
    }
    const failed = own.filter((condition) => condition?.admits(position) === false);
    return failed.length === 0 ? NONE : failed.map((condition) => (condition as Condition).failed);
  });
}

interface Condition {
  readonly admits: (position: number) => boolean;
  readonly failed: FailedDimension;
}

function conditionOf(fieldName: string | null, index: CompiledWorkspace['index']): Condition | null {
  const condition = fieldName === null ? null : index.conditionOf(fieldName);
  if (fieldName === null || condition === null) return null;
  const { admits, dimension } = condition;
  return { admits, failed: { dimension, key: fieldName.slice(dimension.length + 1) } };
}

function listFailedConditions(
  targeting: Targeting | null,
  timezone: string,
  facts: TargetingFacts,
): readonly FailedDimension[] {
  const failed = splitConjuncts(targeting)
    .filter(({ tree }) => !compilePredicate(tree, timezone)(facts))
    .map(({ tree }) => ({ dimension: dimensionsOf(tree)[0] ?? 'site', key: keyOf(tree) }) as const);
  return failed.length === 0 ? NONE : failed;
}

/** The key of the first test of a tree; '' where it has none. */
function keyOf(tree: Targeting): string {
  if ('all' in tree) return tree.all[0] === undefined ? '' : keyOf(tree.all[0]);
  if ('any' in tree) return tree.any[0] === undefined ? '' : keyOf(tree.any[0]);
  return 'not' in tree ? keyOf(tree.not) : foldText(tree.key ?? '');
}
