import type { SelectStmt } from 'libpg-query';
import { checkCatalogQuery } from '../catalog/allowed-functions.ts';
import {
  CATALOG_ROWS_MAX,
  type CatalogQuery,
  describeRequest,
  readCatalogResponse,
  runRequest,
} from '../catalog/catalog-query.ts';
import type { CatalogCaller, Catalogs } from '../catalog/catalogs.ts';
import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import type { StatementResult } from './prepared.ts';

/** An error that the catalog's PostgreSQL wrote: its own code, sentence and position. */
function passOn(error: Buffer): SqlError {
  const fields = new Map(
    error
      .subarray(5)
      .toString()
      .split('\0')
      .filter((field) => field !== '')
      .map((field) => [field.charAt(0), field.slice(1)] as const),
  );
  const hint = fields.get('H');
  const details = hint === undefined ? {} : { hint };
  return new SqlError(fields.get('C') ?? SQLSTATE.internal, fields.get('M') ?? 'The catalog query failed.', details);
}

/** The most that the planner of a catalog query may expect; the largest of psql's own is below a thousandth of it. */
const COST_MAX = 50_000;

/** @throws SqlError `54001` for a query that would be much work, such as one that multiplies tables */
async function checkCost(catalogs: Catalogs, caller: CatalogCaller, query: CatalogQuery): Promise<void> {
  const explain = { ...query, sql: `EXPLAIN (FORMAT JSON) ${query.sql}`, resultFormats: [] };
  const { rows, error } = readCatalogResponse(await catalogs.run(caller, runRequest(explain)));
  if (error !== null) throw passOn(error);
  const cost = Number(/"Total Cost": ([\d.]+)/.exec(rows[0]?.toString() ?? '')?.[1] ?? Infinity);
  if (cost <= COST_MAX) return;
  throw new SqlError(SQLSTATE.tooComplex, 'The catalog query would be too much work.', {
    hint: 'Join its tables by their keys.',
  });
}

/** Bytes of all parameters of a catalog query: names of tables and columns. */
const PARAMETERS_BYTES_MAX = 8_192;

/** @throws SqlError `54000`: functions of the catalog multiply what they get */
function checkParameters({ values }: CatalogQuery): void {
  const bytes = values.reduce((sum, value) => sum + (value?.length ?? 0), 0);
  if (bytes <= PARAMETERS_BYTES_MAX) return;
  throw new SqlError(
    SQLSTATE.programLimit,
    `The parameters of a catalog query have at most ${PARAMETERS_BYTES_MAX} bytes.`,
    {
      hint: 'Send names of tables and columns only.',
    },
  );
}

/** The rows of a catalog query. @throws SqlError */
export async function runCatalog(
  catalogs: Catalogs,
  caller: CatalogCaller,
  query: CatalogQuery,
  statement: SelectStmt,
): Promise<StatementResult> {
  checkCatalogQuery(statement);
  checkParameters(query);
  await checkCost(catalogs, caller, query);
  const response = await catalogs.run(caller, runRequest(query));
  const { rowDescription, rows, isCut, error } = readCatalogResponse(response);
  if (error !== null) throw passOn(error);
  if (isCut) {
    throw new SqlError(
      SQLSTATE.programLimit,
      `The catalog query has ${CATALOG_ROWS_MAX.toLocaleString('en')} rows or more.`,
      { hint: 'Narrow its conditions, or write LIMIT.' },
    );
  }
  const bytes = rows.reduce((sum, row) => sum + row.length, 0);
  return { description: rowDescription, rows, bytes, tag: `SELECT ${rows.length}` };
}

/** The descriptions of a catalog query. @throws SqlError */
export async function describeCatalog(
  catalogs: Catalogs,
  caller: CatalogCaller,
  query: Pick<CatalogQuery, 'sql' | 'paramTypes'>,
  statement: SelectStmt,
): Promise<readonly Buffer[]> {
  checkCatalogQuery(statement);
  const response = readCatalogResponse(await catalogs.run(caller, describeRequest(query)));
  if (response.error !== null) throw passOn(response.error);
  return [response.parameterDescription, response.rowDescription].filter((one) => one !== null);
}
