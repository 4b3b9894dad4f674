import type { Node } from 'libpg-query';
import { asKind } from '../parse/nodes.ts';
import { type ParsedStatement, parseSql } from '../parse/parse-sql.ts';
import { formatAt, type ValueFormat } from '../wire/client-messages.ts';
import { SQLSTATE, SqlError, unsupported } from '../wire/sql-error.ts';
import { NamedItems, type Portal, type PreparedStatement, type StatementResult } from './prepared.ts';

/** Cursors of one session; drivers have one for each open result. */
const CURSORS_MAX = 32;
/** Parameters and texts of all cursors, in bytes. */
const CURSORS_BYTES_MAX = 2 * 1024 * 1024;

const NO_ROWS = { description: null, rows: [], bytes: 0 } as const;

interface Cursor {
  readonly portal: Portal;
  readonly isBinary: boolean;
  /** WITH HOLD: it outlives its transaction. */
  readonly isHeld: boolean;
  /** Its transaction has been committed. */
  isCommitted: boolean;
}

/** Bits of a DECLARE's options. */
const [BINARY, HOLD] = [0x01, 0x20];

/** What a FETCH is run with. */
export interface FetchPace {
  readonly formats: readonly ValueFormat[];
  /** Runs the cursor's SELECT. */
  readonly run: (portal: Portal) => Promise<StatementResult>;
}

/** The cursors that one session made by DECLARE. Their rows are read once, by the first FETCH, and only forward. */
export class Cursors {
  readonly #cursors = new NamedItems<Cursor>({
    max: CURSORS_MAX,
    bytesMax: CURSORS_BYTES_MAX,
    what: 'cursor',
    missing: SQLSTATE.invalidCursorName,
    duplicate: SQLSTATE.duplicateCursor,
  });

  /** The portals of all cursors, with the rows that they hold. */
  portals(): readonly Portal[] {
    return this.#cursors.values().map(({ portal }) => portal);
  }

  /** The portal of a cursor; null: there is none of this name. */
  find(name: string): Portal | null {
    return this.#cursors.find(name)?.portal ?? null;
  }

  /** The portal of a cursor. @throws SqlError `34000` when there is none of this name */
  get(name: string): Portal {
    return this.#cursors.get(name).portal;
  }

  /**
   * Makes a cursor of a DECLARE.
   * @param portal of the DECLARE, with values of parameters
   * @param check throws what is wrong with the SELECT; `isInBlock` is whether a transaction is open
   * @throws SqlError `25P01` for one that nothing could fetch from
   */
  async declare(
    parsed: ParsedStatement,
    portal: Portal,
    {
      isInBlock,
      check,
    }: { readonly isInBlock: boolean; readonly check: (select: PreparedStatement) => Promise<unknown> },
  ): Promise<void> {
    const { portalname: name = '', options = 0 } = asKind(parsed.node, 'DeclareCursorStmt') ?? {};
    const [isBinary, isHeld] = [(options & BINARY) !== 0, (options & HOLD) !== 0];
    if (!isHeld && !isInBlock) {
      throw new SqlError(SQLSTATE.noTransaction, 'DECLARE CURSOR can only be used in a transaction.', {
        hint: 'Send BEGIN first, or write WITH HOLD.',
      });
    }
    const statement = selectOf(parsed, portal.statement.paramTypes);
    await check(statement);
    const resultFormats: readonly ValueFormat[] = isBinary ? ['binary'] : [];
    const made: Portal = { ...portal, statement, resultFormats, result: null, position: 0 };
    const bytes = portal.values.reduce((sum, value) => sum + (value?.length ?? 0), statement.sql.length);
    this.#cursors.add(name, { portal: made, isBinary, isHeld, isCommitted: !isInBlock }, bytes);
  }

  /** The next rows of a cursor: FETCH, or MOVE, which shows none. @throws SqlError */
  async fetch(node: Node, { formats, run }: FetchPace): Promise<StatementResult> {
    const { portalname: name = '', direction, howMany = 0, ismove: isMove = false } = asKind(node, 'FetchStmt') ?? {};
    const count = Number(howMany);
    const cursor = this.#cursors.get(name);
    if ((direction !== undefined && direction !== 'FETCH_FORWARD') || count < 0 || (count === 0 && !isMove)) {
      throw unsupported('FETCH or MOVE in another direction', `Write FETCH 100 FROM ${name}: rows are read forward.`);
    }
    const result = await this.#read(cursor, formats, run);
    const { portal } = cursor;
    const rows = result.rows.slice(portal.position, portal.position + count);
    portal.position += rows.length;
    // Rows that were fetched are not read again.
    if (portal.position === result.rows.length) {
      portal.result = { ...result, rows: [], bytes: 0 };
      portal.position = 0;
    }
    const bytes = rows.reduce((sum, row) => sum + row.length, 0);
    if (isMove) return { ...NO_ROWS, tag: `MOVE ${rows.length}` };
    return { description: result.description, rows, bytes, tag: `FETCH ${rows.length}` };
  }

  async #read(
    { portal, isBinary }: Cursor,
    formats: readonly ValueFormat[],
    run: FetchPace['run'],
  ): Promise<StatementResult> {
    const wanted = isBinary && formats.length === 0 ? (['binary'] as const) : formats;
    const first = portal.result === null ? wanted : portal.resultFormats;
    if (
      JSON.stringify(first) !== JSON.stringify(wanted) &&
      (first.length > 1 || wanted.length > 1 || formatAt(first, 0) !== formatAt(wanted, 0))
    ) {
      throw unsupported('A FETCH in another format than the first one', 'Fetch all rows as text, or all as binary.');
    }
    if (portal.result === null) {
      Object.assign(portal, { resultFormats: wanted });
      portal.result = await run(portal);
    }
    return portal.result;
  }

  /** CLOSE. @param name null: all. @throws SqlError when there is none of the name */
  close(name: string | null): void {
    if (name === null) return this.#cursors.clear();
    this.#cursors.get(name);
    this.#cursors.delete(name);
  }

  /** Closes cursors that end with their transaction. */
  endTransaction(isCommitted: boolean): void {
    for (const [name, cursor] of this.#cursors.entries()) {
      if (!cursor.isCommitted && !(isCommitted && cursor.isHeld)) this.#cursors.delete(name);
      cursor.isCommitted = true;
    }
  }
}

const HEAD =
  /^\s*declare\s+(?:"(?:[^"]|"")*"|[^\s"]+)\s+(?:(?:binary|asensitive|insensitive|no\s+scroll|scroll)\s+)*cursor\s+(?:with(?:out)?\s+hold\s+)?for\s/i;

/** The SELECT of a DECLARE as a statement of its own, at the same position of the text, so that errors point to it. @throws SqlError */
function selectOf({ node, sql, offset }: ParsedStatement, paramTypes: readonly number[]): PreparedStatement {
  const head = HEAD.exec(sql)?.[0];
  if (asKind(asKind(node, 'DeclareCursorStmt')?.query, 'SelectStmt') === undefined || head === undefined) {
    throw unsupported(
      'This form of DECLARE',
      'Write DECLARE name CURSOR FOR SELECT …, without comments before SELECT.',
    );
  }
  const before = ' '.repeat(offset + Buffer.byteLength(head));
  const select = `${before}${sql.slice(head.length)}`;
  const parse = async (): Promise<ParsedStatement | null> => (await parseSql(select))[0] ?? null;
  return { sql: select, parse, paramTypes };
}
