import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type {
  ClusterNodesTable,
  ClusterSecretsTable,
  ClusterTable,
  StoredFacts,
  StoredMarks,
} from '../storage/sql/cluster-schema.ts';
import type { Database } from '../storage/sql/schema.ts';

/** A node that was not stopped counts as one that may come back for this time. */
export const NODE_MISSING_MS = 900_000;
/** A node that has not reported itself for this time is not running. */
export const NODE_SILENT_MS = 30_000;
/** Nodes that have been silent for longer are deleted. */
const NODE_KEPT_DAYS = 30;
/** Any number that nobody else takes as an advisory lock. */
const CLUSTER_LOCK = 55_418_461_214n;

/** The cluster as PostgreSQL has it. */
export interface ClusterTruth {
  readonly cluster: Selectable<ClusterTable>;
  readonly secrets: readonly Selectable<ClusterSecretsTable>[];
  /** Other nodes that run, or broke off within the last 15 minutes. */
  readonly otherNodes: number;
  /** PostgreSQL's clock, epoch milliseconds. Absent: an older core responded. */
  readonly postgresMs?: number;
  /** Another machine that runs with this node's id; null: none. Absent: an older core responded. */
  readonly twins?: readonly Twin[];
}

/** A machine that reported itself with the same node id a moment ago. */
export interface Twin {
  readonly host: string;
  readonly machine: string;
}

/** A machine that has been silent for longer has been replaced: three reports are missing. */
const TWIN_SILENT_MS = 15_000;

/** Runs `work` in a transaction that no other node changes the cluster during. */
export async function lockCluster<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(${CLUSTER_LOCK})`.execute(trx);
    return work(trx);
  });
}

/** The cluster, as one node sees it; null: there is none yet. */
export async function readCluster(db: Kysely<Database>, nodeId: string): Promise<ClusterTruth | null> {
  const cluster = await db.selectFrom('cluster').selectAll().executeTakeFirst();
  if (cluster === undefined) return null;
  const secrets = await db.selectFrom('cluster_secrets').selectAll().orderBy('name').execute();
  const others = await db
    .selectFrom('cluster_nodes')
    .select((eb) => eb.fn.count<bigint>('node_id').distinct().as('nodes'))
    .where('node_id', '<>', nodeId)
    .where('stopped_at', 'is', null)
    .where('seen_at', '>', sql<Date>`now() - ${NODE_MISSING_MS} * interval '1 millisecond'`)
    .executeTakeFirstOrThrow();
  const twins = await db
    .selectFrom('cluster_nodes')
    .select(['host', 'machine'])
    .where('node_id', '=', nodeId)
    .where('machine', '<>', '')
    .where('stopped_at', 'is', null)
    .where('seen_at', '>', sql<Date>`now() - ${TWIN_SILENT_MS} * interval '1 millisecond'`)
    .execute();
  // Last: the closer to the response, the better a node knows when it was read.
  const clock = await sql<{ ms: number }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`.execute(
    db,
  );
  return { cluster, secrets, otherNodes: Number(others.nodes), twins, postgresMs: clock.rows[0]?.ms ?? Number.NaN };
}

/** The first node makes the cluster. */
export async function insertCluster(
  trx: Transaction<Database>,
  row: { readonly clusterId: string; readonly keyMark: string; readonly pepperKey: Buffer | null },
): Promise<void> {
  await trx
    .insertInto('cluster')
    .values({
      cluster_id: row.clusterId,
      key_mark: row.keyMark,
      pepper_key: row.pepperKey,
      next_key: null,
      previous_key_mark: null,
      facts: '{}',
    })
    .execute();
}

/** Stores a secret, or its next revision. */
export async function writeSecret(
  trx: Transaction<Database>,
  row: {
    readonly name: string;
    readonly revision: number;
    readonly sealed: Buffer | null;
    readonly marks: StoredMarks;
  },
): Promise<void> {
  const values = { ...row, marks: JSON.stringify(row.marks) };
  await trx
    .insertInto('cluster_secrets')
    .values(values)
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        revision: row.revision,
        sealed: row.sealed,
        marks: values.marks,
        changed_at: sql<Date>`now()`,
      }),
    )
    .execute();
}

/** Replaces the facts that all nodes must share. */
export async function writeClusterFacts(db: Kysely<Database>, facts: StoredFacts): Promise<void> {
  await db
    .updateTable('cluster')
    .set({ facts: JSON.stringify(facts) })
    .execute();
}

/** Replaces the mark of the cluster key. `nextKey`: it, sealed under the key that it replaces; null: without overlap. */
export async function writeClusterKeyRow(
  trx: Transaction<Database>,
  row: {
    readonly keyMark: string;
    readonly previousKeyMark: string;
    readonly nextKey: Buffer | null;
    readonly until: Date | null;
  },
): Promise<void> {
  await trx
    .updateTable('cluster')
    .set({
      key_mark: row.keyMark,
      previous_key_mark: row.nextKey === null ? null : row.previousKeyMark,
      next_key: row.nextKey,
      next_key_until: row.until,
      pepper_key: null,
    })
    .execute();
}

/** A part of a node, as it reports itself. */
export interface NodeReport {
  readonly nodeId: string;
  readonly part: ClusterNodesTable['part'];
  readonly host: string;
  /** Absent: a node of an older program reports through this core. */
  readonly machine?: string | undefined;
  readonly facts: StoredFacts;
  readonly marks: Readonly<Record<string, StoredMarks>>;
  readonly problems: readonly string[];
  readonly startedAt: Date;
}

/** Writes what a part reports; it is seen at this moment of PostgreSQL's clock. */
export async function writeNode(db: Kysely<Database>, report: NodeReport): Promise<void> {
  const changing = {
    host: report.host,
    machine: report.machine ?? '',
    facts: JSON.stringify(report.facts),
    marks: JSON.stringify(report.marks),
    problems: JSON.stringify(report.problems),
    started_at: report.startedAt,
    seen_at: sql<Date>`now()`,
    stopped_at: null,
  };
  await db
    .insertInto('cluster_nodes')
    .values({ node_id: report.nodeId, part: report.part, ...changing })
    .onConflict((conflict) => conflict.columns(['node_id', 'part']).doUpdateSet(changing))
    .execute();
}

/** A part has stopped in order. */
export async function markNodeStopped(db: Kysely<Database>, nodeId: string, part: string): Promise<void> {
  await db
    .updateTable('cluster_nodes')
    .set({ stopped_at: sql<Date>`now()` })
    .where('node_id', '=', nodeId)
    .where('part', '=', part as ClusterNodesTable['part'])
    .execute();
}

/** Deletes nodes that have been silent for 30 days, keys sealed under tokens that have ended, and the overlap of a key rotation that is over. */
export async function forgetStale(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('cluster_nodes')
    .where('seen_at', '<', sql<Date>`now() - ${NODE_KEPT_DAYS} * interval '1 day'`)
    .execute();
  await db
    .updateTable('cluster_join_tokens')
    .set({ sealed: null })
    .where('sealed', 'is not', null)
    .where((eb) =>
      eb.or([eb('expires_at', '<=', sql<Date>`now()`), eb('uses_left', '=', 0), eb('revoked_at', 'is not', null)]),
    )
    .execute();
  await db
    .updateTable('cluster')
    .set({ next_key: null, previous_key_mark: null, next_key_until: null })
    .where('next_key_until', '<', sql<Date>`now()`)
    .execute();
}

/** A part of a node as it is listed. */
export interface ListedNode extends Selectable<ClusterNodesTable> {
  /** Milliseconds since it last reported itself, by PostgreSQL's clock. */
  readonly silent_ms: number;
}

/** All known nodes. */
export async function listNodes(db: Kysely<Database>): Promise<ListedNode[]> {
  return db
    .selectFrom('cluster_nodes')
    .selectAll()
    .select(sql<number>`(extract(epoch FROM now() - seen_at) * 1000)::float8`.as('silent_ms'))
    .orderBy('started_at')
    .limit(1_000)
    .execute();
}

/** Forgets a node; returns how many parts it had. */
export async function deleteNode(db: Kysely<Database>, nodeId: string): Promise<number> {
  const gone = await db.deleteFrom('cluster_nodes').where('node_id', '=', nodeId).executeTakeFirst();
  return Number(gone.numDeletedRows);
}

/** Deletes the cluster, its secrets, tokens and nodes. */
export async function deleteCluster(trx: Transaction<Database>): Promise<void> {
  await trx.deleteFrom('cluster_secrets').execute();
  await trx.deleteFrom('cluster_join_tokens').execute();
  await trx.deleteFrom('cluster_nodes').execute();
  await trx.deleteFrom('cluster').execute();
}
