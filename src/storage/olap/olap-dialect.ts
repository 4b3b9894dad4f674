/** How tables are made on this server: the same migration gives plain tables on one machine and replicated ones on a cluster. */
export interface OlapDialect {
  /** Empty, or ` ON CLUSTER 'name'`: stands after the name in CREATE, ALTER and DROP. */
  readonly onCluster: string;
  /**
   * An engine of the MergeTree family. `mergeTree('Replacing', 'version')` is `ReplacingMergeTree(version)`, or on a cluster
   * `ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version)`.
   */
  mergeTree(kind?: 'Replacing' | 'Summing' | 'Aggregating' | 'Collapsing' | '', ...args: readonly string[]): string;
  /** Settings for the SETTINGS clause of a table whose inserts have deduplication tokens: a window far larger than any replay. */
  readonly deduplicated: string;
}

const replicatedPath = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'";

/** The dialect of one server, or of a cluster. Throws RangeError for a cluster name with other signs than `[\w.-]`. */
export function olapDialect(cluster?: string): OlapDialect {
  if (cluster !== undefined && !/^[\w.-]+$/.test(cluster))
    throw new RangeError(`"${cluster}" is not a name of a cluster`);
  const isCluster = cluster !== undefined;
  return {
    onCluster: isCluster ? ` ON CLUSTER '${cluster}'` : '',
    mergeTree: (kind = '', ...args) =>
      isCluster
        ? `Replicated${kind}MergeTree(${[replicatedPath, ...args].join(', ')})`
        : `${kind}MergeTree(${args.join(', ')})`,
    deduplicated: isCluster
      ? 'replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800'
      : 'non_replicated_deduplication_window = 100000',
  };
}
