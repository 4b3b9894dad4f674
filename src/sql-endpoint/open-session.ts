import { PlacardError } from '../domain/errors.ts';
import type { Log } from '../domain/log/log.ts';
import type { WorkSlices } from '../domain/time/work-slices.ts';
import { holdBytes } from '../http/core/held-responses.ts';
import type { Catalogs } from './catalog/catalogs.ts';
import type { MessageWriter } from './session/message-writer.ts';
import { type CallReports, ReportApi, type SqlCaller } from './session/report-api.ts';
import { Session } from './session/session.ts';
import { StatementRunner } from './session/statement-runner.ts';
import { SERVER_VERSION, SessionVariables } from './session/variables.ts';
import { readModel } from './translate/sql-model.ts';
import type { ByteInput } from './wire/byte-input.ts';
import { authenticationOk, backendKey, parameterStatus } from './wire/server-messages.ts';
import { SQLSTATE, SqlError } from './wire/sql-error.ts';

interface OpenDeps {
  readonly callReports: CallReports;
  readonly isCallerKnown: (caller: SqlCaller) => Promise<boolean>;
  readonly catalogs: Catalogs;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly idleMs: number;
  /** Shared by all sessions. */
  readonly slices: WorkSlices;
}

interface Opening {
  readonly caller: SqlCaller;
  readonly user: string;
  /** Of the startup message. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly input: ByteInput;
  readonly writer: MessageWriter;
  readonly pid: number;
  readonly secret: Buffer;
  /** Counts the session. @throws SqlError where there are too many */
  readonly admit: () => void;
  /** Aborted when the client is gone. */
  readonly gone: AbortSignal;
}

/** Parameters of a start that are none of a session. */
const OTHER_PARAMETERS: readonly string[] = ['user', 'database', 'options', 'replication'];

/** Checks the password by asking the Reports API, and tells the client what it needs to know. @throws SqlError */
export async function openSession(deps: OpenDeps, opening: Opening): Promise<Session> {
  const { caller, user, parameters, input, writer, pid, secret, gone } = opening;
  const api = new ReportApi(deps.callReports, caller);
  const timezone = await networkZone(api, gone);
  opening.admit();
  const defaults = new Map([
    ['timezone', timezone],
    ['session_authorization', user],
  ]);
  writer.put(authenticationOk());
  const variables = new SessionVariables(defaults, (name, value) => writer.put(parameterStatus(name, value)));
  applyStart(parameters, (name, value) => {
    variables.set(name, value);
    defaults.set(name.toLowerCase(), variables.get(name));
  });
  const facts = {
    user,
    database: caller.database,
    version: `PostgreSQL ${SERVER_VERSION}`,
    pid,
    setting: (name: string) => variables.get(name),
  };
  const runner = new StatementRunner({
    api,
    catalogs: deps.catalogs,
    variables,
    facts,
    nowMs: deps.nowMs,
    turn: () => deps.slices.turn(caller.networkId),
    deallocate: (name) => (name === null ? session.statements.clear() : session.statements.delete(name)),
  });
  const session: Session = new Session({
    input,
    writer,
    runner,
    idleMs: deps.idleMs,
    statementMs: () => variables.statementMs,
    isCallerKnown: () => deps.isCallerKnown(caller),
    holdBytes: (bytes) => holdRows(caller.networkId, bytes),
    onFault: (error) => deps.log.event('sql.statement_failed', { err: error }),
  });
  for (const [name, value] of variables.reported()) writer.put(parameterStatus(name, value));
  writer.put(backendKey(pid, secret));
  return session;
}

/** Rows that wait for clients count in the same bounds as bodies of the core's routes. @throws SqlError `53000` over one */
function holdRows(networkId: string, bytes: number): () => void {
  try {
    return holdBytes(networkId, bytes);
  } catch (error) {
    if (!(error instanceof PlacardError)) throw error;
    throw new SqlError(SQLSTATE.insufficientResources, error.message, {
      hint: 'Fetch the rows of other results first, or write LIMIT.',
      cause: error,
    });
  }
}

/** The zone of the network, by a query that is not run: it shows that the caller may load reports. */
async function networkZone(api: ReportApi, gone: AbortSignal): Promise<string> {
  const signal = AbortSignal.any([gone, AbortSignal.timeout(30_000)]);
  try {
    const model = readModel(await api.meta(signal));
    const time = [...model.values()]
      .flatMap(({ columns }) => [...columns.values()])
      .find(({ type }) => type === 'time');
    return time === undefined ? 'UTC' : await api.timezone(time.member, signal);
  } catch (error) {
    if (error instanceof SqlError && error.sqlstate === SQLSTATE.invalidPassword) {
      throw new SqlError(SQLSTATE.invalidPassword, 'The password is wrong, or not one of this database.', {
        hint: 'The password is an API key with the scope REPORTS; the database is the id of its network.',
        cause: error,
      });
    }
    throw error;
  }
}

/** Sets what the client named at its start, and in `options=-c name=value`. */
function applyStart(parameters: ReadonlyMap<string, string>, set: (name: string, value: string) => void): void {
  for (const [, name = '', value = ''] of (parameters.get('options') ?? '').matchAll(/-(?:c\s*|-)([\w.]+)=(\S*)/g)) {
    set(name, value);
  }
  for (const [name, value] of parameters) {
    if (!OTHER_PARAMETERS.includes(name) && !name.startsWith('_pq_.')) set(name, value);
  }
}
