import { say } from '../messages/say.ts';
import type { CsvVerdicts } from './csv-check.ts';
import type { CsvProblem } from './format/csv-parents.ts';
import type { CsvPlan, PlannedRow } from './csv-plan.ts';
import { type CsvTable, writeTable } from './format/csv-text.ts';

/** What a line does, with what the server says of it. */
export type ReviewedRow = PlannedRow & { readonly warnings: readonly CsvProblem[] };

/** The lines of a plan: one in which the server finds a problem is refused. */
export function reviewRows(plan: CsvPlan, verdicts: CsvVerdicts): readonly ReviewedRow[] {
  return plan.rows.map((row) => {
    const { problems = [], warnings = [] } = verdicts.get(row.line) ?? {};
    const all = [...row.problems, ...problems];
    return { ...row, problems: all, warnings, action: all.length > 0 ? 'refused' : row.action };
  });
}

/** How many lines do what. */
export function countRows(rows: readonly PlannedRow[]): Readonly<Record<PlannedRow['action'], number>> {
  const counts = { make: 0, change: 0, same: 0, refused: 0 };
  for (const { action } of rows) counts[action] += 1;
  return counts;
}

/** A problem in one sentence. */
export function sayProblem({ column, message }: CsvProblem): string {
  return column === null ? message : say('csv.problem', { column, message });
}

/** The refused lines as a file of their own, each with what is wrong with it: to correct and read again. */
export function writeRefused(table: CsvTable, rows: readonly PlannedRow[]): string[] {
  const refused = new Map(rows.filter(({ action }) => action === 'refused').map((row) => [row.line, row]));
  const lines = table.rows.flatMap(({ line, cells }) => {
    const row = refused.get(line);
    if (row === undefined) return [];
    const filled = table.heading.map((_name, at) => cells[at] ?? '');
    return [[...filled, row.problems.map(sayProblem).join(' ')]];
  });
  return writeTable([...table.heading, 'error'], lines, table.separator);
}
