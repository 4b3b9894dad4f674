/**
 * How tables are made and changed on this store: the same migration gives plain tables on one server, and on a cluster replicated ones, each
 * with a distributed table over all shards. Statements that read or insert use the name of the table in both cases.
 */
export interface OlapDialect {
  /** Null: one server. */
  readonly cluster: string | null;
  /** Empty, or ` ON CLUSTER 'name'`: stands after the name in CREATE, ALTER and DROP. */
  readonly onCluster: string;
  /** An engine of the MergeTree family for the rows of one shard, on a cluster replicated between the servers of the shard. */
  mergeTree(kind?: EngineKind, ...args: readonly string[]): string;
  /** The same for a small table that every server of every shard holds in full; it has no distributed table. */
  mergeTreeEverywhere(kind?: EngineKind, ...args: readonly string[]): string;
  /** Settings for the SETTINGS clause of a table whose inserts have deduplication tokens: a window far larger than any replay. */
  readonly deduplicated: string;
  /** The table that holds the rows of a server: itself, or on a cluster `<table>_local`. For DDL, mutations and views. */
  stored(table: string): string;
  /**
   * What follows the CREATE of a stored table: on a cluster its distributed table. Rows with the same `key` (SQL) are in the same shard; a
   * batch that is sent again is divided in the same way.
   */
  distribute(table: string, key: string): readonly string[];
  /** The rows of a table of `system` on all servers. */
  systemTable(name: string): string;
}

/** What merges of a table do with rows of the same key. */
export type EngineKind = 'Replacing' | 'Summing' | 'Aggregating' | 'Collapsing' | '';

/** How many inserts a table remembers the tokens of. The store keeps them in memory, a cluster in its Keeper. */
export const DEDUPLICATION_WINDOW = 100_000;

/** A cluster of ClickHouse, and the database of its tables. */
export interface OlapCluster {
  /** As in `remote_servers` of the servers' configuration. */
  readonly name: string;
  readonly database: string;
}

/** The id of a table is the same on all servers when it was made ON CLUSTER: a table that is made again finds no rows of the former. */
const SHARD_PATH = "'/clickhouse/tables/{uuid}/{shard}', '{replica}'";
const COMMON_PATH = "'/clickhouse/tables/{uuid}/all', '{shard}-{replica}'";

const SINGLE: OlapDialect = {
  cluster: null,
  onCluster: '',
  mergeTree: (kind = '', ...args) => `${kind}MergeTree(${args.join(', ')})`,
  mergeTreeEverywhere: (kind = '', ...args) => `${kind}MergeTree(${args.join(', ')})`,
  deduplicated: `non_replicated_deduplication_window = ${DEDUPLICATION_WINDOW}`,
  stored: (table) => table,
  distribute: () => [],
  systemTable: (name) => `system.${name}`,
};

/** The dialect of one server, or of a cluster. @throws RangeError for a name with other signs than `[\w.-]` */
export function olapDialect(cluster: OlapCluster | null = null): OlapDialect {
  if (cluster === null) return SINGLE;
  const { name, database } = cluster;
  if (!/^[\w.-]+$/.test(name)) throw new RangeError(`"${name}" is not a name of a cluster`);
  if (!/^\w+$/.test(database)) throw new RangeError(`"${database}" is not a name of a database`);
  const onCluster = ` ON CLUSTER '${name}'`;
  const stored = (table: string): string => `${table}_local`;
  const replicated = (path: string, kind: EngineKind, args: readonly string[]): string =>
    `Replicated${kind}MergeTree(${[path, ...args].join(', ')})`;
  return {
    cluster: name,
    onCluster,
    mergeTree: (kind = '', ...args) => replicated(SHARD_PATH, kind, args),
    mergeTreeEverywhere: (kind = '', ...args) => replicated(COMMON_PATH, kind, args),
    deduplicated: `replicated_deduplication_window = ${DEDUPLICATION_WINDOW}, replicated_deduplication_window_seconds = 604800`,
    stored,
    distribute: (table, key) => [
      `CREATE TABLE IF NOT EXISTS ${table}${onCluster} AS ${stored(table)}
        ENGINE = Distributed('${name}', '${database}', '${stored(table)}', ${key})`,
    ],
    systemTable: (table) => `clusterAllReplicas('${name}', system.${table})`,
  };
}
