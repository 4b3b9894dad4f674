import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadSecrets } from '../../src/storage/secrets.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { runPlacard } from '../support/placard-process.ts';
import type { ComparedStores } from '../torture/compared-stores.ts';
import { createManagement, type Management } from '../torture/management.ts';
import { pause } from '../torture/tortured-server.ts';
import { ClusterNode, type NodeRole } from './cluster-node.ts';
import { type OwnStores, startOwnStores } from './own-stores.ts';

/** How large a cluster is. */
export interface ClusterSize {
  readonly cores: number;
  readonly deliveryNodes: number;
  /** Of each delivery node. */
  readonly workers: number;
  /** Longer than a balancer takes to notice. */
  readonly drainSeconds: number;
  /** Further settings of all nodes. */
  readonly settings?: Readonly<Record<string, string>>;
}

const FIVE_NODES: ClusterSize = { cores: 2, deliveryNodes: 3, workers: 2, drainSeconds: 2 };
/** How often the balancers look at `/readyz`. */
const READINESS_EVERY_MS = 250;
const READY_MAX_MS = 240_000;
const BACKLOG_WAIT_MS = 240_000;

/** Cores and delivery nodes (two and three, with two workers each) behind load balancers, on stores of their own. */
export class Cluster {
  readonly stores: OwnStores;
  readonly cores: readonly ClusterNode[];
  readonly delivery: readonly ClusterNode[];
  /** How often processes were killed or nodes restarted, by kind. */
  readonly counts = new Map<string, number>();
  readonly #balancers: { readonly core: FaultProxy; readonly delivery: FaultProxy };
  #watch: Promise<void> | null = null;
  #isEnding = false;

  private constructor(
    stores: OwnStores,
    nodes: readonly ClusterNode[],
    balancers: { readonly core: FaultProxy; readonly delivery: FaultProxy },
  ) {
    this.stores = stores;
    this.cores = nodes.filter(({ role }) => role === 'core');
    this.delivery = nodes.filter(({ role }) => role === 'delivery');
    this.#balancers = balancers;
  }

  /** Makes the stores and the nodes; `startNodes` starts them. */
  static async prepare(dir: string, redisBinary: string, size = FIVE_NODES): Promise<Cluster> {
    const stores = await startOwnStores(dir, redisBinary);
    const balancers = { core: await startFaultProxy([]), delivery: await startFaultProxy([]) };
    const logDir = join(dir, 'logs');
    mkdirSync(logDir);
    const nodes: ClusterNode[] = [];
    const roles: readonly (readonly [NodeRole, number])[] = [
      ['core', size.cores],
      ['delivery', size.deliveryNodes],
    ];
    for (const [role, count] of roles)
      for (let number = 1; number <= count; number += 1) {
        const { proxy, url, ownerUrl } = await stores.addPostgresProxy();
        const settings = {
          ...commonSettings(stores, balancers, size),
          PLACARD_POSTGRES_URL: url,
          PLACARD_POSTGRES_OWNER_URL: ownerUrl,
          PLACARD_DEMO: role === 'core' && number === 1 ? 'true' : 'false',
        };
        nodes.push(new ClusterNode({ name: `${role}-${number}`, role, settings, postgres: proxy, logDir }));
      }
    return new Cluster(stores, nodes, balancers);
  }

  get nodes(): readonly ClusterNode[] {
    return [...this.cores, ...this.delivery];
  }

  /** The first core makes the secrets; the others join with its token. */
  async startNodes(): Promise<void> {
    const [first, ...others] = this.nodes;
    if (first === undefined) return;
    await first.start();
    const token = await this.makeToken(others.length);
    for (const node of others) await node.start({ PLACARD_JOIN_TOKEN: token });
    this.watchReadiness();
    await this.untilReady();
  }

  /** A join token, made on the first core. */
  makeToken(uses: number): Promise<string> {
    return makeToken(this.#first, uses);
  }

  /** From now on the balancers know which nodes are ready. */
  watchReadiness(): void {
    this.#watch ??= this.#watchReadiness();
  }

  get management(): Management {
    const demo = this.#first.running.demo;
    return createManagement({
      coreUrl: () => this.coreUrl,
      networkId: demo.networkId,
      adminKey: this.adminKey,
    });
  }

  get coreUrl(): string {
    return `http://127.0.0.1:${this.#balancers.core.port}`;
  }

  get adminKey(): string {
    return this.#first.running.demo.keys.admin;
  }

  /** A key that may record conversions. */
  get audienceKey(): string {
    return this.#first.running.demo.keys.audience;
  }

  get deliveryUrl(): string {
    return `http://127.0.0.1:${this.#balancers.delivery.port}`;
  }

  get linkKeys() {
    return loadSecrets(this.#first.dataDir).linkKeys;
  }

  get compared(): ComparedStores {
    return {
      spoolDirs: this.delivery.map(({ dataDir }) => join(dataDir, 'spool')),
      clickhouseUrl: this.stores.analyticsUrl,
      hotSocket: '',
      redisUrl: this.stores.redis.url,
      backlogWaitMs: BACKLOG_WAIT_MS,
    };
  }

  /** Resolves when these nodes are ready, and the balancers know of some; default: all. */
  async untilReady(nodes: readonly ClusterNode[] = this.nodes): Promise<void> {
    for (const untilMs = performance.now() + READY_MAX_MS; ; await pause(100)) {
      const states = await Promise.all(nodes.map((node) => node.isReady()));
      const isBalanced = Object.values(this.#balancers).every(({ targets }) => targets.length > 0);
      if (states.every(Boolean) && (isBalanced || this.#watch === null)) return;
      const missing = nodes.filter((_node, at) => !states[at]).map(({ name }) => name);
      if (performance.now() > untilMs) throw new Error(`Not ready: ${missing.join(', ')}`);
    }
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#watch;
    for (const balancer of Object.values(this.#balancers)) await balancer.end();
    await Promise.all(this.nodes.map((node) => node.end()));
    await this.stores.end();
  }

  get #first(): ClusterNode {
    const [first] = this.cores;
    if (first === undefined) throw new Error('There is no core');
    return first;
  }

  /** Balancers send new connections to ready nodes; when none is, to all. */
  async #watchReadiness(): Promise<void> {
    while (!this.#isEnding) {
      for (const [role, nodes] of [['core', this.cores] as const, ['delivery', this.delivery] as const]) {
        const states = await Promise.all(nodes.map((node) => node.isReady()));
        const ready = nodes.filter((_node, at) => states[at]);
        this.#balancers[role].targets = (ready.length > 0 ? ready : nodes).map(({ port }) => port);
      }
      await pause(READINESS_EVERY_MS);
    }
  }
}

function commonSettings(
  stores: OwnStores,
  balancers: { readonly core: FaultProxy; readonly delivery: FaultProxy },
  { workers, deliveryNodes, drainSeconds, settings }: ClusterSize,
): Record<string, string> {
  return {
    PLACARD_CLICKHOUSE_URL: stores.analyticsProxyUrl,
    PLACARD_REDIS_URL: stores.redis.url,
    PLACARD_CORE_PUBLIC_URL: `http://127.0.0.1:${balancers.core.port}`,
    PLACARD_DELIVERY_PUBLIC_URL: `http://127.0.0.1:${balancers.delivery.port}`,
    PLACARD_TLS: 'loopback',
    PLACARD_WORKERS: String(workers),
    PLACARD_NODES: String(deliveryNodes),
    PLACARD_DRAIN_SECONDS: String(drainSeconds),
    PLACARD_LOG_FORMAT: 'json',
    ...settings,
  };
}

async function makeToken(node: ClusterNode, uses: number): Promise<string> {
  const args = ['cluster', 'token', '--uses', String(uses), '--json'];
  const { out, err } = await runPlacard(args, { ...node.settings, PLACARD_DATA: node.dataDir });
  if (err !== '') throw new Error(err);
  return (JSON.parse(out) as { token: string }).token;
}
