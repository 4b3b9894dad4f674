import type { OlapDialect } from '../../storage/olap/olap-dialect.ts';

/** Which days of a workspace were written to, and when. The result cache depends on it. */
export const VERSIONS_TABLE = 'delivery_versions';

/**
 * The last table of the chain. All of its branches end here, the days of creatives, of line items and of key-values, and a day has a
 * new version after each: so all tables hold the data of the newest version.
 */
export function createVersions(fedBy: string, dialect: OlapDialect): string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${dialect.stored(VERSIONS_TABLE)}${dialect.onCluster} (workspace_id UInt32, day Date,
      row_count SimpleAggregateFunction(sum, UInt64), written_at SimpleAggregateFunction(max, DateTime64(3, 'UTC')))
      ENGINE = ${dialect.mergeTree('Aggregating')} ORDER BY (workspace_id, day) SETTINGS ${dialect.deduplicated}`,
    ...dialect.distribute(VERSIONS_TABLE, 'cityHash64(workspace_id, day)'),
    createVersionsView(`${VERSIONS_TABLE}_feed`, fedBy, dialect),
  ];
}

/** A view that writes versions for what a further table receives. */
export function createVersionsView(name: string, fedBy: string, dialect: OlapDialect): string {
  return `CREATE MATERIALIZED VIEW IF NOT EXISTS ${name}${dialect.onCluster} TO ${dialect.stored(VERSIONS_TABLE)} AS
    SELECT workspace_id, toDate(time) AS day, count() AS row_count, now64(3, 'UTC') AS written_at
    FROM ${dialect.stored(fedBy)} GROUP BY workspace_id, day`;
}
