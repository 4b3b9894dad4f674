import type { Settings } from '../config/settings.ts';
import { describeError, type Finding, findFailure, findOk } from './finding.ts';

/** Whether the core that this node reaches the stores through responds, and lets the node in. */
export async function checkCoreLink(settings: Settings): Promise<Finding[]> {
  const { readCluster } = await import('../cluster/cluster-calls.ts');
  const { loadNodeId } = await import('../cluster/secret-files.ts');
  const { CoreLink, CoreRefusedError } = await import('../runtime/compose/core-link/core-link.ts');
  let link: InstanceType<typeof CoreLink> | null = null;
  try {
    link = new CoreLink(settings);
    await readCluster(link, loadNodeId(settings.dataDir));
    return [findOk('core link', `${settings.coreUrl} responds to this node`)];
  } catch (error) {
    const advice =
      error instanceof CoreRefusedError
        ? 'see "Delivery nodes that reach only a core" in docs/operations/cluster.md'
        : 'check PLACARD_CORE_LINK_URL, PLACARD_CORE_LINK_CA_FILE, and the network between';
    return [findFailure('core link', describeError(error), advice)];
  } finally {
    link?.close();
  }
}
