import type { ByteInput } from '../wire/byte-input.ts';
import { type ClientMessage, InputEnded } from '../wire/byte-input.ts';
import { readBind, readExecute, readParse, readTarget, readText } from '../wire/client-messages.ts';
import {
  bindComplete,
  closeComplete,
  commandComplete,
  emptyQueryResponse,
  errorResponse,
  parseComplete,
  portalSuspended,
  readyForQuery,
} from '../wire/server-messages.ts';
import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import { type ParsedStatement, parseSql } from '../parse/parse-sql.ts';
import { EventTurns } from './event-turns.ts';
import type { MessageWriter } from './message-writer.ts';
import { checkHeld, NamedItems, type Portal, type PreparedStatement, type StatementResult } from './prepared.ts';
import type { StatementRunner } from './statement-runner.ts';

/** Longest message of a client that has signed in, in bytes. */
const MESSAGE_BYTES_MAX = 1024 * 1024;
const STATEMENTS_MAX = 256;
const PORTALS_MAX = 32;
/** Texts and types of all prepared statements, in bytes. */
const STATEMENTS_BYTES_MAX = 2 * 1024 * 1024;
/** Parameters of all portals, in bytes. */
const PORTALS_BYTES_MAX = 2 * 1024 * 1024;

/** The dependencies of one session. */
export interface SessionDeps {
  readonly input: ByteInput;
  readonly writer: MessageWriter;
  readonly runner: StatementRunner;
  /** How long a client may send nothing, milliseconds. */
  readonly idleMs: number;
  readonly statementMs: () => number;
  /** False from when the key of the session is revoked, or the network suspended. */
  readonly isCallerKnown: () => Promise<boolean>;
  /** Counts bytes of the session's network until the returned function is called. @throws SqlError `53000` when there are too many */
  readonly holdBytes: (bytes: number) => () => void;
  /** An error that is a fault of ours. */
  readonly onFault: (error: unknown) => void;
}

/** The messages of one client that has signed in, one after the other. */
export class Session {
  readonly #deps: SessionDeps;
  readonly statements = new NamedItems<PreparedStatement>({
    max: STATEMENTS_MAX,
    bytesMax: STATEMENTS_BYTES_MAX,
    what: 'prepared statement',
    missing: SQLSTATE.invalidStatementName,
    duplicate: SQLSTATE.duplicateStatement,
  });
  readonly #portals = new NamedItems<Portal>({
    max: PORTALS_MAX,
    bytesMax: PORTALS_BYTES_MAX,
    what: 'portal',
    missing: SQLSTATE.invalidCursorName,
    duplicate: SQLSTATE.duplicateCursor,
  });
  #running: AbortController | null = null;
  /** After an error in the extended protocol: everything up to the next Sync is left out. */
  #isSkipping = false;
  /** Releases what portals and cursors hold. */
  #release: () => void = () => undefined;
  /** The last statement text, for positions of errors. */
  #sql: string | null = null;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  /** Ends the statement that runs. */
  cancel(): void {
    this.#running?.abort();
  }

  /** Serves the client until it leaves. @throws InputEnded, or SqlError `28P01` when its key is no longer valid */
  async serve(): Promise<void> {
    try {
      await this.#serve();
    } finally {
      this.#release();
    }
  }

  async #serve(): Promise<void> {
    const { input, writer, runner, idleMs } = this.#deps;
    const turns = new EventTurns();
    writer.put(readyForQuery(runner.state));
    await writer.flush();
    for (;;) {
      const received = await input.readMessage(idleMs, MESSAGE_BYTES_MAX);
      if (received.type === 'X') return;
      await this.#handle(received);
      // Clients may send any number of messages before they read a response.
      await writer.relieve();
      await turns.yield();
    }
  }

  async #handle(received: ClientMessage): Promise<void> {
    const { writer, runner } = this.#deps;
    const { type, body } = received;
    if (type === 'S') {
      this.#isSkipping = false;
      if (runner.state === 'I') this.#portals.clear();
      this.#checkHeld();
      writer.put(readyForQuery(runner.state));
      return writer.flush();
    }
    if (type === 'H') return writer.flush();
    if (this.#isSkipping && type !== 'Q') return;
    try {
      // Most statements ask nobody who would see that the key was revoked.
      if (!(await this.#deps.isCallerKnown())) throw keyEnded();
      if (type === 'Q') await this.#query(readText(body));
      else await this.#extended(type, body);
    } catch (error) {
      if (error instanceof InputEnded || isKeyEnded(error)) throw error;
      this.#fail(error);
      this.#isSkipping = type !== 'Q';
    }
    if (type !== 'Q') return;
    this.#isSkipping = false;
    writer.put(readyForQuery(runner.state));
    await writer.flush();
  }

  #fail(error: unknown): void {
    const { writer, runner, onFault } = this.#deps;
    if (runner.state === 'T') runner.state = 'E';
    if (!(error instanceof SqlError)) onFault(error);
    const told =
      error instanceof SqlError
        ? error
        : new SqlError(SQLSTATE.internal, 'The statement failed by a fault of the server.');
    writer.put(errorResponse(told, 'ERROR', this.#sql));
  }

  async #query(sql: string): Promise<void> {
    const { writer, runner } = this.#deps;
    this.#sql = sql;
    const statements = await parseSql(sql);
    if (statements.length === 0) writer.put(emptyQueryResponse());
    // Several statements of one text are a transaction of their own.
    runner.isInText = statements.length > 1;
    for (const parsed of statements) {
      const statement = { sql, parse: () => Promise.resolve(parsed), paramTypes: [] };
      const portal = { statement, values: [], paramFormats: [], resultFormats: [], result: null, position: 0 };
      const result = await this.#run((signal) => runner.run(portal, signal));
      if (result.description !== null) writer.put(result.description);
      const release = this.#deps.holdBytes(result.bytes);
      try {
        await writer.putAll(result.rows);
      } finally {
        release();
      }
      writer.put(commandComplete(result.tag));
      this.#checkHeld();
    }
    runner.endText();
  }

  async #extended(type: string, body: Buffer): Promise<void> {
    const { writer, runner } = this.#deps;
    switch (type) {
      case 'P':
        await this.#parse(body);
        return writer.put(parseComplete());
      case 'B':
        this.#bind(body);
        return writer.put(bindComplete());
      case 'D': {
        const { kind, name } = readTarget(body);
        if (kind === 'statement') {
          const statement = this.#use(this.statements.get(name));
          for (const one of await this.#run((signal) => runner.describe(statement, signal))) writer.put(one);
          return;
        }
        const portal = this.#portals.find(name) ?? runner.cursors.find(name) ?? this.#portals.get(name);
        this.#use(portal.statement);
        writer.put(await this.#run((signal) => runner.describePortal(portal, signal)));
        return this.#checkHeld();
      }
      case 'E':
        return this.#execute(body);
      case 'C': {
        const { kind, name } = readTarget(body);
        (kind === 'statement' ? this.statements : this.#portals).delete(name);
        return writer.put(closeComplete());
      }
      case 'F':
        throw new SqlError(SQLSTATE.featureNotSupported, 'Function calls are not supported by the SQL endpoint.', {
          hint: 'Send SELECT.',
        });
      default:
        throw new SqlError(SQLSTATE.protocolViolation, `The message type ${JSON.stringify(type)} is not known.`);
    }
  }

  #use(statement: PreparedStatement): PreparedStatement {
    this.#sql = statement.sql;
    return statement;
  }

  async #parse(body: Buffer): Promise<void> {
    const { name, sql, paramTypes } = readParse(body);
    this.#sql = sql;
    const statements = await parseSql(sql);
    if (statements.length > 1) {
      throw new SqlError(SQLSTATE.syntaxError, 'A prepared statement cannot hold several statements.', {
        hint: 'Prepare each of them.',
      });
    }
    const parse = async (): Promise<ParsedStatement | null> => (await parseSql(sql))[0] ?? null;
    this.statements.add(name, { sql, parse, paramTypes }, body.length);
  }

  #bind(body: Buffer): void {
    const { portal, statement, paramFormats, values, resultFormats } = readBind(body);
    const prepared = this.#use(this.statements.get(statement));
    const made = { statement: prepared, values, paramFormats, resultFormats, result: null, position: 0 };
    this.#portals.add(portal, made, body.length);
  }

  async #execute(body: Buffer): Promise<void> {
    const { writer, runner } = this.#deps;
    const { portal: name, rowsMax } = readExecute(body);
    const portal = this.#portals.get(name);
    this.#use(portal.statement);
    portal.result ??= await this.#run((signal) => runner.run(portal, signal));
    this.#checkHeld();
    const { result } = portal;
    if (result.tag === '') return writer.put(emptyQueryResponse());
    const end = rowsMax === 0 ? result.rows.length : Math.min(result.rows.length, portal.position + rowsMax);
    await writer.putAll(result.rows.slice(portal.position, end));
    const sent = end - portal.position;
    portal.position = end;
    const isSuspended = end < result.rows.length;
    if (!isSuspended) {
      // The portal stays until Sync or Close; its rows need not.
      portal.result = { ...result, rows: [], bytes: 0 };
      portal.position = 0;
    }
    this.#checkHeld();
    writer.put(isSuspended ? portalSuspended() : commandComplete(tagOf(result, sent)));
  }

  /** @throws SqlError `53000` when portals and cursors hold too many rows or bytes */
  #checkHeld(): void {
    const { cursors } = this.#deps.runner;
    const portals = [...this.#portals.values(), ...cursors.portals()];
    const drop = (): void => {
      this.#portals.clear();
      cursors.close(null);
    };
    this.#release();
    this.#release = () => undefined;
    const bytes = checkHeld(portals, drop);
    try {
      if (bytes > 0) this.#release = this.#deps.holdBytes(bytes);
    } catch (error) {
      drop();
      throw error;
    }
  }

  /** Runs one statement within its time, or until it is cancelled. */
  async #run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const running = new AbortController();
    this.#running = running;
    const ms = this.#deps.statementMs();
    const late = new SqlError(SQLSTATE.queryCanceled, `The statement ran longer than ${ms} ms.`, {
      hint: 'Ask for fewer days or groups.',
    });
    const timer = setTimeout(() => running.abort(late), ms);
    const stopOf = (): SqlError =>
      running.signal.reason === late ? late : new SqlError(SQLSTATE.queryCanceled, 'The statement was cancelled.');
    const stopped = new Promise<never>((_resolve, reject) => {
      running.signal.addEventListener('abort', () => {
        reject(stopOf());
      });
    });
    try {
      return await Promise.race([work(running.signal), stopped]);
    } catch (error) {
      // What was stopped may fail in its own way first.
      throw running.signal.aborted ? stopOf() : error;
    } finally {
      clearTimeout(timer);
      this.#running = null;
    }
  }
}

function keyEnded(): SqlError {
  return new SqlError(SQLSTATE.invalidPassword, 'The key of the session is no longer valid.', {
    hint: 'Connect with another key.',
  });
}

function isKeyEnded(error: unknown): error is SqlError {
  return error instanceof SqlError && error.sqlstate === SQLSTATE.invalidPassword;
}

/** The rows of a SELECT that were sent by this Execute. */
function tagOf({ tag }: StatementResult, sent: number): string {
  return tag.startsWith('SELECT') ? `SELECT ${sent}` : tag;
}
