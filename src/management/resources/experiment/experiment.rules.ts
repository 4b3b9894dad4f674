import type { FieldProblem } from '../../../domain/errors.ts';
import { EXPERIMENT_DAYS_MAX } from '../../../domain/experiments/experiment.ts';
import type { Columns, StoredRow } from '../../kernel/field.ts';
import type { Findings, RuleFacts } from '../../kernel/resource.ts';

const DAY_MS = 86_400_000;

const instantOf = (row: StoredRow, column: string): number => (row[column] as Date).getTime();

/** Whether an experiment is over, or will never begin. */
export function hasEnded(row: StoredRow, nowMs: number): boolean {
  const endsAtMs = instantOf(row, 'ends_at');
  return row['status'] === 'ARCHIVED' || endsAtMs <= nowMs || endsAtMs <= instantOf(row, 'starts_at');
}

/** Archiving ends an experiment that runs, and one that has not begun never does. */
export function endArchived(row: StoredRow, { nowMs }: RuleFacts): Columns {
  if (row['status'] !== 'ARCHIVED' || instantOf(row, 'ends_at') <= nowMs) return {};
  return { ends_at: new Date(Math.max(nowMs, instantOf(row, 'starts_at'))) };
}

/** Arms keep what they are drawn by once an experiment has begun, and there is one experiment at a time. */
export function validateExperiment(row: StoredRow, facts: RuleFacts): Findings {
  const problems = [...checkSpan(row, facts), ...checkFixed(row, facts), ...checkOther(facts)];
  return { problems, warnings: [] };
}

function checkSpan(row: StoredRow, { before }: RuleFacts): FieldProblem[] {
  const lastsMs = instantOf(row, 'ends_at') - instantOf(row, 'starts_at');
  if (lastsMs < 0 || (lastsMs === 0 && before === null))
    return [{ path: 'endsAt', code: 'before_start', message: 'Give an end after the start of the experiment.' }];
  if (lastsMs <= EXPERIMENT_DAYS_MAX * DAY_MS) return [];
  const message = `An experiment lasts at most ${EXPERIMENT_DAYS_MAX} days.`;
  return [{ path: 'endsAt', code: 'out_of_range', message }];
}

function checkFixed(row: StoredRow, { before, nowMs }: RuleFacts): FieldProblem[] {
  if (before === null || instantOf(before, 'starts_at') > nowMs) return [];
  const isChanged = (column: string): boolean => Number(row[column]) !== Number(before[column]);
  const fixed = (path: string, message: string): FieldProblem => ({ path, code: 'fixed', message });
  const begun = 'It has begun: its users keep their arms. Stop it, and begin another one.';
  return [
    ...(isChanged('share_percent') ? [fixed('sharePercent', begun)] : []),
    ...(isChanged('starts_at') ? [fixed('startsAt', begun)] : []),
    ...(isChanged('ends_at') && instantOf(before, 'ends_at') <= nowMs
      ? [fixed('endsAt', 'It has ended. Begin another one.')]
      : []),
  ];
}

function checkOther({ loaded }: RuleFacts): FieldProblem[] {
  const other = loaded['other'] as { readonly id: bigint; readonly name: string; readonly ends_at: Date } | undefined;
  if (other === undefined) return [];
  const message = `The experiment "${other.name}" (${other.id}) ends at ${other.ends_at.toISOString()}. Stop it first: there is one experiment at a time.`;
  return [{ path: 'endsAt', code: 'one_experiment', message }];
}
