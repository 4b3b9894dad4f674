import type { Olap } from '../../storage/olap/olap.ts';
import { EVENTS_TABLE, STORE_MARKS_TABLE } from '../shipping/events.olap.ts';

/** What the analytics store says of itself. */
export interface FoundStore {
  /** Null: nothing has marked it, so it is new. */
  readonly storeId: string | null;
  readonly number: number;
  /** Stored events. */
  readonly rows: number;
}

const EMPTY: FoundStore = { storeId: null, number: 0, rows: 0 };

/** Also of a store without tables. @throws OlapError */
export async function readStore(olap: Olap): Promise<FoundStore> {
  const tables = await olap.query<{ name: string }>({
    sql: 'SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN {names: Array(String)}',
    params: { names: [EVENTS_TABLE, STORE_MARKS_TABLE] },
  });
  const names = new Set(tables.map(({ name }) => name));
  const rows = names.has(EVENTS_TABLE) ? await countEvents(olap) : 0;
  if (!names.has(STORE_MARKS_TABLE)) return { ...EMPTY, rows };
  const [mark] = await olap.query<{ store_id: string; number: string }>({
    sql: `SELECT store_id, max(number) AS number FROM ${STORE_MARKS_TABLE} GROUP BY store_id ORDER BY number DESC LIMIT 1`,
    isFinal: true,
  });
  return mark === undefined ? { ...EMPTY, rows } : { storeId: mark.store_id, number: Number(mark.number), rows };
}

/** Marks the store itself. @throws OlapError */
export async function writeStoreMark(olap: Olap, storeId: string, number: number): Promise<void> {
  await olap.command(
    `INSERT INTO ${STORE_MARKS_TABLE} (store_id, number) VALUES ({storeId: String}, {number: UInt64})`,
    {
      storeId,
      number,
    },
  );
}

/** The store knows it without reading rows. */
async function countEvents(olap: Olap): Promise<number> {
  const [row] = await olap.query<{ rows: string }>({
    sql: `SELECT count() AS rows FROM ${EVENTS_TABLE}`,
    isFinal: true,
  });
  return Number(row?.rows ?? 0);
}
