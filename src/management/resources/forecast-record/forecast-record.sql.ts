import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';

/** A stored forecast. */
export type ForecastRecordRow = Selectable<Database['forecast_records']>;

/** The latest forecast of each of these line items, by id; those without any are left out. At most 500 ids. */
export async function readLatestForecasts(
  db: Kysely<Database>,
  workspaceId: number,
  lineItemIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, ForecastRecordRow>> {
  const rows = await db
    .selectFrom('forecast_records')
    .distinctOn('line_item_id')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('line_item_id', 'in', lineItemIds)
    .orderBy('line_item_id')
    .orderBy('made_at', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.line_item_id, row]));
}

/** How good the forecasts of flights were that ended in a span. Shares and errors are null without a scored flight. */
export interface ForecastAccuracy {
  readonly scored: number;
  readonly notScored: number;
  /** Of the scored flights, 0…1. */
  readonly insideLikely: number | null;
  readonly insidePossible: number | null;
  /** Half of the scored flights had at most this error, whatever its sign. */
  readonly medianError: number | null;
  /** All that was forecast by all that was delivered, less 1. */
  readonly bias: number | null;
}

/** Sums up the forecasts whose flights ended in a span; the end is exclusive. */
export async function readForecastAccuracy(
  db: Kysely<Database>,
  workspaceId: number,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<ForecastAccuracy> {
  const { rows } = await sql<Record<keyof ForecastAccuracy, number | null>>`
    SELECT (count(*) FILTER (WHERE state = 'SCORED'))::int AS "scored",
      (count(*) FILTER (WHERE state = 'NOT_SCORED'))::int AS "notScored",
      avg(inside_likely::int)::float8 AS "insideLikely",
      avg(inside_possible::int)::float8 AS "insidePossible",
      percentile_cont(0.5) WITHIN GROUP (ORDER BY abs(error)) FILTER (WHERE state = 'SCORED') AS "medianError",
      (sum(impressions) FILTER (WHERE state = 'SCORED') / NULLIF(sum(delivered), 0) - 1)::float8 AS "bias"
    FROM forecast_records
    WHERE workspace_id = ${workspaceId} AND ends_at >= ${from} AND ends_at < ${to}
      AND state IN ('SCORED', 'NOT_SCORED')`.execute(db);
  const [found] = rows;
  return {
    scored: found?.scored ?? 0,
    notScored: found?.notScored ?? 0,
    insideLikely: found?.insideLikely ?? null,
    insidePossible: found?.insidePossible ?? null,
    medianError: found?.medianError ?? null,
    bias: found?.bias ?? null,
  };
}
