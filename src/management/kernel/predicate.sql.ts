import { type RawBuilder, sql } from 'kysely';
import type { Comparison, Predicate } from './predicate.ts';

/**
 * The condition of a predicate on the rows of a table. Every table that it looks into is bound to the workspace. Names of tables and columns come
 * from our own tables, and values are parameters.
 */
export function predicateSql(predicate: Predicate, workspaceId: number, of: string, depth = 0): RawBuilder<unknown> {
  const inner = (one: Predicate): RawBuilder<unknown> => predicateSql(one, workspaceId, of, depth);
  switch (predicate.kind) {
    case 'all':
      return joined(predicate.of.map(inner), ' AND ', 'true');
    case 'any':
      return joined(predicate.of.map(inner), ' OR ', 'false');
    case 'not':
      // NULL, as a comparison of an empty column gives it, is not a match, so that its opposite is one.
      return sql`(${inner(predicate.of)}) IS NOT TRUE`;
    case 'compare':
      return comparisonSql(sql.ref(`${of}.${predicate.column}`), predicate);
    case 'related': {
      const name = `related_${depth + 1}`;
      const where = predicateSql(predicate.where, workspaceId, name, depth + 1);
      return sql`EXISTS (SELECT 1 FROM ${sql.table(predicate.table)} AS ${sql.ref(name)}
        WHERE ${sql.ref(`${name}.workspace_id`)} = ${workspaceId}
        AND ${sql.ref(`${name}.${predicate.column}`)} = ${sql.ref(`${of}.${predicate.ownColumn}`)} AND ${where})`;
    }
  }
}

function joined(parts: readonly RawBuilder<unknown>[], by: ' AND ' | ' OR ', empty: string): RawBuilder<unknown> {
  return parts.length === 0 ? sql.raw(empty) : sql`(${sql.join(parts, sql.raw(by))})`;
}

function comparisonSql(column: RawBuilder<unknown>, { operator, value }: Comparison): RawBuilder<unknown> {
  switch (operator) {
    case 'eq':
      return sql`${column} = ${value}`;
    case 'in':
      return sql`${column} = ANY(${value})`;
    case 'gte':
      return sql`${column} >= ${value}`;
    case 'lt':
      return sql`${column} < ${value}`;
    case 'contains':
      return sql`${column} ILIKE ${`%${String(value).replace(/[\\%_]/g, (character) => `\\${character}`)}%`}`;
    case 'isNull':
      return sql`${column} IS NULL`;
    case 'has':
      return sql`${value} = ANY(${column})`;
    case 'overlaps':
      return sql`${column} && ${value}`;
    case 'includes':
      return sql`${column} @> ${value}::jsonb`;
  }
}
