import type { Olap } from './olap.ts';

/** The cluster, or the tables that are there, are not as the settings say. The message tells an operator what to do. */
export class LayoutError extends Error {
  override readonly name = 'LayoutError';
}

/** The oldest version of ClickHouse that repeats a batch safely on another server, views included. */
const CLUSTER_VERSION_MIN = [25, 3] as const;
const SETTING = 'PLACARD_CLICKHOUSE_CLUSTER';
/** A table that is there since the first migration; its engine says how all were made. */
const MARKER_TABLE = 'events';

/**
 * Checks before any change that tables which are there were made for this setting, and that a named cluster has what replicated tables need.
 * @throws LayoutError; OlapError when the store does not respond
 */
export async function checkLayout(olap: Olap): Promise<void> {
  await checkTables(olap);
  const { cluster } = olap.dialect;
  if (cluster !== null) await checkCluster(olap, cluster);
}

async function checkTables(olap: Olap): Promise<void> {
  const { dialect } = olap;
  const { cluster } = dialect;
  const tables = await olap.query<{ name: string; engine: string; engine_full: string }>({
    sql: `SELECT name, engine, engine_full FROM system.tables
      WHERE database = currentDatabase() AND name IN ({whole: String}, {stored: String})`,
    params: { whole: MARKER_TABLE, stored: dialect.stored(MARKER_TABLE) },
  });
  const whole = tables.find(({ name }) => name === MARKER_TABLE);
  const isSpread = whole?.engine === 'Distributed' || tables.some(({ name }) => name !== MARKER_TABLE);
  if (cluster === null && isSpread) {
    throw new LayoutError(
      `The analytics database has the tables of a cluster, and ${SETTING} is not set. Set it to the name of the cluster.`,
    );
  }
  if (cluster === null || whole === undefined) return;
  if (whole.engine !== 'Distributed') {
    throw new LayoutError(
      `${SETTING} is "${cluster}", and the analytics database has tables of a single server, which a cluster would not replicate. ` +
        'Unset it, or use an empty database and copy the rows: "From one server to a cluster" in docs/operations/cluster.md.',
    );
  }
  const made = /^Distributed\('?([^',]+)/.exec(whole.engine_full)?.[1];
  if (made !== undefined && made !== cluster)
    throw new LayoutError(`${SETTING} is "${cluster}", and the tables were made for the cluster "${made}".`);
}

async function checkCluster(olap: Olap, cluster: string): Promise<void> {
  const known = await olap.query<{ cluster: string; internal: number }>({
    sql: `SELECT cluster, toUInt8(min(internal_replication)) AS internal FROM system.clusters GROUP BY cluster ORDER BY cluster`,
  });
  const found = known.find((one) => one.cluster === cluster);
  if (found === undefined) {
    const names = known.map((one) => one.cluster).join(', ') || 'none';
    throw new LayoutError(
      `${SETTING} is "${cluster}", and ClickHouse knows no cluster of this name (it knows: ${names}).`,
    );
  }
  if (found.internal === 0) {
    throw new LayoutError(
      `The cluster "${cluster}" needs <internal_replication>true</internal_replication> in each shard of remote_servers.`,
    );
  }
  await checkDatabase(olap);
  await checkServers(olap);
}

async function checkDatabase(olap: Olap): Promise<void> {
  const [database] = await olap.query<{ engine: string }>({
    sql: 'SELECT engine FROM system.databases WHERE name = currentDatabase()',
  });
  if (database?.engine === 'Atomic') return;
  const engine = database === undefined ? 'is not there' : `has the engine ${database.engine}`;
  throw new LayoutError(
    `The analytics database ${engine}. Make it on every server: CREATE DATABASE <name> ON CLUSTER <cluster> ENGINE = Atomic.`,
  );
}

/** Every server of the cluster: new enough, with macros that no other has. */
async function checkServers(olap: Olap): Promise<void> {
  const servers = await olap.query<{ host: string; version: string }>({
    sql: `SELECT hostName() AS host, version() AS version FROM ${olap.dialect.systemTable('one')}`,
  });
  const old = servers.find(({ version }) => isOlder(version));
  if (old !== undefined) {
    const needed = CLUSTER_VERSION_MIN.join('.');
    throw new LayoutError(`ClickHouse on ${old.host} is ${old.version}; a cluster needs ${needed} or newer.`);
  }
  const macros = await olap.query<{ host: string; shard: string; replica: string }>({
    sql: `SELECT hostName() AS host, anyIf(substitution, macro = 'shard') AS shard, anyIf(substitution, macro = 'replica') AS replica
      FROM ${olap.dialect.systemTable('macros')} GROUP BY host`,
  });
  const seen = new Set<string>();
  for (const { host } of servers) {
    const own = macros.find((one) => one.host === host);
    if (own === undefined || own.shard === '' || own.replica === '')
      throw new LayoutError(`ClickHouse on ${host} needs the macros "shard" and "replica" in its configuration.`);
    const name = `${own.shard}-${own.replica}`;
    if (seen.has(name)) throw new LayoutError(`Two servers of the cluster have the shard and replica "${name}".`);
    seen.add(name);
  }
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < CLUSTER_VERSION_MIN[0] || (major === CLUSTER_VERSION_MIN[0] && minor < CLUSTER_VERSION_MIN[1]);
}
