import type { Olap } from '../../storage/olap/olap.ts';
import { EVENTS_TABLE } from './events.olap.ts';

/** Most ids in one query. */
const IDS_PER_QUERY = 1_000;

/** Which of these events the analytics store has. @throws OlapError */
export async function readStoredIds(olap: Olap, eventIds: readonly string[]): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  for (let start = 0; start < eventIds.length; start += IDS_PER_QUERY) {
    const rows = await olap.query<{ event_id: string }>({
      sql: `SELECT event_id FROM ${EVENTS_TABLE} WHERE event_id IN {ids: Array(String)}`,
      params: { ids: eventIds.slice(start, start + IDS_PER_QUERY) },
      timeoutMs: 60_000,
    });
    for (const row of rows) stored.add(row.event_id);
  }
  return stored;
}
