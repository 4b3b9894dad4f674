import { GraphQLError, type GraphQLErrorOptions } from 'graphql';
import type { Log } from '../../domain/log/log.ts';
import { ERRORS, type ErrorCode } from '../../domain/error-codes.ts';
import { PlacardError } from '../../domain/errors.ts';
import { toProblem } from '../../http/shared/problem.ts';

/**
 * Turns anything that a resolver or the engine threw into the error that the caller sees. Our own errors keep code, fields and
 * details; errors of the GraphQL engine (syntax, validation, coercion) become `invalid_request`; any other error
 * shows only the request id, and whether a store is unavailable.
 */
export function toGraphQLError(error: unknown, requestId: string, log: Log): GraphQLError {
  const wrapped = isGraphQLError(error) ? error : null;
  const original: unknown = wrapped?.originalError ?? error;
  if (wrapped !== null && isRefusal(wrapped) && original instanceof PlacardError) return wrapped;
  const location = wrapped === null ? {} : locationOf(wrapped);
  if (original instanceof PlacardError) {
    return new GraphQLError(original.message, {
      ...location,
      extensions: extensionsOf(original, requestId),
      originalError: original,
    });
  }
  if (isGraphQLError(original)) {
    // The outer one names the variable, the inner one only what is wrong with its value.
    const { message } = wrapped ?? original;
    return new GraphQLError(message, { ...locationOf(original), extensions: { code: 'invalid_request' } });
  }
  log.event('graphql.resolver_failed', { err: original, requestId });
  const { body } = toProblem(original, requestId);
  return new GraphQLError(body.message, { ...location, extensions: { code: body.error, requestId } });
}

function isRefusal(error: GraphQLError): boolean {
  return (error.extensions['http'] as { isRefusal?: boolean } | undefined)?.isRefusal === true;
}

/** Checks the name of the class: the engine and its libraries may each bring a class of their own. */
function isGraphQLError(error: unknown): error is GraphQLError {
  return error instanceof Error && error.name === 'GraphQLError';
}

/** The error's location in the document, and its path in the response. */
function locationOf(error: GraphQLError): Pick<GraphQLErrorOptions, 'nodes' | 'source' | 'positions' | 'path'> {
  return {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    path: error.path ?? null,
  };
}

/** The `extensions` of one of our errors. */
export function extensionsOf(error: PlacardError, requestId: string): Record<string, unknown> {
  const { retryAfterSeconds: _retry, ...details } = error.details;
  return {
    ...details,
    code: error.code,
    ...(error.fields.length > 0 ? { fields: error.fields } : {}),
    ...(ERRORS[error.code].status >= 500 ? { requestId } : {}),
  };
}

/** Builds an error that rejects the whole request: the response has its HTTP status. */
export function refuseRequest(error: unknown, requestId: string): GraphQLError {
  const { status, headers, body } = toProblem(error, requestId);
  const known =
    error instanceof PlacardError ? error : new PlacardError(body.error as ErrorCode, body.message, { cause: error });
  const http: object = { status, headers, isRefusal: true };
  return new GraphQLError(known.message, {
    originalError: known,
    extensions: { ...extensionsOf(known, requestId), http },
  });
}
