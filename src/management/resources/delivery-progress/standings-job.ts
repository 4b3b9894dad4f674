import type { Goal } from '../../../domain/booking/line-item.ts';
import { type MoneyAtRisk, moneyAtRisk } from '../../../domain/pacing/money-at-risk.ts';
import type { PricingModel } from '../../../domain/pricing/pricing-models.ts';
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
function standingOf(measured: MeasuredRow): Standing {
  const { goal, progress, impressions, spendNanos } = measured;
  const pace = progress?.pacingPercent ?? null;
  return {
    ...riskOf(measured),
    lineItemId: goal.row.id,
    goalStatus: progress?.status ?? null,
    pacingPercent: pace === null ? null : Math.min(Math.round(pace), 1_000_000),
    impressions,
    spendNanos,
  };
}

const NO_RISK: MoneyAtRisk = { missingNanos: 0n, leftNanos: 0n };
const DAY_MS = 86_400_000;

function riskOf({ goal: { row, campaign }, progress, spendNanos, units }: MeasuredRow): MoneyAtRisk {
  // What is left of a goal is not known before its history is counted.
  if (progress === null || progress.isHistoryLoading) return NO_RISK;
  const goal = row['goal'] as Goal;
  const { delivered, expected, projection, status } = progress;
  const days = goal.period === 'DAY' ? 1 : daysBetween(row, campaign);
  const standing = { goal, delivered, expected, projection, status, spendNanos, deliveredInTotal: Number(units), days };
  const pricingModel = row['pricing_model'] as PricingModel;
  return moneyAtRisk(standing, { pricingModel, priceMicros: Number(row['price_micros']) });
}

/** Days of the flight, begun ones included; null without an end. */
function daysBetween(row: MeasuredRow['goal']['row'], campaign: MeasuredRow['goal']['campaign']): number | null {
  const timesOf = (column: string): number[] =>
    [row[column], campaign[column]].flatMap((at) => (at instanceof Date ? [at.getTime()] : []));
  const ends = timesOf('ends_at');
  if (ends.length === 0) return null;
  const starts = timesOf('starts_at');
  const startMs = starts.length === 0 ? row.created_at.getTime() : Math.max(...starts);
  return Math.max(1, Math.ceil((Math.min(...ends) - startMs) / DAY_MS));
}
