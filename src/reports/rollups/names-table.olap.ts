import type { OlapDialect } from '../../storage/olap/olap-dialect.ts';

/** The present names of booking and inventory objects, kept in step with the management database by `NamesSync`. Every shard joins all of them. */
export function createNames(dialect: OlapDialect): string {
  return `CREATE TABLE IF NOT EXISTS entity_names${dialect.onCluster} (workspace_id UInt32, kind LowCardinality(String), id UInt64,
    name String, version UInt64) ENGINE = ${dialect.mergeTreeEverywhere('Replacing', 'version')} ORDER BY (workspace_id, kind, id)`;
}
