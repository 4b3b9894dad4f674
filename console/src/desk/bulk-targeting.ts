import { toTargetingInput, type TargetingTree } from '../api/bookings/targeting.ts';
import { type BulkPlan, type BulkStep, type EditedRow, planSteps } from '../changes/bulk-plan.ts';
import { isSameValue } from '../changes/change-preview.ts';
import { say } from '../messages/say.ts';
import type { NameOf } from '../pickers/use-names.ts';
import { changeTargeting, type TargetingChange } from '../targeting/change-rows.ts';
import { describeConditions } from '../targeting/targeting-words.ts';

/** Finds what a change of the targeting does to each line item. @param trees as they are now; line items without one stay */
export function planTargeting(
  change: TargetingChange,
  rows: readonly EditedRow[],
  { trees, nameOf }: { readonly trees: ReadonlyMap<string, TargetingTree | null>; readonly nameOf: NameOf },
): BulkPlan {
  return planSteps(say('bulk.of_targeting'), rows, ({ id }): BulkStep | null => {
    const before = trees.get(id);
    const after = before === undefined ? undefined : changeTargeting(before, change);
    if (before === undefined || after === undefined || isSameValue(before, after)) return null;
    return {
      before: describeConditions(before, nameOf),
      after: describeConditions(after, nameOf),
      input: { targeting: inputOf(after) },
      undo: { targeting: inputOf(before) },
    };
  });
}

function inputOf(tree: TargetingTree | null): object | null {
  return tree === null ? null : toTargetingInput(tree);
}
