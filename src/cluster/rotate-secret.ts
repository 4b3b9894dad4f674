import type { Transaction } from 'kysely';
import type { Settings } from '../config/settings.ts';
import { addLinkKey, type LinkKeyRotation } from '../storage/link-keys.ts';
import type { Database } from '../storage/sql/schema.ts';
import { type ClusterTruth, readCluster, writeClusterKeyRow, writeSecret } from './cluster.sql.ts';
import { marksOf, markOfKey, newClusterKey, sealKey, sealSecret } from './cluster-key.ts';
import { nextKeyOf, openStoredSecret, publish } from './join-cluster.ts';
import { loadNodeId, readSecretFile, presentClusterKey, writeNextClusterKey, writeSecretFile } from './secret-files.ts';
import { CLUSTER_SECRETS } from './secret-table.ts';

/** Thrown when this node cannot change a secret of its cluster; the message says why, and what to do. */
export class ClusterSecretError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ClusterSecretError';
  }
}

/** The cluster with its key, as a node that belongs to it has both. */
export interface HeldCluster {
  readonly truth: ClusterTruth;
  readonly clusterKey: Buffer;
}

/** The cluster, and its key from this node. Call it under `lockCluster`. @throws ClusterSecretError when this node does not have the key */
export async function holdCluster(trx: Transaction<Database>, settings: Settings): Promise<HeldCluster> {
  const truth = await readCluster(trx, loadNodeId(settings.dataDir));
  if (truth === null) throw new ClusterSecretError('There is no cluster yet: start Placard once on this PostgreSQL.');
  const held = presentClusterKey(settings, truth.cluster);
  const clusterKey = held === null ? null : (nextKeyOf(truth, held) ?? held);
  if (clusterKey === null || markOfKey(clusterKey) !== truth.cluster.key_mark)
    throw new ClusterSecretError(
      'This data folder does not have the key of the cluster: run the command on a node whose /readyz is 200.',
    );
  return { truth, clusterKey };
}

/** Adds a link key, which every node has before it signs. @throws ClusterSecretError when the keys come from a vault */
export async function rotateLinkKeys(
  trx: Transaction<Database>,
  {
    settings,
    signsFromMs,
    nowMs,
  }: { readonly settings: Settings; readonly signsFromMs: number; readonly nowMs: number },
): Promise<LinkKeyRotation> {
  const name = 'link-keys';
  const { truth, clusterKey } = await holdCluster(trx, settings);
  const stored = openStoredSecret(truth, name, clusterKey);
  if (stored === null)
    throw new ClusterSecretError(
      'The link keys come from PLACARD_SECRETS_LINK_KEYS: add a line there, with the time from which it signs, on every node; then run "placard cluster adopt".',
    );
  const { text, rotation } = addLinkKey(stored, { signsFromMs, nowMs });
  const revision = revisionOf(truth, name) + 1;
  const label = { clusterId: truth.cluster.cluster_id, name, revision };
  await writeSecret(trx, {
    name,
    revision,
    sealed: sealSecret(clusterKey, label, text),
    marks: marksOf(clusterKey, name, text),
  });
  writeSecretFile(settings.dataDir, name, text);
  return rotation;
}

/**
 * Replaces the cluster key and seals every secret again. Until `until`, nodes that run fetch the new key with the one that they have; null: a
 * node needs a join token. Returns the new key.
 */
export async function rotateClusterKey(
  trx: Transaction<Database>,
  { settings, until }: { readonly settings: Settings; readonly until: Date | null },
): Promise<Buffer> {
  const { truth, clusterKey } = await holdCluster(trx, settings);
  const next = newClusterKey();
  const clusterId = truth.cluster.cluster_id;
  for (const { name, sealed, revision: former } of truth.secrets) {
    const revision = former + 1;
    const text = sealed === null ? readSecretFile(settings.dataDir, name) : openStoredSecret(truth, name, clusterKey);
    if (text === null)
      throw new ClusterSecretError(`This node does not have ${name}: run the command on one with a core.`);
    const resealed = sealed === null ? null : sealSecret(next, { clusterId, name, revision }, text);
    await writeSecret(trx, { name, revision, sealed: resealed, marks: marksOf(next, name, text) });
  }
  await writeClusterKeyRow(trx, {
    keyMark: markOfKey(next),
    previousKeyMark: markOfKey(clusterKey),
    nextKey: until === null ? null : sealKey(clusterKey, clusterId, next),
    until,
  });
  writeNextClusterKey(settings, next);
  return next;
}

/** Makes this node's vault secrets the cluster's; returns their names. Secrets in PostgreSQL stay as they are. */
export async function adoptVaultSecrets(trx: Transaction<Database>, settings: Settings): Promise<string[]> {
  const { truth, clusterKey } = await holdCluster(trx, settings);
  const adopted: string[] = [];
  for (const secret of CLUSTER_SECRETS) {
    if (settings[secret.setting] === null) continue;
    const revision = revisionOf(truth, secret.name) + 1;
    await publish(trx, { settings, secret, clusterId: truth.cluster.cluster_id, clusterKey, revision });
    adopted.push(secret.name);
  }
  return adopted;
}

function revisionOf({ secrets }: ClusterTruth, name: string): number {
  return secrets.find((one) => one.name === name)?.revision ?? 0;
}
