import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { CutPhase, CutStep } from '../storage/sql/cluster-schema.ts';
import type { Database } from '../storage/sql/schema.ts';
import { beginCut, type CutNodeRow, endCut, listCutNodes, renewCut } from './cluster-cut.sql.ts';
import { BackupError, type Manifest } from './manifest.ts';

/** A node with a spool on another machine. */
export interface CutNode {
  readonly id: string;
  /** Its machine, for people. */
  readonly host: string;
  /** When its delivery part started: one that starts during the cut is not part of it. */
  readonly startedAt: string;
}

/** The cluster that a backup cuts through. */
export interface CutCluster {
  readonly db: Kysely<Database>;
  /** The nodes that run now, without that of the backup. @throws when one is silent */
  readonly listNodes: () => Promise<readonly CutNode[]>;
  readonly nowMs: () => number;
  /** Is told what nodes are waited for. */
  readonly progress: (line: string) => void;
  readonly waits?: Partial<CutWaits>;
}

/** Bounds, in milliseconds. */
interface CutWaits {
  /** Until every node has heard of the cut. */
  readonly respondMs: number;
  /** Until all has reached the analytics store that was acknowledged before the cut. */
  readonly drainMs: number;
  readonly holdMs: number;
  readonly releaseMs: number;
  /** Nodes ship on when the backup was silent for so long. */
  readonly heldMs: number;
}

/** What a cut came to. */
export interface Cut<T> {
  readonly result: T;
  /** Everything that the other nodes acknowledged before this time is in the analytics store. Null: there are none. */
  readonly cutMs: number | null;
  readonly nodes: Manifest['nodes'];
}

const WAITS: CutWaits = { respondMs: 45_000, drainMs: 120_000, holdMs: 90_000, releaseMs: 45_000, heldMs: 30_000 };
const POLL_MS = 200;
const RENEW_MS = 3_000;
/** The order of the steps of a node. */
const ORDER: readonly CutStep[] = ['none', 'draining', 'drained', 'held', 'released'];

/**
 * Runs `work` while no other node ships events, after each has shipped what it had acknowledged before the cut: their spools need not be
 * copied. They acknowledge and count events meanwhile.
 * @throws BackupError that names the node for which there is no cut
 */
export async function withClusterCut<T>(cluster: CutCluster, work: () => Promise<T>): Promise<Cut<T>> {
  const nodes = await cluster.listNodes();
  const cutMs = cluster.nowMs();
  const result = nodes.length === 0 ? await work() : await new ClusterCut(cluster, nodes).run(work);
  const known = new Set(nodes.map(keyOf));
  const late = (await cluster.listNodes()).filter((node) => !known.has(keyOf(node)));
  if (late.length > 0)
    throw new BackupError(`Nodes started during the backup: ${late.map(titleOf).join(', ')}. Repeat it.`);
  return { result, cutMs: nodes.length === 0 ? null : cutMs, nodes: nodes.map(({ id, host }) => ({ id, host })) };
}

class ClusterCut {
  readonly #cluster: CutCluster;
  readonly #nodes: readonly CutNode[];
  readonly #waits: CutWaits;
  readonly #cutId = randomUUID();

  constructor(cluster: CutCluster, nodes: readonly CutNode[]) {
    this.#cluster = cluster;
    this.#nodes = nodes;
    this.#waits = { ...WAITS, ...cluster.waits };
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const { db, progress } = this.#cluster;
    const [cutId, heldMs] = [this.#cutId, this.#waits.heldMs];
    if (!(await beginCut(db, { cutId, nodeIds: this.#nodes.map(({ id }) => id), heldMs })))
      throw new BackupError('Another backup of this cluster runs, or broke off within the last 30 seconds.');
    // A renewal that fails is made up by the next one, or the cut ends, and the next phase says so.
    const timer = setInterval(() => void renewCut(db, { cutId, heldMs }).catch(() => false), RENEW_MS);
    try {
      progress(`cut: waiting until ${this.#nodes.length} other nodes have shipped what they acknowledged`);
      await this.#until('draining', this.#waits.respondMs);
      await this.#until('drained', this.#waits.drainMs);
      await this.#begin('hold');
      await this.#until('held', this.#waits.holdMs);
      const result = await work();
      await this.#begin('release');
      await this.#until('released', this.#waits.releaseMs);
      return result;
    } finally {
      clearInterval(timer);
      // Otherwise it ends by itself.
      await endCut(db, cutId).catch(() => undefined);
    }
  }

  async #begin(phase: CutPhase): Promise<void> {
    const { heldMs } = this.#waits;
    if (!(await renewCut(this.#cluster.db, { cutId: this.#cutId, phase, heldMs })))
      throw new BackupError('PostgreSQL was out of reach for too long, so nodes shipped events: repeat the backup.');
  }

  async #until(step: CutStep, limitMs: number): Promise<void> {
    for (const untilMs = performance.now() + limitMs; ; await sleep(POLL_MS)) {
      const rows = await listCutNodes(this.#cluster.db, this.#cutId);
      // All rows of a cut are written before it begins, and only the next cut deletes them.
      if (rows.length < this.#nodes.length)
        throw new BackupError(
          'Another backup of this cluster began meanwhile, so nodes shipped events: repeat this one.',
        );
      const failed = rows.find((row) => row.step === 'failed');
      if (failed !== undefined)
        throw new BackupError(`Node ${this.#titleOf(failed)}: ${failed.detail}. Repeat the backup.`);
      const waiting = rows.filter((row) => ORDER.indexOf(row.step) < ORDER.indexOf(step));
      if (waiting.length === 0) return;
      if (performance.now() > untilMs) throw new BackupError(waiting.map((row) => this.#explain(row)).join(' '));
    }
  }

  #explain(row: CutNodeRow): string {
    const title = this.#titleOf(row);
    if (!row.hasResponded)
      return `Node ${title} did not take part in the backup: start it again with this version, or stop it.`;
    return `Node ${title} was not ready in time: ${row.detail === '' ? row.step : row.detail}. Repeat the backup when it is.`;
  }

  #titleOf({ nodeId }: CutNodeRow): string {
    const node = this.#nodes.find(({ id }) => id === nodeId);
    return node === undefined ? nodeId : titleOf(node);
  }
}

function titleOf({ id, host }: CutNode): string {
  return `${id} (${host})`;
}

function keyOf({ id, startedAt }: CutNode): string {
  return `${id} ${startedAt}`;
}
