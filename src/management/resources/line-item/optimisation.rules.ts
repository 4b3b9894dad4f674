import type { OptimisationGoal } from '../../../domain/booking/optimisation-goal.ts';
import { CREATIVE_FORMATS } from '../../../domain/creative-format.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { either } from '../../../domain/text/either.ts';
import type { ProblemCode } from '../../../domain/problem-codes.ts';
import type { StoredRow } from '../../kernel/field.ts';
import type { Findings } from '../../kernel/resource.ts';
import { optimisedFormats } from './line-item-facts.sql.ts';
import type { LineItemFacts } from './line-item-facts.sql.ts';

const COLUMN = 'optimisation_goal';

/**
 * The rules of the optimisation goal: an event that the creatives of a line item never bring is refused, when it is set; where it has no creatives yet, or
 * nothing follows the goal, the change gives a warning.
 * @param before the row before the change; null on creation
 */
export function checkOptimisation(
  row: StoredRow,
  before: StoredRow | null,
  { formats = [] }: Partial<LineItemFacts>,
): Findings {
  const problems: FieldProblem[] = [];
  const warnings: FieldProblem[] = [];
  const goal = (row[COLUMN] ?? null) as OptimisationGoal | null;
  if (goal === null) return { problems, warnings };
  const add = (to: FieldProblem[], code: ProblemCode, message: string): void => {
    to.push({ path: 'optimisationGoal', code, message });
  };
  const bringing = optimisedFormats(row);
  if (bringing !== CREATIVE_FORMATS && !formats.some((format) => bringing.includes(format))) {
    const isNew = before === null || before[COLUMN] !== goal;
    const needed = `Only creatives of format ${either(bringing)} bring ${goal}`;
    const message = `${needed}, and it has none; add one first.`;
    if (isNew && formats.length > 0) add(problems, 'not_allowed', message);
    else add(warnings, 'no_creative', `${needed}; it has none.`);
  }
  if (row['creative_rotation'] !== 'OPTIMISED' && !choosesUnits(row))
    add(
      warnings,
      'no_effect',
      'Nothing follows the goal: set creativeRotation to OPTIMISED, or a goal with pacing EVEN or FRONT_LOADED.',
    );
  return { problems, warnings };
}

/** Whether the line item may wait for ad units where its event is likely, as decisions have it (`neededShare`). */
function choosesUnits(row: StoredRow): boolean {
  return (row['type'] === 'STANDARD' || row['type'] === 'PRICE') && row['goal'] !== null && row['pacing'] !== 'ASAP';
}
