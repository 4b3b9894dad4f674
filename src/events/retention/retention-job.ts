import type { Kysely } from 'kysely';
import type { Log } from '../../domain/log/log.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { countEventsBefore, deleteEventsBefore } from './retention.olap.ts';
import { readRetentions } from './retention.sql.ts';

const DAY_MS = 86_400_000;
/** The first run waits until the service has started in peace. */
const FIRST_AFTER_MS = 10 * 60_000;
const RETRY_MS = 3_600_000;

/** What the job works with. */
export interface RetentionJobDeps {
  readonly sql: Kysely<Database>;
  readonly olap: Olap;
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * Deletes single events that are older than their network keeps them, once a day, one workspace after the other. Whole UTC days go, so
 * that an event stays up to a day longer than asked. Runs in the core.
 */
export class RetentionJob {
  readonly #deps: RetentionJobDeps;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(deps: RetentionJobDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#schedule(FIRST_AFTER_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
  }

  /** Deletes now, and answers how many events went. @throws what the stores throw; workspaces before stay done */
  async run(): Promise<number> {
    const { sql, olap, nowMs, log } = this.#deps;
    let deleted = 0;
    for (const { workspaceId, networkId, days } of await readRetentions(sql)) {
      if (this.#stopped) break;
      const beforeMs = (Math.floor(nowMs() / DAY_MS) - days) * DAY_MS;
      const events = await countEventsBefore(olap, workspaceId, beforeMs);
      if (events === 0) continue;
      await deleteEventsBefore(olap, workspaceId, beforeMs);
      deleted += events;
      log.event('retention.deleted', {
        workspaceId,
        networkId,
        days,
        before: new Date(beforeMs).toISOString(),
        events,
      });
    }
    return deleted;
  }

  #schedule(afterMs: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#step();
    }, afterMs).unref();
  }

  async #step(): Promise<void> {
    try {
      await this.run();
      this.#schedule(DAY_MS);
    } catch (error) {
      this.#deps.log.event('retention.failed', { err: error });
      this.#schedule(RETRY_MS);
    }
  }
}
