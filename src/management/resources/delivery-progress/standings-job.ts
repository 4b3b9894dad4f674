import { RecurringJob } from '../../../domain/time/recurring-job.ts';
import { listServingRows, type ServingPage, type WalkPosition } from './goal-status.sql.ts';
import { type MeasureDeps, type MeasuredRow, measureRows } from './measure-rows.ts';
import { recordStandings, type Standing } from './standings.sql.ts';

const FIRST_MS = 5_000;
const EVERY_MS = 60_000;
const PAGE_ROWS = 200;
/** How much longer than it worked on a page the job rests: ads share the processors with it. */
const REST = 4;

/** Finds how each serving line item comes along, so that lists of any length can be filtered and sorted by it. */
export class StandingsJob extends RecurringJob {
  readonly #deps: MeasureDeps;

  constructor(deps: MeasureDeps) {
    super({ firstMs: FIRST_MS, everyMs: EVERY_MS });
    this.#deps = deps;
  }

  /** Looks at all serving line items, page by page, and returns how many rows changed. @throws what the stores throw */
  async run(): Promise<number> {
    const { sql, nowMs } = this.#deps;
    let changed = 0;
    let after: WalkPosition | null = { workspaceId: 0, lineItemId: 0n };
    while (after !== null && !this.isStopped) {
      const beganMs = performance.now();
      const { rows, next }: ServingPage = await listServingRows(sql, after, PAGE_ROWS);
      for (const [workspaceId, own] of Map.groupBy(rows, ({ row }) => row.workspace_id)) {
        const found = (await measureRows(this.#deps, own)).map(standingOf);
        changed += await recordStandings(sql, workspaceId, found, new Date(nowMs()));
      }
      after = next;
      if (after !== null) await this.rest((performance.now() - beganMs) * REST);
    }
    return changed;
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('goals.standings_failed', { err: error });
  }
}

/** Whole percent: a plan moves all the time, and a row is written only when it says something else. */
function standingOf({ goal, progress, impressions, spendNanos }: MeasuredRow): Standing {
  const pace = progress?.pacingPercent ?? null;
  return {
    lineItemId: goal.row.id,
    goalStatus: progress?.status ?? null,
    pacingPercent: pace === null ? null : Math.min(Math.round(pace), 1_000_000),
    impressions,
    spendNanos,
  };
}
