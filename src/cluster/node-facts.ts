import type { Settings } from '../config/settings.ts';
import { readVersion } from '../config/version.ts';
import type { StoredFacts } from '../storage/sql/cluster-schema.ts';
import type { ServeAddresses } from './cluster-deps.ts';

/** The mark that the hot store of the cluster holds: an address would not tell two stores apart that both are at 127.0.0.1. */
export const HOT_STORE_MARK = 'hot store mark';

/** A fact that is the same on every node, or the node does not serve. */
export interface SharedFact {
  readonly name: string;
  /** The setting to look at. */
  readonly setting: string;
}

/** The facts that every node must share, beside its secrets. */
export const SHARED_FACTS: readonly SharedFact[] = [
  { name: HOT_STORE_MARK, setting: 'PLACARD_REDIS_URL' },
  { name: 'analytics store', setting: 'PLACARD_CLICKHOUSE_URL' },
  { name: 'bucket', setting: 'PLACARD_S3_URL' },
];

/** Facts that nodes should share; `placard cluster status` warns when they differ. */
export const COMMON_FACTS: readonly string[] = ['version', 'PLACARD_NODES', 'limits', 'export', 'sign-in'];

/** What a node reports of itself, without the mark of its hot store. Addresses without passwords. */
export function readNodeFacts(
  settings: Settings,
  { clickhouseUrl, redisUrl }: ServeAddresses,
  nodeId: string,
): StoredFacts {
  const { reportMegabytes, assetMegabytes, segmentMembers, objects } = settings;
  return {
    version: readVersion(),
    workers: String(settings.workers),
    'hot store': redisUrl === null ? 'the ledger in the data folder' : `Redis ${addressOf(redisUrl)}`,
    'analytics store':
      settings.clickhouseUrl === null
        ? `built in, in the data folder of node ${nodeId}`
        : `ClickHouse ${addressOf(clickhouseUrl)}${settings.clickhouseCluster === null ? '' : ` (cluster ${settings.clickhouseCluster})`}`,
    bucket: settings.s3Url ?? 'none',
    PLACARD_NODES: String(settings.nodes),
    limits: [reportMegabytes, assetMegabytes, segmentMembers, objects].join(' / '),
    export: settings.exportS3Url ?? (settings.exportDir === null ? 'none' : `folder ${settings.exportDir}`),
    'sign-in': settings.oidcIssuer ?? 'own accounts',
  };
}

/** Host, port and path of an address, or of several with commas between. */
function addressOf(addresses: string): string {
  const parts = addresses.split(',').map((one) => one.trim());
  return parts
    .map((one) => {
      if (!URL.canParse(one)) return 'at an unreadable address';
      const { host, pathname } = new URL(one);
      return `${host}${pathname === '/' ? '' : pathname}`;
    })
    .join(', ');
}

/** Of a node's facts, those that the whole cluster shares. */
export function sharedFacts(facts: StoredFacts): StoredFacts {
  const names = ['hot store', ...SHARED_FACTS.map(({ name }) => name)];
  return Object.fromEntries(names.flatMap((name) => (facts[name] === undefined ? [] : [[name, facts[name]]])));
}
