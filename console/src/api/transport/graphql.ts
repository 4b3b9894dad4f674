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
/** The header by which requests say that they are one change. */
const CHANGE_SET_HEADER = 'x-placard-change-set';

/** Asks the management API. @throws ApiProblem for any error in the response: partial data is not used */
export function askGraphql<T>(
  scope: Scope,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
): Promise<T> {
  return askingAgain(() => askPatiently(() => askOnce<T>(scope, query, { variables, signal }), signal));
}

/** A mutation that is made once, however often it is sent with the same key within 24 hours. */
export interface SafeChange {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** 1 to 255 printable characters. */
  readonly idempotencyKey: string;
}

/** Makes a change once, and sends it again while an earlier try of it still runs. @throws as {@link askGraphql}; then it may be sent again */
export function changeOnce<T>(scope: Scope, change: SafeChange, signal?: AbortSignal): Promise<T> {
  const { query, ...options } = change;
  return askingAgain(() => askPatiently(() => askOnce<T>(scope, query, { ...options, signal }), signal));
}

/** How often a request is sent that the server refuses to begin, because the network has other expensive ones under way. */
const TRIES_MAX = 8;
const WAIT_MAX_S = 5;
/** The second: a try of the same change is under way. */
const BUSY: ReadonlySet<string> = new Set(['overloaded', 'idempotency_conflict']);

/** A request that was refused for load has read and changed nothing: it may be sent again, be it a query or a mutation. */
async function askPatiently<T>(request: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await request();
    } catch (error) {
      const isBusy = error instanceof ApiProblem && BUSY.has(error.code);
      if (!isBusy || tries === TRIES_MAX || signal?.aborted === true) throw error;
      const seconds = Math.min(WAIT_MAX_S, error.retryAfterSeconds ?? 1);
      await new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));
    }
  }
}

interface Asking {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal | undefined;
  readonly idempotencyKey?: string;
}

async function askOnce<T>(scope: Scope, query: string, { variables, signal, idempotencyKey }: Asking): Promise<T> {
  const response = await sendJson<GraphqlResponse<T>>(`${pathPrefix(scope.environment)}/graphql`, {
    method: 'POST',
    body: { query, variables },
    headers: {
      [NETWORK_HEADER]: scope.networkId,
      ...(scope.changeSet === undefined ? {} : { [CHANGE_SET_HEADER]: scope.changeSet }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
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
