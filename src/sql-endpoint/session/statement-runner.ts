import type { Node, SelectStmt } from 'libpg-query';
import type { Catalogs } from '../catalog/catalogs.ts';
import { withPresentNames } from '../catalog/renamed-columns.ts';
import { asKind } from '../parse/nodes.ts';
import type { ConstantScope } from '../translate/constants.ts';
import type { OutputColumn } from '../translate/output-column.ts';
import { givenParameters, type Parameters, UnknownParameters } from '../translate/parameters.ts';
import { type ReportPlan, translateSelect } from '../translate/select.ts';
import { readModel, type SqlModel } from '../translate/sql-model.ts';
import { formatAt, type ValueFormat } from '../wire/client-messages.ts';
import { noData, parameterDescription, rowDescription, type TransactionState } from '../wire/server-messages.ts';
import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import { decodeParam } from '../wire/values.ts';
import { describeCatalog, runCatalog } from './catalog-rows.ts';
import { Cursors } from './cursors.ts';
import type { Portal, PreparedStatement, StatementResult } from './prepared.ts';
import type { ReportApi } from './report-api.ts';
import { constantRow, type EncodingPace, resultOf } from './report-rows.ts';
import { RowMessages } from './row-messages.ts';
import { readSimpleSelect, type SessionFacts } from './simple-select.ts';
import { explained, refusalOf, sourceOf } from './statement-kinds.ts';
import { applySet, type SessionVariables } from './variables.ts';

/** How long a session uses the same list of tables, milliseconds. */
const MODEL_MS = 30_000;

/** The dependencies of the statements of one session. */
export interface RunnerDeps {
  readonly api: ReportApi;
  readonly catalogs: Catalogs;
  readonly variables: SessionVariables;
  readonly facts: SessionFacts;
  readonly nowMs: () => number;
  /** The turns in which results are encoded. */
  readonly turn: EncodingPace['turn'];
  /** Forgets prepared statements: DEALLOCATE. Null: all. */
  readonly deallocate: (name: string | null) => void;
}

const NO_ROWS = { description: null, rows: [], bytes: 0 } as const;

/** Runs the statements of one session. */
export class StatementRunner {
  readonly #deps: RunnerDeps;
  #model: { readonly tables: SqlModel; readonly untilMs: number } | null = null;
  readonly cursors = new Cursors();
  state: TransactionState = 'I';
  /** The statement is one of several in one text. */
  isInText = false;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /** What a client learns of a statement before it has values. @throws SqlError */
  async describe(statement: PreparedStatement, signal: AbortSignal): Promise<readonly Buffer[]> {
    const { paramTypes } = statement;
    const parsed = await statement.parse();
    const parameters = new UnknownParameters();
    if (parsed === null) return [parameterDescription(parameters.oids(paramTypes)), noData()];
    const select = asKind(parsed.node, 'SelectStmt');
    if (select !== undefined && this.#sourceOf(select, parameters) === 'catalog') {
      const query = { sql: withPresentNames(parsed), paramTypes };
      const described = await describeCatalog(this.#deps.catalogs, await this.#catalogCaller(signal), query, select);
      return described.length === 2 ? described : [...described, noData()];
    }
    const fetched = this.#fetched(parsed.node);
    if (fetched !== null) {
      const described = await this.describePortal(fetched, signal);
      return [parameterDescription(parameters.oids(paramTypes)), described];
    }
    const columns = await this.#columnsOf(parsed.node, parameters, signal);
    const fields = columns === null ? noData() : rowDescription(columns, () => 'text');
    return [parameterDescription(parameters.oids(paramTypes)), fields];
  }

  /** The columns of a portal. @throws SqlError */
  async describePortal(portal: Portal, signal: AbortSignal): Promise<Buffer> {
    const parsed = await portal.statement.parse();
    if (parsed === null) return noData();
    const fetched = this.#fetched(parsed.node);
    if (fetched !== null) {
      // A copy, so that the rows of the cursor are read by its FETCH.
      return this.describePortal({ ...fetched, resultFormats: portal.resultFormats }, signal);
    }
    const select = asKind(parsed.node, 'SelectStmt');
    const parameters = this.#parametersOf(portal);
    if (select !== undefined && this.#sourceOf(select, parameters) === 'catalog') {
      portal.result ??= await this.run(portal, signal);
      return portal.result.description ?? noData();
    }
    const columns = await this.#columnsOf(parsed.node, parameters, signal);
    return columns === null ? noData() : rowDescription(columns, (index) => formatAt(portal.resultFormats, index));
  }

  /** Runs a statement with its values. @throws SqlError */
  async run(portal: Portal, signal: AbortSignal): Promise<StatementResult> {
    const { paramTypes } = portal.statement;
    const parsed = await portal.statement.parse();
    if (parsed === null) return { ...NO_ROWS, tag: '' };
    const { node, kind } = parsed;
    this.#checkState(kind);
    if (kind === 'DeclareCursorStmt') {
      const isInBlock = this.state === 'T' || this.isInText;
      await this.cursors.declare(parsed, portal, { isInBlock, check: (made) => this.describe(made, signal) });
      return { ...NO_ROWS, tag: 'DECLARE CURSOR' };
    }
    if (kind === 'FetchStmt') {
      return this.cursors.fetch(node, { formats: portal.resultFormats, run: (one) => this.run(one, signal) });
    }
    const select = asKind(node, 'SelectStmt');
    const session = select === undefined ? this.#runSession(kind, node) : null;
    if (session !== null) return session;
    const parameters = this.#parametersOf(portal);
    if (select !== undefined && this.#sourceOf(select, parameters) === 'catalog') {
      const query = { ...portal, sql: withPresentNames(parsed), paramTypes };
      return runCatalog(this.#deps.catalogs, await this.#catalogCaller(signal), query, select);
    }
    const pace = { turn: this.#deps.turn, signal };
    const simple = select === undefined ? null : this.#simpleColumns(select, parameters);
    if (simple !== null) return constantRow(simple, portal.resultFormats, pace);
    if (kind === 'VariableShowStmt') return this.#show(node, portal.resultFormats);
    const plan = await this.#planOf(parsed.node, parameters, signal);
    if (plan === null) throw refusalOf(parsed);
    if (kind === 'ExplainStmt')
      return textRows(['QUERY PLAN'], [[JSON.stringify(plan.query, null, 2)]], portal.resultFormats);
    if (plan.isEmpty) return resultOf(plan, plan.isTotal ? [{}] : [], portal.resultFormats, pace);
    if (plan.count !== null) {
      const rows = Math.max(0, (await this.#deps.api.count(plan.query, signal)) - plan.count.skip);
      const constant = String(Math.min(rows, plan.count.most));
      const columns = plan.columns.map((column) => ({ ...column, constant }));
      return constantRow(columns, portal.resultFormats, pace);
    }
    return resultOf(plan, await this.#deps.api.load(plan.query, signal), portal.resultFormats, pace);
  }

  /** The cursor whose rows a FETCH shows; null: the statement is another one. @throws SqlError when there is no such cursor */
  #fetched(node: Node): Portal | null {
    const fetch = asKind(node, 'FetchStmt');
    if (fetch === undefined || fetch.ismove === true) return null;
    return this.cursors.get(fetch.portalname ?? '');
  }

  /** @throws SqlError `25P02` in a transaction that has failed */
  #checkState(kind: string): void {
    if (this.state !== 'E' || kind === 'TransactionStmt') return;
    throw new SqlError(
      SQLSTATE.failedTransaction,
      'The transaction has failed; statements are ignored until its end.',
      { hint: 'Send ROLLBACK.' },
    );
  }

  /** Ends the transaction that several statements of one text are, unless the client has begun one. */
  endText(): void {
    if (this.isInText && this.state === 'I') this.cursors.endTransaction(true);
    this.isInText = false;
  }

  /** Statements that change the session alone; null: the statement is none of them. */
  #runSession(kind: string, node: Node): StatementResult | null {
    const { variables, deallocate } = this.#deps;
    if (kind === 'TransactionStmt') return { ...NO_ROWS, tag: this.#transact(node) };
    if (kind === 'VariableSetStmt') {
      applySet(node, variables);
      return {
        ...NO_ROWS,
        tag: asKind(node, 'VariableSetStmt')?.kind?.startsWith('VAR_RESET') === true ? 'RESET' : 'SET',
      };
    }
    if (kind === 'DiscardStmt') {
      variables.resetAll();
      deallocate(null);
      this.cursors.close(null);
      return { ...NO_ROWS, tag: 'DISCARD ALL' };
    }
    if (kind === 'DeallocateStmt') {
      deallocate(asKind(node, 'DeallocateStmt')?.name ?? null);
      return { ...NO_ROWS, tag: 'DEALLOCATE' };
    }
    // Nothing is ever sent by itself.
    if (kind === 'UnlistenStmt') return { ...NO_ROWS, tag: 'UNLISTEN' };
    if (kind !== 'ClosePortalStmt') return null;
    const name = asKind(node, 'ClosePortalStmt')?.portalname ?? null;
    this.cursors.close(name);
    return { ...NO_ROWS, tag: name === null ? 'CLOSE CURSOR ALL' : 'CLOSE CURSOR' };
  }

  #transact(node: Node): string {
    const kind = asKind(node, 'TransactionStmt')?.kind ?? '';
    switch (kind) {
      case 'TRANS_STMT_BEGIN':
      case 'TRANS_STMT_START':
        if (this.state === 'I') this.state = 'T';
        return kind === 'TRANS_STMT_BEGIN' ? 'BEGIN' : 'START TRANSACTION';
      case 'TRANS_STMT_COMMIT': {
        const tag = this.state === 'E' ? 'ROLLBACK' : 'COMMIT';
        this.cursors.endTransaction(tag === 'COMMIT');
        this.state = 'I';
        return tag;
      }
      case 'TRANS_STMT_ROLLBACK':
        this.cursors.endTransaction(false);
        this.state = 'I';
        return 'ROLLBACK';
      case 'TRANS_STMT_SAVEPOINT':
      case 'TRANS_STMT_RELEASE':
        if (this.state === 'E') throw new SqlError(SQLSTATE.failedTransaction, 'The transaction has failed.');
        return kind === 'TRANS_STMT_SAVEPOINT' ? 'SAVEPOINT' : 'RELEASE';
      case 'TRANS_STMT_ROLLBACK_TO':
        this.state = 'T';
        return 'ROLLBACK';
      default:
        throw new SqlError(
          SQLSTATE.featureNotSupported,
          'Prepared transactions are not supported by the SQL endpoint.',
          {
            hint: 'Use BEGIN and COMMIT.',
          },
        );
    }
  }

  #show(node: Node, formats: readonly ValueFormat[]): StatementResult {
    const name = asKind(node, 'VariableShowStmt')?.name ?? '';
    const { variables } = this.#deps;
    return name === 'all'
      ? { ...textRows(['name', 'setting'], variables.all(), formats), tag: 'SHOW' }
      : { ...textRows([name], [[variables.get(name)]], formats), tag: 'SHOW' };
  }

  #sourceOf(select: SelectStmt, parameters: Parameters): 'report' | 'catalog' | 'none' {
    const source = sourceOf(select);
    // Expressions that the endpoint does not compute itself go to the catalog's PostgreSQL.
    return source === 'none' && this.#simpleColumns(select, parameters) === null ? 'catalog' : source;
  }

  #simpleColumns(select: SelectStmt, parameters: Parameters): readonly OutputColumn[] | null {
    return readSimpleSelect(select, this.#deps.facts, this.#scope(parameters));
  }

  #scope(parameters: Parameters): ConstantScope {
    const { nowMs, variables } = this.#deps;
    return { parameters, nowMs: nowMs(), timezone: variables.get('timezone') };
  }

  async #columnsOf(
    node: Node,
    parameters: Parameters,
    signal: AbortSignal,
  ): Promise<readonly Pick<OutputColumn, 'name' | 'type'>[] | null> {
    const select = asKind(node, 'SelectStmt');
    const simple = select === undefined ? null : this.#simpleColumns(select, parameters);
    if (simple !== null) return simple;
    const show = asKind(node, 'VariableShowStmt');
    if (show !== undefined)
      return show.name === 'all' ? ['name', 'setting'].map(textColumn) : [textColumn(show.name ?? '')];
    const plan = await this.#planOf(node, parameters, signal);
    if (plan === null) return null;
    return asKind(node, 'ExplainStmt') === undefined ? plan.columns : [textColumn('QUERY PLAN')];
  }

  /** Null: the statement reads no report. */
  async #planOf(node: Node, parameters: Parameters, signal: AbortSignal): Promise<ReportPlan | null> {
    const isExplain = asKind(node, 'ExplainStmt') !== undefined;
    const select = isExplain ? explained(node) : asKind(node, 'SelectStmt');
    if (select === undefined) return null;
    const model = await this.#tables(signal);
    return translateSelect(select, { ...this.#scope(parameters), model, database: this.#deps.facts.database });
  }

  #parametersOf({ statement, values, paramFormats }: Portal): Parameters {
    return givenParameters(
      values.map((value, index) =>
        value === null ? null : decodeParam(value, statement.paramTypes[index] ?? 0, formatAt(paramFormats, index)),
      ),
    );
  }

  async #catalogCaller(signal: AbortSignal): Promise<{ readonly database: string; readonly model: SqlModel }> {
    // Asked each time: the request checks the credentials, and counts the statement.
    this.#model = null;
    return { database: this.#deps.facts.database, model: await this.#tables(signal) };
  }

  async #tables(signal: AbortSignal): Promise<SqlModel> {
    const { api, nowMs } = this.#deps;
    if (this.#model === null || this.#model.untilMs <= nowMs()) {
      this.#model = { tables: readModel(await api.meta(signal)), untilMs: nowMs() + MODEL_MS };
    }
    return this.#model.tables;
  }
}

const textColumn = (name: string): OutputColumn => ({ name, type: 'text', expression: null, constant: null });

function textRows(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  formats: readonly ValueFormat[],
): StatementResult {
  const made = new RowMessages();
  for (const row of rows) made.add(row.map((value) => Buffer.from(value)));
  return {
    description: rowDescription(names.map(textColumn), (index) => formatAt(formats, index)),
    rows: made.rows,
    bytes: made.bytes,
    tag: `SELECT ${rows.length}`,
  };
}
