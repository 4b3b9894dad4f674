import type { Log } from '../../domain/log/log.ts';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import { readMark } from '../../storage/marks/analytics-marks.sql.ts';

/** The process that compares tells all others through PostgreSQL. */
const EVERY_MS = 2_000;

/** Whether the analytics store lacks events, as the last comparison of the cluster says. Nothing is shipped to it meanwhile. */
export class LostWatch extends RecurringJob {
  readonly #deps: { readonly sql: Kysely<Database>; readonly log: Log };
  #reason: string | null = null;
  #isUnread = false;

  constructor(deps: { readonly sql: Kysely<Database>; readonly log: Log }) {
    super({ firstMs: 0, everyMs: EVERY_MS });
    this.#deps = deps;
  }

  /** Null: it lacks nothing, or that is not known. While PostgreSQL is unavailable, the last word of it holds. */
  get reason(): string | null {
    return this.#reason;
  }

  async run(): Promise<void> {
    this.#reason = (await readMark(this.#deps.sql))?.lostReason ?? null;
    this.#isUnread = false;
  }

  /** Other parts of the service report a PostgreSQL that is unavailable. */
  protected logFailure(error: unknown): void {
    if (!this.#isUnread) this.#deps.log.event('analytics.not_compared', { err: error });
    this.#isUnread = true;
  }
}
