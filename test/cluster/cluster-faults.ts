import { ask } from '../support/stores/redis-servers.ts';
import { pick, type Random } from '../torture/random.ts';
import { pause, signal } from '../torture/tortured-server.ts';
import type { Cluster } from './cluster.ts';

/** The surroundings of a fault. */
export interface ClusterWorld {
  readonly cluster: Cluster;
  readonly random: Random;
}

/** A fault of a cluster. */
export interface ClusterFault {
  /** Causes it; resolves at its end. */
  readonly cause: (world: ClusterWorld) => Promise<void>;
  /** The hot store loses writes that it confirmed: limits may be passed by ads in flight. */
  readonly losesHotState?: true;
}

const PARTITION_MS = 5_000;
const DELAY_MS = 400;
const FROZEN_MS = 4_000;
/** Longer than a replica on the same machine lags. */
const WRITES_PAUSED_MS = 20_000;
const REPLICA_WAIT_MS = 60_000;
const REBUILD_MAX_MS = 180_000;

async function cutAnalytics({ cluster }: ClusterWorld): Promise<void> {
  const proxy = cluster.stores.analyticsProxy;
  proxy.mode = 'refuse';
  for (let times = 0; times < 5; times += 1) {
    proxy.cut();
    await pause(PARTITION_MS / 5);
  }
  proxy.mode = 'pass';
}

async function delayAnalytics({ cluster }: ClusterWorld): Promise<void> {
  cluster.stores.analyticsProxy.delayMs = DELAY_MS;
  await pause(PARTITION_MS);
  cluster.stores.analyticsProxy.delayMs = 0;
}

/** Requests and responses vanish; a batch may be stored without its sender knowing it. */
async function dropAnalytics({ cluster }: ClusterWorld): Promise<void> {
  const proxy = cluster.stores.analyticsProxy;
  proxy.mode = 'drop';
  await pause(PARTITION_MS);
  proxy.mode = 'pass';
  proxy.cut();
}

/** One delivery node cannot reach PostgreSQL. */
async function partitionPostgres({ cluster, random }: ClusterWorld): Promise<void> {
  const { postgres } = pick(random, cluster.delivery);
  postgres.mode = random() < 0.5 ? 'drop' : 'refuse';
  postgres.cut();
  await pause(PARTITION_MS);
  postgres.mode = 'pass';
  postgres.cut();
}

async function killWorker({ cluster, random }: ClusterWorld): Promise<void> {
  const workers = pick(random, cluster.delivery).children('delivery');
  if (workers.length === 0) return;
  signal(pick(random, workers).pid, 'SIGKILL');
  cluster.count('worker killed');
}

async function killSupervisor({ cluster, random }: ClusterWorld): Promise<void> {
  const node = pick(random, cluster.delivery);
  await node.killSupervisor();
  cluster.count('supervisor killed');
  await pause(1_000);
  await node.start();
}

async function killDeliveryNode({ cluster, random }: ClusterWorld): Promise<void> {
  const node = pick(random, cluster.delivery);
  await node.killAll();
  cluster.count('delivery node killed');
  await pause(1_000);
  await node.start();
}

async function killCore({ cluster, random }: ClusterWorld): Promise<void> {
  for (const { pid } of pick(random, cluster.cores).children('core')) signal(pid, 'SIGKILL');
  cluster.count('core killed');
}

async function killCoreNode({ cluster, random }: ClusterWorld): Promise<void> {
  const node = pick(random, cluster.cores);
  await node.killAll();
  cluster.count('core node killed');
  await node.start();
}

/** One node after the other, as an upgrade does it. */
async function rollingRestart({ cluster }: ClusterWorld): Promise<void> {
  for (const node of cluster.delivery) {
    await node.stop();
    await node.start();
    cluster.count('delivery node restarted');
    await cluster.untilReady();
  }
}

function restartPostgres(how: 'stop' | 'kill') {
  return async ({ cluster }: ClusterWorld): Promise<void> => {
    await cluster.stores.restartPostgres(how);
    cluster.count(how === 'stop' ? 'PostgreSQL restarted' : 'PostgreSQL killed');
  };
}

/** Its share of the keys is unavailable; what was sent to it takes effect later. */
async function freezeMaster({ cluster, random }: ClusterWorld): Promise<void> {
  const [, ...others] = cluster.stores.redis.masters;
  const pid = pick(random, others).process.pid ?? 0;
  signal(pid, 'SIGSTOP');
  await pause(FROZEN_MS);
  signal(pid, 'SIGCONT');
}

/**
 * A master dies and its replica is promoted. Writes stop until the replica has all that was confirmed: what replication loses depends on
 * the machine, and is stated in ADR 34.
 */
async function loseMaster({ cluster }: ClusterWorld): Promise<void> {
  const { redis } = cluster.stores;
  const { master, replica } = redis.pair();
  await ask(master.port, async (client) => {
    await client.call('CLIENT', 'PAUSE', WRITES_PAUSED_MS, 'WRITE');
    const offset = await offsetOf(master.port);
    for (const untilMs = performance.now() + REPLICA_WAIT_MS; (await offsetOf(replica.port)) < offset; await pause(20))
      if (performance.now() > untilMs) throw new Error('The replica does not follow its master');
  });
  await redis.failOver();
  cluster.count('Redis master killed');
}

/** Every master loses all that it has; counters are rebuilt from the event table and the spools of all nodes. */
async function emptyRedis({ cluster }: ClusterWorld): Promise<void> {
  const ports = cluster.stores.redis.currentMasters().map(({ port }) => port);
  const countReady = async (): Promise<number> => {
    const counts = await Promise.all(ports.map(countReadyShards));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const before = await countReady();
  if (before === 0) throw new Error('No shard of the hot store says since when it is whole');
  for (const port of ports) await ask(port, (client) => client.flushall());
  cluster.count('Redis emptied');
  for (const untilMs = performance.now() + REBUILD_MAX_MS; (await countReady()) < before; await pause(200))
    if (performance.now() > untilMs) throw new Error('The counters of Redis are not rebuilt');
}

/** Shards of one server that hold an epoch in which they are used (ADR 41). */
function countReadyShards(port: number): Promise<number> {
  return ask(port, async (client) => {
    const keys = await client.keys('placard{p*}epoch');
    const values = await Promise.all(keys.map((key) => client.get(key)));
    return values.filter((value) => value?.startsWith('ready:')).length;
  });
}

async function offsetOf(port: number): Promise<number> {
  const info = await ask(port, (client) => client.info('replication'));
  const isMaster = info.includes('role:master');
  return Number(new RegExp(`${isMaster ? 'master' : 'slave'}_repl_offset:(\\d+)`).exec(info)?.[1] ?? 0);
}

/** One row for each fault. */
export const CLUSTER_FAULTS: Readonly<Record<string, ClusterFault>> = {
  'analytics cut off': { cause: cutAnalytics },
  'analytics delayed': { cause: delayAnalytics },
  'analytics drops bytes': { cause: dropAnalytics },
  'PostgreSQL out of reach of a node': { cause: partitionPostgres },
  'PostgreSQL restarted': { cause: restartPostgres('stop') },
  'PostgreSQL killed': { cause: restartPostgres('kill') },
  'worker killed': { cause: killWorker },
  'supervisor killed': { cause: killSupervisor },
  'delivery node killed': { cause: killDeliveryNode },
  'core killed': { cause: killCore },
  'core node killed': { cause: killCoreNode },
  'rolling restart': { cause: rollingRestart },
  'Redis shard stopped': { cause: freezeMaster },
  'Redis master killed': { cause: loseMaster },
  'Redis emptied': { cause: emptyRedis, losesHotState: true },
};
