import { z } from 'zod';
import { readCluster } from '../../../cluster/cluster-calls.ts';
import { NotInClusterError, NoClusterYetError, writeSecretsOf } from '../../../cluster/join-cluster.ts';
import { loadNodeId, readSecretFile, writeClusterKey, writeSecretFile } from '../../../cluster/secret-files.ts';
import type { Settings } from '../../../config/settings.ts';
import type { Log } from '../../../domain/log/log.ts';
import { NODE_PATH } from './core-calls.ts';
import { CoreLink, CoreRefusedError, NODE_TOKEN_FILE } from './core-link.ts';

const ADMISSION = z.object({
  nodeToken: z.string().regex(/^plc_node_[0-9A-Za-z]{49}$/),
  clusterKey: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * Gets the token of this node from a core, with its join token, and the secrets of the cluster. What is on disk stays as it is.
 * @throws NotInClusterError when the core lets it in with neither; CoreUnreachableError
 */
export async function joinThroughCore(settings: Settings, log: Log): Promise<void> {
  const link = new CoreLink(settings);
  try {
    const isNew = readSecretFile(settings.dataDir, NODE_TOKEN_FILE) === null;
    if (isNew) await fetchToken(link, settings);
    const truth = await readCluster(link, loadNodeId(settings.dataDir)).catch((error: unknown) => {
      if (error instanceof CoreRefusedError && [401, 403].includes(error.status))
        throw new NotInClusterError(`${error.message}; remove secrets/${NODE_TOKEN_FILE} to join again`);
      throw error;
    });
    if (truth === null) throw new NoClusterYetError();
    writeSecretsOf(truth, settings);
    if (isNew) log.event('cluster.joined', { nodeId: loadNodeId(settings.dataDir) });
  } finally {
    link.close();
  }
}

async function fetchToken(link: CoreLink, settings: Settings): Promise<void> {
  const { dataDir, joinToken } = settings;
  if (joinToken === null) throw new NotInClusterError('this node has no node token');
  const response = await link.connections.send({
    method: 'POST',
    path: `${NODE_PATH}/join`,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ nodeId: loadNodeId(dataDir), joinToken })),
  });
  if (response.status >= 500 || response.status === 429) throw new CoreRefusedError('to let this node in', response);
  if (response.status !== 200)
    throw new NotInClusterError(new CoreRefusedError('to let this node in', response).message);
  const { nodeToken, clusterKey } = ADMISSION.parse(JSON.parse(response.body.toString('utf8')));
  writeClusterKey(settings, Buffer.from(clusterKey, 'hex'));
  writeSecretFile(dataDir, NODE_TOKEN_FILE, `${nodeToken}\n`);
}
