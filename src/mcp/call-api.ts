/** A request to one of Placard's own APIs, made for the caller of a tool with the caller's own key. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, without `/staging`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export interface ApiResponse {
  readonly status: number;
  /** Parsed JSON; null where the body is none. */
  readonly body: unknown;
}

export type CallApi = (request: ApiRequest) => Promise<ApiResponse>;

/** Why a tool cannot do what it was asked: the agent reads the message. */
export class ToolError extends Error {
  readonly details: unknown;

  constructor(message: string, details?: unknown) {
    super(message);
    this.name = 'ToolError';
    this.details = details;
  }
}

interface GraphqlBody {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly path?: unknown; readonly extensions?: unknown }[];
}

export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Runs a GraphQL document.
 *
 * @throws ToolError with the API's errors, also where a part of the data came
 */
export async function runGraphql(call: CallApi, request: GraphqlRequest): Promise<Readonly<Record<string, unknown>>> {
  const { query, variables = {}, headers = {} } = request;
  const { status, body } = await call({ method: 'POST', path: '/graphql', headers, body: { query, variables } });
  const { data, errors = [] } = (body ?? {}) as GraphqlBody;
  const [first] = errors;
  if (first !== undefined) {
    const shown = errors.map(({ message, path, extensions }) => ({ message, path, ...(extensions as object) }));
    throw new ToolError(first.message, { errors: shown, ...(data === undefined || data === null ? {} : { data }) });
  }
  if (status !== 200 || data === undefined || data === null)
    throw new ToolError(`The API responded with status ${status}.`, body);
  return data;
}

/** How the audit log names an agent that does not name itself. */
const UNNAMED = 'unnamed agent';

export function agentText(agent: string | null): string {
  const text = (agent ?? '')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, 200)
    .trim();
  return text === '' ? UNNAMED : text;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
