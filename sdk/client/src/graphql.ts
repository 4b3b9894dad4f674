import { PlacardApiError, PlacardGraphqlError, type GraphqlProblem } from './errors.ts';
import type { CallOptions, Transport } from './transport.ts';

/**
 * A GraphQL document: a text, or what code generators make of it (`TypedDocumentString`), which carries the types of its data and
 * variables.
 */
export type GraphqlDocument<TData, TVariables> =
  | string
  | { toString(): string; readonly __apiType?: (variables: TVariables) => TData };

/** How one operation is run. */
export interface GraphqlOptions extends CallOptions {
  readonly operationName?: string;
  /**
   * Makes a mutation safe to repeat: for 24 hours a repeat gets the first response. A mutation without one is sent once, as it may
   * have run although no response came.
   */
  readonly idempotencyKey?: string;
}

/** Where, and as whom, an operation is run. */
export interface GraphqlEndpoint {
  readonly transport: Transport;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A mutation among the operations of a document; comments may stand before it. */
const MUTATION = /(?:^|\}|\n)\s*mutation\b/;

/**
 * Runs one operation.
 * @throws PlacardGraphqlError when the response has errors, whatever its status; PlacardApiError for failures outside of GraphQL
 */
export async function runGraphql<TData, TVariables>(
  endpoint: GraphqlEndpoint,
  document: GraphqlDocument<TData, TVariables>,
  variables: TVariables,
  options: GraphqlOptions,
): Promise<TData> {
  const query = document.toString();
  const headers: Record<string, string> = { ...endpoint.headers };
  if (options.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey;
  const body = JSON.stringify({ query, variables, operationName: options.operationName });
  const isRepeatable = options.idempotencyKey !== undefined || !MUTATION.test(query);
  const outgoing = { method: 'POST', url: endpoint.url, headers, body, isRepeatable, options } as const;
  const response = await endpoint.transport
    .sendForJson<{ data?: TData; errors?: readonly GraphqlProblem[] }>(outgoing)
    .catch((error: unknown) => {
      throw toGraphqlError(error) ?? error;
    });
  if (response.errors !== undefined && response.errors.length > 0)
    throw new PlacardGraphqlError(response.errors, response.data);
  return response.data as TData;
}

/** Refusals carry both an error code and GraphQL errors; those of authentication and limits stay API errors, with their status. */
function toGraphqlError(error: unknown): PlacardGraphqlError | null {
  if (!(error instanceof PlacardApiError) || [401, 403, 429].includes(error.status) || error.status >= 500) return null;
  const { errors, data } = error.body;
  return Array.isArray(errors) && errors.length > 0 ? new PlacardGraphqlError(errors as GraphqlProblem[], data) : null;
}
