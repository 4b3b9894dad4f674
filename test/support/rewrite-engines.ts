/**
 * A statement for a cluster as one server of it can run it alone: plain engines instead of replicated ones, another name of the local table
 * instead of a distributed one, and the tables of `system` of this server.
 */
export function formatAs(cluster: string, sql: string): string {
  return sql
    .replaceAll(` ON CLUSTER '${cluster}'`, '')
    .replaceAll(/Replicated(\w*)MergeTree\('[^']*', '[^']*'(?:, )?/g, '$1MergeTree(')
    .replaceAll(
      /replicated_deduplication_window = (\d+), replicated_deduplication_window_seconds = \d+/g,
      'non_replicated_deduplication_window = $1',
    )
    .replaceAll(
      /AS \w+\s+ENGINE = Distributed\('[^']*', '([^']*)', '([^']*)', [^\n]*\)$/g,
      "ENGINE = Alias('$1', '$2')",
    )
    .replaceAll(/clusterAllReplicas\('[^']*', system\.macros\)/g, MACROS)
    .replaceAll(/clusterAllReplicas\('[^']*', (system\.\w+)\)/g, '$1')
    .replaceAll('system.clusters', `(SELECT '${cluster}' AS cluster, 1 AS internal_replication)`)
    .replaceAll('SELECT engine FROM system.databases WHERE name = currentDatabase()', "SELECT 'Atomic' AS engine");
}

const MACROS = `(SELECT * FROM VALUES('macro String, substitution String', ('shard', '01'), ('replica', 'a')))`;
