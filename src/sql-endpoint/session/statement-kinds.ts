import type { Node, SelectStmt } from 'libpg-query';
import { asKind, visit } from '../parse/nodes.ts';
import type { ParsedStatement } from '../parse/parse-sql.ts';
import { SQLSTATE, SqlError, unsupported } from '../wire/sql-error.ts';

/** Where the rows of a SELECT come from. */
export type SelectSource = 'report' | 'catalog' | 'none';

const CATALOG_SCHEMAS: readonly string[] = ['pg_catalog', 'information_schema'];

/** Finds out where a SELECT reads. @throws SqlError for one that writes, locks, or mixes reports with catalogs */
export function sourceOf(statement: SelectStmt): SelectSource {
  const own = new Set<string>();
  const found = new Set<SelectSource>();
  visit(statement, (kind, content) => {
    if (kind === 'CommonTableExpr') own.add(String(content['ctename']));
    if (kind === 'IntoClause') throw readOnly('SELECT INTO');
    if (kind === 'LockingClause') throw readOnly('SELECT FOR UPDATE');
    if (/^(?:Insert|Update|Delete|Merge)Stmt$/.test(kind)) throw readOnly('a statement that writes');
  });
  visit(statement, (kind, content) => {
    if (kind !== 'RangeVar') return;
    const schema = content['schemaname'];
    const name = String(content['relname']);
    if (schema === undefined && own.has(name)) return;
    const isCatalog =
      (typeof schema === 'string' && CATALOG_SCHEMAS.includes(schema)) ||
      (schema === undefined && name.startsWith('pg_'));
    found.add(isCatalog ? 'catalog' : 'report');
  });
  if (found.size > 1) throw unsupported('Reports together with catalogs', 'Ask each by a statement of its own.');
  return [...found][0] ?? 'none';
}

/** The name of a kind of statement, as its error says it: `InsertStmt` becomes INSERT. */
function wordsOf(kind: string): string {
  return kind
    .replace(/Stmt$/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toUpperCase();
}

function readOnly(what: string): SqlError {
  return new SqlError(SQLSTATE.readOnly, `Cannot execute ${what} in a read-only transaction.`, {
    hint: 'The SQL endpoint only reads. Change campaigns by the management API.',
  });
}

/** Statements that PostgreSQL has and that change nothing here, but that the endpoint does not know. */
const UNKNOWN: Readonly<Record<string, string>> = {
  CopyStmt: 'Write SELECT, or \\copy (SELECT …) with a client that reads the rows itself.',
  PrepareStmt: 'Prepare statements by the functions of your driver.',
  ExecuteStmt: 'Prepare statements by the functions of your driver.',
  ListenStmt: 'Webhooks tell of changes.',
  NotifyStmt: 'Webhooks tell of changes.',
  CallStmt: 'Write SELECT.',
  DoStmt: 'Write SELECT.',
  LockStmt: 'Leave it out: nothing is locked.',
};

/** The error for a statement that is neither SELECT nor one of a session. */
export function refusalOf({ kind }: ParsedStatement): SqlError {
  const instead = UNKNOWN[kind];
  return instead === undefined ? readOnly(wordsOf(kind)) : unsupported(wordsOf(kind), instead);
}

/** What an EXPLAIN explains. @throws SqlError unless it is a SELECT over a report */
export function explained(node: Node): SelectStmt {
  const { query, options = [] } = asKind(node, 'ExplainStmt') ?? {};
  const select = asKind(query, 'SelectStmt');
  const isAnalysed = options.some((one) => asKind(one, 'DefElem')?.defname === 'analyze');
  if (select === undefined || isAnalysed || sourceOf(select) !== 'report') {
    throw unsupported('This EXPLAIN', 'EXPLAIN SELECT … shows the report query of a SELECT over a report.');
  }
  return select;
}
