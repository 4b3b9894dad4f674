import { PlacardError } from '../../domain/errors.ts';

/** The parameters of a GraphQL request. */
export interface RequestParameters {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

const PARAMETERS: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'extensions']);

/**
 * Reads the parameters of "GraphQL over HTTP" from a body, or from the address of a GET.
 *
 * @throws PlacardError `invalid_request` that names the wrong parameter
 */
export function readRequestParameters(body: unknown): RequestParameters {
  if (typeName(body) !== 'object') throw refused(`Expected params to be an object but given ${typeName(body)}.`);
  const given = body as Readonly<Record<string, unknown>>;
  for (const name in given) {
    if (given[name] !== null && given[name] !== undefined && !PARAMETERS.has(name))
      throw refused(`Unexpected parameter "${name.slice(0, 100)}" in the request body.`);
  }
  const { query, operationName, variables, extensions } = given;
  if (query === null || query === undefined) throw refused('Must provide query string.');
  if (typeof query !== 'string') throw refused(`Expected "query" param to be a string, but given ${typeName(query)}.`);
  const operation = operationName ?? null;
  if (operation !== null && typeof operation !== 'string')
    throw refused(`Expected "operationName" param to be a string, but given ${typeName(operation)}.`);
  checkObject('variables', variables);
  checkObject('extensions', extensions);
  return { query, operationName: operation, variables: (variables ?? {}) as Readonly<Record<string, unknown>> };
}

function checkObject(name: string, value: unknown): void {
  if (value === undefined || value === null || typeName(value) === 'object') return;
  throw refused(`Expected "${name}" param to be empty or an object, but given ${typeName(value)}.`);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function refused(message: string): PlacardError {
  return new PlacardError('invalid_request', message);
}
