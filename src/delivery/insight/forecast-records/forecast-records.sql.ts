import { type Kysely, sql } from 'kysely';
import {
  type ExpectedDelivery,
  FORECAST_MODEL,
  FORECAST_RECORD_DAYS,
  type ForecastRecordReason,
  type ForecastScore,
} from '../../../domain/booking/forecast-record.ts';
import type { Goal } from '../../../domain/booking/line-item.ts';
import type { Database } from '../../../storage/sql/schema.ts';

type Sql = Kysely<Database>;

/** A booking rests for so long before it is forecast: changes in a series share one forecast. */
const REST_MS = 120_000;
/** A line item is forecast at most so often. */
const AGAIN_MS = 3_600_000;
/** How long after its activation, change or start a line item may still be forecast: a backlog never gets older. */
const FRESH_MS = 86_400_000;
/** Shorter and longer rests of a flight are not forecast. */
const FLIGHT_MS_MIN = 3_600_000;
const FLIGHT_MS_MAX = 366 * 86_400_000;
/** Forecasts of one line item that are kept: the latest. */
const KEPT_MAX = 10;
const DAY_MS = 86_400_000;

/** All that a forecast depends on in the booking; not its pacing. jsonb writes the same values as the same text. */
const TERMS = sql`md5(jsonb_build_array(l.goal, l.targeting, l.day_parts, l.timezone, l.type, l.level, l.share_percent, l.pricing_model,
    l.price_micros, l.caps, l.frequency_caps, l.serve_without_user, l.deal_id,
    extract(epoch FROM GREATEST(l.starts_at, c.starts_at)), extract(epoch FROM LEAST(l.ends_at, c.ends_at)))::text)`;

/** A line item that is to be forecast. */
export interface DueForecast {
  readonly workspaceId: number;
  readonly lineItemId: bigint;
  readonly terms: string;
  readonly goal: Goal | null;
  /** The part of the flight that is still to come. */
  readonly startsAtMs: number;
  readonly endsAtMs: number;
}

/**
 * Active line items of networks that are not closed, without a forecast of their present booking, the latest change first, and those of all networks in turn.
 * @param perNetwork at most so many of each network
 */
export async function listDue(
  db: Sql,
  nowMs: number,
  { most, perNetwork }: { readonly most: number; readonly perNetwork: number },
): Promise<DueForecast[]> {
  const now = new Date(nowMs);
  const { rows } = await sql<{
    workspace_id: number;
    id: bigint;
    terms: string;
    goal: Goal | null;
    starts_at: Date;
    ends_at: Date;
  }>`
    WITH booked AS (
      SELECT l.workspace_id, l.id, ${TERMS} AS terms, l.goal, GREATEST(l.starts_at, c.starts_at, ${now}::timestamptz) AS starts_at,
        LEAST(l.ends_at, c.ends_at) AS ends_at,
        GREATEST(l.updated_at, c.updated_at,
          CASE WHEN GREATEST(l.starts_at, c.starts_at) <= ${now} THEN GREATEST(l.starts_at, c.starts_at) END) AS changed_at
      FROM line_items l
      JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.id = l.campaign_id
      WHERE l.status = 'ACTIVE' AND c.status = 'ACTIVE' AND LEAST(l.ends_at, c.ends_at) > ${now}
        AND l.workspace_id NOT IN (SELECT w.id FROM workspaces w JOIN networks n ON n.id = w.network_id WHERE n.closed_at IS NOT NULL)
    ), due AS (
      SELECT b.*, row_number() OVER (PARTITION BY b.workspace_id ORDER BY b.changed_at DESC, b.id DESC) AS turn
      FROM booked b
      WHERE b.changed_at BETWEEN ${new Date(nowMs - FRESH_MS)} AND ${new Date(nowMs - REST_MS)}
        AND extract(epoch FROM b.ends_at - b.starts_at) * 1000 BETWEEN ${FLIGHT_MS_MIN}::bigint AND ${FLIGHT_MS_MAX}::bigint
        AND EXISTS (SELECT FROM creatives k WHERE k.workspace_id = b.workspace_id AND k.line_item_id = b.id
          AND k.status = 'ACTIVE' AND k.review_state = 'APPROVED')
        AND NOT EXISTS (SELECT FROM forecast_records r WHERE r.workspace_id = b.workspace_id AND r.line_item_id = b.id
          AND (r.made_at > ${new Date(nowMs - AGAIN_MS)} OR (r.terms = b.terms AND (r.state = 'OPEN' OR r.reason = 'TOO_LARGE'))))
    )
    SELECT * FROM due WHERE turn <= ${perNetwork} ORDER BY turn, changed_at DESC LIMIT ${most}`.execute(db);
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    lineItemId: row.id,
    terms: row.terms,
    goal: row.goal,
    startsAtMs: row.starts_at.getTime(),
    endsAtMs: row.ends_at.getTime(),
  }));
}

/** The figures of a forecast that was made. Money in micros. */
export interface RecordedForecast extends ExpectedDelivery {
  readonly sampledHours: number;
  readonly matched: number;
  readonly available: number;
  readonly revenueMicros: number;
  readonly displacedMicros: number;
  /** Impressions that were counted before. */
  readonly countedBefore: bigint;
}

/**
 * Records a forecast, or why there is none. Beside it, the {@link KEPT_MAX} latest ones of the line item stay. A line item that was deleted
 * meanwhile, or has an open forecast, gets none.
 */
export async function recordForecast(
  db: Sql,
  due: DueForecast,
  made: RecordedForecast | ForecastRecordReason,
  at: Date,
): Promise<void> {
  const line = { workspace_id: due.workspaceId, line_item_id: due.lineItemId };
  const booked = {
    ...line,
    made_at: at,
    terms: due.terms,
    model: FORECAST_MODEL,
    starts_at: new Date(due.startsAtMs),
    ends_at: new Date(due.endsAtMs),
    goal: due.goal === null ? null : JSON.stringify(due.goal),
  };
  const row =
    typeof made === 'string'
      ? { ...booked, state: 'SKIPPED' as const, reason: made, closed_at: at }
      : { ...booked, ...columnsOf(made), state: 'OPEN' as const, reason: null };
  await db.transaction().execute(async (trx) => {
    const known = await trx
      .selectFrom('line_items')
      .select('id')
      .where('workspace_id', '=', due.workspaceId)
      .where('id', '=', due.lineItemId)
      .forKeyShare()
      .executeTakeFirst();
    if (known === undefined) return;
    await sql`DELETE FROM forecast_records
      WHERE workspace_id = ${due.workspaceId} AND line_item_id = ${due.lineItemId}
        AND (state = 'SKIPPED' OR made_at <= (
          SELECT made_at FROM forecast_records WHERE workspace_id = ${due.workspaceId} AND line_item_id = ${due.lineItemId}
          ORDER BY made_at DESC OFFSET ${KEPT_MAX - 1} LIMIT 1))`.execute(trx);
    await trx
      .insertInto('forecast_records')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

function columnsOf(made: RecordedForecast) {
  return {
    sampled_hours: made.sampledHours,
    matched: made.matched,
    available: made.available,
    impressions: made.impressions,
    likely_low: made.likelyLow,
    likely_high: made.likelyHigh,
    possible_low: made.possibleLow,
    possible_high: made.possibleHigh,
    revenue_micros: made.revenueMicros,
    displaced_micros: made.displacedMicros,
    counted_before: made.countedBefore,
  };
}

/**
 * Closes open forecasts that say nothing of the delivery any more: of bookings that have changed, and of line items that are not served
 * within their flight. One that has reached its goal and was completed by it goes on. @returns how many were closed
 */
export async function closeStale(db: Sql, nowMs: number): Promise<number> {
  const now = new Date(nowMs);
  const { numAffectedRows } = await sql`
    UPDATE forecast_records r SET state = 'NOT_SCORED', closed_at = ${now}, reason = CASE
      WHEN NOT stands.is_served AND 'ARCHIVED' IN (stands.status, stands.campaign_status) THEN 'ARCHIVED'
      WHEN NOT stands.is_served THEN 'PAUSED'
      ELSE 'CHANGED' END
    FROM (
      SELECT o.workspace_id, o.line_item_id, o.made_at, l.status, c.status AS campaign_status, ${TERMS} AS terms,
        ${now} < o.starts_at OR ${now} >= o.ends_at
          OR (c.status = 'ACTIVE' AND (l.status = 'ACTIVE' OR (l.status = 'COMPLETED' AND l.pause_after_goal))) AS is_served
      FROM forecast_records o
      JOIN line_items l ON l.workspace_id = o.workspace_id AND l.id = o.line_item_id
      JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.id = l.campaign_id
      WHERE o.state = 'OPEN'
    ) stands
    WHERE r.workspace_id = stands.workspace_id AND r.line_item_id = stands.line_item_id AND r.made_at = stands.made_at
      AND r.state = 'OPEN' AND (NOT stands.is_served OR stands.terms <> r.terms)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** An open forecast whose flight has ended. */
export interface EndedForecast extends ExpectedDelivery {
  readonly workspaceId: number;
  readonly lineItemId: bigint;
  readonly madeAt: Date;
  readonly countedBefore: bigint;
}

/** Open forecasts whose flights ended before an instant, the earliest end first. */
export async function listEnded(db: Sql, beforeMs: number, most: number): Promise<EndedForecast[]> {
  const rows = await db
    .selectFrom('forecast_records')
    .selectAll()
    .where('state', '=', 'OPEN')
    .where('ends_at', '<=', new Date(beforeMs))
    .orderBy('ends_at')
    .orderBy('workspace_id')
    .orderBy('line_item_id')
    .limit(most)
    .execute();
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    lineItemId: row.line_item_id,
    madeAt: row.made_at,
    impressions: Number(row.impressions),
    likelyLow: Number(row.likely_low),
    likelyHigh: Number(row.likely_high),
    possibleLow: Number(row.possible_low),
    possibleHigh: Number(row.possible_high),
    countedBefore: row.counted_before ?? 0n,
  }));
}

/** Records a score once. */
export async function recordScore(
  db: Sql,
  { workspaceId, lineItemId, madeAt }: EndedForecast,
  { error, isInsideLikely, isInsidePossible, delivered }: ForecastScore & { readonly delivered: bigint },
  at: Date,
): Promise<void> {
  await db
    .updateTable('forecast_records')
    .set({
      state: 'SCORED',
      delivered,
      error,
      inside_likely: isInsideLikely,
      inside_possible: isInsidePossible,
      closed_at: at,
    })
    .where('workspace_id', '=', workspaceId)
    .where('line_item_id', '=', lineItemId)
    .where('made_at', '=', madeAt)
    .where('state', '=', 'OPEN')
    .execute();
}

/** Deletes forecasts whose flights ended more than {@link FORECAST_RECORD_DAYS} days ago. */
export async function deleteOld(db: Sql, nowMs: number): Promise<void> {
  await db
    .deleteFrom('forecast_records')
    .where('ends_at', '<', new Date(nowMs - FORECAST_RECORD_DAYS * DAY_MS))
    .execute();
}
