import { type FieldProblem, PlacardError } from '../../domain/errors.ts';
import type { RowOutcome } from '../kernel/batch-write.ts';
import type { BulkJobResult } from './bulk-job.schema.ts';
import { type BulkLine, fieldOf, PROBLEMS_MAX } from './bulk-rows.ts';

/** The most characters of a text in a result. */
const TEXT_MAX = 500;
const OUTCOMES = { created: 'created', changed: 'updated', unchanged: 'unchanged' } as const;

/** The results of a portion as NDJSON, and how many of its rows succeeded and failed. */
export interface PortionResults {
  readonly text: string;
  readonly succeeded: number;
  readonly failed: number;
}

/**
 * Writes the results of the lines of a portion. `outcomes` has one for each line that had a row to upsert, in their order.
 */
export function writeResults(
  lines: readonly BulkLine[],
  outcomes: readonly RowOutcome[],
  validateOnly: boolean,
): PortionResults {
  const rest = outcomes.values();
  let failed = 0;
  const texts = lines.map((line) => {
    const outcome = line.row instanceof PlacardError ? line.row : rest.next().value;
    if (outcome === undefined) throw new Error(`Line ${line.line} has no outcome.`);
    if (!('row' in outcome)) failed += 1;
    return `${JSON.stringify(resultOf(line, outcome, validateOnly))}\n`;
  });
  return { text: texts.join(''), succeeded: lines.length - failed, failed };
}

function resultOf({ line, externalId }: BulkLine, outcome: RowOutcome, validateOnly: boolean): BulkJobResult {
  const named = { line, externalId: externalId === null ? null : shorten(externalId) };
  if (!('row' in outcome))
    return { ...named, id: null, outcome: 'failed', userErrors: errorsOf(outcome), warnings: [] };
  const id = validateOnly && outcome.outcome === 'created' ? null : String(outcome.row.id);
  return { ...named, id, outcome: OUTCOMES[outcome.outcome], userErrors: [], warnings: shown(outcome.warnings) };
}

function errorsOf({ code, message, fields }: PlacardError): BulkJobResult['userErrors'] {
  return fields.length > 0 ? shown(fields) : [{ field: null, code, message: shorten(message) }];
}

function shown(problems: readonly FieldProblem[]): BulkJobResult['userErrors'] {
  return problems.slice(0, PROBLEMS_MAX).map((problem) => {
    const field = fieldOf(problem);
    return { field: field === null ? null : shorten(field), code: problem.code, message: shorten(problem.message) };
  });
}

/** Half a character at the cut, or in what was sent, becomes U+FFFD. */
function shorten(text: string): string {
  return (text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX)}…`).toWellFormed();
}
