import { ApiProblem, type FieldProblem } from '../api/transport/problem.ts';

/** Fields of the API that the form marks when they are wrong. */
const MARKED: ReadonlySet<string> = new Set([
  'campaignId',
  'advertiserId',
  'advertisingProductId',
  'name',
  'startsAt',
  'endsAt',
  'dayParts',
  'goal',
  'price',
  'sharePercent',
  'level',
  'frequencyCaps',
  'targeting',
]);

function isMarked({ path }: FieldProblem): boolean {
  return path.split(/[.[\]]/).some((part) => MARKED.has(part));
}

function isApproval({ code }: Pick<FieldProblem, 'code'>): boolean {
  return code.toLowerCase() === 'approval_required';
}

/** Whether something is refused because another member has to approve it first. */
export function needsApproval(error: unknown): boolean {
  return error instanceof ApiProblem && error.fields.some(isApproval);
}

/** A problem without the missing approval, which no field of the form mends; null where nothing else is wrong. */
export function withoutApproval(problem: ApiProblem | null): ApiProblem | null {
  if (problem === null || !needsApproval(problem)) return problem;
  const fields = problem.fields.filter((field) => !isApproval(field));
  if (fields.length === 0) return null;
  const { code, message, status } = problem;
  return new ApiProblem({ code, message, status, fields });
}

/** How many faults the form marks at their fields, and what is wrong beside them. */
export function sortFaults({ fields }: ApiProblem): { readonly marked: number; readonly others: readonly string[] } {
  const others = fields.filter((field) => !isMarked(field));
  return { marked: fields.length - others.length, others: [...new Set(others.map(({ message }) => message))] };
}
