import type { GoalStatus } from '../../domain/pacing/goal-projection.ts';
import { builder } from '../kernel/builder.ts';

const STATUS_DESCRIPTIONS: Readonly<Record<GoalStatus, string>> = {
  NOT_STARTED: 'Its flight has not begun.',
  ON_TRACK: 'It is on its plan.',
  AHEAD: 'It is ahead of its plan.',
  BEHIND: 'It is behind its plan, and reaches its goal at its recent pace.',
  AT_RISK: 'At its recent pace it misses its goal.',
  REACHED: 'It has reached its goal.',
  MISSED: 'Its flight has ended without the goal.',
};

/** The statuses of a goal. */
export const GoalStatusRef = builder.enumType('GoalStatus', {
  description: 'Whether a goal is being reached.',
  values: Object.fromEntries(
    Object.entries(STATUS_DESCRIPTIONS).map(([value, description]) => [value, { value, description }]),
  ) as Record<GoalStatus, { value: GoalStatus; description: string }>,
});
