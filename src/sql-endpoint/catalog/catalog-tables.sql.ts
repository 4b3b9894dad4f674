import { COLUMN_TYPES, type SqlModel } from '../translate/sql-model.ts';

const TYPES = { text: 'text', numeric: 'numeric', bool: 'boolean', timestamp: 'timestamp' } as const;

/** The role as which catalogs are read: it owns nothing. */
const ROLE = 'placard_client';

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`;

/**
 * The statements that fill an empty database with what a caller may see: each cube as an empty table, its members as columns. They are built from the
 * model alone.
 */
export function catalogStatements(model: SqlModel, database: string): string {
  const tables = [...model.values()].flatMap(({ name, description, columns }) => {
    const table = `public.${identifier(name)}`;
    const members = [...columns.values()];
    const defined = members.map(
      (column) => `${identifier(column.name)} ${TYPES[COLUMN_TYPES[column.type] as keyof typeof TYPES]}`,
    );
    const comments = members.map(
      (column) =>
        `COMMENT ON COLUMN ${table}.${identifier(column.name)} IS ${literal(`${column.kind === 'measure' ? 'Measure. ' : ''}${column.description ?? ''}`)};`,
    );
    return [
      `CREATE TABLE ${table} (${defined.join(', ')});`,
      `COMMENT ON TABLE ${table} IS ${literal(description ?? '')};`,
      ...comments,
    ];
  });
  return [
    ...tables,
    `CREATE ROLE ${ROLE} NOLOGIN;`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${ROLE};`,
    // There is nothing to hide: no other session, and no subscription.
    `GRANT pg_read_all_stats TO ${ROLE};`,
    `GRANT SELECT ON pg_subscription TO ${ROLE};`,
    `UPDATE pg_database SET datname = ${literal(database)} WHERE datname = current_database();`,
    'SET standard_conforming_strings = on;',
    'SET default_transaction_read_only = on;',
    `SET ROLE ${ROLE};`,
  ].join('\n');
}
