import type { TargetingDimension } from '../../domain/targeting/targeting-dimensions.ts';
import type { CompiledWorkspace } from './index/compiled-workspace.ts';
import { findFailedDimension } from './index/targeting.ts';
import type { TargetingFacts } from './index/targeting.ts';
import { fieldsOfShape } from './index/targeting-shapes.ts';

/**
 * The dimension of the first condition that each line item fails, by position; null where its targeting admits the request. The index says it
 * of most line items, which are not read.
 */
export function findFailedDimensions(
  { index, lineItems }: CompiledWorkspace,
  facts: TargetingFacts,
  fitValues: readonly string[],
): (TargetingDimension | null)[] {
  index.setRequest(facts, fitValues);
  index.selectAllFields();
  const { shapes, shapeNames } = lineItems.columns;
  const conditions = shapeNames.map((shape) =>
    fieldsOfShape(shape).map((fieldName) => (fieldName === null ? null : index.conditionOf(fieldName))),
  );
  return Array.from({ length: lineItems.length }, (_none, position) => {
    for (const condition of conditions[shapes[position] as number] ?? [null]) {
      if (condition === null) {
        const { targeting, timezone } = lineItems.bookedAt(position);
        return findFailedDimension(targeting, timezone, facts);
      }
      if (!condition.admits(position)) return condition.dimension;
    }
    return null;
  });
}
