import type { Olap } from '../../storage/olap/olap.ts';
import { EVENTS_TABLE, STORED_AT_COLUMN } from './events.olap.ts';

/** Most ids in one query. */
const IDS_PER_QUERY = 1_000;
const TIMEOUT_MS = 60_000;
/** A time as rows have it, whose texts sort as the times do. */
const EVENT_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}$/;

/** The id and time of an event in a row. */
export interface RowEvent {
  readonly id: string;
  readonly time: string;
}

/** Which of these events the analytics store has, by id. @throws OlapError */
export async function readStoredIds(olap: Olap, events: readonly RowEvent[]): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  for (let start = 0; start < events.length; start += IDS_PER_QUERY) {
    const part = events.slice(start, start + IDS_PER_QUERY);
    const times = part.map(({ time }) => time).sort();
    // The table is sorted by time, and not by id.
    const isBounded = times.every((time) => EVENT_TIME.test(time));
    const rows = await olap.query<{ event_id: string }>({
      sql: `SELECT event_id FROM ${EVENTS_TABLE} WHERE event_id IN {ids: Array(String)}${isBounded ? WITHIN : ''}`,
      params: {
        ids: part.map(({ id }) => id),
        ...(isBounded ? { from: times[0] ?? '', to: times.at(-1) ?? '' } : {}),
      },
      timeoutMs: TIMEOUT_MS,
      isFinal: true,
    });
    for (const row of rows) stored.add(row.event_id);
  }
  return stored;
}

const WITHIN = ` AND time >= toDateTime64({from: String}, 3, 'UTC') - INTERVAL 1 HOUR
  AND time <= toDateTime64({to: String}, 3, 'UTC') + INTERVAL 1 HOUR`;

/** How many inserts, of all machines, the analytics store has received since a time. @throws OlapError */
export async function countInsertsSince(olap: Olap, fromMs: number): Promise<number> {
  const [row] = await olap.query<{ inserts: string }>({
    sql: `SELECT uniqExact(${STORED_AT_COLUMN}) AS inserts FROM ${EVENTS_TABLE}
      WHERE ${STORED_AT_COLUMN} >= fromUnixTimestamp64Milli({from: Int64}, 'UTC')`,
    params: { from: fromMs },
    timeoutMs: TIMEOUT_MS,
    isFinal: true,
  });
  return Number(row?.inserts ?? 0);
}
