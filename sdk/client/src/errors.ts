/** The body of every error of the service; some codes carry more members. */
export interface ErrorBody {
  /** Stable code, such as `invalid_credentials`. */
  readonly error: string;
  readonly message: string;
  readonly [member: string]: unknown;
}

/** An error response. */
export class PlacardApiError extends Error {
  readonly status: number;
  /** Stable code of the service; `http_<status>` when the response had none (a proxy's page). */
  readonly code: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Quote it when you ask the operator; '' when the response had none. */
  readonly requestId: string;
  /** Unix seconds at which a limit opens again; null unless the status is 429. */
  readonly resetAt: number | null;
  /** How many requests were sent for the call. */
  readonly attempts: number;

  constructor(failure: {
    status: number;
    body: Readonly<Record<string, unknown>>;
    requestId: string;
    resetAt: number | null;
    attempts: number;
  }) {
    const { status, body } = failure;
    const code = textMember(body, 'code') ?? textMember(body, 'error') ?? `http_${status}`;
    super(`${code}: ${textMember(body, 'message') ?? textMember(body, 'error') ?? 'no message'} (HTTP ${status})`);
    this.name = 'PlacardApiError';
    this.status = status;
    this.code = code;
    this.body = body;
    this.requestId = failure.requestId;
    this.resetAt = failure.resetAt;
    this.attempts = failure.attempts;
  }
}

/** No response came: the connection failed, or every attempt took longer than the time limit. `cause` holds the last failure. */
export class PlacardConnectionError extends Error {
  readonly attempts: number;
  readonly timedOut: boolean;

  constructor(message: string, options: { attempts: number; timedOut: boolean; cause: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'PlacardConnectionError';
    this.attempts = options.attempts;
    this.timedOut = options.timedOut;
  }
}

/** The caller's input is wrong; nothing was sent. */
export class PlacardInputError extends Error {
  /** One sentence a problem, each naming the member. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join(' '));
    this.name = 'PlacardInputError';
    this.problems = problems;
  }
}

/** One error of a GraphQL response. */
export interface GraphqlProblem {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** A GraphQL response with errors; `data` holds its data. */
export class PlacardGraphqlError extends Error {
  readonly errors: readonly GraphqlProblem[];
  readonly data: unknown;

  constructor(errors: readonly GraphqlProblem[], data: unknown) {
    super(errors.map((error) => error.message).join('; '));
    this.name = 'PlacardGraphqlError';
    this.errors = errors;
    this.data = data;
  }
}

/** A legacy report task ended as FAILED, or was not done in time. */
export class PlacardReportError extends Error {
  readonly taskId: string;

  constructor(taskId: string, message: string) {
    super(message);
    this.name = 'PlacardReportError';
    this.taskId = taskId;
  }
}

function textMember(body: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = body[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
