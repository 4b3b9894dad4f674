import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import { settingsTable } from '../config/settings-table.ts';
import { RecurringJob } from '../domain/time/recurring-job.ts';
import type { HotStore } from '../storage/hot/hot-store.ts';
import type { InstallationSecrets } from '../storage/secrets.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../storage/sql/schema.ts';
import type { StoredFacts, StoredMarks } from '../storage/sql/cluster-schema.ts';
import {
  type ClusterTruth,
  forgetStale,
  markNodeStopped,
  readCluster,
  type Twin,
  writeClusterFacts,
  writeNode,
} from './cluster.sql.ts';
import type { ClusterDeps, ServeAddresses } from './cluster-deps.ts';
import type { ClusterGate } from './cluster-gate.ts';
import { marksOf, markOfKey } from './cluster-key.ts';
import { type ClusterMarks, compareNode, type NodeMarks, twinProblem } from './compare-node.ts';
import { joinCluster, nextKeyOf, openStoredSecret } from './join-cluster.ts';
import { JoinTokenError } from './join-tokens.sql.ts';
import { HOT_STORE_MARK, readNodeFacts, sharedFacts } from './node-facts.ts';
import {
  loadNodeId,
  machineOf,
  readClusterKey,
  readSecretFile,
  presentClusterKey,
  writeClusterKey,
  writeSecretFile,
} from './secret-files.ts';
import { CLUSTER_SECRETS, secretFromSettings } from './secret-table.ts';

/** How often a process compares itself, and a node reports itself. */
const EVERY_MS = 5_000;
const STORE_WAIT_MS = 2_000;
const HOT_KEY = 'cluster-mark';
const HOT_KEY_TTL_MS = 10 * 365 * 86_400_000;
const FORGET_EVERY_RUNS = 120;

/** Dependencies of a watch. */
export interface ClusterWatchDeps extends Omit<ClusterDeps, 'sql'> {
  readonly sql: Kysely<Database>;
  readonly secrets: InstallationSecrets;
  readonly hot: Pick<HotStore, 'get' | 'applyOnce'>;
  readonly addresses: ServeAddresses;
  readonly gate: ClusterGate;
  /** Whether this process reports for its part of the node, and takes over facts of a node that is alone. */
  readonly reports: boolean;
  readonly registry: Registry;
}

/** Compares this process with its cluster every 5 seconds, fetches rotated keys, and reports the node. */
export class ClusterWatch extends RecurringJob {
  readonly #deps: ClusterWatchDeps;
  readonly #nodeId: string;
  readonly #startedAt = new Date();
  readonly #machine: string;
  #hasSeenHotStore = false;
  /** Another machine runs with this node's id: what is reported under it is the other one's. */
  #hasTwin = false;
  #hasEnded = false;
  #runs = 0;

  constructor(deps: ClusterWatchDeps) {
    super({ firstMs: EVERY_MS, everyMs: EVERY_MS });
    this.#deps = deps;
    this.#nodeId = loadNodeId(deps.settings.dataDir);
    this.#machine = machineOf(deps.settings.dataDir);
    registerMetric(deps);
  }

  /** Compares once, then regularly. A PostgreSQL that is unavailable changes nothing. */
  async begin(): Promise<void> {
    if (this.#hasEnded) return;
    await this.run().catch((error: unknown) => this.logFailure(error));
    if (!this.#hasEnded) this.start();
  }

  override async stop(): Promise<void> {
    this.#hasEnded = true;
    await super.stop();
    const { sql, part, reports } = this.#deps;
    // Without PostgreSQL the others see it fall silent.
    if (reports && !this.#hasTwin) await this.#inTime(markNodeStopped(sql, this.#nodeId, part)).catch(() => undefined);
  }

  async run(): Promise<void> {
    const { reports, part, gate, log, settings, addresses } = this.#deps;
    const truth = await this.#readTruth();
    const twin = truth.twins?.find(({ machine }) => machine !== this.#machine);
    this.#hasTwin = twin !== undefined;
    if (twin !== undefined) return this.#refuseTwin(twin);
    const clusterKey = this.#followKey(truth);
    if (clusterKey !== null) this.#followLinkKeys(truth, clusterKey);
    // Settings may change at SIGHUP.
    const present = readNodeFacts(settings, addresses, this.#nodeId);
    const facts = { ...present, ...(await this.#readHotMark(truth)) };
    const isAlone = truth.otherNodes === 0 && part === 'core';
    const shared = isAlone && reports ? await this.#adoptFacts(truth, facts) : truth.cluster.facts;
    const own = this.#describe(clusterKey, facts);
    const problems = compareNode(own, clusterMarks(truth, shared));
    if (gate.decide(problems)) {
      if (problems.length > 0) log.event('cluster.differs', { problems });
      else log.event('cluster.agrees', { nodeId: this.#nodeId });
    }
    if (!reports) return;
    await this.#report(own, facts, problems);
    gate.store();
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('cluster.not_compared', { err: error });
  }

  /** The machine that runs already goes on; the other one serves nothing until it has an id of its own. */
  #refuseTwin({ host }: Twin): void {
    const { gate, log, reports } = this.#deps;
    const problems = [twinProblem(this.#nodeId, host)];
    if (gate.decide(problems)) log.event('cluster.differs', { problems });
    if (reports) gate.store();
  }

  async #readTruth(): Promise<ClusterTruth> {
    const { sql, settings, gate } = this.#deps;
    const sentMs = Date.now();
    const found = await readCluster(sql, this.#nodeId);
    if (found?.postgresMs !== undefined)
      gate.clock.record({ sentMs, receivedMs: Date.now(), postgresMs: found.postgresMs });
    if (found !== null && readClusterKey(settings) !== null) return found;
    await joinCluster(this.#deps).catch((error: unknown) => {
      // A token that opens nothing leaves a node with secrets of its own without the cluster key: the comparison says so.
      if (found === null || !(error instanceof JoinTokenError)) throw error;
    });
    const truth = await readCluster(sql, this.#nodeId);
    if (truth === null) throw new Error('The cluster is gone from PostgreSQL');
    return truth;
  }

  /** This node's cluster key, after a rotation the new one. */
  #followKey(truth: ClusterTruth): Buffer | null {
    const { settings, log } = this.#deps;
    const held = presentClusterKey(settings, truth.cluster);
    const next = held === null ? null : nextKeyOf(truth, held);
    if (next === null) return held;
    writeClusterKey(settings, next);
    log.event('cluster.secret_fetched', { secret: 'cluster-key' });
    return next;
  }

  /** Writes link keys of a rotation to their file, from which every process takes them within a minute. */
  #followLinkKeys(truth: ClusterTruth, clusterKey: Buffer): void {
    const { settings, log } = this.#deps;
    const stored = truth.secrets.find(({ name }) => name === 'link-keys');
    const text = readSecretFile(settings.dataDir, 'link-keys');
    if (stored === undefined || text === null || settings.secretsLinkKeys !== null) return;
    if (markOfKey(clusterKey) !== truth.cluster.key_mark) return;
    if (isSame(stored.marks, marksOf(clusterKey, 'link-keys', text))) return;
    const opened = openStoredSecret(truth, 'link-keys', clusterKey);
    if (opened === null) return;
    writeSecretFile(settings.dataDir, 'link-keys', opened);
    log.event('cluster.secret_fetched', { secret: 'link-keys' });
  }

  /** The mark that the hot store holds. A store that lost it while this process ran gets it back. */
  async #readHotMark({ cluster, otherNodes }: ClusterTruth): Promise<StoredFacts> {
    const known = cluster.facts[HOT_STORE_MARK];
    try {
      const found = await this.#inTime(this.#deps.hot.get(HOT_KEY));
      if (found === known) this.#hasSeenHotStore = true;
      if (found !== null) return { [HOT_STORE_MARK]: found };
      if (!this.#hasSeenHotStore && otherNodes > 0) return { [HOT_STORE_MARK]: 'none' };
      const value = known ?? randomBytes(8).toString('hex');
      const put = await this.#inTime(this.#deps.hot.applyOnce({ key: HOT_KEY, value, ttlMs: HOT_KEY_TTL_MS }));
      return { [HOT_STORE_MARK]: put.value };
    } catch {
      // Its own check says that it is unavailable.
      return {};
    }
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    const waited = new AbortController();
    const late = sleep(STORE_WAIT_MS, undefined, { signal: waited.signal }).then(() => {
      throw new Error('A store timed out');
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      waited.abort();
      late.catch(() => undefined);
    }
  }

  /** A node that is alone may be moved to other stores: its settings are the cluster's. */
  async #adoptFacts(truth: ClusterTruth, facts: StoredFacts): Promise<StoredFacts> {
    const wanted = { ...truth.cluster.facts, ...sharedFacts(facts) };
    if (!isSame(wanted, truth.cluster.facts)) await writeClusterFacts(this.#deps.sql, wanted);
    return wanted;
  }

  /** Of the pepper and the user-hash secret what this process works with, which may be older than the files. */
  #describe(clusterKey: Buffer | null, facts: StoredFacts): NodeMarks {
    const { settings, part, secrets } = this.#deps;
    const inUse: Readonly<Record<string, string>> = {
      pepper: secrets.pepper.toString('hex'),
      'user-hash': secrets.userHashSecret.toString('hex'),
    };
    const marks: Record<string, StoredMarks> = {};
    for (const { name, isForDelivery } of CLUSTER_SECRETS) {
      const text = inUse[name] ?? readSecretFile(settings.dataDir, name);
      if (clusterKey === null || text === null || (part === 'delivery' && !isForDelivery)) continue;
      marks[name] = marksOf(clusterKey, name, text);
    }
    const fromSettings = CLUSTER_SECRETS.filter((one) => secretFromSettings(settings, one) !== null);
    return {
      keyMark: clusterKey === null ? null : markOfKey(clusterKey),
      secrets: marks,
      facts,
      fromSettings: Object.fromEntries(fromSettings.map(({ name, setting }) => [name, settingsTable[setting].name])),
    };
  }

  async #report(own: NodeMarks, facts: StoredFacts, problems: readonly string[]): Promise<void> {
    const { sql, part } = this.#deps;
    const marks = {
      ...(own.keyMark === null ? {} : { 'cluster-key': { 'cluster-key': own.keyMark } }),
      ...own.secrets,
    };
    const startedAt = this.#startedAt;
    await writeNode(sql, {
      nodeId: this.#nodeId,
      part,
      host: hostname(),
      machine: this.#machine,
      facts,
      marks,
      problems,
      startedAt,
    });
    if (part === 'core' && this.#runs % FORGET_EVERY_RUNS === 0) await forgetStale(sql);
    this.#runs += 1;
  }
}

/** What a node has to agree with. */
function clusterMarks({ cluster, secrets }: ClusterTruth, facts: StoredFacts): ClusterMarks {
  return {
    keyMark: cluster.key_mark,
    secrets: Object.fromEntries(secrets.map(({ name, marks }) => [name, marks])),
    facts,
  };
}

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

function registerMetric({ registry, gate }: ClusterWatchDeps): void {
  new Gauge({
    name: 'placard_cluster_differs',
    help: '1 while this node differs from its cluster and serves nothing.',
    registers: [registry],
    collect() {
      this.set(gate.isOpen ? 0 : 1);
    },
  });
  new Gauge({
    name: 'placard_clock_skew_seconds',
    help: "How far the clock of this machine is ahead of PostgreSQL's; negative: behind. Above 2 s readiness is degraded, above 10 s the node is not ready.",
    registers: [registry],
    collect() {
      this.set(gate.clock.skewMs / 1_000);
    },
  });
}
