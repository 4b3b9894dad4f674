import type { Settings } from '../config/settings.ts';
import { SILENT_LOG } from '../domain/log/log.ts';
import type { Endpoints } from '../runtime/supervisor/part.ts';
import { describeError, type Finding, findFailure, findOk, findWarning } from './finding.ts';

const PROBE_MS = 3_000;

/** Whether this node, and every other, agrees with the cluster. */
export async function checkCluster(settings: Settings, running: Endpoints | null): Promise<Finding[]> {
  const url = settings.postgresUrl ?? running?.postgresUrl ?? null;
  if (url === null) return [findOk('cluster', 'one node, with a PostgreSQL of its own')];
  const { openPostgres } = await import('../storage/sql/postgres.ts');
  const { readClusterStatus } = await import('../cluster/cluster-status.ts');
  const sql = openPostgres({ url, log: SILENT_LOG, poolMax: 1, statementTimeoutMs: PROBE_MS });
  try {
    const status = await readClusterStatus(sql.db);
    if (status === null) return [findOk('cluster', 'the first start makes it')];
    const advice = 'see docs/operations/cluster.md and "placard cluster status"';
    const problems = status.nodes.flatMap(({ id, problems: own }) => own.map((problem) => `node ${id}: ${problem}`));
    if (problems.length > 0) return problems.map((problem) => findFailure('cluster', problem, advice));
    const silent = status.nodes.filter(({ state }) => state === 'silent').map(({ id }) => `node ${id} fell silent`);
    const warnings = [...silent, ...status.warnings];
    if (warnings.length > 0) return warnings.map((warning) => findWarning('cluster', warning, advice));
    const count = status.nodes.filter(({ state }) => state === 'ready').length;
    return [findOk('cluster', `${count} ${count === 1 ? 'node runs' : 'nodes run'}, and every one agrees`)];
  } catch (error) {
    return [findWarning('cluster', `not known: ${describeError(error)}`, 'start Placard once, which makes the tables')];
  } finally {
    await sql.close();
  }
}
