import type { FieldProblem } from '../../domain/errors.ts';
import { type DayPart, type Goal, GOAL_AMOUNT_MAX, goalAsInput } from '../../domain/booking/line-item.ts';
import { builder } from '../kernel/builder.ts';
import { columnField, type Field, report } from '../kernel/field.ts';
import { checkNumber } from '../kernel/scalar-fields.ts';
import { GoalKindRef, GoalPeriodRef } from './enumerations.ts';

const DAY_PARTS_MAX = 50;
const MINUTES_A_DAY = 1440;
const GOAL_MAX = Number.MAX_SAFE_INTEGER;

/** A goal, as the API shows it. */
export const GoalRef = builder.objectRef<Goal>('Goal').implement({
  description: 'The goal of a line item. It steers pacing; only caps stop delivery.',
  fields: (t) => ({
    kind: t.field({ type: GoalKindRef, description: 'What is counted.', resolve: (goal) => goal.kind }),
    amount: t.int({
      description: `How many, at most ${GOAL_AMOUNT_MAX}: of a larger goal, \`target\` has the exact number.`,
      resolve: (goal) => Math.min(goal.amount, GOAL_AMOUNT_MAX),
    }),
    target: t.field({ type: 'Long', description: 'How many.', resolve: (goal) => goal.amount }),
    period: t.field({ type: GoalPeriodRef, description: 'The span of the goal.', resolve: (goal) => goal.period }),
  }),
});

/** The input of `goalField`. */
export const GoalInput = builder.inputType('GoalInput', {
  description: 'The goal of a line item.',
  fields: (t) => ({
    kind: t.field({ type: GoalKindRef, required: true, description: 'What is counted.' }),
    amount: t.int({ description: `How many, 1…${GOAL_AMOUNT_MAX}; instead of \`target\`.` }),
    target: t.field({ type: 'Long', description: 'How many, at least 1.' }),
    period: t.field({
      type: GoalPeriodRef,
      defaultValue: 'LIFETIME',
      description: 'The span of the goal; default LIFETIME.',
    }),
  }),
});

/** The goal of a line item; null = none. */
export function goalField(): Field {
  return columnField(
    { name: 'goal', description: 'Its goal; null = none.' },
    {
      input: GoalInput,
      output: GoalRef,
      initial: null,
      check: checkGoal,
      isJson: true,
      asInput: (stored) => goalAsInput(stored as Goal),
    },
  );
}

/** A goal as it is stored; faults are added to `problems`. */
export function checkGoal(value: unknown, path: string, problems: FieldProblem[]): Goal {
  const goal = value as Omit<Goal, 'amount'> & { readonly amount?: number | null; readonly target?: number | null };
  const given = [goal.amount ?? null, goal.target ?? null].filter((one) => one !== null);
  if (given.length !== 1) report(problems, `${path}.target`, 'one_of', 'Give `target`, or `amount` instead.');
  const name = goal.target === null || goal.target === undefined ? 'amount' : 'target';
  return {
    kind: goal.kind,
    amount: checkNumber(given[0] ?? 1, `${path}.${name}`, { min: 1, max: GOAL_MAX }, problems),
    period: goal.period ?? 'LIFETIME',
  };
}

const DayPartRef = builder.objectRef<DayPart>('DayPart').implement({
  description: "A span of some days of the week, in the line item's time zone.",
  fields: (t) => ({
    days: t.intList({ description: '1 = Monday … 7 = Sunday.', resolve: (part) => [...part.days] }),
    startMinute: t.exposeInt('startMinute', { description: 'Start: minute of the day, 0…1439.' }),
    endMinute: t.exposeInt('endMinute', { description: 'End, exclusive: minute of the day, 1…1440.' }),
  }),
});

/** The input of `dayPartsField`. */
export const DayPartInput = builder.inputType('DayPartInput', {
  description: "A span of some days of the week, in the line item's time zone.",
  fields: (t) => ({
    days: t.intList({ required: true, description: '1 = Monday … 7 = Sunday.' }),
    startMinute: t.int({ required: true, description: 'Start: minute of the day, 0…1439.' }),
    endMinute: t.int({ required: true, description: 'End, exclusive: minute of the day, 1…1440.' }),
  }),
});

/** When in the week a line item serves; empty = always. */
export function dayPartsField(): Field {
  return columnField(
    { name: 'dayParts', description: `When in the week it serves; empty = always. At most ${DAY_PARTS_MAX}.` },
    { input: [DayPartInput], output: [DayPartRef], initial: [], check: checkDayParts, isJson: true },
  );
}

/** Day-parts as they are stored; faults are added to `problems`. */
export function checkDayParts(value: unknown, path: string, problems: FieldProblem[]): DayPart[] {
  const parts = value as readonly DayPart[];
  if (parts.length > DAY_PARTS_MAX) report(problems, path, 'too_many', `Give at most ${DAY_PARTS_MAX}.`);
  return parts.slice(0, DAY_PARTS_MAX).map((part, index) => {
    const at = `${path}.${index}`;
    const days = [...new Set(part.days.slice(0, 100))].sort((left, right) => left - right);
    if (days.length === 0) report(problems, `${at}.days`, 'empty', 'Give at least one day.');
    days.forEach((day) => checkNumber(day, `${at}.days`, { min: 1, max: 7 }, problems));
    const startMinute = checkNumber(
      part.startMinute,
      `${at}.startMinute`,
      { min: 0, max: MINUTES_A_DAY - 1 },
      problems,
    );
    const endMinute = checkNumber(part.endMinute, `${at}.endMinute`, { min: 1, max: MINUTES_A_DAY }, problems);
    if (endMinute <= startMinute)
      report(
        problems,
        `${at}.endMinute`,
        'before_start',
        'Give an end after the start; split a span over midnight in two.',
      );
    return { days, startMinute, endMinute };
  });
}
