import { AdcpError } from '../protocol/adcp-error.ts';

/** A request to one of Placard's public APIs, made with the credentials of the calling agent. */
interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, without `/staging`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

interface ApiResponse {
  readonly status: number;
  /** Parsed JSON; null where the body is none. */
  readonly body: unknown;
}

/** Sends a request to the public APIs. */
export type CallApi = (request: ApiRequest) => Promise<ApiResponse>;

/** A mistake in the input of a mutation, as the API names it. */
export interface InputProblem {
  /** Such as `input.lineItems.0.price`; null: the mutation as a whole. */
  readonly path: string | null;
  readonly code: string;
  readonly message: string;
}

/** The API refused a document. */
export class ApiRefusal extends Error {
  readonly code: string;
  readonly problems: readonly InputProblem[];

  constructor(code: string, message: string, problems: readonly InputProblem[]) {
    super(message);
    this.name = 'ApiRefusal';
    this.code = code;
    this.problems = problems;
  }
}

interface GraphqlError {
  readonly message: string;
  readonly extensions?: {
    readonly code?: string;
    readonly fields?: readonly { readonly path?: string; readonly code?: string; readonly message?: string }[];
  };
}

interface GraphqlBody {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlError[];
  readonly error?: string;
  readonly message?: string;
}

/** A GraphQL document with its variables. */
export interface Document {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Runs a GraphQL document and returns its data.
 *
 * @throws ApiRefusal with the code and the problems of the API; AdcpError where the caller is limited, unknown or may not do it, and while a store is down
 */
export async function runGraphql<T>(call: CallApi, { query, variables = {}, headers = {} }: Document): Promise<T> {
  const { status, body } = await call({ method: 'POST', path: '/graphql', headers, body: { query, variables } });
  const { data, errors = [], error, message } = (body ?? {}) as GraphqlBody;
  const [first] = errors;
  if (first !== undefined) {
    const code = first.extensions?.code ?? 'internal_error';
    throwForAccess(code, first.message);
    const fields = first.extensions?.fields ?? [];
    throw new ApiRefusal(
      code,
      first.message,
      fields.map((one) => ({ path: one.path ?? null, code: one.code ?? '', message: one.message ?? '' })),
    );
  }
  if (status !== 200 || data === undefined || data === null) {
    throwForAccess(error ?? '', message ?? '');
    throw unavailable();
  }
  return data as T;
}

/** Rows of a report; waits while the query runs. @throws AdcpError */
export async function loadReport(call: CallApi, path: string, query: object): Promise<readonly Row[]> {
  for (let tries = 0; tries < REPORT_TRIES_MAX; tries += 1) {
    const { status, body } = await call({ method: 'POST', path, body: { query, queryType: 'multi' } });
    const loaded = (body ?? {}) as { readonly results?: readonly { readonly data: readonly Row[] }[]; error?: string };
    if (status === 200 && loaded.results !== undefined) return loaded.results.flatMap(({ data }) => data);
    if (loaded.error !== 'Continue wait') {
      throwForAccess(loaded.error ?? '', '');
      throw unavailable();
    }
  }
  throw new AdcpError('SERVICE_UNAVAILABLE', 'The report is still being computed. Ask again in a moment.', {
    retryAfter: 5,
  });
}

/** A row of a report, by member. */
export type Row = Readonly<Record<string, string | number | null>>;

/** Each try waits at the API for some seconds. */
const REPORT_TRIES_MAX = 3;

/** Errors that have the same meaning in every tool. */
function throwForAccess(code: string, message: string): void {
  switch (code) {
    case 'authentication_required':
    case 'invalid_credentials':
      throw new AdcpError('AUTH_REQUIRED', 'This key is unknown, expired or revoked.');
    case 'insufficient_permissions':
      throw new AdcpError('PERMISSION_DENIED', message);
    case 'rate_limit_exceeded':
      throw new AdcpError('RATE_LIMITED', 'Too many requests. Wait, then try again.', { retryAfter: 30 });
    case 'overloaded':
    case 'unavailable':
    case 'internal_error':
      throw unavailable();
  }
}

function unavailable(): AdcpError {
  return new AdcpError('SERVICE_UNAVAILABLE', 'The ad server cannot respond now. Try again in a moment.', {
    retryAfter: 10,
  });
}
