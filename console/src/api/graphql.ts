import { ApiProblem, type FieldProblem } from './problem.ts';
import { pathPrefix, type Scope } from './scope.ts';
import { sendJson } from './send.ts';
import { askingAgain } from './verification.ts';

interface GraphqlResponse<T> {
  readonly data?: T | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: {
      readonly code?: string;
      readonly fields?: readonly FieldProblem[];
      readonly requestId?: string;
    };
  }[];
}

/** The header by which a session says which of its networks it means. */
export const NETWORK_HEADER = 'x-placard-network';

/** Asks the management API. @throws ApiProblem for any error in the response: partial data is not used */
export function askGraphql<T>(
  scope: Scope,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
): Promise<T> {
  return askingAgain(() => askOnce<T>(scope, query, variables, signal));
}

async function askOnce<T>(
  scope: Scope,
  query: string,
  variables: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const response = await sendJson<GraphqlResponse<T>>(`${pathPrefix(scope.environment)}/graphql`, {
    method: 'POST',
    body: { query, variables },
    headers: { [NETWORK_HEADER]: scope.networkId },
    ...(signal === undefined ? {} : { signal }),
  });
  const [error] = response.errors ?? [];
  if (error !== undefined || response.data === undefined || response.data === null) {
    const { code = 'internal_error', fields = [], requestId = null } = error?.extensions ?? {};
    throw new ApiProblem({
      code,
      message: error?.message ?? '',
      status: code === 'internal_error' ? 500 : 400,
      fields,
      requestId,
    });
  }
  return response.data;
}
