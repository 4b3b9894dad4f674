import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';

const BINARIES = ['redis-server', 'valkey-server'] as const;
const READY_MS = 90_000;
const SLOTS = 16_384;

/** The name of a Redis server that can be started here; null: there is none on the PATH. */
export function findRedisServer(): string | null {
  return BINARIES.find((name) => spawnSync(name, ['--version']).status === 0) ?? null;
}

/** A Redis server of a test, which keeps nothing on disk. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  readonly process: ChildProcess;
  /** Resolves once it has ended. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a server on a free port, or on this one; resolves once it responds. */
export async function startRedis(binary: string, args: readonly string[] = [], wanted?: number): Promise<TestRedis> {
  const port = wanted ?? (await freePort());
  const base = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'];
  const child = spawn(binary, [...base, ...args], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await within(`${binary} on port ${port} responds`, () => ask(port, (client) => client.ping().then(() => true)));
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    process: child,
    end: async (signal = 'SIGKILL') => {
      child.kill(signal);
      await ended;
    },
  };
}

/** A cluster of three masters; the first has a replica. */
export interface TestCluster {
  readonly masters: readonly TestRedis[];
  readonly replica: TestRedis;
  /** The addresses as the setting takes them. */
  readonly url: string;
  /** Resolves once the replica serves the first master's slots. */
  promoted(): Promise<void>;
  /** The master that has a replica now, and that replica. */
  pair(): { readonly master: TestRedis; readonly replica: TestRedis };
  /** The servers that hold the keys now. */
  currentMasters(): readonly TestRedis[];
  /** Kills the master that has a replica, waits for the promotion, and starts it again, empty: as the replica of its former one. */
  failOver(): Promise<void>;
  end(): Promise<void>;
}

/** Starts a cluster in a folder of its own. */
export async function startCluster(binary: string): Promise<TestCluster> {
  const dir = mkdtempSync(join(tmpdir(), 'placard-cluster-'));
  const start = async (name: string, again?: number): Promise<TestRedis> => {
    mkdirSync(join(dir, name), { recursive: true });
    // The cluster's own port is 10,000 above.
    const port = again ?? (await freePort());
    return startRedis(
      binary,
      ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000', '--dir', join(dir, name)],
      port,
    );
  };
  const masters = [await start('m0'), await start('m1'), await start('m2')];
  const replica = await start('r0');
  for (const [at, { port }] of masters.entries()) {
    const [first, last] = [Math.ceil((SLOTS * at) / 3), Math.ceil((SLOTS * (at + 1)) / 3) - 1];
    await ask(port, (client) => client.call('CLUSTER', 'ADDSLOTSRANGE', first, last));
  }
  const [head] = masters;
  if (head === undefined) throw new Error('no master');
  for (const { port } of [...masters.slice(1), replica])
    await ask(head.port, (client) => client.call('CLUSTER', 'MEET', '127.0.0.1', port));
  const id = String(await ask(head.port, (client) => client.call('CLUSTER', 'MYID')));
  await within('the replica follows', () =>
    ask(replica.port, (client) => client.call('CLUSTER', 'REPLICATE', id).then(() => true)),
  );
  for (const { port } of [...masters, replica]) await within('the cluster is whole', () => isWhole(port));
  await within('the replica is in step', () =>
    ask(replica.port, async (client) => (await client.info('replication')).includes('master_link_status:up')),
  );
  let pair = { master: { name: 'm0', server: head }, replica: { name: 'r0', server: replica } };
  const promoted = (): Promise<void> =>
    within('the replica is promoted', async () => {
      const { port } = pair.replica.server;
      const info = await ask(port, (client) => client.info('replication'));
      return info.includes('role:master') && (await isWhole(port));
    });
  return {
    masters,
    replica,
    url: masters.map(({ url }) => url).join(','),
    promoted,
    pair: () => ({ master: pair.master.server, replica: pair.replica.server }),
    currentMasters: () => [pair.master.server, ...masters.slice(1)],
    failOver: async () => {
      const { master, replica: heir } = pair;
      await master.server.end();
      await promoted();
      const server = await start(master.name, master.server.port);
      pair = { master: heir, replica: { name: master.name, server } };
      await within('the former master follows', async () => {
        const info = await ask(server.port, (client) => client.info('replication'));
        return info.includes('role:slave') && info.includes('master_link_status:up') && (await isWhole(server.port));
      });
    },
    end: async () => {
      const all = new Set([...masters, replica, pair.master.server, pair.replica.server]);
      for (const node of all) if (isRunning(node.process)) await node.end();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function isWhole(port: number): Promise<boolean> {
  const info = String(await ask(port, (client) => client.call('CLUSTER', 'INFO')));
  return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:4');
}

/** Asks one server something, on a connection of its own. */
export async function ask<Reply>(port: number, question: (client: Redis) => Promise<Reply>): Promise<Reply> {
  const client = new Redis(port, '127.0.0.1', {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await question(client);
  } finally {
    client.disconnect();
  }
}

async function within(title: string, isReached: () => Promise<boolean>): Promise<void> {
  for (const untilMs = performance.now() + READY_MS; ; await sleep(50)) {
    if (await isReached().catch(() => false)) return;
    if (performance.now() > untilMs) throw new Error(`Not within ${READY_MS} ms: ${title}`);
  }
}
