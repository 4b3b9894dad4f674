import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import { isRecord } from '../translate/json-shape.ts';

/** A request of the Reports API. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly remoteAddress: string;
  readonly signal: AbortSignal;
}

/** Sends a request to the Reports API of this process, as if it came from the client. Rejects when it is aborted. */
export type CallReports = (request: ApiRequest) => Promise<{ readonly status: number; readonly body: unknown }>;

/** Who asks: what a client named at its start. */
export interface SqlCaller {
  /** The database, as the client wrote it. */
  readonly database: string;
  readonly networkId: string;
  readonly pathPrefix: '' | '/staging';
  readonly headers: Readonly<Record<string, string>>;
  readonly remoteAddress: string;
}

/** The name of a database: a network's id, with `_staging` behind it for the staging environment. */
const DATABASE = /^([1-9]\d{0,17})(_staging)?$/;

/**
 * The caller that user, password and database name. The password is a key of the network, or the token of the pair whose login the user is.
 * @throws SqlError `3D000` for a text that names no network
 */
export function callerOf(
  { user, database, password }: { readonly user: string; readonly database: string; readonly password: string },
  remoteAddress: string,
): SqlCaller {
  const match = DATABASE.exec(database);
  if (match === null) throw unknownDatabase(database);
  const isPair = password.startsWith('plc_token_');
  const credentials: Record<string, string> = isPair
    ? { 'x-internal-auth-login': user, 'x-internal-auth-token': password }
    : { authorization: `Bearer ${password}` };
  return {
    database,
    networkId: match[1] ?? '',
    pathPrefix: match[2] === undefined ? '' : '/staging',
    headers: { ...credentials, 'user-agent': 'placard-sql', accept: 'application/json' },
    remoteAddress,
  };
}

function unknownDatabase(database: string): SqlError {
  return new SqlError(SQLSTATE.unknownDatabase, `The database "${database.slice(0, 100)}" does not exist.`, {
    hint: 'Name the id of a network, such as 1000, or 1000_staging.',
  });
}

/** The requests that the endpoint makes. */
export class ReportApi {
  readonly #call: CallReports;
  readonly #caller: SqlCaller;

  constructor(call: CallReports, caller: SqlCaller) {
    this.#call = call;
    this.#caller = caller;
  }

  /** The tables, as `/meta` describes them. @throws SqlError */
  meta(signal: AbortSignal): Promise<unknown> {
    return this.#send('GET', 'meta', undefined, signal);
  }

  /** The rows of a report query. @throws SqlError */
  async load(query: unknown, signal: AbortSignal): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const body = await this.#send('POST', 'load', { query }, signal);
    const rows = isRecord(body) ? body['data'] : undefined;
    return Array.isArray(rows) ? (rows as readonly Readonly<Record<string, unknown>>[]) : [];
  }

  /** The number of rows that a report query has without its limit. @throws SqlError */
  async count(query: unknown, signal: AbortSignal): Promise<number> {
    const body = await this.#send('POST', 'load', { query }, signal);
    const total = isRecord(body) ? body['total'] : undefined;
    if (typeof total === 'number') return total;
    throw new SqlError(SQLSTATE.internal, 'The report has no number of rows; try again.');
  }

  /** The time zone of the network; also shows that the caller may load reports. @throws SqlError */
  async timezone(member: string, signal: AbortSignal): Promise<string> {
    const query = { timeDimensions: [{ dimension: member, granularity: 'day', dateRange: 'today' }] };
    const body = await this.#send('POST', 'dry-run', { query }, signal);
    const list = isRecord(body) ? body['normalizedQueries'] : undefined;
    const first: unknown = Array.isArray(list) ? list[0] : undefined;
    const timezone = isRecord(first) ? first['timezone'] : undefined;
    return typeof timezone === 'string' ? timezone : 'UTC';
  }

  async #send(method: 'GET' | 'POST', path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    const { pathPrefix, networkId, headers, remoteAddress } = this.#caller;
    const { status, body: response } = await this.#call({
      method,
      path: `${pathPrefix}/reports/${networkId}/v1/${path}`,
      headers,
      ...(body === undefined ? {} : { body }),
      remoteAddress,
      signal,
    });
    if (status === 200) return response;
    throw errorOf(status, response);
  }
}

/** SQLSTATEs of the error codes of the Reports API. */
const STATES: Readonly<Record<string, string>> = {
  authentication_required: SQLSTATE.invalidPassword,
  invalid_credentials: SQLSTATE.invalidPassword,
  https_required: SQLSTATE.invalidAuthorization,
  insufficient_permissions: SQLSTATE.insufficientPrivilege,
  ip_not_allowed: SQLSTATE.insufficientPrivilege,
  network_suspended: SQLSTATE.insufficientPrivilege,
  unknown_network: SQLSTATE.unknownDatabase,
  rate_limit_exceeded: SQLSTATE.configurationLimit,
  query_timeout: SQLSTATE.queryCanceled,
  query_too_complex: SQLSTATE.tooComplex,
  overloaded: SQLSTATE.insufficientResources,
  unavailable: SQLSTATE.cannotConnectNow,
};

/** The error of a response that is none of success. */
function errorOf(status: number, body: unknown): SqlError {
  const fields = isRecord(body) ? body : {};
  const texts = ['code', 'error', 'message'].map((name) => fields[name]);
  const [code, error, message] = texts.map((one) => (typeof one === 'string' ? one : ''));
  // Errors of a query carry the sentence in `error` and the code beside it; all others the other way round.
  const [name = '', sentence = ''] = code === '' ? [error, message] : [code, error];
  const state = STATES[name] ?? (status < 500 ? SQLSTATE.invalidParameterValue : SQLSTATE.internal);
  return new SqlError(state, sentence === '' ? 'The report failed; try again.' : sentence);
}
