import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { NodePart } from '../../cluster/cluster-deps.ts';
import { ClusterGate } from '../../cluster/cluster-gate.ts';
import { ClusterWatch } from '../../cluster/cluster-watch.ts';
import { joinCluster, NotInClusterError } from '../../cluster/join-cluster.ts';
import { JoinTokenError } from '../../cluster/join-tokens.sql.ts';
import type { Settings } from '../../config/settings.ts';
import type { Log } from '../../domain/log/log.ts';
import { openPostgres } from '../../storage/sql/postgres.ts';
import { OlderProgramError, requireSchemaLevel } from '../../storage/sql/schema-level.sql.ts';
import type { ChildContext, Endpoints } from '../supervisor/part.ts';
import type { Stores } from './stores.ts';

const STATEMENT_MS = 30_000;

/** A node that is about to have its secrets. */
export interface Joining {
  readonly settings: Settings;
  readonly endpoints: Pick<Endpoints, 'postgresUrl'>;
  readonly part: NodePart;
  readonly log: Log;
}

/** Fetches the secrets of the cluster, or makes the cluster, before anything reads them. @throws as `joinCluster` */
export async function joinAsPart({ settings, endpoints, part, log }: Joining): Promise<void> {
  const sql = openPostgres({ url: endpoints.postgresUrl, log, poolMax: 1, statementTimeoutMs: STATEMENT_MS });
  try {
    await requireSchemaLevel(sql.db);
    await joinCluster({ sql: sql.db, settings, part, log });
  } finally {
    await sql.close();
  }
}

/** For a node without a core. False: PostgreSQL or the first core is not there yet. @throws NotInClusterError, JoinTokenError */
export async function tryJoining(joining: Joining): Promise<boolean> {
  try {
    await joinAsPart(joining);
    return true;
  } catch (error) {
    if ([NotInClusterError, JoinTokenError, OlderProgramError].some((kind) => error instanceof kind)) throw error;
    joining.log.event('cluster.not_joined', { err: error });
    return false;
  }
}

/** The comparison of a process with its cluster, and what it closes. */
export interface ClusterParts {
  readonly gate: ClusterGate;
  readonly cluster: ClusterWatch;
}

/** Compares this process with its cluster: before it serves, or, for a worker that begins from the disk, when the core is up. */
export async function beginCluster(
  context: ChildContext,
  stores: Pick<Stores, 'sql' | 'hot' | 'secrets'>,
  registry: Registry,
): Promise<ClusterParts> {
  const { settings, endpoints, role, workerIndex, isRestart, coreUp, log } = context;
  const part = role === 'analytics' ? 'core' : role;
  const gate = new ClusterGate(settings.dataDir, part);
  const cluster = new ClusterWatch({
    sql: stores.sql.db,
    hot: stores.hot,
    secrets: stores.secrets,
    settings,
    addresses: endpoints,
    part,
    gate,
    reports: workerIndex === 0,
    registry,
    log,
  });
  if (role === 'delivery' && isRestart) void coreUp.event.then(() => cluster.begin());
  else await cluster.begin();
  return { gate, cluster };
}

/** What a closed core still serves: probes, figures and the contact of its operator. */
const OPEN_PATHS: readonly string[] = ['/healthz', '/readyz', '/metrics', '/.well-known/security.txt'];

/** Closes every other route of the core while its node differs. */
export function guardCore(app: FastifyInstance, gate: ClusterGate): void {
  app.addHook('onRequest', async (request) => {
    if (!gate.isOpen && !OPEN_PATHS.includes(request.url.split('?', 1)[0] ?? '')) gate.requireOpen();
  });
}
