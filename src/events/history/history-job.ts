import type { Kysely } from 'kysely';
import type { Log } from '../../domain/log/log.ts';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { EVENTS_INTAKE_TABLE } from '../shipping/events.olap.ts';
import { historyEvents } from './history-events.ts';
import {
  type BookedHour,
  type ImportedUnitHour,
  listUnbooked,
  listUnsampled,
  markBooked,
  markSampled,
  readImportHours,
  readUnsampledRequests,
  type UnsampledImports,
  type WaitingImport,
} from './history-imports.sql.ts';

const EVERY_MS = 5_000;
/** Imports of one look at the database. */
const PAGE = 50;
/** Requests are sampled once no import has come for this long, so that one share holds for all of them. */
const QUIET_MS = 60_000;
/** As far back as forecasts look. */
const SAMPLED_DAYS = 14;
const DAY_MS = 86_400_000;

/** Dependencies of the job. */
export interface HistoryJobDeps {
  readonly sql: Kysely<Database>;
  readonly olap: Pick<Olap, 'insertRaw'>;
  /** Reads what counting needs, and returns how to add the hours of an import to the delivery counters, once for each import. */
  readonly openCounting: () => Promise<(of: WaitingImport, hours: readonly BookedHour[]) => Promise<void>>;
  /** Adds requests to the sample of opportunities, once for each of these imports. */
  readonly sample: (of: UnsampledImports, requests: readonly ImportedUnitHour[]) => Promise<void>;
  /** Works out what follows from new history at once: traffic curves. */
  readonly follow: () => Promise<void>;
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * Books what `importHistory` stored: events for reports, delivery counters for pacing and limits, then requests for forecasts. Each step may be
 * repeated: an import is booked as a whole, under one token and one number.
 */
export class HistoryJob extends RecurringJob {
  readonly #deps: HistoryJobDeps;

  constructor(deps: HistoryJobDeps) {
    super({ firstMs: EVERY_MS, everyMs: EVERY_MS });
    this.#deps = deps;
  }

  /** Books all imports that wait, and returns how many. @throws what the stores throw; imports that were booked stay booked */
  async run(): Promise<number> {
    const { sql, openCounting, log } = this.#deps;
    let count: Awaited<ReturnType<HistoryJobDeps['openCounting']>> | null = null;
    let booked = 0;
    for (;;) {
      const waiting = this.isStopped ? [] : await listUnbooked(sql, PAGE);
      if (waiting.length === 0) break;
      count ??= await openCounting();
      for (const one of waiting) {
        if (this.isStopped) return booked;
        await this.#enter(one, count);
        booked += 1;
      }
    }
    if (booked > 0) log.event('history.booked', { imports: booked });
    await this.#sample();
    return booked;
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('history.failed', { err: error });
  }

  async #enter(
    one: WaitingImport,
    count: (of: WaitingImport, hours: readonly BookedHour[]) => Promise<void>,
  ): Promise<void> {
    const { sql, olap, nowMs } = this.#deps;
    const hours = await readImportHours(sql, one);
    const events = historyEvents(one, hours);
    if (events.length > 0)
      await olap.insertRaw({
        table: EVENTS_INTAKE_TABLE,
        token: `history:${one.workspaceId}:${one.id}`,
        body: Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join('')),
      });
    await count(one, hours);
    await markBooked(sql, one, new Date(nowMs()));
  }

  async #sample(): Promise<void> {
    const { sql, sample, follow, nowMs } = this.#deps;
    const found = this.isStopped ? [] : await listUnsampled(sql, new Date(nowMs() - QUIET_MS));
    for (const one of found) {
      const from = new Date(nowMs() - SAMPLED_DAYS * DAY_MS);
      await sample(one, await readUnsampledRequests(sql, one, from));
      await markSampled(sql, one, new Date(nowMs()));
    }
    if (found.length > 0) await follow();
  }
}
