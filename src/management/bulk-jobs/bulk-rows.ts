import { coerceInputValue, type GraphQLError, type GraphQLInputType } from 'graphql';
import { type FieldProblem, PlacardError } from '../../domain/errors.ts';
import type { ProblemCode } from '../../domain/problem-codes.ts';
import { inTextForm } from '../kernel/text-form.ts';
import { findUnstorableText } from '../../domain/text/stored-text.ts';
import { parseJsonBody } from '../../http/shared/json.ts';
import type { Resource } from '../kernel/resource.ts';
import type { UpsertInput, UpsertRow } from '../kernel/upsert.ts';
import { managementSchema } from '../schema/schema.ts';

/** The longest line, in bytes. */
export const LINE_BYTES_MAX = 262_144;
/** The most problems of one row that are told. */
export const PROBLEMS_MAX = 20;
/** The path of a row in its own problems. */
const ROW_PATH = 'row';
const LINE_FEED = 0x0a;

/** A line of an upload that has a row. */
export interface BulkLine {
  /** From 1. */
  readonly line: number;
  /** As it was sent, for the result; null when it cannot be told. */
  readonly externalId: string | null;
  /** The row to upsert, or what is wrong with the line itself. */
  readonly row: UpsertRow | PlacardError;
}

/** Whether a line has nothing in it. Such lines are counted and left out. */
export function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/** The lines of a portion that have a row, ready for the upsert: each row is what GraphQL would have made of it. */
export function readBulkLines(resource: Resource, input: Buffer, firstLine: number): BulkLine[] {
  const type = managementSchema().getType(`Upsert${resource.type}Input`) as GraphQLInputType | undefined;
  if (type === undefined) throw new Error(`${resource.type} has no upsert.`);
  const lines: BulkLine[] = [];
  let line = firstLine;
  for (let start = 0; start < input.length; line += 1) {
    const found = input.indexOf(LINE_FEED, start);
    const end = found === -1 ? input.length : found;
    const bytes = input.subarray(start, end);
    if (!isBlank(bytes)) lines.push(readLine(type, bytes, line));
    start = end + 1;
  }
  return lines;
}

function readLine(type: GraphQLInputType, bytes: Buffer, line: number): BulkLine {
  let externalId: string | null = null;
  try {
    if (bytes.length > LINE_BYTES_MAX) throw lineProblem(line, 'too_long', `It has more than ${LINE_BYTES_MAX} bytes.`);
    const value = parseLine(bytes, line);
    const given = (value as { externalId?: unknown } | null)?.externalId;
    externalId = typeof given === 'string' ? given : null;
    return { line, externalId, row: { input: coerceRow(type, value), path: ROW_PATH, problems: [] } };
  } catch (error) {
    if (!(error instanceof PlacardError)) throw error;
    return { line, externalId, row: error };
  }
}

function lineProblem(line: number, code: ProblemCode, message: string): PlacardError {
  return new PlacardError('invalid_request', `Line ${line}: ${message}`, {
    fields: [{ path: '', code, message: `Line ${line}: ${message}` }],
  });
}

function parseLine(bytes: Buffer, line: number): unknown {
  let value: unknown;
  try {
    value = parseJsonBody(bytes);
  } catch (error) {
    if (!(error instanceof PlacardError)) throw error;
    throw lineProblem(line, 'malformed', error.message.replace(/^The (JSON )?body/, 'It'));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw lineProblem(line, 'malformed', 'It is not a JSON object.');
}

/** @throws PlacardError `validation_failed` naming the fields that GraphQL would refuse */
function coerceRow(type: GraphQLInputType, value: unknown): UpsertInput {
  const unstorable = findUnstorableText(value, '');
  if (unstorable !== null) {
    const message = 'Remove U+0000 and halves of surrogate pairs: they cannot be stored.';
    throw problemsFound([{ path: unstorable, code: 'malformed', message }]);
  }
  const problems: FieldProblem[] = [];
  const input: unknown = coerceInputValue(inTextForm(value), type, (path, _value, error) => {
    problems.push(describe(path, error));
    // Each member of a long list could have one.
    if (problems.length >= PROBLEMS_MAX) throw problemsFound(problems);
  });
  if (problems.length > 0) throw problemsFound(problems);
  return input as UpsertInput;
}

function problemsFound(fields: readonly FieldProblem[]): PlacardError {
  return new PlacardError('validation_failed', undefined, { fields });
}

/** The engine names a field that is unknown or missing in its message only. */
const NAMED_FIELD = /^Field "([^"]{1,200})"/;

function describe(path: readonly (string | number)[], error: GraphQLError): FieldProblem {
  const named = NAMED_FIELD.exec(error.message)?.[1];
  const code = named === undefined ? 'malformed' : error.message.includes('was not provided') ? 'required' : 'unknown';
  return { path: [...path, ...(named === undefined ? [] : [named])].join('.'), code, message: error.message };
}

/** The path of a problem within its row. */
export function fieldOf({ path }: FieldProblem): string | null {
  const field = path.startsWith(`${ROW_PATH}.`) ? path.slice(ROW_PATH.length + 1) : path;
  return field === '' || field === ROW_PATH ? null : field;
}
