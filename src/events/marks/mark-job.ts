import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Log } from '../../domain/log/log.ts';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import { recordFound, recordLost, saveMark } from '../../storage/marks/analytics-marks.sql.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { writeStoreMark } from './analytics-marks.olap.ts';
import { compareAnalytics, type ComparedStore } from './compare-marks.ts';

/** Events of the last moments may be lost unnoticed: as long as this, in milliseconds. */
const EVERY_MS = 10_000;

/** The stores of the job. */
export interface MarkJobDeps {
  readonly sql: Kysely<Database>;
  readonly olap: Olap;
  readonly log: Log;
}

/** Compares the analytics store with what is known of it, and marks it when it holds more. */
export class AnalyticsMarkJob extends RecurringJob {
  readonly #deps: MarkJobDeps;

  constructor(deps: MarkJobDeps) {
    super({ firstMs: EVERY_MS, everyMs: EVERY_MS });
    this.#deps = deps;
  }

  /** @throws what the stores throw */
  async run(): Promise<ComparedStore> {
    const compared = await lookForLoss(this.#deps);
    const { sql } = this.#deps;
    const { mark, found, lost } = compared;
    if (lost !== null) return compared;
    if (mark !== null && mark.lostReason !== null) {
      await recordFound(sql);
      this.#deps.log.event('analytics.whole', { rows: found.rows });
    }
    if (mark === null || mark.rows !== found.rows) await markStore(this.#deps, compared);
    return compared;
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('analytics.not_compared', { err: error });
  }
}

/** Compares, and records and logs a loss. Also before the store has tables. @throws what the stores throw */
export async function lookForLoss({ sql, olap, log }: MarkJobDeps): Promise<ComparedStore> {
  const compared = await compareAnalytics(sql, olap);
  if (compared.lost !== null && (await recordLost(sql, compared.lost)))
    log.event('analytics.lost', { reason: compared.lost });
  return compared;
}

/** Makes what the store holds the measure of later comparisons. The store first: what PostgreSQL knows, the store must hold. */
export async function markStore(
  { sql, olap }: Pick<MarkJobDeps, 'sql' | 'olap'>,
  { mark, found }: Pick<ComparedStore, 'mark' | 'found'>,
): Promise<void> {
  const storeId = found.storeId ?? randomUUID();
  const number = Math.max(found.number, mark?.number ?? 0) + 1;
  await writeStoreMark(olap, storeId, number);
  await saveMark(sql, { storeId, number, rows: found.rows });
}
