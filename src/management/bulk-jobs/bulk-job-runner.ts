import { RecurringJob } from '../../domain/time/recurring-job.ts';
import type { ManagementStores } from '../kernel/context.ts';
import { type BulkJobKey, type BulkJobRow, endJob, lockJob } from './bulk-jobs.sql.ts';
import { processPortion } from './process-portion.ts';
import { claimJob, releaseJob } from './running-jobs.sql.ts';

/** How the runner works. Durations are in milliseconds. */
export interface BulkJobTiming {
  readonly pollMs: number;
  /** No other process claims a job for so long after its last portion. */
  readonly leaseMs: number;
  /** Then other jobs have their turn. */
  readonly sliceMs: number;
  /** Waits before the second, third … try of a portion; after the last one the job fails. */
  readonly retryWaitsMs: readonly number[];
}

const TIMING: BulkJobTiming = {
  pollMs: 1_000,
  leaseMs: 30_000,
  sliceMs: 10_000,
  retryWaitsMs: [1_000, 5_000, 30_000, 60_000],
};
/** Jobs of different networks in one process. */
const JOBS_AT_ONCE = 2;

/** Processes bulk jobs, portion by portion. Any number of processes may do it at once. */
export class BulkJobRunner extends RecurringJob {
  readonly #stores: ManagementStores;
  readonly #timing: BulkJobTiming;
  readonly #working = new Set<Promise<void>>();

  constructor(stores: ManagementStores, timing: BulkJobTiming = TIMING) {
    super({ firstMs: 0, everyMs: timing.pollMs });
    this.#stores = stores;
    this.#timing = timing;
  }

  protected logFailure(error: unknown): void {
    this.#stores.log.event('bulk_jobs.check_failed', { err: error });
  }

  /** Begins what is due now. @throws what the stores throw */
  async run(): Promise<void> {
    while (this.#working.size < JOBS_AT_ONCE && !this.isStopped) {
      const job = await claimJob(this.#stores.sql, this.#timing.leaseMs);
      if (job === undefined) return;
      const working = this.#workFrom(job).finally(() => this.#working.delete(working));
      this.#working.add(working);
    }
  }

  /** Resolves when nothing is in work. */
  async idle(): Promise<void> {
    await Promise.all(this.#working);
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.idle();
  }

  /** Works on a job for its turn, then on the one that is due next. */
  async #workFrom(first: BulkJobRow): Promise<void> {
    let job: BulkJobRow | undefined = first;
    try {
      while (job !== undefined) {
        await this.#serve(job);
        job = this.isStopped ? undefined : await claimJob(this.#stores.sql, this.#timing.leaseMs);
      }
    } catch (error) {
      this.logFailure(error);
    }
  }

  async #serve(job: BulkJobRow): Promise<void> {
    const { leaseMs, sliceMs, retryWaitsMs } = this.#timing;
    const key = { workspaceId: job.workspace_id, id: job.id };
    if (job.tries > retryWaitsMs.length + 1) return this.#failJob(job, key);
    // Between two portions of one turn, the objects are not counted again.
    const stores = { ...this.#stores, objectCounts: new Map() };
    const endMs = performance.now() + sliceMs;
    let tries = job.tries;
    try {
      do {
        if ((await processPortion(stores, job, leaseMs)) === 'ended') return;
        tries = 0;
      } while (!this.isStopped && performance.now() < endMs);
      await releaseJob(this.#stores.sql, key, 0);
    } catch (error) {
      this.#stores.log.event('bulk_jobs.portion_failed', { err: error, jobId: String(job.id), tries });
      await releaseJob(this.#stores.sql, key, retryWaitsMs[Math.max(0, tries - 1)] ?? 0);
    }
  }

  /** The same portion has failed, or ended its process, too often. */
  async #failJob(job: BulkJobRow, key: BulkJobKey): Promise<void> {
    const message = `The rows from portion ${job.processed_portions + 1} on could not be processed; tell the operator the id of the job.`;
    await this.#stores.sql.transaction().execute(async (trx) => {
      const current = await lockJob(trx, key);
      if (current?.state !== 'running') return;
      await endJob(trx, key, { state: 'failed', code: 'internal_error', message });
    });
    this.#stores.log.event('bulk_jobs.given_up', { jobId: String(job.id) });
  }
}
