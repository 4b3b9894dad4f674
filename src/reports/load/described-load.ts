import type { PreparedLoad, PreparedQuery } from './load-query.ts';

/** What Cube's clients learn of a query without running it (`dryRun`). */
export function dryRunOf({ type, queries, pivot }: PreparedLoad): object {
  return {
    queryType: type,
    normalizedQueries: queries.map(({ query }) => query),
    queryOrder: queries.map(({ query }) =>
      Object.fromEntries((query.order ?? []).map(({ id, desc }) => [id, desc ? 'desc' : 'asc'])),
    ),
    // Rows are summed up by the store; there are no tables that a client could choose.
    transformedQueries: [],
    pivotQuery: JSON.parse(pivot.value) as unknown,
  };
}

/** The statements of a query, as Cube's clients read them (`sql`): one object for a plain query, a list for several. */
export function statementsOf({ type, queries }: PreparedLoad): object {
  const described = queries.map(statementOf);
  return type === 'regularQuery' ? (described[0] as object) : described;
}

/** The parameters in the order of their names, and by name: the statement names them, as `{p0:String}`. */
function statementOf({ compiled, query }: PreparedQuery): object {
  const { sql, params } = compiled;
  const order = (query.order ?? []).map(({ id, desc }) => ({ id, desc }));
  return { sql: { status: 'ok', sql: [sql, Object.values(params), params], order } };
}
