import type { z } from 'zod';
import { AdcpError, type Issue } from './adcp-error.ts';

/** Deepest nesting of arguments. */
const DEPTH_MAX = 24;
/** Most objects, lists and values in arguments. */
const PARTS_MAX = 20_000;
/** Most problems that one error lists. */
const ISSUES_MAX = 20;

/**
 * Checks the arguments of a tool against their bounds and their schema.
 *
 * @throws AdcpError `INVALID_REQUEST` with each field that is wrong
 */
export function readRequest<T>(schema: z.ZodType<T>, given: unknown): T {
  if (!isBounded(given))
    throw new AdcpError(
      'INVALID_REQUEST',
      `The arguments nest deeper than ${DEPTH_MAX} levels or have more than ${PARTS_MAX} values.`,
    );
  const read = schema.safeParse(given, { reportInput: true });
  if (read.success) return read.data;
  const issues = read.error.issues.slice(0, ISSUES_MAX).flatMap((issue) => toIssues(issue, []));
  const [first] = issues;
  throw new AdcpError('INVALID_REQUEST', first === undefined ? 'The arguments are invalid.' : sentenceOf(first), {
    issues,
    ...(first === undefined || first.pointer === '' ? {} : { field: fieldOf(first.pointer) }),
    suggestion: 'Correct the listed fields, then send the request again.',
  });
}

/** An error about one field of a request that has the right form. */
export function fieldError(path: readonly (string | number)[], message: string): AdcpError {
  const pointer = pointerOf(path);
  const issue = { pointer, message, keyword: 'value' };
  return new AdcpError('INVALID_REQUEST', message, { field: fieldOf(pointer), issues: [issue] });
}

/** Counts without recursion, so that a deep value cannot exhaust the stack. */
function isBounded(value: unknown): boolean {
  let level: unknown[] = [value];
  let parts = 1;
  for (let depth = 0; level.length > 0; depth += 1) {
    const inner = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    parts += inner.length;
    if (parts > PARTS_MAX || (depth >= DEPTH_MAX && inner.length > 0)) return false;
    level = inner;
  }
  return true;
}

type ZodIssue = z.core.$ZodIssue;

/** A union fails with the problems of each of its forms: the form with the fewest problems tells most. */
function toIssues(issue: ZodIssue, outer: readonly PropertyKey[]): Issue[] {
  const path = [...outer, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const [fewest = []] = issue.errors.toSorted((a, b) => a.length - b.length);
    return fewest.slice(0, ISSUES_MAX).flatMap((inner) => toIssues(inner, path));
  }
  return [{ pointer: pointerOf(path), message: issue.message, keyword: keywordOf(issue) }];
}

function keywordOf(issue: ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'required' : 'type';
    case 'too_small':
      return issue.origin === 'string' ? 'minLength' : issue.origin === 'array' ? 'minItems' : 'minimum';
    case 'too_big':
      return issue.origin === 'string' ? 'maxLength' : issue.origin === 'array' ? 'maxItems' : 'maximum';
    case 'invalid_format':
      return issue.format === 'regex' ? 'pattern' : 'format';
    case 'invalid_value':
      return 'enum';
    case 'unrecognized_keys':
      return 'additionalProperties';
    default:
      return 'value';
  }
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((one) => `/${String(one).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** `/packages/0/budget` as `packages[0].budget`. */
function fieldOf(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((text, one) => (/^\d+$/.test(one) ? `${text}[${one}]` : text === '' ? one : `${text}.${one}`), '');
}

function sentenceOf({ pointer, message }: Issue): string {
  return pointer === '' ? message : `${fieldOf(pointer)}: ${message}`;
}
