import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { loadAuditKey } from '../access/audit/audit-key.ts';
import type { Settings } from '../config/settings.ts';
import { loadSecrets, SECRET_FILES } from '../storage/secrets.ts';
import type { Database } from '../storage/sql/schema.ts';
import { type ClusterTruth, insertCluster, lockCluster, readCluster, writeSecret } from './cluster.sql.ts';
import type { ClusterDeps, NodePart } from './cluster-deps.ts';
import { marksOf, markOfKey, newClusterKey, openKey, openSecret, sealKey, sealSecret } from './cluster-key.ts';
import { JoinTokenError, redeemJoinToken } from './join-tokens.sql.ts';
import {
  loadNodeId,
  readClusterKey,
  readSecretFile,
  presentClusterKey,
  writeClusterKey,
  writeSecretFile,
} from './secret-files.ts';
import { CLUSTER_SECRETS, type ClusterSecret, secretFromSettings } from './secret-table.ts';

/** Thrown when this node has no secrets and nothing to fetch them with. */
export class NotInClusterError extends Error {
  constructor(reason: string) {
    super(
      `This PostgreSQL belongs to a cluster, and ${reason}. Run "placard cluster token" on a node of the cluster, and start this one with PLACARD_JOIN_TOKEN set to what it prints. When no node is left: docs/operations/cluster.md, "All nodes are lost".`,
    );
    this.name = 'NotInClusterError';
  }
}

/** Thrown on a node without a core that starts before the first core made the cluster. */
export class NoClusterYetError extends Error {
  constructor() {
    super('No core has started on this PostgreSQL yet: start the one that runs "placard serve --role core" first.');
    this.name = 'NoClusterYetError';
  }
}

/**
 * Puts the secrets of the cluster into this node's data folder. The first node makes the cluster, from the secrets that it has or with new
 * ones. Secrets that are there stay as they are, even when they differ: the node then does not become ready.
 *
 * @throws NotInClusterError, JoinTokenError, NoClusterYetError
 */
export async function joinCluster(deps: ClusterDeps): Promise<void> {
  const { sql, settings, part, log } = deps;
  const nodeId = loadNodeId(settings.dataDir);
  const event = await lockCluster(sql, async (trx) => {
    const truth = await readCluster(trx, nodeId);
    if (truth !== null) return fetchSecrets(trx, truth, deps);
    if (part !== 'core') throw new NoClusterYetError();
    await makeCluster(trx, settings);
    return 'cluster.made' as const;
  });
  if (event !== null) log.event(event, { nodeId });
}

async function makeCluster(trx: Transaction<Database>, settings: Settings): Promise<void> {
  const { dataDir } = settings;
  const clusterId = randomBytes(8).toString('hex');
  const isImport = SECRET_FILES.every((name) => readSecretFile(dataDir, name) !== null);
  const { pepper } = loadSecrets(dataDir);
  loadAuditKey(dataDir);
  const clusterKey = readClusterKey(settings) ?? newClusterKey();
  writeClusterKey(settings, clusterKey);
  await insertCluster(trx, {
    clusterId,
    keyMark: markOfKey(clusterKey),
    // Nodes of an older version have the same pepper, copied by hand: they join by it.
    pepperKey: isImport ? sealKey(pepper, clusterId, clusterKey) : null,
  });
  for (const secret of CLUSTER_SECRETS) await publish(trx, { settings, secret, clusterId, clusterKey, revision: 1 });
}

/** A secret to store in PostgreSQL, from this node's file. */
export interface Publication {
  readonly settings: Settings;
  readonly secret: ClusterSecret;
  readonly clusterId: string;
  readonly clusterKey: Buffer;
  readonly revision: number;
}

/** Stores what this node has of a secret: sealed, or its marks only when it comes from the settings. */
export async function publish(trx: Transaction<Database>, publication: Publication): Promise<void> {
  const { settings, secret, clusterId, clusterKey, revision } = publication;
  const { name } = secret;
  const text = readSecretFile(settings.dataDir, name);
  if (text === null) return;
  const isFromSettings = secretFromSettings(settings, secret) !== null;
  const sealed = isFromSettings ? null : sealSecret(clusterKey, { clusterId, name, revision }, text);
  await writeSecret(trx, { name, revision, sealed, marks: marksOf(clusterKey, name, text) });
}

async function fetchSecrets(
  trx: Transaction<Database>,
  truth: ClusterTruth,
  { settings, part }: ClusterDeps,
): Promise<'cluster.joined' | null> {
  const former = presentClusterKey(settings, truth.cluster);
  const clusterKey = former ?? (await acquireKey(trx, truth, settings));
  const missing = SECRET_FILES.filter((name) => readSecretFile(settings.dataDir, name) === null);
  if (clusterKey === null) {
    // With secrets of its own, it starts: its readiness says how they differ.
    if (missing.length === 0) return null;
    throw new NotInClusterError(`this node has neither the cluster key nor ${missing.join(', ')}`);
  }
  const present = nextKeyOf(truth, clusterKey) ?? clusterKey;
  const isCurrent = markOfKey(present) === truth.cluster.key_mark;
  if (!isCurrent && missing.length > 0)
    throw new NotInClusterError("the cluster key of this node is not the cluster's");
  if (present !== former) writeClusterKey(settings, present);
  if (isCurrent) writeMissing(truth, { settings, part, clusterKey: present });
  return former === null ? 'cluster.joined' : null;
}

/** The cluster key, by the join token of the settings or by the pepper; null: by neither. */
async function acquireKey(trx: Transaction<Database>, truth: ClusterTruth, settings: Settings): Promise<Buffer | null> {
  const { cluster_id, pepper_key } = truth.cluster;
  const pepper = readSecretFile(settings.dataDir, 'pepper');
  if (pepper !== null && pepper_key !== null) {
    const opened = openKey(Buffer.from(pepper.trim(), 'hex'), cluster_id, pepper_key);
    if (opened !== null) return opened;
  }
  return settings.joinToken === null ? null : redeemPresentKey(trx, truth, settings.joinToken);
}

/** The present cluster key, by a token. @throws JoinTokenError also for a token from before a rotation without overlap */
async function redeemPresentKey(trx: Transaction<Database>, truth: ClusterTruth, token: string): Promise<Buffer> {
  const held = await redeemJoinToken(trx, token);
  const present = nextKeyOf(truth, held) ?? held;
  if (markOfKey(present) !== truth.cluster.key_mark) throw new JoinTokenError('holds a former key of the cluster');
  return present;
}

/** The key that replaced this one in a rotation; null: none, or it is the present one. */
export function nextKeyOf({ cluster }: ClusterTruth, clusterKey: Buffer): Buffer | null {
  const mark = markOfKey(clusterKey);
  if (mark === cluster.key_mark || mark !== cluster.previous_key_mark || cluster.next_key === null) return null;
  return openKey(clusterKey, cluster.cluster_id, cluster.next_key);
}

function secretsOf(part: NodePart): readonly ClusterSecret[] {
  return CLUSTER_SECRETS.filter(({ isForDelivery }) => part !== 'delivery' || isForDelivery);
}

/** What a part of a node needs to open secrets. */
export interface SecretOpener {
  readonly settings: Settings;
  readonly part: NodePart;
  readonly clusterKey: Buffer;
}

/** The text of a secret; null: the cluster holds its marks only. */
export function openStoredSecret(truth: ClusterTruth, name: string, clusterKey: Buffer): string | null {
  const stored = truth.secrets.find((one) => one.name === name);
  if (stored?.sealed === undefined || stored.sealed === null) return null;
  const label = { clusterId: truth.cluster.cluster_id, name, revision: stored.revision };
  return openSecret(clusterKey, label, stored.sealed);
}

function writeMissing(truth: ClusterTruth, { settings, part, clusterKey }: SecretOpener): void {
  for (const { name } of secretsOf(part)) {
    if (readSecretFile(settings.dataDir, name) !== null) continue;
    const text = openStoredSecret(truth, name, clusterKey);
    if (text === null)
      throw new NotInClusterError(`${name} comes from a vault: set it as on the other nodes (docs/configuration.md)`);
    writeSecretFile(settings.dataDir, name, text);
  }
}

/**
 * Replaces this node's secrets by the cluster's, with its cluster key or a join token. Returns the names of the replaced files; each
 * former file stays beside, with the ending `.before-join`.
 *
 * @throws NotInClusterError, JoinTokenError
 */
export async function replaceSecrets({ sql, settings, part }: ClusterDeps, token: string | null): Promise<string[]> {
  const { dataDir } = settings;
  return lockCluster(sql, async (trx) => {
    const truth = await readCluster(trx, loadNodeId(dataDir));
    if (truth === null) throw new NoClusterYetError();
    const held = presentClusterKey(settings, truth.cluster);
    const known = held === null ? null : (nextKeyOf(truth, held) ?? held);
    const isCurrent = known !== null && markOfKey(known) === truth.cluster.key_mark;
    const acquired = token === null ? null : await redeemPresentKey(trx, truth, token);
    const clusterKey = acquired ?? known;
    if (clusterKey === null || (acquired === null && !isCurrent))
      throw new NotInClusterError('this node does not have its key');
    writeClusterKey(settings, clusterKey);
    const replaced: string[] = [];
    for (const secret of secretsOf(part)) {
      const text = openStoredSecret(truth, secret.name, clusterKey);
      const former = readSecretFile(dataDir, secret.name);
      if (text === null || text === former || secretFromSettings(settings, secret) !== null) continue;
      if (former !== null) writeSecretFile(dataDir, `${secret.name}.before-join`, former);
      writeSecretFile(dataDir, secret.name, text);
      replaced.push(secret.name);
    }
    return replaced;
  });
}
