import type { Kysely } from 'kysely';
import { RecurringJob } from '../../../domain/time/recurring-job.ts';
import type { Log } from '../../../domain/log/log.ts';
import type { AssetStore } from '../../../storage/assets.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import { deleteOldJobs } from '../../bulk-jobs/bulk-jobs.sql.ts';
import { deleteUnusedAssets, listUnusedAssets } from './assets.sql.ts';

const DAY_MS = 86_400_000;
/** How long a file stays after its last upload, and after a daily run last found it in use. */
const UNUSED_DAYS = 7;
/** How long the files of an archived creative stay, from its last change on. */
const ARCHIVED_DAYS = 90;
/** How long a bulk job stays with its results after its end. */
const BULK_JOB_DAYS = 7;
/** The most bulk jobs of one statement: each may have many rows. */
const BULK_JOBS_AT_ONCE = 20;
const FIRST_AFTER_MS = 15 * 60_000;
const RETRY_MS = 3_600_000;
/** The most files of one transaction. */
const BATCH = 100;
/** The most files of one run: the rest follows on the next day. */
const BATCHES_MAX = 1_000;

/** The dependencies of the collector. */
export interface AssetCollectorDeps {
  readonly sql: Kysely<Database>;
  readonly assets: Pick<AssetStore, 'remove'>;
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * Deletes uploaded files that no creative of any network uses, once a day: 7 days after the upload or the last use, and 90 days after the
 * creative was archived. Files that did not come by an upload (the demo's) are never deleted. Bulk jobs go 7 days after their end. Runs in
 * the core.
 */
export class AssetCollector extends RecurringJob {
  readonly #deps: AssetCollectorDeps;

  constructor(deps: AssetCollectorDeps) {
    super({ firstMs: FIRST_AFTER_MS, everyMs: DAY_MS, retryMs: RETRY_MS });
    this.#deps = deps;
  }

  /** Runs once and returns how many files it deleted. @throws what the stores throw; earlier batches stay done */
  async run(): Promise<{ files: number; bytes: number }> {
    const { sql, assets, nowMs, log } = this.#deps;
    const now = new Date(nowMs());
    const unused = {
      before: new Date(nowMs() - UNUSED_DAYS * DAY_MS),
      archivedBefore: new Date(nowMs() - ARCHIVED_DAYS * DAY_MS),
    };
    const total = { files: 0, bytes: 0 };
    for (let batch = 0; batch < BATCHES_MAX && !this.isStopped; batch += 1) {
      // Each batch deletes its files or marks them as used: none is listed twice.
      const names = await listUnusedAssets(sql, unused.before, BATCH);
      if (names.length === 0) break;
      const gone = await deleteUnusedAssets(sql, names, { unused, now, remove: (name) => assets.remove(name) });
      total.files += gone.files;
      total.bytes += gone.bytes;
    }
    await this.#deleteJobs();
    if (total.files > 0) log.event('assets.collected', { ...total });
    return total;
  }

  async #deleteJobs(): Promise<void> {
    const { sql, nowMs } = this.#deps;
    const before = new Date(nowMs() - BULK_JOB_DAYS * DAY_MS);
    for (let batch = 0; batch < BATCHES_MAX && !this.isStopped; batch += 1)
      if ((await deleteOldJobs(sql, before, BULK_JOBS_AT_ONCE)) < BULK_JOBS_AT_ONCE) return;
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('assets.not_collected', { err: error });
  }
}
