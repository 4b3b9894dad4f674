import type { GraphQLError } from 'graphql';
import { statusOfCode } from '../../domain/error-codes.ts';

/** The result of the engine: data, errors, or both. */
export interface EngineResult {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLError[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** A response on the wire; `body` is written as JSON. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** The media type of GraphQL over HTTP, whose statuses report request errors; plain JSON reports them with 200. */
const GRAPHQL_MEDIA_TYPE = 'application/graphql-response+json';

/**
 * Shapes a response by "GraphQL over HTTP". A request that is refused as a whole (authentication, permissions, limits,
 * idempotency) has its own status in any media type; an error in the document is 400, or 200 for plain JSON; a response with `data` is 200.
 */
export function shapeResponse(result: EngineResult, accept: string | null): WireResponse {
  const mediaType = prefersGraphQLMediaType(accept) ? GRAPHQL_MEDIA_TYPE : 'application/json';
  const errors = result.errors ?? [];
  const status = statusOf(result, mediaType);
  const body = {
    ...(status >= 400
      ? { error: errors[0]?.extensions['code'] ?? 'invalid_request', message: errors[0]?.message ?? '' }
      : {}),
    ...(result.data === undefined ? {} : { data: result.data }),
    ...(errors.length === 0 ? {} : { errors: errors.map(plainError) }),
    ...(result.extensions === undefined ? {} : { extensions: result.extensions }),
  };
  const headers = Object.assign({}, ...errors.map((error) => httpOf(error)?.headers ?? {})) as Record<string, string>;
  return { status, headers: { ...headers, 'content-type': `${mediaType}; charset=utf-8` }, body };
}

function statusOf(result: EngineResult, mediaType: string): number {
  const errors = result.errors ?? [];
  const refused = errors.map((error) => (httpOf(error)?.isRefusal === true ? (httpOf(error)?.status ?? 0) : 0));
  if (Math.max(0, ...refused) > 0) return Math.max(...refused);
  if (result.data !== undefined || errors.length === 0) return 200;
  const [first] = errors;
  const isAboutDocument = first?.locations !== undefined && first.locations.length > 0;
  if (isAboutDocument) return mediaType === GRAPHQL_MEDIA_TYPE ? 400 : 200;
  return statusOfCode(first?.extensions['code']) ?? 400;
}

interface HttpExtension {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** True when we refused the whole request; `status` is then its status. */
  readonly isRefusal?: boolean;
}

function httpOf(error: GraphQLError): HttpExtension | undefined {
  return error.extensions['http'] as HttpExtension | undefined;
}

function plainError(error: GraphQLError): Record<string, unknown> {
  const { http: _http, ...extensions } = error.extensions;
  return {
    message: error.message,
    ...(error.locations === undefined ? {} : { locations: error.locations }),
    ...(error.path === undefined ? {} : { path: error.path }),
    extensions,
  };
}

/** Whether the first media type that we can write, in the caller's order of preference, is GraphQL's own. */
function prefersGraphQLMediaType(accept: string | null): boolean {
  const ranked = (accept ?? '*/*')
    .slice(0, 1_000)
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.trim().toLowerCase().split(';');
      const weight = parameters
        .map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1])
        .find((found) => found !== undefined);
      return { type: type.trim(), weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(
      ({ type, weight }) =>
        weight > 0 && [GRAPHQL_MEDIA_TYPE, 'application/json', 'application/*', '*/*'].includes(type),
    )
    .sort((left, right) => right.weight - left.weight);
  return ranked[0]?.type === GRAPHQL_MEDIA_TYPE;
}
