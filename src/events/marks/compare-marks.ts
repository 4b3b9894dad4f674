import type { Kysely } from 'kysely';
import { type AnalyticsMark, readMark } from '../../storage/marks/analytics-marks.sql.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { type FoundStore, readStore } from './analytics-marks.olap.ts';

/** The analytics store lacks events that it had. */
export class AnalyticsLostError extends Error {
  override readonly name = 'AnalyticsLostError';
  constructor(reason: string) {
    super(
      `The analytics store lacks events: ${reason}. Bring back the right store or a backup of it, or go on without them: "placard stores accept"`,
    );
  }
}

/** Both sides of a comparison. */
export interface ComparedStore {
  /** What PostgreSQL knows; null: the store was never marked. */
  readonly mark: AnalyticsMark | null;
  readonly found: FoundStore;
  /** Why the store lacks events; null: it does not. */
  readonly lost: string | null;
}

/** Compares what the store holds with what is known of it. @throws what the stores throw */
export async function compareAnalytics(sql: Kysely<Database>, olap: Olap): Promise<ComparedStore> {
  // PostgreSQL first: a mark that is written in between would look like a loss.
  const mark = await readMark(sql);
  const found = await readStore(olap);
  return { mark, found, lost: mark === null ? null : findLoss(mark, found) };
}

/** Nothing may be rebuilt from a store that lacks events: budgets would be spent again. @throws AnalyticsLostError */
export async function requireWholeAnalytics(sql: Kysely<Database>, olap: Olap): Promise<void> {
  const { lost } = await compareAnalytics(sql, olap);
  if (lost !== null) throw new AnalyticsLostError(lost);
}

/** Why a store holds less than it is known to; null: it does not. */
export function findLoss(mark: Pick<AnalyticsMark, 'storeId' | 'number' | 'rows'>, found: FoundStore): string | null {
  const held = `it holds ${found.rows} of ${mark.rows ?? 'an unknown number of'} events`;
  if (found.storeId === null) return `it is new, and ${held}`;
  if (found.storeId !== mark.storeId) return `it is another store, and ${held}`;
  if (found.number < mark.number) return `it is an older copy (mark ${found.number} of ${mark.number}), and ${held}`;
  return mark.rows !== null && found.rows < mark.rows ? held : null;
}
