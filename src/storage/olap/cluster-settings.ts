import type { ClickHouseSettings } from '@clickhouse/client';

/** What every reading statement on a cluster has: a subquery reads all shards, and a shard that is down is a failure, not fewer rows. */
export const CLUSTER_READ: ClickHouseSettings = { distributed_product_mode: 'global', skip_unavailable_shards: 0 };

/**
 * Only a server that has every row of a quorum responds; another one reports an error (289). The try after that goes to a server chosen at
 * random, also where the first one has the shard itself.
 */
export const CLUSTER_FINAL_READ: ClickHouseSettings = {
  ...CLUSTER_READ,
  select_sequential_consistency: '1',
  prefer_localhost_replica: 0,
  load_balancing: 'random',
};

/** The client's type has numbers only. */
const MOST_SERVERS = { insert_quorum: 'auto' } as unknown as ClickHouseSettings;

/**
 * An insert is acknowledged when most servers of each shard have it. Inserts with a quorum run one after the other: ClickHouse promises sequential
 * consistency only so. A server waits shorter for the quorum than the client waits for the server.
 */
export const CLUSTER_INSERT: ClickHouseSettings = {
  ...CLUSTER_READ,
  distributed_foreground_insert: 1,
  ...MOST_SERVERS,
  insert_quorum_parallel: 0,
  insert_quorum_timeout: 50_000,
};

/** A change is complete when it is on every server. */
export const CLUSTER_DDL: ClickHouseSettings = {
  distributed_ddl_task_timeout: '570',
  distributed_ddl_output_mode: 'throw',
};
