import { type MeasureDeps, type MeasuredRow, measureRows } from './measure-rows.ts';
import { ServingWalk } from './serving-walk.ts';
import { recordStandings, type Standing } from './standings.sql.ts';

const FIRST_MS = 5_000;
const EVERY_MS = 60_000;

/** Finds how each serving line item comes along, so that lists of any length can be filtered and sorted by it. */
export class StandingsJob extends ServingWalk {
  readonly #deps: MeasureDeps;

  constructor(deps: MeasureDeps) {
    super({ firstMs: FIRST_MS, everyMs: EVERY_MS });
    this.#deps = deps;
  }

  /** Looks at all serving line items, and returns how many rows changed. @throws what the stores throw */
  run(): Promise<number> {
    const { sql, nowMs } = this.#deps;
    return this.walk(sql, { onlyGoals: false }, async (workspaceId, rows) => {
      const found = (await measureRows(this.#deps, rows)).map(standingOf);
      return recordStandings(sql, workspaceId, found, new Date(nowMs()));
    });
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
