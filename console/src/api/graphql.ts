import { ApiProblem, type FieldProblem } from './problem.ts';
import { pathPrefix, type Scope } from './scope.ts';
import { sendJson } from './send.ts';
import { askingAgain } from './verification.ts';

interface GraphqlAnswer<T> {
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

/** Asks the management API. @throws ApiProblem for any error in the answer: half an answer is none */
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
  const answer = await sendJson<GraphqlAnswer<T>>(`${pathPrefix(scope.environment)}/graphql`, {
    method: 'POST',
    body: { query, variables },
    headers: { [NETWORK_HEADER]: scope.networkId },
    ...(signal === undefined ? {} : { signal }),
  });
  const [error] = answer.errors ?? [];
  if (error !== undefined || answer.data === undefined || answer.data === null) {
    const { code = 'internal_error', fields = [], requestId = null } = error?.extensions ?? {};
    throw new ApiProblem({
      code,
      message: error?.message ?? '',
      status: code === 'internal_error' ? 500 : 400,
      fields,
      requestId,
    });
  }
  return answer.data;
}
