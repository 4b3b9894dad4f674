import { Client } from 'pg';
import { PAUSE_LEASE } from '../storage/marks/pause-lease.ts';

/** Statements by the tables that they need: a backup may be older than these. */
const STATEMENTS: Readonly<Record<string, string>> = {
  // They ran when the backup was made: the restored node would be one of several, and could not say which stores are the cluster's.
  cluster_nodes: 'DELETE FROM cluster_nodes',
  hot_recovery_machines: 'DELETE FROM hot_recovery_machines',
  // A Redis that is empty counts as one that lost its counters, not as a new one whose counters begin at zero (ADR 41).
  hot_recovery: `INSERT INTO hot_recovery (epoch) VALUES ('restored') ON CONFLICT (id) DO UPDATE SET
    round = hot_recovery.round + 1, phase = 'whole', lost = '{}', leader = NULL, leader_until = NULL, began_at = NULL, ended_at = NULL`,
  // A copy for a rehearsal sends nothing in the name of the first.
  job_leases: `INSERT INTO job_leases (name, runner_id, node_id, held_until)
    VALUES ('${PAUSE_LEASE}', 'restore', 'restore', 'infinity') ON CONFLICT (name) DO NOTHING`,
  backup_cut: 'DELETE FROM backup_cut',
  // Both stores are restored as they were, a moment apart: the first start marks them again.
  analytics_marks: 'DELETE FROM analytics_marks',
};

/** Removes from a restored PostgreSQL what was true of the running cluster alone, so that its first node begins it again. */
export async function forgetRunningCluster(ownerUrl: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (const [table, statement] of Object.entries(STATEMENTS)) {
      const { rows } = await client.query<{ is_there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS is_there', [
        table,
      ]);
      if (rows[0]?.is_there === true) await client.query(statement);
    }
  } finally {
    await client.end();
  }
}
