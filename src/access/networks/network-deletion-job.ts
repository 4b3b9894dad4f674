import type { Kysely } from 'kysely';
import type { Log } from '../../domain/log/log.ts';
import { workspaceKeyPrefixes } from '../../domain/tenancy/workspace-keys.ts';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import type { AssetStore } from '../../storage/assets.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { whileDeleting } from '../../storage/marks/analytics-marks.sql.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { Database } from '../../storage/sql/schema.ts';
import {
  beginDeletions,
  endDeletion,
  listDeletions,
  type NetworkDeletion,
  readDeletion,
  recordStep,
} from './deletions.sql.ts';
import { deleteAssets, expireReports } from './tenant-files.sql.ts';
import { deleteWorkspaceRows } from './tenant-rows.olap.ts';
import { deleteTenantRows } from './tenant-rows.sql.ts';

const EVERY_MS = 60_000;
/**
 * How long events that were on their way may take to arrive. When the rows of a network are gone, no process accepts an event of it; a node that
 * was down for longer may still ship events of its spool, which then stay.
 */
const LATE_EVENTS_MS = 3_600_000;

/** The dependencies of the job. */
export interface NetworkDeletionJobDeps {
  readonly sql: Kysely<Database>;
  readonly olap: Olap;
  readonly hot: Pick<HotStore, 'deletePrefixes' | 'flushed'>;
  readonly assets: Pick<AssetStore, 'remove'>;
  /** Exported files that go with their events; null: they stay. */
  readonly exported: {
    removeBefore(workspaceId: number, beforeMs: number, deleteStored: () => Promise<void>): Promise<number>;
  } | null;
  readonly nowMs: () => number;
  readonly log: Log;
}

/** A step returns how much it deleted; null: the rest follows in a later run. */
type Step = (deletion: NetworkDeletion) => Promise<number | null>;

/**
 * Deletes closed networks whose time has come, step by step: exported files, events, the hot store, files, rows of PostgreSQL, and an hour later
 * the events that arrived meanwhile. Every step can be repeated, and those that have ended are recorded: a run that is killed goes on where
 * it was.
 */
export class NetworkDeletionJob extends RecurringJob {
  readonly #deps: NetworkDeletionJobDeps;
  readonly #steps: readonly (readonly [string, Step])[];

  constructor(deps: NetworkDeletionJobDeps) {
    super({ firstMs: EVERY_MS, everyMs: EVERY_MS });
    this.#deps = deps;
    this.#steps = [
      ['exports', (deletion) => this.#deleteExports(deletion)],
      ['events', (deletion) => this.#deleteEvents(deletion)],
      ['counters', (deletion) => this.#deleteCounters(deletion)],
      ['files', (deletion) => this.#deleteFiles(deletion)],
      ['rows', (deletion) => this.#deleteRows(deletion)],
      ['late', (deletion) => this.#deleteLate(deletion)],
    ];
  }

  /** @throws what the stores throw; steps that have ended stay so */
  async run(): Promise<void> {
    const { sql, nowMs, log } = this.#deps;
    for (const networkId of await beginDeletions(sql, new Date(nowMs())))
      log.event('network.deletion_begun', { networkId });
    for (const { networkId } of await listDeletions(sql, { onlyOpen: true })) {
      if (!(await this.#runSteps(networkId))) continue;
      const { name, done } = await endDeletion(sql, networkId, new Date(nowMs()));
      const steps = Object.entries(done).map(([step, deleted]) => `${step} ${deleted}`);
      log.event('network.deleted', { networkId, name, steps: steps.join(', ') });
    }
  }

  /** Whether all steps have ended. */
  async #runSteps(networkId: string): Promise<boolean> {
    const { sql } = this.#deps;
    for (const [name, step] of this.#steps) {
      const deletion = await readDeletion(sql, networkId);
      if (deletion.done[name] !== undefined) continue;
      if (this.isStopped) return false;
      const deleted = await step(deletion);
      if (deleted === null) return false;
      await recordStep(sql, networkId, name, deleted);
    }
    return true;
  }

  async #deleteExports({ workspaceIds }: NetworkDeletion): Promise<number> {
    const { exported, nowMs } = this.#deps;
    let files = 0;
    for (const workspaceId of workspaceIds)
      files += (await exported?.removeBefore(workspaceId, nowMs(), () => Promise.resolve())) ?? 0;
    return files;
  }

  async #deleteEvents({ workspaceIds }: NetworkDeletion): Promise<number> {
    const { sql, olap } = this.#deps;
    let rows = 0;
    await whileDeleting(sql, async () => {
      rows = await deleteWorkspaceRows(olap, workspaceIds);
    });
    return rows;
  }

  async #deleteCounters({ workspaceIds }: NetworkDeletion): Promise<number> {
    const { hot } = this.#deps;
    const deleted = await hot.deletePrefixes(workspaceIds.flatMap(workspaceKeyPrefixes));
    await hot.flushed();
    return deleted.reduce((sum, count) => sum + count, 0);
  }

  async #deleteFiles({ workspaceIds }: NetworkDeletion): Promise<number | null> {
    const { sql, assets } = this.#deps;
    let files = 0;
    for (;;) {
      if (this.isStopped) return null;
      const batch = await deleteAssets(sql, workspaceIds, (name) => assets.remove(name));
      if (batch === 0) break;
      files += batch;
    }
    return (await expireReports(sql, workspaceIds)) === 0 ? files : null;
  }

  async #deleteRows(deletion: NetworkDeletion): Promise<number | null> {
    const { sql, nowMs } = this.#deps;
    const terms = { now: new Date(nowMs()), isStopped: () => this.isStopped };
    if (!(await deleteTenantRows(sql, deletion, terms))) return null;
    return (await readDeletion(sql, deletion.networkId)).rows;
  }

  async #deleteLate(deletion: NetworkDeletion): Promise<number | null> {
    const goneAtMs = deletion.rowsGoneAt?.getTime() ?? Number.POSITIVE_INFINITY;
    if (this.#deps.nowMs() - goneAtMs < LATE_EVENTS_MS) return null;
    return (await this.#deleteEvents(deletion)) + (await this.#deleteCounters(deletion));
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('network.deletion_failed', { err: error });
  }
}
