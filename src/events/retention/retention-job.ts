import type { Kysely } from 'kysely';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import type { Log } from '../../domain/log/log.ts';
import { whileDeleting } from '../../storage/marks/analytics-marks.sql.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { countEventsBefore, deleteEventsBefore } from './retention.olap.ts';
import { readRetentions } from './retention.sql.ts';

const DAY_MS = 86_400_000;
/** The first run waits until the service has finished starting. */
const FIRST_AFTER_MS = 10 * 60_000;
const RETRY_MS = 3_600_000;

/** Dependencies of the job. */
export interface RetentionJobDeps {
  readonly sql: Kysely<Database>;
  readonly olap: Olap;
  /** Exported files that go with their events; null: they stay. */
  readonly exported: {
    removeBefore(workspaceId: number, beforeMs: number, deleteStored: () => Promise<void>): Promise<number>;
  } | null;
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * Deletes single events past the retention of their network, once a day, one workspace after the other. It deletes whole UTC days, so an
 * event stays up to a day longer than the setting says. Runs in the core.
 */
export class RetentionJob extends RecurringJob {
  readonly #deps: RetentionJobDeps;

  constructor(deps: RetentionJobDeps) {
    super({ firstMs: FIRST_AFTER_MS, everyMs: DAY_MS, retryMs: RETRY_MS });
    this.#deps = deps;
  }

  /** Deletes now, and returns how many events it deleted. @throws what the stores throw; workspaces that were done stay done */
  async run(): Promise<number> {
    const { sql, olap, exported, nowMs, log } = this.#deps;
    let deleted = 0;
    for (const { workspaceId, networkId, days } of await readRetentions(sql)) {
      if (this.isStopped) break;
      const beforeMs = (Math.floor(nowMs() / DAY_MS) - days) * DAY_MS;
      const events = await countEventsBefore(olap, workspaceId, beforeMs);
      if (events === 0) continue;
      const deleteStored = (): Promise<void> =>
        whileDeleting(sql, () => deleteEventsBefore(olap, workspaceId, beforeMs));
      const exportedFiles = (await exported?.removeBefore(workspaceId, beforeMs, deleteStored)) ?? 0;
      if (exported === null) await deleteStored();
      deleted += events;
      log.event('retention.deleted', {
        workspaceId,
        networkId,
        days,
        before: new Date(beforeMs).toISOString(),
        events,
        exportedFiles,
      });
    }
    return deleted;
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('retention.failed', { err: error });
  }
}
