import type { Transaction } from 'kysely';
import type { Settings } from '../config/settings.ts';
import type { StoredFacts } from '../storage/sql/cluster-schema.ts';
import type { Database } from '../storage/sql/schema.ts';
import { listNodes, readCluster, writeClusterFacts } from './cluster.sql.ts';
import { sharedFacts } from './node-facts.ts';
import { adoptVaultSecrets, ClusterSecretError } from './rotate-secret.ts';
import { loadNodeId } from './secret-files.ts';

/** What the cluster took over. */
export interface Adoption {
  readonly nodeId: string;
  readonly secrets: readonly string[];
  readonly facts: StoredFacts;
}

/** Makes the stores that this node last reported, and the secrets of its settings, those of the cluster. @throws ClusterSecretError */
export async function adoptNode(trx: Transaction<Database>, settings: Settings): Promise<Adoption> {
  const nodeId = loadNodeId(settings.dataDir);
  const secrets = await adoptVaultSecrets(trx, settings);
  const reported = (await listNodes(trx)).filter((one) => one.node_id === nodeId);
  const [newest] = reported.toSorted((one, other) => other.seen_at.getTime() - one.seen_at.getTime());
  const truth = await readCluster(trx, nodeId);
  if (newest === undefined || truth === null)
    throw new ClusterSecretError('This node has never started: start it first, so that its stores are known.');
  const facts = { ...truth.cluster.facts, ...sharedFacts(newest.facts) };
  await writeClusterFacts(trx, facts);
  return { nodeId, secrets, facts };
}
